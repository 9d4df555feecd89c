-- Loaded buffers as the files an agent reads and writes. It opens no window, saves nothing and asks nobody anything; the
-- host calls it, and decides what is read and written.
local apply = require('sidekicks.edits.apply')
local texts = require('sidekicks.edits.text')

local M = {}

--- What `read` gives; `error` is the key of a text.
---@class (exact) sidekicks.edits.Snapshot
---@field found? boolean
---@field text? string
---@field modified? boolean
---@field tick? integer
---@field error? string

---@class (exact) sidekicks.edits.Outcome
---@field done? boolean false: the buffer has moved on, nothing was changed
---@field error? string the key of a text

---@param path string
---@return string
local function resolved(path)
  local real = vim.uv.fs_realpath(path)
  if real then
    return real
  end
  local parent = vim.uv.fs_realpath(vim.fs.dirname(path))
  return parent and (parent == '/' and '' or parent) .. '/' .. vim.fs.basename(path) or path
end

---@param buf integer
---@return boolean
local function is_file(buf)
  return vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == '' and vim.api.nvim_buf_get_name(buf) ~= ''
end

--- The loaded buffer of a file, however the file is named; one with unsaved text before any other.
---@param path string
---@return integer?
local function find(path)
  local wanted, found = resolved(path), nil
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if is_file(buf) and resolved(vim.api.nvim_buf_get_name(buf)) == wanted then
      found = (vim.bo[buf].modified or not found) and buf or found
    end
  end
  return found
end

--- Neovim's own reload asks nothing where 'autoread' is set.
---@param buf integer
local function check_time(buf)
  vim.api.nvim_buf_call(buf, function()
    local was_set = vim.fn.execute('setlocal autoread?'):find('--', 1, true) == nil
    local before = vim.bo[buf].autoread
    vim.bo[buf].autoread = true
    vim.cmd(('silent! checktime %d'):format(buf))
    if was_set then
      vim.bo[buf].autoread = before
    else
      vim.cmd('setlocal autoread<')
    end
  end)
end

--- Brings a clean buffer up to date with its file. A change that Neovim does not notice, as size and time of the file are
--- the same as before, is applied here; what has another size was made another text when it was read, and is left alone.
---@param buf integer
---@param on_disk string
local function reload(buf, on_disk)
  if on_disk == texts.of(buf) then
    return
  end
  check_time(buf)
  local text = texts.of(buf)
  local lines = text ~= on_disk and #text == #on_disk and texts.lines_for(buf, on_disk)
  if lines then
    apply.lines(buf, lines)
    vim.bo[buf].modified = false
  end
end

---@param buf integer
---@return string? error
local function bring_up_to_date(buf)
  local on_disk = not vim.bo[buf].modified and texts.on_disk(vim.api.nvim_buf_get_name(buf))
  if not on_disk then
    return nil
  end
  reload(buf, on_disk)
  local text = texts.of(buf)
  return text ~= on_disk and (texts.problem(buf, text) or 'edits.unlike') or nil
end

--- What is in the loaded buffer of a file, after a clean one was brought up to date.
---@param path string absolute
---@return sidekicks.edits.Snapshot
function M.read(path)
  local buf = find(path)
  if not buf then
    return { found = false }
  end
  local problem = bring_up_to_date(buf)
  local text = texts.of(buf)
  problem = problem or texts.problem(buf, text)
  if problem then
    return { error = problem }
  end
  return { found = true, text = text, modified = vim.bo[buf].modified, tick = vim.api.nvim_buf_get_changedtick(buf) }
end

---@param buf integer
---@return boolean
local function all_lines_return(buf)
  return vim.iter(vim.api.nvim_buf_get_lines(buf, 0, -1, false)):all(function(line)
    return vim.endswith(line, '\r')
  end)
end

--- Lines as this buffer holds them. The host takes CR LF for a line's end where all lines have it, also where Neovim took
--- the CR for a part of the line.
---@param buf integer
---@param changes sidekicks.edits.Change[]
---@return sidekicks.edits.Change[]
local function fitted(buf, changes)
  local is_dos = vim.bo[buf].fileformat == 'dos'
  local last = not is_dos and all_lines_return(buf) and '\r' or ''
  if not is_dos and last == '' then
    return changes
  end
  return vim.tbl_map(function(change)
    local lines = vim.tbl_map(function(line)
      return line:gsub('\r$', '') .. last
    end, change.lines)
    return { from = change.from, to = change.to, lines = lines }
  end, changes)
end

--- A file that is to end without a line end is written so, whatever 'fixendofline' says.
---@param buf integer
---@param ended boolean
local function set_end(buf, ended)
  if ended ~= vim.bo[buf].endofline then
    vim.bo[buf].endofline = ended
    vim.bo[buf].fixendofline = ended and vim.go.fixendofline
    vim.bo[buf].modified = true
  end
end

---@param buf integer
---@return string? error
local function refusal(buf)
  if vim.bo[buf].readonly then
    return 'edits.readonly'
  elseif not vim.bo[buf].modifiable then
    return 'edits.notModifiable'
  elseif vim.bo[buf].fileformat == 'mac' then
    return 'edits.lineEnds'
  end
end

--- Changes the loaded buffer of a file, if it still is at `tick`. The buffer is modified then, not saved.
---@param path string absolute
---@param tick integer
---@param changes sidekicks.edits.Change[] ascending
---@param ended? boolean whether the last line is to have its end; nil leaves it
---@return sidekicks.edits.Outcome
function M.change(path, tick, changes, ended)
  local buf = find(path)
  if not buf or vim.api.nvim_buf_get_changedtick(buf) ~= tick then
    return { done = false }
  end
  local refused = refusal(buf)
  if refused then
    return { error = refused }
  end
  if #changes > 0 then
    apply.changes(buf, fitted(buf, changes))
  end
  if ended ~= nil then
    set_end(buf, ended)
  end
  return { done = true }
end

return M
