-- A command line as a person types it, taken apart into what an agent has of it. Runs nothing and expands nothing.
local M = {}

--- Words divided by blanks; quotes hold words together and are dropped.
---@param text string
---@return string[]
function M.words(text)
  local words, word, quote = {}, nil, nil
  for character in text:gmatch('.') do
    if quote then
      word, quote = character ~= quote and word .. character or word, character ~= quote and quote or nil
    elseif character == '"' or character == "'" then
      word, quote = word or '', character
    elseif character:find('%s') then
      table.insert(words, word)
      word = nil
    else
      word = (word or '') .. character
    end
  end
  table.insert(words, word)
  return words
end

--- Program and arguments of a command line, as fields of an agent; nil for an empty one.
---@param text string
---@return { command: string, args?: string[] }?
function M.of(text)
  local words = M.words(text)
  local command = table.remove(words, 1)
  return command and { command = command, args = #words > 0 and words or nil }
end

--- What a program is called: what stands before the first dot.
---@param command string
---@return string
function M.name_of(command)
  return vim.fs.basename(command):match('^[^.]*')
end

return M
