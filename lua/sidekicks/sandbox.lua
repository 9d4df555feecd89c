-- `:Sidekicks sandbox` and the keys of the panel for it: has the host stop or remove the container or sandbox of an agent.
-- Which agent has one, and how that is done, the host knows.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@alias sidekicks.sandbox.Action 'stop'|'remove'

---@class (exact) sidekicks.sandbox.Way
---@field method string
---@field done string key of the text that says it is done
---@field can 'canStopSandbox'|'canRemoveSandbox'

---@type table<sidekicks.sandbox.Action, sidekicks.sandbox.Way>
local ways = {
  stop = { method = 'AgentService.StopSandbox', done = 'sandbox.stopped', can = 'canStopSandbox' },
  remove = { method = 'AgentService.RemoveSandbox', done = 'sandbox.removed', can = 'canRemoveSandbox' },
}

---@param action sidekicks.sandbox.Action
---@param agent string
local function request(action, agent)
  local way = ways[action]
  host.request(way.method, { name = agent }, function(err)
    if err then
      notify.error(err.message)
    else
      notify.info(t(way.done, { agent = agent }))
    end
  end)
end

--- Stops the sandbox of an agent.
---@param agent string
function M.stop(agent)
  request('stop', agent)
end

---@param agent string
local function ask_remove(agent)
  vim.ui.select({ 'no', 'yes' }, {
    prompt = t('sandbox.askRemove', { agent = agent }),
    format_item = function(answer)
      return t('sandbox.' .. answer)
    end,
  }, function(answer)
    if answer == 'yes' then
      request('remove', agent)
    end
  end)
end

---@param agent string
---@param known? sidekicks.AgentSummary
local function remove(agent, known)
  if known and known.canRemoveSandbox then
    ask_remove(agent)
  else
    request('remove', agent)
  end
end

--- Removes the sandbox of an agent, after a question; where there is none the host says why, without one.
---@param agent string
function M.remove(agent)
  local known = state.agent(agent)
  if known then
    return remove(agent, known)
  end
  host.request('AgentService.List', {}, function(err, result)
    if err then
      return notify.error(err.message)
    end
    local listed = vim.iter(result.agents):find(function(one)
      return one.name == agent
    end)
    remove(agent, listed)
  end)
end

--- Runs `:Sidekicks sandbox {stop|remove} {agent}`.
---@param words string[]
function M.run(words)
  local action, agent = words[1], words[2]
  if not ways[action] or not agent or #words > 2 then
    return notify.error(t('sandbox.usage'))
  end
  M[action](agent)
end

--- What may stand after these words: what to do, then the agents with which that can be done.
---@param words string[]
---@param agents fun(): string[]
---@return string[]
function M.complete(words, agents)
  local way = ways[words[1]]
  if #words == 0 then
    return { 'remove', 'stop' }
  elseif #words > 1 or not way then
    return {}
  end
  return vim.tbl_filter(function(name)
    local known = state.agent(name)
    return known ~= nil and known[way.can]
  end, agents())
end

return M
