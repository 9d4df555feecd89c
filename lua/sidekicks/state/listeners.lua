-- Who hears of changes in what the views know. Knows nothing of it itself.
local M = {}

---@type fun(id?: string)[]
local listeners = {}

---@param id? string the conversation that changed; nil when something else did
function M.changed(id)
  for _, listener in ipairs(listeners) do
    listener(id)
  end
end

--- Calls `listener` after each change, with the conversation it was in, if it was in one.
---@param listener fun(id?: string)
---@return fun() remove
function M.on_change(listener)
  table.insert(listeners, listener)
  return function()
    listeners = vim.tbl_filter(function(other)
      return other ~= listener
    end, listeners)
  end
end

return M
