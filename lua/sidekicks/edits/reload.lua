-- Brings buffers up to date with their files without a question of Neovim's, and without losing unsaved text, marks or the way
-- back through the undo. Merges nothing: the host does.
local apply = require('sidekicks.edits.apply')
local texts = require('sidekicks.edits.text')
local undo = require('sidekicks.undo')
local viewport = require('sidekicks.viewport')
local watch = require('sidekicks.edits.watch')

local M = {}

--- Reads a file that was not there when its buffer was opened: looking at it, Neovim would ask (W13).
local function edit_anew()
  local short = vim.go.shortmess
  vim.go.shortmess = short .. 'A' -- nor does a swap file of another Neovim
  vim.cmd('silent! edit!')
  vim.go.shortmess = short
end

--- Neovim's own look at a changed file: it asks nothing where 'autoread' is set and the buffer has no changes.
---@param buf integer
local function look_again(buf)
  local was_set = vim.fn.execute('setlocal autoread?'):find('--', 1, true) == nil
  local before = vim.bo[buf].autoread
  vim.bo[buf].autoread = true
  vim.cmd(('silent! checktime %d'):format(buf))
  if was_set then
    vim.bo[buf].autoread = before
  else
    vim.cmd('setlocal autoread<')
  end
end

--- A reload that can be undone.
---@param buf integer
function M.check_time(buf)
  local undo_reload = vim.go.undoreload
  vim.go.undoreload = -1
  vim.api.nvim_buf_call(buf, function()
    if watch.is_new(buf) then
      edit_anew()
    else
      look_again(buf)
    end
  end)
  vim.go.undoreload = undo_reload
end

--- Brings a clean buffer up to date with its file. A change that Neovim does not notice, as size and time of the file are
--- the same as before, is applied here; what has another size was made another text when it was read, and is left alone.
---@param buf integer
---@param on_disk string
local function reload(buf, on_disk)
  M.check_time(buf)
  local text = texts.of(buf)
  local lines = text ~= on_disk and #text == #on_disk and texts.lines_for(buf, on_disk)
  if lines then
    vim.bo[buf].modified = true
    apply.lines(buf, lines)
    vim.bo[buf].modified = false
  end
end

local kept_options = { 'endofline', 'fixendofline', 'bomb', 'fileformat', 'fileencoding', 'binary' }

--- Where the reload was a step, undoing it leaves the way back as it was, and marks and extmarks where they were.
---@param buf integer
---@param before string[]
---@param step integer the one before the reload
local function undo_reload(buf, before, step)
  if undo.step(buf) ~= step then
    vim.api.nvim_buf_call(buf, function()
      vim.cmd('silent! undo')
    end)
  end
  if not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, 0, -1, false), before) then
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, before) -- 'undolevels' kept no way back
  end
end

--- Takes a buffer's unsaved text in hand before its file is read into it. Lines, form and views come back by what it gives.
---@param buf integer
---@return fun() give_back
function M.hold_text(buf)
  local before = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local windows = viewport.capture(buf)
  local values = vim.tbl_map(function(name)
    return vim.bo[buf][name]
  end, kept_options)
  undo.close_step(buf)
  local step = undo.step(buf)
  vim.bo[buf].modified = false
  return function()
    undo_reload(buf, before, step)
    for index, name in ipairs(kept_options) do
      if vim.bo[buf][name] ~= values[index] then
        vim.bo[buf][name] = values[index]
      end
    end
    vim.bo[buf].modified = true
    undo.close_step(buf)
    for _, window in ipairs(windows) do
      viewport.hold(window, {})
    end
  end
end

--- Makes Neovim count a changed file as read though the buffer keeps its unsaved text, so that it asks about that file
--- neither now (W12) nor when the buffer is written. What an agent wrote is merged, or listed, by the host.
---@param buf integer
function M.keep_text(buf)
  local ignored = vim.go.eventignore
  vim.go.eventignore = 'all'
  local give_back = M.hold_text(buf)
  M.check_time(buf)
  give_back()
  vim.go.eventignore = ignored
  watch.kept(buf)
end

--- Whether a clean buffer was found to hold what its file does, and neither is another since.
---@param buf integer
---@return boolean
function M.is_known(buf)
  local state = watch.stamp(vim.api.nvim_buf_get_name(buf)) .. vim.api.nvim_buf_get_changedtick(buf)
  return watch.seen(buf).same == state
end

--- A clean buffer follows its file; its text is given, or why it cannot be.
---@param buf integer
---@return string? text
---@return string? error the key of a text
local function clean(buf)
  local path = vim.api.nvim_buf_get_name(buf)
  local stamp = watch.stamp(path)
  if M.is_known(buf) then
    return texts.of(buf)
  end
  local on_disk = texts.on_disk(path)
  local text = texts.of(buf)
  if on_disk and on_disk ~= text then
    reload(buf, on_disk)
    text = texts.of(buf)
  end
  local problem = texts.problem(buf, text) or (on_disk and text ~= on_disk and 'edits.unlike') or nil
  if not problem and on_disk then
    watch.seen(buf).same = stamp .. vim.api.nvim_buf_get_changedtick(buf)
  end
  return not problem and text or nil, problem
end

--- One with unsaved text keeps it, and Neovim counts the file as read, unless the two cannot be merged.
---@param buf integer
---@return string? text
---@return string? error the key of a text
local function modified(buf)
  local text = texts.of(buf)
  local problem = texts.problem(buf, text)
  local has_changed = watch.has_changed(buf) and vim.uv.fs_stat(vim.api.nvim_buf_get_name(buf))
  if has_changed and not texts.is_opaque(buf) then
    M.keep_text(buf)
  end
  return not problem and text or nil, problem
end

--- The text of a buffer, once that is up to date with its file.
---@param buf integer
---@return string? text
---@return string? error the key of a text
function M.up_to_date(buf)
  if vim.bo[buf].modified then
    return modified(buf)
  end
  return clean(buf)
end

return M
