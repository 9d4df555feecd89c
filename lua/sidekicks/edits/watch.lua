-- Knows what state of its file each buffer was last read from or written as, and, while agents are at work, keeps Neovim's
-- questions about changed files away from the folders they work in. Merges nothing: the host does.
-- While no agent is at work, Neovim's own ways with changed files remain ('autoread', W11, W12).
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

---@type string[] folders agents work in; empty while none does
local folders = {}

---@type fun(buf: integer): fun()
local hold_text

---@type fun(path: string)
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

---@param path string
---@return boolean
local function is_followed(path)
  return vim.iter(folders):any(function(folder)
    return vim.startswith(path, folder == '/' and '/' or folder .. '/')
  end)
end

---@param buf integer
---@return string
local function path_of(buf)
  return resolved(vim.api.nvim_buf_get_name(buf))
end

--- Instead of a question: a clean buffer follows its file, one with unsaved text keeps it.
---@param buf integer
local function on_changed_shell(buf)
  if not is_followed(path_of(buf)) then
    return
  end
  if vim.v.fcs_reason == 'deleted' then
    vim.v.fcs_choice = ''
    return
  end
  vim.v.fcs_choice = 'reload'
  if vim.bo[buf].modified then
    local give_back = hold_text(buf)
    local before = vim.deepcopy(M.seen(buf))
    vim.api.nvim_create_autocmd('FileChangedShellPost', {
      group = group,
      buffer = buf,
      once = true,
      desc = 'gives a buffer its unsaved text back',
      callback = function()
        give_back()
        -- The text of the file came and went: what was read before is what the buffer goes on from.
        seen[buf] = { read = before.read, wrote = before.wrote, text = before.text }
        M.kept(buf)
      end,
    })
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
  if #folders > 0 and is_followed(path_of(buf)) then
    M.seen(buf).text = texts.of(buf)
    on_file(path_of(buf))
  end
end

---@param buf integer
---@param how 'read'|'wrote'
local function note(buf, how)
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
  seen[buf] = nil
end)

--- From now on, changed files in these folders lead to no question; an empty list ends it.
---@param wanted string[] resolved
---@param hold fun(buf: integer): fun() keeps the text of a buffer over a reload, and gives what puts it back
---@param file fun(path: string) told of each buffer that is read or written in these folders
function M.follow(wanted, hold, file)
  local was_following = #folders > 0
  folders, hold_text, on_file = wanted, hold, file
  if #wanted > 0 and not was_following then
    vim.api.nvim_create_autocmd('FileChangedShell', {
      group = group,
      desc = 'keeps questions about files that agents change away',
      callback = function(args)
        on_changed_shell(args.buf)
      end,
    })
  elseif #wanted == 0 then
    vim.api.nvim_clear_autocmds({ group = group, event = 'FileChangedShell' })
  end
end

return M
