-- Starts the Node side and talks to it; nobody else does. It knows no method and no view: it passes on what comes.
local events = require('sidekicks.host.events')
local log = require('sidekicks.host.log')
local notify = require('sidekicks.notify')
local options = require('sidekicks.options')
local program = require('sidekicks.program')
local t = require('sidekicks.language').t

local M = { log_path = log.path, on = events.on }

---@class (exact) sidekicks.Failure
---@field code string one of the codes of the error table
---@field message string in the person's language

---@alias sidekicks.Callback fun(err?: sidekicks.Failure, result?: table)

---@class (exact) sidekicks.Event
---@field name string
---@field payload table

---@class (exact) sidekicks.host.Process
---@field channel integer
---@field answered boolean something came back, so it started well
---@field complaints string[] its last lines on standard error

local name = 'sidekicks'
local notify_method = program.plugin() .. ':function:SidekicksNotify'
local request_method = program.plugin() .. ':function:SidekicksRequest'
local kept_complaints = 20

---@type sidekicks.host.Process?
local process
---@type table<integer, sidekicks.Callback>
local pending = {}
local last_id = 0

---@param code string
---@param message string
---@return sidekicks.Failure
local function failure(code, message)
  return { code = code, message = message }
end

---@param payload { id: integer, error?: sidekicks.Failure, result?: table }
local function settle(payload)
  local callback = pending[payload.id]
  pending[payload.id] = nil
  if callback then
    events.safely(function()
      callback(payload.error, payload.result)
    end)
  end
end

---@param reason sidekicks.Failure
local function settle_all(reason)
  local unanswered = pending
  pending = {}
  for _, callback in vim.spairs(unanswered) do
    events.safely(function()
      callback(reason)
    end)
  end
end

--- Why it ended, in words.
---@param ended sidekicks.host.Process
---@param code integer
---@return string
local function reason_of_end(ended, code)
  if ended.answered then
    return t('host.ended', { code = code })
  end
  local said = ended.complaints[1] or t('host.exitStatus', { code = code })
  local problem = program.node_problem()
  local cause = problem and ('%s (%s)'):format(problem, said) or said
  return t('host.startFailed', { cause = cause })
end

---@param ended sidekicks.host.Process
---@param code integer
local function on_exit(ended, code)
  if process ~= ended or vim.v.exiting ~= vim.NIL then
    return
  end
  process = nil
  local reason = failure('unavailable', reason_of_end(ended, code))
  log.write(reason.message)
  notify.error(reason.message)
  settle_all(reason)
  events.emit('host:exited', reason)
end

---@param of sidekicks.host.Process
---@param lines string[]
local function on_stderr(of, lines)
  local said = vim.tbl_filter(function(line)
    return line ~= ''
  end, lines)
  if #said > 0 then
    vim.list_extend(of.complaints, said)
    of.complaints = vim.list_slice(of.complaints, 1, kept_complaints)
    log.write(table.concat(said, '\n'))
  end
end

--- Detached, so that leaving Neovim neither waits for it nor kills it: it ends by itself when its input closes,
--- after it has stopped every agent.
---@param command string[]
---@return sidekicks.host.Process?
local function launch(command)
  ---@type sidekicks.host.Process
  local new = { channel = 0, answered = false, complaints = {} }
  local fine, channel = pcall(vim.fn.jobstart, command, {
    rpc = true,
    detach = true,
    env = { SIDEKICKS_OPTION_CONFIG = options.get().config or '' },
    on_stderr = function(_, lines)
      on_stderr(new, lines)
    end,
    on_exit = function(_, code)
      on_exit(new, code)
    end,
  })
  new.channel = fine and channel or 0
  return new.channel > 0 and new or nil
end

--- Neovim's own register of hosts. A host registered again forgets the channel of one that died; a plugin must be
--- registered once (E605), and before Neovim asks for its host.
local function register()
  vim.fn['remote#host#Register'](name, '*', function()
    return process and process.channel or 0
  end)
  for _, plugin in ipairs(vim.fn['remote#host#PluginsForHost'](name)) do
    if plugin.path == program.plugin() then
      return
    end
  end
  vim.fn['remote#host#RegisterPlugin'](name, program.plugin(), {
    { type = 'function', name = 'SidekicksNotify', sync = 0, opts = vim.empty_dict() },
    { type = 'function', name = 'SidekicksRequest', sync = 1, opts = vim.empty_dict() },
  })
end

--- Defined at once and on our channel: waiting for Neovim to define them at their first call would let a manifest of
--- the user, which found the same bundle, define them for another host.
---@param channel integer
local function define_functions(channel)
  local define = vim.fn['remote#define#FunctionOnChannel']
  define(channel, notify_method, 0, 'SidekicksNotify', vim.empty_dict())
  define(channel, request_method, 1, 'SidekicksRequest', vim.empty_dict())
end

--- Starts the host unless it runs. Does not wait for it: what is sent meanwhile lies in its pipe.
---@return true? started
---@return sidekicks.Failure? failure
function M.start()
  if process then
    return true
  end
  local command, problem = program.command()
  if not command then
    return nil, failure('unavailable', problem or '')
  end
  process = launch(command)
  if not process then
    return nil, failure('unavailable', t('host.startFailed', { cause = command[1] }))
  end
  register() -- while Node starts
  vim.fn['remote#host#Require'](name)
  define_functions(process.channel)
  events.emit('host:started', {})
  return true
end

---@return boolean
function M.running()
  return process ~= nil
end

--- Calls a method. Never blocks; starts the host if need be.
---@param method string
---@param params? table
---@param callback? sidekicks.Callback
function M.request(method, params, callback)
  callback = callback or function() end
  local started, problem = M.start()
  if not started or not process then
    return vim.schedule(function()
      callback(problem)
    end)
  end
  last_id = last_id + 1
  pending[last_id] = callback
  local values = (params and next(params) ~= nil) and params or vim.empty_dict()
  -- The channel closes a moment before we hear of it; then the end of the process settles this request too.
  local sent, cause = pcall(vim.rpcnotify, process.channel, notify_method, { last_id, method, values })
  if not sent then
    log.write(tostring(cause))
  end
end

--- Calls a method and waits for its result; raises the message of an error. For scripts and tests.
---@param method string
---@param params? table
---@param timeout_ms? integer
---@return table
function M.call(method, params, timeout_ms)
  local err, result, done = nil, {}, false
  M.request(method, params, function(failed, answer)
    err, result, done = failed, answer or {}, true
  end)
  vim.wait(timeout_ms or 30000, function()
    return done
  end, 20)
  if not done then
    error(t('host.noAnswer', { method = method }), 0)
  elseif err then
    error(err.message, 0)
  end
  return result
end

--- What the host sends: events, in order. Called by the host only.
---@param list sidekicks.Event[]
function M.receive(list)
  if process then
    process.answered = true
  end
  for _, event in ipairs(list) do
    if event.name == 'host:reply' then
      settle(event.payload)
    else
      events.tell(event.name, event.payload)
    end
  end
end

return M
