-- What a person means to accept or reject: hunks at the cursor, whole files, all of a conversation. It tells nobody.
local hunks = require('sidekicks.review.hunks')
local paths = require('sidekicks.edits.paths')
local review = require('sidekicks.review')

local M = {}

--- A hunk, a whole file of a turn where there is no `index`.
---@class (exact) sidekicks.review.Target
---@field message string id of the turn's message
---@field path string
---@field hunk? sidekicks.Hunk as it was seen
---@field count integer hunks it stands for

---@alias sidekicks.review.Verb 'accept'|'reject'

---@param turn sidekicks.ChangedTurn
---@param file sidekicks.ChangedFile
---@return sidekicks.review.Target
local function whole_file(turn, file)
  return { message = turn.messageId, path = file.path, count = math.max(#file.hunks, 1) }
end

--- Every file of the turns that fit, the newest turn first, so that each can be rejected to what stood before it.
---@param fits fun(turn: sidekicks.ChangedTurn, file: sidekicks.ChangedFile): boolean
---@return sidekicks.review.Target[]
function M.files(fits)
  local targets = {}
  local turns = review.turns()
  for index = #turns, 1, -1 do
    for _, file in ipairs(turns[index].files) do
      if fits(turns[index], file) then
        table.insert(targets, whole_file(turns[index], file))
      end
    end
  end
  return targets
end

---@param target sidekicks.review.Target
---@return integer
local function line_of(target)
  return target.hunk and target.hunk.line or 0
end

--- All hunks of a file at once are told as the file, one by one from the last, so that those above stay where they are.
---@param targets sidekicks.review.Target[]
---@return sidekicks.review.Target[]
function M.gathered(targets)
  local by_file, whole = {}, {}
  for _, target in ipairs(targets) do
    local key = target.message .. '\n' .. target.path
    by_file[key] = by_file[key] or {}
    table.insert(by_file[key], target)
  end
  local result = {}
  for _, target in ipairs(targets) do
    local key = target.message .. '\n' .. target.path
    local turn = review.turn(target.message)
    local file = turn and vim.iter(turn.files):find(function(one)
      return one.path == target.path
    end)
    if not file or #by_file[key] < #file.hunks or not target.hunk then
      table.insert(result, target)
    elseif not whole[key] then
      whole[key] = true
      table.insert(result, whole_file(turn, file))
    end
  end
  table.sort(result, function(a, b)
    if a.message ~= b.message then
      return a.message > b.message
    end
    return a.path < b.path or (a.path == b.path and line_of(a) > line_of(b))
  end)
  return result
end

--- With ! in a file: all of it; in a conversation: all of that; anywhere else: everything.
---@param buf integer
---@return sidekicks.review.Target[]
function M.all(buf)
  local path = paths.of(buf)
  if path and #review.layers(path) > 0 then
    return M.files(function(_, file)
      return file.path == path
    end)
  end
  local id, kind = require('sidekicks.buffer').conversation_of(buf)
  local is_conversation = id and id ~= '' and kind ~= 'changes'
  return M.files(function(turn)
    return not is_conversation or turn.channel == id
  end)
end

---@param verb sidekicks.review.Verb
---@param buf integer
---@param from integer row from 0
---@param to integer
---@return sidekicks.review.Target[]
function M.at_rows(verb, buf, from, to)
  local path = paths.of(buf)
  local layers = path and review.layers(path) or {}
  local count = vim.api.nvim_buf_line_count(buf)
  -- What is accepted is right whoever wrote it; what is rejected is what is seen, and shows what lies below.
  local spans = verb == 'accept' and hunks.all(layers, count) or hunks.seen(layers, count)
  local targets = vim.tbl_map(function(span)
    return { message = span.message, path = span.path, hunk = span.hunk, count = 1 }
  end, hunks.meeting(spans, from, to))
  -- A file without hunks, as one that was deleted, is meant as a whole.
  if #targets == 0 and #spans == 0 then
    return M.files(function(_, file)
      return file.path == path
    end)
  end
  return targets
end

--- Keeps hold of rows while the host is asked, whatever is typed meanwhile.
---@param buf integer
---@param first integer line from 1
---@param last integer
---@return fun(): integer, integer rows from 0
function M.held_rows(buf, first, last)
  local space = vim.api.nvim_create_namespace('sidekicks.review.asked')
  local marks = vim.tbl_map(function(line)
    return vim.api.nvim_buf_set_extmark(buf, space, line - 1, 0, {})
  end, { first, last })
  return function()
    local rows = vim.tbl_map(function(mark)
      local row = vim.api.nvim_buf_get_extmark_by_id(buf, space, mark, {})[1]
      vim.api.nvim_buf_del_extmark(buf, space, mark)
      return row
    end, marks)
    return rows[1], rows[2]
  end
end

return M
