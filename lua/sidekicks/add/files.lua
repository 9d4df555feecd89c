-- Agents out of the files of others: Docker Compose, sbx environments, docker agent's own YAML. What such a file says, the host knows.
local command_line = require('sidekicks.add.command_line')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local questions = require('sidekicks.add.questions')
local t = require('sidekicks.language').t

local M = {}

---@param path string
---@return string
local function short(path)
  return vim.fn.fnamemodify(path, ':~')
end

--- The command that speaks ACP inside a container or sandbox.
---@param name string
---@return sidekicks.add.Question
local function command_inside(name)
  return {
    prompt = t('add.inside', { name = name }),
    answer = function(agent, typed)
      local command = command_line.of(typed)
      return command and questions.with(agent, command)
    end,
  }
end

---@param folder string
---@return sidekicks.add.Question
local function folder_inside(folder)
  return {
    prompt = t('add.folderInside', { folder = short(folder) }),
    answer = function(agent, typed)
      local path = typed ~= '' and typed or nil
      return questions.with(agent, { runtime = questions.with(agent.runtime, { workspacePath = path }) })
    end,
  }
end

---@param commands { createCommand: string, stopCommand: string, removeCommand: string }
---@return table<string, string>
local function lifecycle_of(commands)
  return { create = commands.createCommand, stop = commands.stopCommand, remove = commands.removeCommand }
end

---@param project { folder: string }
---@param service sidekicks.ComposeService
local function add_service(project, service)
  questions.finish({
    name = service.name,
    workspace = short(project.folder),
    runtime = { type = 'container', name = service.container, lifecycle = lifecycle_of(service) },
  }, { command_inside(service.container), folder_inside(project.folder) })
end

--- The services of a file that are still fine are offered all the same.
---@param path string
---@param problems sidekicks.Problem[]
---@return string prompt
local function service_prompt(path, problems)
  local prompt = t('add.whichService', { path = short(path) })
  for _, problem in ipairs(problems) do
    notify.warn(t('add.problem', { path = short(path), line = problem.line, what = problem.message }))
  end
  if not problems[1] then
    return prompt
  end
  local text = #problems > 1 and 'add.whichServiceProblems' or 'add.whichServiceProblem'
  local values = { prompt = prompt, line = problems[1].line, what = problems[1].message, count = #problems - 1 }
  return t(text, values)
end

---@param path string
---@param project { folder: string, services: sidekicks.ComposeService[], problems: sidekicks.Problem[] }
---@param refuse fun(problem: string)
local function choose_service(path, project, refuse)
  local services = vim.tbl_filter(function(service)
    return service.container ~= ''
  end, project.services)
  if #services == 0 then
    local first = project.problems[1]
    local what = first and first.message or ''
    return refuse(t('add.noServices', { path = short(path), line = first and first.line or 1, what = what }))
  end
  vim.ui.select(services, {
    prompt = service_prompt(path, project.problems),
    format_item = function(service)
      return t('add.service', service)
    end,
  }, function(service)
    if service then
      add_service(project, service)
    end
  end)
end

---@param given string
function M.compose(given)
  questions.path(t('choose.compose'), given, function(path, refuse)
    host.request('ConfigService.ReadCompose', { path = path }, function(err, project)
      if err or not project then
        return refuse(err and err.message or '')
      end
      choose_service(path, project, refuse)
    end)
  end)
end

---@param sandbox { name: string, workspace: string, sandboxFolder: string }
local function add_sandbox(sandbox)
  local differs = sandbox.sandboxFolder ~= sandbox.workspace
  questions.finish({
    name = sandbox.name,
    workspace = short(sandbox.workspace),
    runtime = {
      type = 'sbx',
      name = sandbox.name,
      workspacePath = differs and sandbox.sandboxFolder or nil,
      lifecycle = lifecycle_of(sandbox),
    },
  }, { command_inside(sandbox.name) })
end

---@param given string
function M.sandbox(given)
  questions.path(t('choose.sandboxEnv'), given, function(path, refuse)
    host.request('ConfigService.ReadSandboxEnv', { path = path }, function(err, sandbox)
      if err or not sandbox then
        return refuse(err and err.message or '')
      end
      add_sandbox(sandbox)
    end)
  end)
end

---@param given string
function M.docker_agent(given)
  questions.path(t('choose.agentConfig'), given, function(path, refuse)
    if vim.fn.filereadable(path) == 0 then
      return refuse(t('file.missing', { path = short(path) }))
    end
    local name = vim.fn.fnamemodify(path, ':t:r')
    questions.finish({ name = name, command = 'docker', args = { 'agent', 'serve', 'acp', short(path) } })
  end)
end

return M
