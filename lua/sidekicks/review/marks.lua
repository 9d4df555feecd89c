-- Draws what agents changed in the buffers it stands in: signs, changed lines, and above them the lines that are gone.
-- The marks follow what is typed until the next list comes. It changes no text.
local highlight = require('sidekicks.highlight')
local hunks = require('sidekicks.review.hunks')
local notify = require('sidekicks.notify')
local paths = require('sidekicks.edits.paths')
local t = require('sidekicks.language').t

local M = {}

-- One mark for each hunk; those of its lines stand apart, so that hunks can be gone through by their marks.
local space = vim.api.nvim_create_namespace('sidekicks.review')
local line_space = vim.api.nvim_create_namespace('sidekicks.review.lines')

-- So much of the lines that are gone is shown of one hunk; the rest is counted.
local most_removed = 24
local most_characters = 400
-- Signs of one hunk; what is longer is coloured to its end, but signed only so far.
local most_signs = 400
-- Hunks drawn before Neovim gets its turn again.
local slice = 60
-- Under treesitter (100), so that code keeps the colours of its letters.
local priority = 90

---@class (exact) sidekicks.review.Drawn
---@field spans sidekicks.review.Span[]

---@type table<integer, sidekicks.review.Drawn>
local drawn = {}

---@param line string
---@param tab_width integer
---@return string
local function shown(line, tab_width)
  local cut = vim.fn.strcharpart(line, 0, most_characters)
  return (cut:gsub('\t', (' '):rep(tab_width)))
end

--- The lines that are gone. The empty one behind the last line end is none.
---@param span sidekicks.review.Span
---@param count integer lines of the buffer
---@return string[]
local function removed_lines(span, count)
  local lines = span.hunk.oldLines
  local is_at_end = span.first + #span.hunk.newLines >= count
  if is_at_end and lines[#lines] == '' then
    return vim.list_slice(lines, 1, #lines - 1)
  end
  return lines
end

---@param buf integer
---@param span sidekicks.review.Span
---@return table[]? virt_lines
local function virtual_lines(buf, span)
  local lines = removed_lines(span, vim.api.nvim_buf_line_count(buf))
  local most = #lines > most_removed and most_removed - 1 or #lines
  local group = highlight.group('removed.line')
  local rows = {}
  for index = 1, most do
    local text = shown(lines[index], vim.bo[buf].tabstop)
    local blanks = math.max(vim.o.columns - vim.fn.strdisplaywidth(text), 1)
    table.insert(rows, { { text .. (' '):rep(blanks), group } })
  end
  if most < #lines then
    local more = t('review.moreRemoved', { count = #lines - most })
    table.insert(rows, { { more, highlight.group('removed') } })
  end
  return #rows > 0 and rows or nil
end

--- What a person sees of a hunk whose only change is the end of the last line.
---@param span sidekicks.review.Span
---@param above? table[]
---@return table[]?
local function line_end_note(span, above)
  if above or span.last > span.first then
    return nil
  end
  return { { ' ' .. t('review.lineEnd'), highlight.group('changed') } }
end

---@param span sidekicks.review.Span
---@return string sign
---@return string group
local function sign_of(span)
  if span.first == span.last then
    return '-', highlight.group('removed')
  elseif #span.hunk.oldLines == 0 then
    return '+', highlight.group('added')
  end
  return '~', highlight.group('changed')
end

---@param buf integer
---@param span sidekicks.review.Span
local function draw_span(buf, span)
  local sign, sign_group = sign_of(span)
  local above = virtual_lines(buf, span)
  vim.api.nvim_buf_set_extmark(buf, space, span.row, 0, {
    virt_lines = above,
    virt_lines_above = span.first <= span.row,
    virt_text = line_end_note(span, above),
    sign_text = sign,
    sign_hl_group = sign_group,
    priority = priority,
  })
  if span.last == span.first then
    return
  end
  vim.api.nvim_buf_set_extmark(buf, line_space, span.first, 0, {
    end_row = span.last,
    end_col = 0,
    hl_group = highlight.group('added.line'),
    hl_eol = true,
    priority = priority,
    strict = false,
    invalidate = true,
  })
  for row = span.first + 1, math.min(span.last, span.first + most_signs) - 1 do
    vim.api.nvim_buf_set_extmark(buf, line_space, row, 0, {
      sign_text = sign,
      sign_hl_group = sign_group,
      priority = priority,
      invalidate = true,
    })
  end
end

---@param buf integer
---@param from integer
---@param to integer
local function clear(buf, from, to)
  vim.api.nvim_buf_clear_namespace(buf, space, from, to)
  vim.api.nvim_buf_clear_namespace(buf, line_space, from, to)
end

--- Lines above the first one are seen only in a window that is scrolled up to them.
---@param buf integer
local function show_top(buf)
  local mark = vim.api.nvim_buf_get_extmarks(buf, space, { 0, 0 }, { 0, -1 }, { details = true, limit = 1 })[1]
  local details = mark and mark[4]
  local count = details and details.virt_lines_above and details.virt_lines and #details.virt_lines or 0
  if count == 0 then
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      local view = vim.fn.winsaveview()
      if view.topline == 1 and view.topfill < count then
        vim.fn.winrestview({ topfill = math.min(count, vim.api.nvim_win_get_height(win) - 1) })
      end
    end)
  end
end

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
  clear(buf, row, is_rest and -1 or of.spans[last + 1].row)
  for at = index, last do
    draw_span(buf, of.spans[at])
  end
  if index == 1 then
    show_top(buf)
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
      clear(buf, 0, -1)
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
  local mark = can_be and vim.api.nvim_buf_get_extmarks(0, space, from, step == 1 and -1 or 0, { limit = 1 })[1]
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
    show_top(vim.api.nvim_get_current_buf())
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
      show_top(event.buf)
    end
  end),
})

vim.api.nvim_create_autocmd({ 'TextChanged', 'InsertLeave', 'BufWritePost' }, {
  group = group,
  desc = 'Have what agents changed listed anew after something was typed there',
  callback = function(event)
    if drawn[event.buf] then
      require('sidekicks.review').typed(event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('BufUnload', {
  group = group,
  desc = 'Forget what was drawn in a buffer that is gone',
  callback = function(event)
    drawn[event.buf] = nil
  end,
})

return M
