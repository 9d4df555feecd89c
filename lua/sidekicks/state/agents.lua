-- What the views know of agents and of the configuration, kept from events and asked for again. Draws nothing.
local changed = require('sidekicks.state.listeners').changed
local highlight = require('sidekicks.highlight')
local host = require('sidekicks.host')
local language = require('sidekicks.language')

local M = {}

---@type sidekicks.AgentSummary[]
local agents = {}
---@type sidekicks.Configuration?
local configuration

-- Many agents can change at once: what is told together is asked about once, one question is on its way at any time, and one
-- more follows it if there was news meanwhile.
---@type 'soon'|'asked'?
local asking
local more_news = false

local ask_agents

--- A host that has ended meanwhile is not started for this.
local function ask_agents_now()
  asking = host.running() and 'asked' or nil
  if not asking then
    return
  end
  host.request('AgentService.List', {}, function(err, result)
    asking = nil
    if not err and result then
      agents = result.agents
      changed()
    end
    if more_news then
      more_news = false
      ask_agents()
    end
  end)
end

function ask_agents()
  more_news = more_news or asking == 'asked'
  if not asking then
    asking = 'soon'
    vim.schedule(ask_agents_now)
  end
end

---@param callback? fun()
local function ask_configuration(callback)
  host.request('ConfigService.Current', {}, function(err, result)
    if not err and result then
      configuration = result
      if language.set(result.language) then
        -- Winbars and closed folds are worded when they are drawn.
        vim.api.nvim__redraw({ valid = false, winbar = true })
      end
      highlight.set_theme(result.theme)
      changed()
    end
    if callback then
      callback()
    end
  end)
end

--- Calls back once the configuration is known, as far as it can be: what is asked then is asked in the right language.
---@param callback fun()
function M.with_configuration(callback)
  if configuration then
    callback()
  else
    ask_configuration(callback)
  end
end

--- Every agent, in configuration order; empty until the host has told.
---@return sidekicks.AgentSummary[]
function M.agents()
  return agents
end

---@param name string
---@return sidekicks.AgentSummary?
function M.agent(name)
  for _, agent in ipairs(agents) do
    if agent.name == name then
      return agent
    end
  end
end

--- The configuration in force, nil until the host has told.
---@return sidekicks.Configuration?
function M.configuration()
  return configuration
end

--- Everything again, after the host was started anew.
function M.ask()
  ask_configuration()
  ask_agents()
end

--- The host is gone, and every agent with it.
function M.lose()
  agents = vim.tbl_map(function(agent)
    return vim.tbl_extend('force', agent, { state = 'stopped', error = '', outdated = false })
  end, agents)
end

host.on('config:changed', M.ask)

host.on('agent:state', function(change)
  local known = M.agent(change.agent)
  if known then
    known.state, known.error = change.state, change.error or ''
  end
  changed()
  ask_agents()
end)

return M
