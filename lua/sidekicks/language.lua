-- Words a text of the interface in the person's language. Owns no text: the tables are generated from those of the host.
local texts = require('sidekicks.texts')

local M = {}

---@type 'en'|'fr'
local current = 'en'

---@return 'en'|'fr'
function M.current()
  return current
end

--- Chooses the language; one we have no texts of is left alone.
---@param language string
---@return boolean changed
function M.set(language)
  if not texts[language] or language == current then
    return false
  end
  current = language
  return true
end

--- The text of a key with `{name}` filled in; a name without value stays, so that it is seen.
---@param key string
---@param values? table<string, string|number>
---@return string
function M.t(key, values)
  local text = assert(texts[current][key], key)
  return values and (text:gsub('{(%w+)}', values)) or text
end

return M
