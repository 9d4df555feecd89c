-- Our lists as a source of nvim-cmp: require('sidekicks.integrations.cmp').setup(), then { name = 'sidekicks' } among the
-- sources of filetype sidekicks-input. It knows that plugin's interface and nothing of ours but the items.
local completion = require('sidekicks.completion')

local Source = {}
Source.__index = Source

---@return boolean
function Source:is_available()
  return vim.bo.filetype == 'sidekicks-input'
end

---@return string
function Source:get_debug_name()
  return 'sidekicks'
end

---@return string
function Source:get_position_encoding_kind()
  return 'utf-8'
end

---@return string[]
function Source:get_trigger_characters()
  return { '/', '@', '$', '#', '"', '.' }
end

---@return string
function Source:get_keyword_pattern()
  return [[\%(/\|[@$]"\?\|#\)\S*]]
end

---@param callback fun(answer: table)
function Source:complete(_, callback)
  completion.items(vim.api.nvim_get_current_buf(), function(items)
    callback({ items = items, isIncomplete = true })
  end)
end

local M = {}

--- Gives nvim-cmp our source; our own list then stays closed.
function M.setup()
  require('cmp').register_source('sidekicks', setmetatable({}, Source))
  completion.leave_to_plugin()
end

return M
