-- The word before the cursor that a list can complete: a command at the start of the input, a file after `@` or `$`, or a
-- context after `#`. Pure.
local M = {}

---@class (exact) sidekicks.completion.Word
---@field kind 'command'|'file'|'context'
---@field start integer bytes of the line before the word
---@field text string the whole word, its sign with it
---@field query string without sign and quotes

--- A command begins the text; mentions may stand before it where several agents listen.
---@param line string
---@param row integer from 0
---@param mentions boolean
---@return sidekicks.completion.Word?
local function command_at(line, row, mentions)
  local start = 0
  if mentions then
    while line:find('^%s*@[^%s@/]+%s+', start + 1) do
      start = select(2, line:find('^%s*@[^%s@/]+%s+', start + 1))
    end
  end
  local text = row == 0 and line:match('^/[^%s/]*$', start + 1)
  return text and { kind = 'command', start = start, text = text, query = text:sub(2) } or nil
end

-- What opens a bracket or a quotation, beyond ASCII.
local openings =
  { '«', '‹', '“', '‘', '„', '‚', '¿', '¡', '（', '［', '｛', '「', '『', '【', '《', '〈' }

--- What stands before `@` where a file can be named: nothing, a blank, opening punctuation, a colon.
---@param before string
---@return boolean
local function is_border(before)
  return before == ''
    or before:find('[%s%(%[{<"\':]$') ~= nil
    or vim.iter(openings):any(function(opening)
      return vim.endswith(before, opening)
    end)
end

---@param line string
---@return boolean
local function in_code(line)
  return select(2, line:gsub('`', '')) % 2 == 1
end

---@param line string
---@return sidekicks.completion.Word?
local function file_at(line)
  local before, text = line:match('^(.-)(@"[^"@]*)$')
  if not text then
    before, text = line:match('^(.-)(@[^%s@"]*)$')
  end
  if not text or not is_border(before) then
    return nil
  end
  return { kind = 'file', start = #before, text = text, query = (text:gsub('^@"?', '')) }
end

--- A price opens nothing: a letter has to follow, or what can begin a path.
---@param line string
---@return sidekicks.completion.Word?
local function attachment_at(line)
  local before, text = line:match('^(.-)(%$"[^"]*)$')
  if not text then
    before, text = line:match('^(.-)(%$[%a%._/\128-\255][^%s"]*)$')
  end
  if not text or (before ~= '' and not before:find('%s$')) then
    return nil
  end
  return { kind = 'file', start = #before, text = text, query = (text:gsub('^%$"?', '')) }
end

--- Nor does a heading.
---@param line string
---@return sidekicks.completion.Word?
local function context_at(line)
  local before, text = line:match('^(.-)(#%l+)$')
  if not text or not is_border(before) then
    return nil
  end
  return { kind = 'context', start = #before, text = text, query = text:sub(2) }
end

--- Rows inside a fenced block are code.
---@param rows_before string[]
---@return boolean
local function in_fence(rows_before)
  local fence
  for _, row in ipairs(rows_before) do
    local marks = row:match('^%s*(```+)') or row:match('^%s*(~~~+)')
    if marks and not fence then
      fence = marks
    elseif marks and marks:sub(1, 1) == fence:sub(1, 1) and #marks >= #fence and row:match('^%s*[`~]+%s*$') then
      fence = nil
    end
  end
  return fence ~= nil
end

--- The word that ends at the cursor, if a list can complete it.
---@param line string up to the cursor
---@param rows_before string[] the rows of the input above
---@param mentions boolean several agents listen
---@return sidekicks.completion.Word?
function M.find(line, rows_before, mentions)
  local word = command_at(line, #rows_before, mentions) or file_at(line) or attachment_at(line) or context_at(line)
  if word and ((word.kind ~= 'command' and in_code(line:sub(1, word.start))) or in_fence(rows_before)) then
    return nil
  end
  return word
end

return M
