-- The subcommands of `:Sidekicks` that are about one agent, and the completion of its name. Each does its work elsewhere.
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local send = require('sidekicks.send')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

-- Completion on the command line cannot come later, so its first use may wait this long for the host to start.
local completion_patience_ms = 300

--- The names of the agents.
---@return string[]
function M.names()
  if #state.agents() == 0 and host.start() then
    vim.wait(completion_patience_ms, function()
      return #state.agents() > 0
    end, 10)
  end
  return vim.tbl_map(function(agent)
    return agent.name
  end, state.agents())
end

--- One agent may stand after the subcommand.
---@param words string[]
---@return string[]
function M.complete(words)
  return #words == 0 and M.names() or {}
end

--- A subcommand that does something to the process of an agent.
---@param method 'AgentService.Start'|'AgentService.Stop'|'AgentService.Restart'
---@return sidekicks.Subcommand
function M.process(method)
  local function run(invocation)
    local name = invocation.text
    if name == '' then
      return notify.error(t('command.needsAgent'))
    end
    require('sidekicks.agent_process').request(method, name, function()
      local agent = state.agent(name)
      if agent then
        notify.info(t('command.agentIs', { agent = name, state = t('agent.' .. agent.state) }))
      end
    end)
  end
  return { run = run, complete = M.complete }
end

---@return string? agent of the current conversation
function M.current()
  local id = send.current()
  local known = id and state.conversation(id)
  return known and known.conversation and known.conversation.direct or nil
end

--- A subcommand for the agent named, else that of the current conversation, else one that is chosen.
---@param run fun(agent: string)
---@return sidekicks.Subcommand
function M.chosen(run)
  return {
    run = function(invocation)
      local agent = invocation.text ~= '' and invocation.text or M.current()
      buffer.choose_agent(agent, run)
    end,
    complete = M.complete,
  }
end

return M
