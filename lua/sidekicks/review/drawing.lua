-- Draws one hunk in a buffer: its sign, its changed lines, and above them the lines that are gone. It knows no list of them.
local highlight = require('sidekicks.highlight')
local t = require('sidekicks.language').t

local M = {}

-- One mark for each hunk; those of its lines stand apart, so that hunks can be gone through by their marks.
M.space = vim.api.nvim_create_namespace('sidekicks.review')
local line_space = vim.api.nvim_create_namespace('sidekicks.review.lines')

-- So much of the lines that are gone is shown of one hunk; the rest is counted.
local most_removed = 24
local most_characters = 400
-- Signs of one hunk; what is longer is coloured to its end, but signed only so far.
local most_signs = 400
-- Under treesitter (100), so that code keeps the colours of its letters.
local priority = 90

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
function M.draw(buf, span)
  local sign, sign_group = sign_of(span)
  local above = virtual_lines(buf, span)
  vim.api.nvim_buf_set_extmark(buf, M.space, span.row, 0, {
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
function M.clear(buf, from, to)
  vim.api.nvim_buf_clear_namespace(buf, M.space, from, to)
  vim.api.nvim_buf_clear_namespace(buf, line_space, from, to)
end

--- Lines above the first one are seen only in a window that is scrolled up to them.
---@param buf integer
function M.show_top(buf)
  local mark = vim.api.nvim_buf_get_extmarks(buf, M.space, { 0, 0 }, { 0, -1 }, { details = true, limit = 1 })[1]
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

return M
