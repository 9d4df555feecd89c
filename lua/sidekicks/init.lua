-- The public functions of Sidekicks. Each does its work elsewhere; nothing here knows how.
local M = {}

--- Raises an error in the line of whoever calls us with something else.
---@param name string
---@param value any
---@param kind 'function'|'number'|'string'|'table'
---@param optional? boolean
local function check(name, value, kind, optional)
  if type(value) ~= kind and not (optional and value == nil) then
    error(require('sidekicks.language').t('lua.wrongType', { name = name, kind = kind, got = type(value) }), 3)
  end
end

--- Overrides options of `vim.g.sidekicks`. Nothing needs it to be called.
---@param opts? sidekicks.UserOptions
function M.setup(opts)
  require('sidekicks.options').set(opts)
end

--- Shows the direct conversation with an agent.
---@param agent? string without it the only one, else one is asked for
function M.open(agent)
  require('sidekicks.buffer').open_direct(agent)
end

--- Shows the channel of a name; one that does not exist is made, after a question.
---@param name? string without it one of the project's channels is asked for
function M.channel(name)
  local channel = require('sidekicks.channel')
  if not name or vim.trim(name) == '' then
    channel.choose()
  else
    channel.open(vim.trim(name))
  end
end

--- Sends a message to the current conversation, else to the one used last.
---@param text string
function M.send(text)
  require('sidekicks.send').send(text)
end

--- Calls a method of the host; never blocks.
---@param method string
---@param params? table
---@param callback? sidekicks.Callback
function M.request(method, params, callback)
  check('method', method, 'string')
  check('params', params, 'table', true)
  check('callback', callback, 'function', true)
  require('sidekicks.buffer')
  require('sidekicks.host').request(method, params, callback)
end

--- Calls a method of the host and waits for its result; raises the message of an error. For scripts and tests.
---@param method string
---@param params? table
---@param timeout_ms? integer 30000 when left out
---@return table result
function M.call(method, params, timeout_ms)
  check('method', method, 'string')
  check('params', params, 'table', true)
  check('timeout_ms', timeout_ms, 'number', true)
  require('sidekicks.buffer')
  return require('sidekicks.host').call(method, params, timeout_ms)
end

--- Listens to an event such as `agent:state`.
---@param event string
---@param listener fun(payload: table)
---@return fun() remove
function M.on(event, listener)
  check('event', event, 'string')
  check('listener', listener, 'function')
  return require('sidekicks.host').on(event, listener)
end

---@class (exact) sidekicks.Status
---@field busy integer conversations in which an agent answers
---@field waiting integer permission requests and questions that wait
---@field queued integer messages that wait
---@field text string all of that in short, "" if there is nothing to say

--- What goes on, for a statusline. Starts nothing.
---@return sidekicks.Status
function M.status()
  local status = { busy = 0, waiting = 0, queued = 0, text = '' }
  if not package.loaded['sidekicks.state'] then
    return status
  end
  for _, known in pairs(require('sidekicks.state').conversations()) do
    status.busy = status.busy + (known.busy and 1 or 0)
    status.waiting = status.waiting + #known.permissions + #known.questions
    status.queued = status.queued + known.queued
  end
  local t, parts = require('sidekicks.language').t, {}
  for _, name in ipairs({ 'busy', 'waiting', 'queued' }) do
    if status[name] > 0 then
      table.insert(parts, t('status.' .. name, { count = status[name] }))
    end
  end
  status.text = table.concat(parts, ' · ')
  return status
end

return M
