-- Who listens to the events of the host, and how each is told. Knows no event by name and no process.
local log = require('sidekicks.host.log')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

---@type table<string, fun(payload: table)[]>
local listeners = {}

--- One bad listener must not cost the others what came with the same message.
---@param run fun(payload: table)
---@param payload any
function M.safely(run, payload)
  local fine, trace = xpcall(run, debug.traceback, payload)
  if not fine then
    log.write(trace)
    notify.error(t('error.internal', { what = vim.split(trace, '\n')[1] }))
  end
end

---@param event string
---@param payload table
function M.emit(event, payload)
  for _, listener in ipairs(vim.list_slice(listeners[event] or {})) do
    M.safely(listener, payload)
  end
end

---@param event string
---@return boolean
local function is_public(event)
  local subject = event:match('^[^:]*')
  return subject ~= 'host' and subject ~= 'view' and subject ~= 'history' and event ~= 'agent:sign-in'
end

--- `agent:state` as the pattern of its autocommand.
---@param event string
---@return string
local function autocommand_name(event)
  local words = event:gsub('(%l+)', function(word)
    return word:sub(1, 1):upper() .. word:sub(2)
  end)
  return 'Sidekicks' .. words:gsub('%A', '')
end

--- Tells it as an autocommand, where it is one for others than our own views.
---@param event string
---@param payload table
local function announce(event, payload)
  local opts = { pattern = autocommand_name(event), data = payload, modeline = false }
  M.safely(function()
    vim.api.nvim_exec_autocmds('User', opts)
  end)
end

--- Tells the listeners, then everybody.
---@param event string
---@param payload table
function M.tell(event, payload)
  M.emit(event, payload)
  if is_public(event) then
    announce(event, payload)
  end
end

--- Listens to an event, public or internal.
---@param event string
---@param listener fun(payload: table)
---@return fun() remove
function M.on(event, listener)
  listeners[event] = listeners[event] or {}
  table.insert(listeners[event], listener)
  return function()
    listeners[event] = vim.tbl_filter(function(other)
      return other ~= listener
    end, listeners[event])
  end
end

return M
