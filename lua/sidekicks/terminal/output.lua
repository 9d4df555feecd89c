-- Gathers what a terminal prints into few pieces in which no character is cut. Keeps nothing of it.
local M = {}

local gather_ms = 16
local piece_bytes = 32 * 1024

---@class (exact) sidekicks.terminal.Output
---@field add fun(lines: string[]) as `on_stdout` gives them
---@field finish fun() tells what is left, whole or not

--- How many bytes at the end begin a character that is not whole.
---@param text string
---@return integer
local function unfinished(text)
  for back = 1, math.min(3, #text) do
    local byte = text:byte(-back)
    if byte < 0x80 then
      return 0
    elseif byte >= 0xC0 then
      local whole = byte >= 0xF0 and 4 or byte >= 0xE0 and 3 or 2
      return back < whole and back or 0
    end
  end
  return 0
end

--- Bytes as they came: in a list of lines a line feed stands for a NUL.
---@param lines string[]
---@return string
local function bytes_of(lines)
  local exact = vim.tbl_map(function(line)
    return (line:gsub('\n', '\0'))
  end, lines)
  return table.concat(exact, '\n')
end

---@param text string
---@param tell fun(piece: string)
---@return string rest the beginning of a character
local function tell_pieces(text, tell)
  while #text > 0 do
    local piece = text:sub(1, piece_bytes)
    piece = piece:sub(1, #piece - unfinished(piece))
    if piece == '' then
      return text
    end
    tell(piece)
    text = text:sub(#piece + 1)
  end
  return ''
end

---@param tell fun(piece: string)
---@return sidekicks.terminal.Output
function M.new(tell)
  local waiting, size, scheduled = {}, 0, false

  local function flush()
    local rest = tell_pieces(table.concat(waiting), tell)
    waiting, size = { rest }, #rest
  end

  local function flush_later()
    scheduled = false
    flush()
  end

  local function add(lines)
    local text = bytes_of(lines)
    table.insert(waiting, text)
    size = size + #text
    if size >= piece_bytes then
      flush()
    elseif not scheduled and size > 0 then
      scheduled = true
      vim.defer_fn(flush_later, gather_ms)
    end
  end

  local function finish()
    flush()
    if size > 0 then
      tell(table.concat(waiting))
      waiting, size = {}, 0
    end
  end

  return { add = add, finish = finish }
end

return M
