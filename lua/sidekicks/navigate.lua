-- Moves in a transcript and from it: between messages, to the place a tool call names, to the whole of a tool call.
-- It reads the blocks that are drawn and changes nothing in them.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

--- First rows (from 1) of the messages drawn in a buffer.
---@param buf integer
---@return integer[]
local function message_rows(buf)
  local rows = {}
  for block, first_row in require('sidekicks.transcript').blocks(buf) do
    if block.kind == 'header' then
      table.insert(rows, first_row + 1)
    end
  end
  return rows
end

---@param step 1|-1
local function go_to_message(step)
  local rows = message_rows(vim.api.nvim_get_current_buf())
  local at = vim.api.nvim_win_get_cursor(0)[1]
  for _ = 1, vim.v.count1 do
    local before, after
    for _, row in ipairs(rows) do
      before = row < at and row or before
      after = after or (row > at and row or nil)
    end
    at = (step == 1 and after or step == -1 and before) or at
  end
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { at, 0 })
end

--- The next message, `count` times.
function M.next_message()
  go_to_message(1)
end

--- The message before, `count` times.
function M.previous_message()
  go_to_message(-1)
end

--- Goes to the end of the conversation; with a count to that line, as `G` does.
function M.newest()
  local count = vim.v.count
  if count == 0 and require('sidekicks.transcript').draw_newest(vim.api.nvim_get_current_buf()) then
    return
  end
  vim.cmd('normal! ' .. (count > 0 and count or '') .. 'G')
  -- Neovim leaves this to a map.
  if vim.o.foldopen:find('jump') or vim.o.foldopen:find('all') then
    vim.cmd('normal! zv')
  end
end

---@return sidekicks.Block?
local function block_here()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  return (require('sidekicks.transcript').block_at(vim.api.nvim_get_current_buf(), row))
end

--- The message at the cursor of a transcript.
---@return string?
function M.message_here()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local message
  for block, first_row in require('sidekicks.transcript').blocks(vim.api.nvim_get_current_buf()) do
    if first_row > row then
      break
    end
    message = block.message or message
  end
  return message
end

--- Shows a file in the current window. One that is open is not read again, so that unsaved text is no hindrance and the
--- cursor is where it was.
---@param path string
local function show_file(path)
  local buf = require('sidekicks.edits.paths').find(path)
  if buf then
    vim.api.nvim_win_set_buf(0, buf)
  else
    vim.cmd.edit(vim.fn.fnameescape(path))
  end
end

--- Where the turn of a message changed a file first.
---@param path string
---@param message? string
---@return integer? line
local function first_change(path, message)
  local turn = message and require('sidekicks.review').turn(message)
  local resolved = require('sidekicks.edits.paths').resolved(path)
  for _, file in ipairs(turn and turn.files or {}) do
    if file.path == resolved and file.hunks[1] then
      return file.hunks[1].line
    end
  end
end

--- Opens the file the tool call under the cursor names, in a window that is not ours: at its line, else where it changed
--- something, else where the cursor is there.
function M.go_to_location()
  local block = block_here()
  local location = block and block.location
  if not location then
    return notify.info(t('navigate.noLocation'))
  end
  local line = location.line or first_change(location.path, M.message_here())
  vim.api.nvim_set_current_win(window.for_file())
  show_file(location.path)
  if line then
    local last = vim.api.nvim_buf_line_count(0)
    vim.api.nvim_win_set_cursor(0, { math.max(math.min(line, last), 1), 0 })
    vim.cmd('normal! zv')
  end
end

--- Lists what was changed in the turn at the cursor, else in all of this conversation.
function M.review()
  local message = M.message_here()
  local id = require('sidekicks.buffer').conversation_of(0)
  local is_turn = message and require('sidekicks.review').turn(message) ~= nil
  require('sidekicks.review.list').open(is_turn and { message = message } or { channel = id })
end

---@param rows string[]
---@return integer
local function scratch(rows)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, rows)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].modifiable = false
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true, desc = t('keys.close') })
  return buf
end

---@param title string
---@param rows string[]
local function show_whole(title, rows)
  local width = math.max(math.floor(vim.o.columns * 0.8), math.min(vim.o.columns, 60))
  local height = math.max(math.min(#rows, math.floor(vim.o.lines * 0.8)), 1)
  require('sidekicks.float').open(scratch(rows), { width = width, height = height, title = title })
end

--- Shows the whole of the tool call under the cursor, however long, in a window of its own.
function M.show_tool()
  local block = block_here()
  if not block or not block.tool then
    return notify.info(t('navigate.noTool'))
  end
  local id = require('sidekicks.buffer').conversation_of(0)
  host.request('ViewService.Tool', { id = id, tool = block.tool }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    show_whole(result.title, result.rows)
  end)
end

return M
