-- Knows what state of its file each buffer was last read from or written as, and keeps Neovim's questions about changed files
-- away from the folders agents work in, from the first turn of an agent until it is gone. Merges nothing: the host does.
-- Everywhere else, Neovim's own ways with changed files remain ('autoread', W11, W12).
local resolved = require('sidekicks.edits.paths').resolved
local texts = require('sidekicks.edits.text')

local M = {}

local group = vim.api.nvim_create_augroup('sidekicks.edits', { clear = true })

--- States of a file, as `stamp` gives them.
---@class (exact) sidekicks.edits.Seen
---@field read? string when the buffer was read
---@field wrote? string when the buffer was written
---@field last? string the newest state Neovim knows of
---@field same? string the state of file and buffer in which both were found alike
---@field text? string what it held when it was read or written last, kept while agents work in its folder

---@type table<integer, sidekicks.edits.Seen>
local seen = {}

---@type table<integer, boolean> buffers whose file comes and goes, and leaves them as they were
local held = {}

---@type string[] folders agents work in; empty while none runs
local folders = {}

---@type fun(buf: integer): fun()
local hold_text

---@type fun(path: string, stamp: string)
local on_file

--- What tells one state of a file from another, also of the same size in the same second. The host makes the same of it.
---@param path string
---@return string "" for no file
function M.stamp(path)
  local stat = vim.uv.fs_stat(path)
  if not stat then
    return ''
  end
  local changed, modified = stat.ctime, stat.mtime
  return ('%d:%d:%d.%d:%d.%d'):format(stat.ino, stat.size, modified.sec, modified.nsec, changed.sec, changed.nsec)
end

---@param buf integer
---@return sidekicks.edits.Seen
function M.seen(buf)
  local known = seen[buf]
  if not known then
    -- A buffer of before this was loaded: what is on disk now counts as what it was read from.
    known = { last = M.stamp(vim.api.nvim_buf_get_name(buf)) }
    seen[buf] = known
  end
  return known
end

--- Whether the file is another than Neovim knows.
---@param buf integer
---@return boolean
function M.has_changed(buf)
  return M.seen(buf).last ~= M.stamp(vim.api.nvim_buf_get_name(buf))
end

--- Whether there was no file yet when Neovim looked last.
---@param buf integer
---@return boolean
function M.is_new(buf)
  return M.seen(buf).last == ''
end

--- Neovim counts the file as read, though the buffer kept its text.
---@param buf integer
function M.kept(buf)
  M.seen(buf).last = M.stamp(vim.api.nvim_buf_get_name(buf))
end

---@param buf integer
---@return string
local function path_of(buf)
  return resolved(vim.api.nvim_buf_get_name(buf))
end

--- Whether agents work where its file is.
---@param buf integer
---@return boolean
function M.is_followed(buf)
  return vim.iter(folders):any(function(folder)
    return vim.startswith(path_of(buf), folder == '/' and '/' or folder .. '/')
  end)
end

--- Lets Neovim read the file and puts the unsaved text of the buffer back. What cannot be merged counts as changed here until
--- the person has decided.
---@param buf integer
local function keep_over_reload(buf)
  local is_opaque = texts.is_opaque(buf)
  local give_back = hold_text(buf)
  held[buf] = true
  vim.api.nvim_create_autocmd('FileChangedShellPost', {
    group = group,
    buffer = buf,
    once = true,
    desc = 'gives a buffer its unsaved text back',
    callback = function()
      give_back()
      held[buf] = nil
      if not is_opaque then
        M.kept(buf)
        on_file(path_of(buf), M.seen(buf).last)
      end
    end,
  })
end

--- Whether somebody else answers for changed files too.
---@param buf integer
---@return boolean
local function is_answered_elsewhere(buf)
  local all = vim.api.nvim_get_autocmds({ event = 'FileChangedShell' })
  return vim.iter(all):any(function(one)
    return one.group ~= group and (one.buffer or buf) == buf
  end)
end

--- Instead of a question: a clean buffer follows its file, one with unsaved text keeps it.
---@param buf integer
local function on_changed_shell(buf)
  if not M.is_followed(buf) then
    -- That there is an autocommand at all would keep Neovim from asking.
    vim.v.fcs_choice = is_answered_elsewhere(buf) and vim.v.fcs_choice or 'ask'
    return
  end
  if vim.v.fcs_reason == 'deleted' then
    vim.v.fcs_choice = ''
    return
  end
  vim.v.fcs_choice = 'reload'
  if vim.bo[buf].modified then
    keep_over_reload(buf)
  end
end

---@param event string|string[]
---@param desc string
---@param callback fun(buf: integer)
local function on(event, desc, callback)
  vim.api.nvim_create_autocmd(event, {
    group = group,
    desc = desc,
    callback = function(args)
      callback(args.buf)
    end,
  })
end

--- In folders agents work in, what a buffer holds now is kept, and the host hears of its file.
---@param buf integer
local function tell(buf)
  if #folders > 0 and M.is_followed(buf) then
    local known = M.seen(buf)
    known.text = not texts.is_too_large(buf) and texts.of(buf) or nil
    on_file(path_of(buf), known.last)
  end
end

---@param buf integer
---@param how 'read'|'wrote'
local function note(buf, how)
  if held[buf] then
    return
  end
  local stamp = M.stamp(vim.api.nvim_buf_get_name(buf))
  local known = seen[buf] or {}
  known[how], known.last, known.text = stamp, stamp, nil
  seen[buf] = known
  if how == 'wrote' then
    known.read = nil
  end
  tell(buf)
end

on('BufReadPost', 'notes what a buffer was read from', function(buf)
  note(buf, 'read')
end)

on('BufNewFile', 'notes that a buffer has no file yet', function(buf)
  seen[buf] = { last = '' }
  tell(buf)
end)

on('BufWritePost', 'notes what a buffer was written as', function(buf)
  note(buf, 'wrote')
end)

on('BufWipeout', 'forgets a buffer that is gone', function(buf)
  seen[buf], held[buf] = nil, nil
end)

local function start()
  vim.api.nvim_create_autocmd('FileChangedShell', {
    group = group,
    desc = 'keeps questions about files that agents change away',
    callback = function(args)
      on_changed_shell(args.buf)
    end,
  })
  -- Only an exception of Vim script keeps a buffer from being written.
  local module = "v:lua.require'sidekicks.edits.writing'"
  vim.api.nvim_create_autocmd('BufWritePre', {
    group = group,
    desc = 'merges what agents have just changed on disk before it is written over',
    command = ('if %s.is_refused() | throw %s.refusal() | endif'):format(module, module),
  })
end

--- From now on, changed files in these folders lead to no question; an empty list ends it.
---@param wanted string[] resolved
---@param hold fun(buf: integer): fun() keeps the text of a buffer over a reload, and gives what puts it back
---@param file fun(path: string, stamp: string) told of each buffer that is read or written in these folders, and as what
function M.follow(wanted, hold, file)
  local was_following = #folders > 0
  folders, hold_text, on_file = wanted, hold, file
  if #wanted > 0 and not was_following then
    start()
  elseif #wanted == 0 then
    vim.api.nvim_clear_autocmds({ group = group, event = { 'FileChangedShell', 'BufWritePre' } })
  end
end

return M
