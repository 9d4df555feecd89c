-- Carries line changes into a buffer as one undo step of its own, each as small as it can be, so that cursor, folds and
-- marks stay. It decides nothing about whether they may be made.
local undo = require('sidekicks.undo')
local viewport = require('sidekicks.viewport')

local M = {}

--- Rows `from` to `to` (from 0, end excluded) become `lines`; rows count as they were before any change.
---@class (exact) sidekicks.edits.Change
---@field from integer
---@field to integer
---@field lines string[]

---@diagnostic disable-next-line: undefined-field
local diff = vim.text and vim.text.diff or vim.diff
local loses_marks = vim.fn.has('nvim-0.12') == 0

---@param a string
---@param b string
---@return integer bytes both begin with, whole characters only
local function common_head(a, b)
  local count, most = 0, math.min(#a, #b)
  while count < most and a:byte(count + 1) == b:byte(count + 1) do
    count = count + 1
  end
  return count + (count < #a and vim.str_utf_start(a, count + 1) or 0)
end

---@param a string
---@param b string
---@param head integer
---@return integer bytes both end with, whole characters only
local function common_tail(a, b, head)
  local count, most = 0, math.min(#a, #b) - head
  while count < most and a:byte(#a - count) == b:byte(#b - count) do
    count = count + 1
  end
  while count > 0 and vim.str_utf_start(a, #a - count + 1) ~= 0 do
    count = count - 1
  end
  return count
end

--- Marks that a person has set in a row.
---@param buf integer
---@param row integer
---@return table[]
local function marks_in(buf, row)
  return vim.tbl_filter(function(mark)
    return mark.pos[1] == buf and mark.pos[2] == row + 1 and mark.mark:find("^'%a$") ~= nil
  end, vim.list_extend(vim.fn.getmarklist(buf), vim.fn.getmarklist()))
end

--- Changes text within a row. Older Neovims take the row's marks away.
---@param buf integer
---@param row integer
---@param from integer
---@param to integer
---@param text string
local function set_text(buf, row, from, to, text)
  local marks = loses_marks and marks_in(buf, row) or {}
  vim.api.nvim_buf_set_text(buf, row, from, row, to, { text })
  for _, mark in ipairs(marks) do
    vim.api.nvim_buf_set_mark(buf, mark.mark:sub(2), row + 1, math.max(mark.pos[3] - 1, 0), {})
  end
end

--- Changes within one line, so that marks and the cursor in the rest of it stay.
---@param buf integer
---@param row integer
---@param after string
local function change_line(buf, row, after)
  local before = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
  if before == after then
    return
  end
  local head = common_head(before, after)
  local tail = common_tail(before, after, head)
  set_text(buf, row, head, #before - tail, after:sub(head + 1, #after - tail))
end

--- The rows that have a line after the change keep their marks; only those too many or too few come and go.
---@param buf integer
---@param change sidekicks.edits.Change
local function apply(buf, change)
  local count = change.to - change.from
  local kept = math.min(count, #change.lines)
  if count ~= #change.lines then
    local rest = vim.list_slice(change.lines, kept + 1)
    vim.api.nvim_buf_set_lines(buf, change.from + kept, change.to, false, rest)
  end
  for index = kept, 1, -1 do
    change_line(buf, change.from + index - 1, change.lines[index])
  end
end

--- Applies changes as one undo step, from the last to the first, so that the rows of each hold.
---@param buf integer
---@param changes sidekicks.edits.Change[] ascending
function M.changes(buf, changes)
  local windows = viewport.capture(buf)
  local moves = {}
  undo.close_step(buf)
  for index = #changes, 1, -1 do
    local change = changes[index]
    apply(buf, change)
    table.insert(moves, { from = change.from, to = change.to, count = #change.lines })
  end
  undo.close_step(buf)
  for _, window in ipairs(windows) do
    viewport.hold_top(window, moves)
  end
end

---@param lines string[]
---@return string
local function joined(lines)
  return table.concat(lines, '\n') .. '\n'
end

--- Gives a buffer other lines, by the changes between them and its own.
---@param buf integer
---@param lines string[]
function M.lines(buf, lines)
  local before = joined(vim.api.nvim_buf_get_lines(buf, 0, -1, false))
  local hunks = diff(before, joined(lines), { result_type = 'indices' }) --[[@as integer[][] ]]
  local changes = vim.tbl_map(function(hunk)
    local from = hunk[2] == 0 and hunk[1] or hunk[1] - 1
    local after = vim.list_slice(lines, hunk[3], hunk[3] + hunk[4] - 1)
    return { from = from, to = from + hunk[2], lines = after }
  end, hunks)
  M.changes(buf, changes)
end

return M
