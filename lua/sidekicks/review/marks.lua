-- Keeps what agents changed drawn in the buffers it stands in, and goes from hunk to hunk. The marks follow what is typed until
-- the next list comes. It changes no text.
local drawing = require('sidekicks.review.drawing')
local hunks = require('sidekicks.review.hunks')
local notify = require('sidekicks.notify')
local paths = require('sidekicks.edits.paths')
local t = require('sidekicks.language').t

local M = {}

-- Hunks drawn before Neovim gets its turn again.
local slice = 60
---@class (exact) sidekicks.review.Drawn
---@field spans sidekicks.review.Span[]

---@type table<integer, sidekicks.review.Drawn>
local drawn = {}
---@type table<integer, boolean> buffers in which something was taken back, which an undo brings again
local taken_back = {}

--- Draws hunks from one on, and clears what stood between them before, slice by slice.
---@param buf integer
---@param of sidekicks.review.Drawn
---@param index integer
---@param row integer everything above is drawn
local function draw_from(buf, of, index, row)
  if drawn[buf] ~= of or not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local last = math.min(index + slice - 1, #of.spans)
  local is_rest = last == #of.spans
  drawing.clear(buf, row, is_rest and -1 or of.spans[last + 1].row)
  for at = index, last do
    drawing.draw(buf, of.spans[at])
  end
  if index == 1 then
    drawing.show_top(buf)
  end
  if not is_rest then
    vim.schedule(function()
      draw_from(buf, of, last + 1, of.spans[last + 1].row)
    end)
  end
end

---@param buf integer
local function erase(buf)
  if drawn[buf] then
    drawn[buf] = nil
    if vim.api.nvim_buf_is_loaded(buf) then
      drawing.clear(buf, 0, -1)
    end
  end
end

---@param a string[]
---@param b string[]
---@return boolean
local function are_equal(a, b)
  for index = 1, math.max(#a, #b) do
    if a[index] ~= b[index] then
      return false
    end
  end
  return true
end

--- Whether both look alike, so that the marks can stay where the person's edits have moved them.
---@param a sidekicks.review.Span[]
---@param b sidekicks.review.Span[]
---@return boolean
local function are_same(a, b)
  if #a ~= #b then
    return false
  end
  for index, span in ipairs(a) do
    local other = b[index]
    local is_there = span.first == other.first and span.last == other.last
    if not is_there or not are_equal(span.hunk.oldLines, other.hunk.oldLines) then
      return false
    end
  end
  return true
end

---@param buf integer
---@param layers sidekicks.review.Layer[]
local function draw(buf, layers)
  local spans = hunks.seen(layers, vim.api.nvim_buf_line_count(buf))
  if #spans == 0 then
    return erase(buf)
  end
  local before = drawn[buf]
  if before and are_same(before.spans, spans) then
    return
  end
  drawn[buf] = { spans = spans }
  draw_from(buf, drawn[buf], 1, 0)
end

---@param buf integer
local function draw_buffer(buf)
  local path = paths.of(buf)
  if path then
    draw(buf, require('sidekicks.review').layers(path))
  end
end

---@return table<string, boolean> files with something to draw
local function listed_paths()
  local listed = {}
  for _, turn in ipairs(require('sidekicks.review').turns()) do
    for _, file in ipairs(turn.files) do
      listed[file.path] = true
    end
  end
  return listed
end

--- Draws what is listed now, in every loaded buffer of those files.
function M.draw_all()
  local listed = listed_paths()
  for buf in pairs(drawn) do
    if not listed[paths.of(buf) or ''] then
      erase(buf)
    end
  end
  if not next(listed) then
    return
  end
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local path = paths.of(buf)
    if path and listed[path] then
      draw(buf, require('sidekicks.review').layers(path))
    end
  end
end

--- Something was accepted or rejected there: what is undone is to be listed again.
---@param path string
function M.expect_undo(path)
  local buf = paths.find(path)
  if buf then
    taken_back[buf] = true
  end
end

--- Whether the buffer shows anything to review.
---@param buf integer
---@return boolean
function M.has(buf)
  return drawn[buf] ~= nil
end

---@param step 1|-1
---@param row integer
---@return integer? row of the hunk there
local function beside(step, row)
  local from = step == 1 and { row + 1, 0 } or { row - 1, 0 }
  local can_be = step == 1 and row + 1 < vim.api.nvim_buf_line_count(0) or step == -1 and row > 0
  local mark = can_be and vim.api.nvim_buf_get_extmarks(0, drawing.space, from, step == 1 and -1 or 0, { limit = 1 })[1]
  return mark and mark[2] or nil
end

--- Goes to the next hunk of this buffer or the one before, [count] times.
---@param step 1|-1
function M.go(step)
  local from = vim.api.nvim_win_get_cursor(0)[1] - 1
  local row = from
  for _ = 1, vim.v.count1 do
    row = beside(step, row) or row
  end
  if row == from then
    return notify.info(t(step == 1 and 'review.noNext' or 'review.noPrevious'))
  end
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { row + 1, 0 })
  vim.cmd('normal! zv')
  if row == 0 then
    drawing.show_top(vim.api.nvim_get_current_buf())
  end
end

local group = vim.api.nvim_create_augroup('sidekicks.review', { clear = true })

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufFilePost' }, {
  group = group,
  desc = 'Draw what agents changed in a file that was read',
  callback = function(event)
    erase(event.buf)
    draw_buffer(event.buf)
  end,
})

vim.api.nvim_create_autocmd('BufWinEnter', {
  group = group,
  desc = 'Show what agents removed above the first line',
  -- Where the window begins is settled after this event.
  callback = vim.schedule_wrap(function(event)
    if drawn[event.buf] and vim.api.nvim_buf_is_loaded(event.buf) then
      drawing.show_top(event.buf)
    end
  end),
})

vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufWritePost' }, {
  group = group,
  desc = 'Have what agents changed listed anew after something was typed there',
  callback = function(event)
    if drawn[event.buf] or taken_back[event.buf] then
      require('sidekicks.review').typed(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('BufUnload', {
  group = group,
  desc = 'Forget what was drawn in a buffer that is gone',
  callback = function(event)
    drawn[event.buf], taken_back[event.buf] = nil, nil
  end,
})

return M
