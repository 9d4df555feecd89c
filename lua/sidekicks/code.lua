-- The colours of code blocks: each finished one once, visible ones first, a few milliseconds at a time so that no key waits.
local languages = require('sidekicks.code.languages')
local syntax = require('sidekicks.code.syntax')
local treesitter = require('sidekicks.code.treesitter')

local M = {}

--- Colours a stretch: first row and column, last row and the column after it, from 0.
---@alias sidekicks.code.Mark fun(row: integer, column: integer, end_row: integer, end_column: integer, group: string)

--- Goes on colouring until the deadline (in the nanoseconds of `vim.uv.hrtime`); true when all is done.
---@alias sidekicks.code.Painter fun(deadline: integer, mark: sidekicks.code.Mark): boolean

---@class (exact) sidekicks.code.Job
---@field drawn sidekicks.transcript.Drawn
---@field block sidekicks.transcript.Block
---@field language? sidekicks.code.Language
---@field paint? sidekicks.code.Painter

local namespace = vim.api.nvim_create_namespace('sidekicks.code')
local priority = 100
local slice_ns = 3e6
local pause_ms = 10

---@type sidekicks.code.Job[]
local queue = {}
---@type sidekicks.code.Job?
local current
local armed = false

---@param job sidekicks.code.Job
---@return boolean
local function is_wanted(job)
  return not job.block.gone and vim.api.nvim_buf_is_loaded(job.drawn.buf)
end

---@param job sidekicks.code.Job
---@return integer
local function first_row(job)
  return job.drawn.blocks:rows_of({ [job.block] = true })[job.block]
end

--- The rows of a block that are code, and the first of them within the block.
---@param block sidekicks.transcript.Block
---@return integer first
---@return integer last end excluded
local function code_rows(block)
  local copy = block.copy
  return copy and copy[1] or 0, copy and math.min(copy[2], block.count) or block.count
end

---@param block sidekicks.transcript.Block
---@param row integer within the block
---@return integer
local function offset_of(block, row)
  return block.offsets and block.offsets[row + 1] or 0
end

---@param job sidekicks.code.Job
---@return string[]
local function lines_of(job)
  local first, last = code_rows(job.block)
  local start = first_row(job)
  local lines = vim.api.nvim_buf_get_lines(job.drawn.buf, start + first, start + last, false)
  for index, line in ipairs(lines) do
    lines[index] = line:sub(offset_of(job.block, first + index - 1) + 1)
  end
  return lines
end

--- A parser that does not fit its colours raises an error; then the syntax file has to do.
---@param job sidekicks.code.Job
---@param language sidekicks.code.Language
---@return sidekicks.code.Painter?
local function painter_of(job, language)
  local lines = lines_of(job)
  if language.parser and treesitter.can_take(#table.concat(lines, '\n')) then
    local fine, paint = pcall(treesitter.painter, language.parser, lines)
    if fine then
      return paint
    end
  end
  return language.filetype and syntax.painter(language.filetype, lines) or nil
end

---@param job sidekicks.code.Job
---@return sidekicks.code.Mark
local function marker(job)
  local block = job.block
  local first = code_rows(block)
  local base = first_row(job) + first
  return function(row, column, end_row, end_column, group)
    vim.api.nvim_buf_set_extmark(job.drawn.buf, namespace, base + row, column + offset_of(block, first + row), {
      end_row = base + end_row,
      end_col = end_column + offset_of(block, first + end_row),
      hl_group = group,
      priority = priority,
      strict = false,
    })
  end
end

--- The blocks somebody looks at.
---@param drawn sidekicks.transcript.Drawn
---@return table<sidekicks.transcript.Block, true>
local function visible_blocks(drawn)
  local visible = {}
  for _, win in ipairs(vim.fn.win_findbuf(drawn.buf)) do
    local from, to = vim.fn.line('w0', win) - 1, vim.fn.line('w$', win)
    visible = vim.tbl_extend('force', visible, drawn.blocks:between(from, to))
  end
  return visible
end

--- The next block: one that somebody looks at, else the newest.
---@return sidekicks.code.Job?
local function take()
  ---@type table<sidekicks.transcript.Drawn, table<sidekicks.transcript.Block, true>>
  local visible = {}
  for index = #queue, 1, -1 do
    local job = queue[index]
    visible[job.drawn] = visible[job.drawn] or visible_blocks(job.drawn)
    if visible[job.drawn][job.block] then
      return table.remove(queue, index)
    end
  end
  return table.remove(queue)
end

---@param job sidekicks.code.Job
---@return boolean done
local function work(job)
  if not is_wanted(job) then
    return true
  elseif not job.language then
    job.language = languages.find(job.block.lang)
    return not job.language.parser and not job.language.filetype
  elseif not job.paint then
    job.paint = painter_of(job, job.language)
    return job.paint == nil
  end
  return job.paint(vim.uv.hrtime() + slice_ns, marker(job))
end

local arm

--- A fault in a language's own files costs that block its colours and nothing else.
local function step()
  armed = false
  current = current or take()
  if not current then
    return
  end
  local fine, done = pcall(work, current)
  if not fine or done then
    current = nil
  end
  arm()
end

arm = function()
  if not armed and (current or #queue > 0) then
    armed = true
    vim.defer_fn(step, pause_ms)
  end
end

--- Colours a finished code block when there is time.
---@param drawn sidekicks.transcript.Drawn
---@param block sidekicks.transcript.Block
function M.enqueue(drawn, block)
  table.insert(queue, { drawn = drawn, block = block })
  arm()
end

--- Takes the colours of rows away.
---@param buf integer
---@param from integer
---@param to integer end excluded; -1 for all
function M.clear(buf, from, to)
  vim.api.nvim_buf_clear_namespace(buf, namespace, from, to)
end

--- Whether blocks wait for their colours.
---@return boolean
function M.is_busy()
  return current ~= nil or #queue > 0
end

return M
