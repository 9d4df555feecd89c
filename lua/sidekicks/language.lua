-- Words a text of the interface in the person's language. Owns no text: the tables are generated from those of the host.
local texts = require('sidekicks.texts')

local M = {}

--- The language of the system, until the host tells that of the configuration; it guesses by the same variables.
---@return 'en'|'fr'
local function of_system()
  for _, name in ipairs({ 'LC_ALL', 'LC_MESSAGES', 'LANG' }) do
    local locale = vim.env[name] or ''
    if locale ~= '' then
      return (locale == 'fr' or locale:find('^fr[_.@]')) and 'fr' or 'en'
    end
  end
  return 'en'
end

---@type 'en'|'fr'
local current = of_system()

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
