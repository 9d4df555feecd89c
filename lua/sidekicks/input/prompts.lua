-- The prompts sent before, and which of them is shown. Pure: it knows no buffer and asks nobody.
---@class sidekicks.input.Prompts
---@field list string[] oldest first
---@field at? integer which of them is shown
---@field asked boolean those of earlier days are there, or on their way
local Prompts = {}
Prompts.__index = Prompts

---@return sidekicks.input.Prompts
function Prompts.new()
  return setmetatable({ list = {}, asked = false }, Prompts)
end

---@param text string
function Prompts:add(text)
  table.insert(self.list, text)
  self.at = nil
end

--- Whether the text is what was brought back, unchanged, or nothing at all.
---@param text string
---@return boolean
function Prompts:is_browsing(text)
  if self.at and text ~= self.list[self.at] then
    self.at = nil
  end
  return self.at ~= nil or text == ''
end

--- The prompt before the one shown.
---@return string?
function Prompts:previous()
  local index = (self.at or #self.list + 1) - 1
  if index >= 1 then
    self.at = index
    return self.list[index]
  end
end

--- The prompt after the one shown, "" after the newest; nil if none is shown.
---@return string?
function Prompts:next()
  if not self.at then
    return nil
  end
  self.at = self.list[self.at + 1] and self.at + 1 or nil
  return self.at and self.list[self.at] or ''
end

---@param message sidekicks.Message
---@return string
local function words_of(message)
  local texts = vim.tbl_map(function(part)
    return part.text or ''
  end, message.parts)
  return table.concat(texts)
end

---@param list string[]
---@param wanted string
---@return integer?
local function last_index(list, wanted)
  for index = #list, 1, -1 do
    if list[index] == wanted then
      return index
    end
  end
end

--- Takes all prompts of a conversation, also those that were not sent from here.
---@param messages sidekicks.Message[]
function Prompts:take(messages)
  local prompts = {}
  for _, message in ipairs(messages) do
    if message.role == 'user' then
      table.insert(prompts, words_of(message))
    end
  end
  for _, prompt in ipairs(self.list) do
    if not vim.list_contains(prompts, prompt) then
      table.insert(prompts, prompt)
    end
  end
  self.at = self.at and last_index(prompts, self.list[self.at])
  self.list = prompts
end

return Prompts
