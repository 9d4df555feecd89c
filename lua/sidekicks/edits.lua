-- Loaded buffers as the files an agent reads and writes. It opens no window, saves nothing and asks nobody anything; the
-- host calls it, and decides what is read and written.
local apply = require('sidekicks.edits.apply')
local host = require('sidekicks.host')
local paths = require('sidekicks.edits.paths')
local reload = require('sidekicks.edits.reload')
local texts = require('sidekicks.edits.text')
local watch = require('sidekicks.edits.watch')

local M = {}

--- What `read` gives; `error` is the key of a text.
---@class (exact) sidekicks.edits.Snapshot
---@field found? boolean
---@field text? string
---@field guarded? boolean a blank stands before the text
---@field sliced? boolean the text is to be asked for in slices
---@field same? boolean buffer and file need not be compared
---@field modified? boolean
---@field tick? integer
---@field read? string the state of the file the buffer was last read from
---@field wrote? string the state of the file it was last written as
---@field error? string
---@field values? table<string, string> of that text

---@class (exact) sidekicks.edits.Outcome
---@field done? boolean false: the buffer has moved on, nothing was changed
---@field error? string the key of a text
---@field values? table<string, string>

---@param buf integer
---@param text? string nil where it is to be asked for in slices
---@return sidekicks.edits.Snapshot
local function snapshot(buf, text)
  local seen = watch.seen(buf)
  local given, guarded = texts.guarded(text)
  return {
    found = true,
    text = given,
    guarded = guarded,
    sliced = text == nil,
    same = text == nil and (vim.bo[buf].modified or reload.is_known(buf)),
    modified = vim.bo[buf].modified,
    tick = vim.api.nvim_buf_get_changedtick(buf),
    read = seen.read,
    wrote = seen.wrote,
  }
end

--- Too large to be given; a clean buffer is brought up to date all the same.
---@param buf integer
---@return sidekicks.edits.Snapshot
local function too_large(buf)
  if not vim.bo[buf].modified and watch.has_changed(buf) then
    reload.check_time(buf)
  end
  return { error = 'file.tooLarge', values = { limit = ('%d MB'):format(texts.most / 1024 / 1024) } }
end

--- What is in the loaded buffer of a file, after a clean one was brought up to date. The text of a long one is asked for in
--- slices, as long as nothing is to be read from disk.
---@param path string absolute
---@param whole? boolean also a long text in one piece
---@return sidekicks.edits.Snapshot
function M.read(path, whole)
  local buf = paths.find(path)
  if not buf then
    return { found = false }
  end
  if texts.is_too_large(buf) or (not vim.bo[buf].modified and texts.size_on_disk(path) > texts.most) then
    return too_large(buf)
  elseif not whole and texts.is_long(buf) and not watch.has_changed(buf) then
    return snapshot(buf)
  end
  local text, problem = reload.up_to_date(buf)
  return text and snapshot(buf, text) or { error = problem }
end

--- The text from a row on, if the buffer still is at `tick`, and the row where the next slice begins.
---@param path string absolute
---@param tick integer
---@param from integer row from 0
---@return { text?: string, guarded?: boolean, next?: integer, error?: string }
function M.slice(path, tick, from)
  local buf = paths.find(path)
  if not buf or vim.api.nvim_buf_get_changedtick(buf) ~= tick then
    return vim.empty_dict()
  end
  local to = texts.slice_end(buf, from)
  local text = texts.rows(buf, from, to)
  local problem = texts.problem(buf, text)
  if problem then
    return { error = problem }
  end
  local given, guarded = texts.guarded(text)
  return { text = given, guarded = guarded, next = to < vim.api.nvim_buf_line_count(buf) and to or nil }
end

--- What tells one state of each file's buffer, and of the file below it, from another; "" where none is loaded.
---@param files string[] absolute
---@return { versions: string[] }
function M.versions(files)
  local loaded = paths.loaded()
  local versions = vim.tbl_map(function(path)
    local buf = loaded[path]
    local tick = buf and vim.api.nvim_buf_get_changedtick(buf)
    return buf and ('%d %d %s'):format(buf, tick, watch.stamp(path)) or ''
  end, files)
  return { versions = versions }
end

--- Of the loaded buffer of a file, whatever is in it.
---@param path string absolute
---@return { modified: boolean }
function M.state(path)
  local buf = paths.find(path)
  return { modified = buf ~= nil and vim.bo[buf].modified }
end

---@param buf integer
---@return boolean
local function all_lines_return(buf)
  local count = vim.api.nvim_buf_line_count(buf)
  for from = 0, count - 1, 1000 do
    for _, line in ipairs(vim.api.nvim_buf_get_lines(buf, from, math.min(from + 1000, count), false)) do
      if line:byte(-1) ~= 13 then
        return false
      end
    end
  end
  return true
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
  local buf = paths.find(path)
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

--- What Neovim says of a command that failed, without where in a script it was.
---@param problem any
---@return { what: string }
local function said(problem)
  local text = tostring(problem)
  return { what = text:match('Vim%b():([^\n]+)') or text }
end

--- Writes the loaded buffer of a file, if it still is at `tick` and nobody else has changed the file.
---@param path string absolute
---@param tick integer
---@return sidekicks.edits.Outcome
function M.save(path, tick)
  local buf = paths.find(path)
  if not buf or vim.api.nvim_buf_get_changedtick(buf) ~= tick or watch.has_changed(buf) then
    return { done = false }
  end
  local saved, problem = pcall(vim.api.nvim_buf_call, buf, function()
    vim.cmd('silent write ++p')
  end)
  return saved and { done = true } or { error = 'edits.notSaved', values = said(problem) }
end

--- Loads a file into a buffer that no window shows, past any question about a swap file.
---@param path string absolute
---@return sidekicks.edits.Outcome
function M.load(path)
  local buf = vim.fn.bufadd(path)
  local loaded, problem = pcall(function()
    vim.cmd(('silent noswapfile call bufload(%d)'):format(buf))
  end)
  vim.bo[buf].buflisted = true
  return loaded and { done = true } or { error = 'edits.notLoaded', values = said(problem) }
end

--- What the loaded buffer of a file held when it was read or written last.
---@param path string absolute
---@return { text?: string, guarded: boolean }
function M.base(path)
  local buf = paths.find(path)
  local text, guarded = texts.guarded(buf and watch.seen(buf).text or nil)
  return { text = text, guarded = guarded }
end

---@param folders string[]
local function follow(folders)
  watch.follow(folders, reload.hold_text, function(path, stamp)
    host.request('ViewService.BufferRead', { path = path, stamp = stamp })
  end)
end

--- While agents work in these folders (resolved), no changed file there leads to a question, and the host hears of each
--- file that is read. Gives the files of loaded buffers there.
---@param folders string[]
---@return { paths: string[] }
function M.follow(folders)
  follow(folders)
  local files = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local path = paths.of(buf)
    if path then
      watch.seen(buf)
      table.insert(files, path)
    end
  end
  return { paths = files }
end

-- Nobody is left who merges.
host.on('host:exited', function()
  follow({})
end)

return M
