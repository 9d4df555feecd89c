-- Our lists as a source of blink.cmp: a provider with module = 'sidekicks.integrations.blink' for filetype
-- sidekicks-input. It knows that plugin's interface and nothing of ours but the items.
local completion = require('sidekicks.completion')

local Source = {}
Source.__index = Source

---@return table
function Source.new()
  completion.leave_to_plugin()
  return setmetatable({}, Source)
end

---@return boolean
function Source:enabled()
  return vim.bo.filetype == 'sidekicks-input'
end

---@return string[]
function Source:get_trigger_characters()
  return { '/', '@', '$', '#', '"', '.' }
end

---@param context { bufnr: integer }
---@param callback fun(answer: table)
---@return fun() cancel
function Source:get_completions(context, callback)
  local cancelled = false
  completion.items(context.bufnr, function(items)
    if not cancelled then
      callback({ items = items, is_incomplete_forward = true, is_incomplete_backward = true })
    end
  end)
  return function()
    cancelled = true
  end
end

return Source
