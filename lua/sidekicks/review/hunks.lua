-- Where listed hunks stand in a buffer, and which of several turns' is the one to see. Tables in, tables out.
local M = {}

--- Rows `first` to `last` (from 0, end excluded); both the same where lines are only gone. `row` is where it is shown.
---@class (exact) sidekicks.review.Span
---@field message string id of the turn's message
---@field path string
---@field hunk sidekicks.Hunk
---@field first integer
---@field last integer
---@field row integer

---@param layer sidekicks.review.Layer
---@param index integer from 1
---@param count integer lines of the buffer
---@return sidekicks.review.Span
local function span_of(layer, index, count)
  local hunk = layer.file.hunks[index]
  local first = math.min(hunk.line - 1, count)
  local last = math.min(first + #hunk.newLines, count)
  return {
    message = layer.turn.messageId,
    path = layer.file.path,
    hunk = hunk,
    first = first,
    last = last,
    row = math.max(math.min(first, count - 1), 0),
  }
end

--- Every hunk of a file's layers, the newest turn first.
---@param layers sidekicks.review.Layer[]
---@param count integer lines of the buffer
---@return sidekicks.review.Span[]
function M.all(layers, count)
  local spans = {}
  for _, layer in ipairs(layers) do
    for index = 1, #layer.file.hunks do
      table.insert(spans, span_of(layer, index, count))
    end
  end
  return spans
end

---@param span sidekicks.review.Span
---@return integer last row, included
local function last_row(span)
  return math.max(span.last - 1, span.row)
end

--- Those that are seen: where several turns changed a place, only the newest one's. In the order of the rows.
---@param layers sidekicks.review.Layer[]
---@param count integer
---@return sidekicks.review.Span[]
function M.seen(layers, count)
  if #layers == 1 then
    return M.all(layers, count)
  end
  local taken, seen = {}, {}
  for _, layer in ipairs(layers) do
    local own = M.all({ layer }, count)
    local visible = vim.tbl_filter(function(span)
      for row = span.row, last_row(span) do
        if taken[row] then
          return false
        end
      end
      return true
    end, own)
    for _, span in ipairs(own) do
      for row = span.row, last_row(span) do
        taken[row] = true
      end
    end
    vim.list_extend(seen, visible)
  end
  table.sort(seen, function(a, b)
    return a.first < b.first or (a.first == b.first and a.last < b.last)
  end)
  return seen
end

--- Those that meet rows, both ends included. Beside lines that are gone, the row above them is as near as the one below.
---@param spans sidekicks.review.Span[]
---@param from integer
---@param to integer
---@return sidekicks.review.Span[]
function M.meeting(spans, from, to)
  local meeting = vim.tbl_filter(function(span)
    return span.row <= to and last_row(span) >= from
  end, spans)
  if #meeting > 0 or from ~= to then
    return meeting
  end
  return vim.tbl_filter(function(span)
    return span.first == span.last and span.first == from + 1
  end, spans)
end

return M
