-- `:checkhealth sidekicks`: what is there, what is missing and what to do. It mends nothing.
local host = require('sidekicks.host')
local options = require('sidekicks.options')
local program = require('sidekicks.program')
local t = require('sidekicks.language').t

local M = {}

local health = vim.health
local patience_ms = 5000

---@param method string
---@return table? result
---@return string? problem
local function ask(method)
  local fine, result = pcall(host.call, method, {}, patience_ms)
  if fine then
    return result
  end
  return nil, tostring(result)
end

local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.10.4') == 1 then
    health.ok(t('health.neovim', { version = version }))
  else
    health.error(t('health.oldNeovim', { version = version }), { t('health.installNeovim') })
  end
end

local function check_node()
  local problem = program.node_problem()
  if problem then
    health.error(problem, { t('health.installNode') })
  else
    health.ok(t('health.node', { version = program.node_version(), path = vim.fn.exepath(program.node()) }))
  end
end

---@return boolean
local function check_built()
  if program.built() then
    health.ok(t('health.built', { path = program.plugin() }))
    return true
  end
  health.error(t('host.notBuilt'), { t('health.install') })
  return false
end

local function check_options()
  for _, problem in ipairs(options.problems()) do
    health.warn(problem)
  end
  if #options.problems() == 0 then
    health.ok(t('health.options'))
  end
end

---@param problem sidekicks.Problem
---@param path string
---@return string
local function place(problem, path)
  return ('%s:%d:%d: %s'):format(path, problem.line, problem.column, problem.message)
end

local function check_configuration()
  health.start(t('health.configuration'))
  local current, problem = ask('ConfigService.Current')
  if not current then
    return health.error(t('health.noAnswer', { problem = problem or '' }))
  end
  for _, wrong in ipairs(current.problems) do
    local tell = wrong.warning and health.warn or health.error
    tell(place(wrong, current.path))
  end
  for _, warning in ipairs(current.warnings) do
    health.warn(place(warning, current.path))
  end
  if current.valid then
    health.ok(t('health.configurationIs', { path = current.path, source = current.source }))
  end
end

---@param known table the answer of ViewService.Health
local function check_agents(known)
  health.start(t('health.agents'))
  if #known.agents == 0 then
    health.warn(t('command.noAgents'))
  end
  for _, agent in ipairs(known.agents) do
    if agent.problem == '' then
      health.ok(('%s: %s'):format(agent.name, agent.command))
    else
      health.warn(('%s: %s'):format(agent.name, agent.problem))
    end
  end
  for _, runtime in ipairs({ 'docker', 'podman', 'nerdctl', 'sbx' }) do
    local path = vim.fn.exepath(runtime)
    health.info(path ~= '' and ('%s: %s'):format(runtime, path) or t('health.noRuntime', { name = runtime }))
  end
end

---@param known table the answer of ViewService.Health
local function check_history(known)
  if known.historyProblem == '' then
    health.ok(t('health.history', { path = known.history }))
  else
    health.warn(t('health.historyProblem', { problem = known.historyProblem }))
  end
end

local function check_clipboard()
  health.start(t('health.clipboard'))
  if #vim.api.nvim_list_uis() > 0 then
    health.ok(t('health.osc52'))
  end
  local provider = vim.fn.has('clipboard') == 1
  health.info(t(provider and 'health.provider' or 'health.noProvider'))
end

---@param known table the answer of ViewService.Health
local function check_what_host_knows(known)
  health.ok(t('health.host', { version = known.version, node = known.node }))
  check_history(known)
  check_configuration()
  check_agents(known)
end

--- All of it is told in the language of the configuration, where that can be known.
local function speak()
  local current = program.built() and ask('ConfigService.Current')
  if current then
    require('sidekicks.language').set(current.language)
  end
end

--- Everything, in an order in which each part can still be told when the one before has failed.
function M.check()
  speak()
  health.start('sidekicks')
  check_neovim()
  check_node()
  local built = check_built()
  check_options()
  health.info(t('health.log', { path = host.log_path() }))
  if built then
    local known, problem = ask('ViewService.Health')
    if known then
      check_what_host_knows(known)
    else
      health.error(t('health.noAnswer', { problem = problem or '' }))
    end
  end
  check_clipboard()
end

return M
