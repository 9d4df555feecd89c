-- Has the host start, stop or restart an agent for a key or a command, and tells what went wrong. Decides nothing.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

--- A failure may come half a minute after the key: it names its agent. One that is not configured is named by the failure.
---@param agent string
---@param what string
---@return string
local function failure(agent, what)
  return state.agent(agent) and t('agent.failed', { agent = agent, what = what }) or what
end

---@param method 'AgentService.Start'|'AgentService.Stop'|'AgentService.Restart'
---@param agent string
---@param callback? fun() once it is done
function M.request(method, agent, callback)
  host.request(method, { name = agent }, function(err)
    if err then
      notify.error(failure(agent, err.message))
    elseif callback then
      callback()
    end
  end)
end

return M
