-- Carries patches into the buffer of a transcript: rows, marks, folds, and what the windows show. It asks the host nothing.
local Blocks = require('sidekicks.transcript.blocks')
local code = require('sidekicks.code')
local folds = require('sidekicks.folds')
local highlight = require('sidekicks.highlight')
local viewport = require('sidekicks.viewport')

local M = {}

local namespace = vim.api.nvim_create_namespace('sidekicks.transcript')
-- Above the colours of code, below what the person searches or selects.
local priority = 150

---@class (exact) sidekicks.transcript.Drawn
---@field buf integer
---@field blocks sidekicks.transcript.Blocks

--- One patch being drawn.
---@class (exact) sidekicks.transcript.Pass
---@field drawn sidekicks.transcript.Drawn
---@field windows sidekicks.viewport.Window[]
---@field changes sidekicks.viewport.Change[]
---@field opened table<integer, table<string, boolean>> by window, the blocks whose folds stood open
---@field folded table<sidekicks.transcript.Block, true> to be folded anew
---@field at_newest boolean its end is that of the conversation

---@param buf integer
---@param row integer
---@param mark [integer, integer, integer, string]
local function set_mark(buf, row, mark)
  local start, stop = mark[2], mark[3]
  local whole = stop < 0
  vim.api.nvim_buf_set_extmark(buf, namespace, row, start, {
    end_row = whole and row + 1 or row,
    end_col = whole and 0 or stop,
    hl_group = highlight.group(mark[4]),
    hl_eol = whole,
    priority = priority,
    strict = false,
  })
end

---@param buf integer
---@param first integer
---@param block sidekicks.Block
local function mark_block(buf, first, block)
  for _, mark in ipairs(block.marks) do
    set_mark(buf, first + mark[1], mark)
  end
  if block.right and block.right ~= '' then
    vim.api.nvim_buf_set_extmark(buf, namespace, first, 0, {
      virt_text = { { block.right, highlight.group('time') } },
      virt_text_pos = 'right_align',
      hl_mode = 'combine',
      priority = priority,
    })
  end
end

--- Replaces rows of the buffer. A buffer is never empty: without blocks it holds one line that is nobody's.
---@param pass sidekicks.transcript.Pass
---@param from integer
---@param to integer
---@param rows string[]
local function write(pass, from, to, rows)
  local buf = pass.drawn.buf
  local stop = pass.drawn.blocks.rows == 0 and -1 or to
  if stop ~= from then
    vim.api.nvim_buf_clear_namespace(buf, namespace, from, stop)
    code.clear(buf, from, stop)
  end
  vim.api.nvim_buf_set_lines(buf, from, stop, false, rows)
  table.insert(pass.changes, { from = from, to = to, count = #rows })
end

--- Remembers which folds of blocks that are replaced stand open in which window.
---@param pass sidekicks.transcript.Pass
---@param first integer
---@param block sidekicks.transcript.Block
local function note_fold(pass, first, block)
  if not block.fold then
    return
  end
  for _, window in ipairs(pass.windows) do
    local opened = pass.opened[window.win]
    opened[block.id] = opened[block.id] or folds.is_open(window.win, first)
  end
end

---@param pass sidekicks.transcript.Pass
---@param block sidekicks.transcript.Block
local function finish_block(pass, block)
  if block.fold then
    pass.folded[block] = true
  end
  if block.kind == 'code' and block.lang and not block.open then
    code.enqueue(pass.drawn, block)
  end
end

---@type table<string, fun(pass: sidekicks.transcript.Pass, operation: table)>
local apply = {}

function apply.splice(pass, operation)
  local buf, blocks = pass.drawn.buf, pass.drawn.blocks
  local from = blocks:row_of(operation.at)
  local to = from
  for index = operation.at + 1, operation.at + operation.remove do
    note_fold(pass, to, blocks.list[index])
    to = to + blocks.list[index].count
  end
  local rows, kept = {}, {}
  for index, block in ipairs(operation.blocks) do
    for _, row in ipairs(block.rows) do
      rows[#rows + 1] = row
    end
    kept[index] = Blocks.kept(block)
  end
  write(pass, from, to, rows)
  blocks:splice(operation.at, operation.remove, kept)
  for index, block in ipairs(operation.blocks) do
    mark_block(buf, from, block)
    finish_block(pass, kept[index])
    from = from + #block.rows
  end
end

function apply.grow(pass, operation)
  local buf, blocks = pass.drawn.buf, pass.drawn.blocks
  local block = blocks.list[operation.at + 1]
  local first = blocks:row_of(operation.at)
  note_fold(pass, first, block)
  write(pass, first + operation.row, first + block.count, operation.rows)
  blocks:grow(operation.at, operation.row, #operation.rows, operation.offsets)
  for _, mark in ipairs(operation.marks) do
    set_mark(buf, first + mark[1], mark)
  end
  finish_block(pass, block)
end

---@param drawn sidekicks.transcript.Drawn
---@param block sidekicks.transcript.Block
---@param first integer
---@param opened? table<string, boolean>
---@return sidekicks.Fold
local function fold_of(block, first, opened)
  return { first = first, last = first + block.count, open = opened ~= nil and opened[block.id] == true }
end

---@param pass sidekicks.transcript.Pass
local function fold(pass)
  if next(pass.folded) == nil then
    return
  end
  local rows = pass.drawn.blocks:rows_of(pass.folded)
  for _, window in ipairs(pass.windows) do
    local list = {}
    for block, first in pairs(rows) do
      table.insert(list, fold_of(block, first, pass.opened[window.win]))
    end
    folds.set(window.win, list)
  end
end

---@param pass sidekicks.transcript.Pass
local function settle_windows(pass)
  for _, window in ipairs(pass.windows) do
    if window.at_end and pass.at_newest then
      viewport.show_end(window.win)
    else
      viewport.hold(window, pass.changes)
    end
  end
end

---@param drawn sidekicks.transcript.Drawn
---@param at_newest boolean
---@return sidekicks.transcript.Pass
local function begin(drawn, at_newest)
  local windows = viewport.capture(drawn.buf)
  local opened = {}
  for _, window in ipairs(windows) do
    opened[window.win] = {}
  end
  return { drawn = drawn, windows = windows, changes = {}, opened = opened, folded = {}, at_newest = at_newest }
end

--- Applies the operations of one patch, in one go.
---@param drawn sidekicks.transcript.Drawn
---@param operations table[]
---@param at_newest boolean the end of what is drawn is that of the conversation, before and after it: whoever is there stays
function M.apply(drawn, operations, at_newest)
  local pass = begin(drawn, at_newest)
  vim.bo[drawn.buf].modifiable = true
  for _, operation in ipairs(operations) do
    apply[operation.op](pass, operation)
  end
  vim.bo[drawn.buf].modifiable = false
  vim.bo[drawn.buf].modified = false
  fold(pass)
  settle_windows(pass)
end

--- The operations of a whole patch, which replaces what is drawn: its first splice removes every block as well.
---@param drawn sidekicks.transcript.Drawn
---@param operations table[]
---@return table[]
function M.whole(drawn, operations)
  local count = #drawn.blocks.list
  if count == 0 then
    return operations
  end
  local head = { op = 'splice', at = 0, remove = count, blocks = {} }
  local first = operations[1]
  if first and first.op == 'splice' and first.at == 0 then
    head.blocks = first.blocks
    operations = vim.list_slice(operations, 2)
  end
  return vim.list_extend({ head }, operations)
end

--- Gives a window that begins to show the buffer its folds.
---@param drawn sidekicks.transcript.Drawn
---@param win integer
function M.fold_window(drawn, win)
  local list = {}
  for block, first in drawn.blocks:each() do
    if block.fold then
      table.insert(list, fold_of(block, first))
    end
  end
  folds.reset(win, list)
end

return M
