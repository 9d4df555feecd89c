-- `:Sidekicks add`: asks where an agent comes from and makes of it what the configuration has of an agent. What is found and what
-- the files of others say, the host knows; what every source ends with is asked by add/questions.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local questions = require('sidekicks.add.questions')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.add.Found
---@field name string
---@field title string
---@field command string
---@field args string[]

---@class (exact) sidekicks.add.Beginning
---@field path string of the configuration
---@field agents sidekicks.add.Found[]

-- Completion on the command line cannot come later, so it may wait this long.
local completion_patience_ms = 300

--- Words divided by blanks; quotes hold words together and are dropped.
---@param text string
---@return string[]
function M.words(text)
  local words, word, quote = {}, nil, nil
  for character in text:gmatch('.') do
    if quote then
      word, quote = character ~= quote and word .. character or word, character ~= quote and quote or nil
    elseif character == '"' or character == "'" then
      word, quote = word or '', character
    elseif character:find('%s') then
      table.insert(words, word)
      word = nil
    else
      word = (word or '') .. character
    end
  end
  table.insert(words, word)
  return words
end

---@param path string
---@return string
local function short(path)
  return vim.fn.fnamemodify(path, ':~')
end

--- Program and arguments of a command line, as fields of an agent; nil for an empty one.
---@param text string
---@return { command: string, args?: string[] }?
local function command_of(text)
  local words = M.words(text)
  local command = table.remove(words, 1)
  return command and { command = command, args = #words > 0 and words or nil }
end

-- ---- found on this computer ----

---@param found sidekicks.add.Found
local function add_found(found)
  questions.finish({
    name = found.name,
    title = found.title ~= found.name and found.title or nil,
    command = found.command,
    args = #found.args > 0 and found.args or nil,
  })
end

---@param found sidekicks.add.Found
---@return string
local function word_found(found)
  local command = table.concat(vim.list_extend({ found.command }, found.args), ' ')
  return t('add.fromPath', { title = found.title, command = command })
end

---@param name string
---@param beginning sidekicks.add.Beginning
local function from_path(name, beginning)
  for _, found in ipairs(beginning.agents) do
    if found.name == name then
      return add_found(found)
    end
  end
  if #beginning.agents == 0 then
    return notify.info(t('add.noneFound'))
  end
  vim.ui.select(beginning.agents, { prompt = t('add.which'), format_item = word_found }, function(found)
    if found then
      add_found(found)
    end
  end)
end

-- ---- files of others ----

--- The command that speaks ACP inside a container or sandbox.
---@param name string
---@return sidekicks.add.Question
local function command_inside(name)
  return {
    prompt = t('add.inside', { name = name }),
    answer = function(agent, typed)
      local command = command_of(typed)
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
local function from_compose(given)
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
local function from_sandbox(given)
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
local function from_docker_agent(given)
  questions.path(t('choose.agentConfig'), given, function(path, refuse)
    if vim.fn.filereadable(path) == 0 then
      return refuse(t('file.missing', { path = short(path) }))
    end
    local name = vim.fn.fnamemodify(path, ':t:r')
    questions.finish({ name = name, command = 'docker', args = { 'agent', 'serve', 'acp', short(path) } })
  end)
end

-- ---- by hand ----

---@param command string
local function ask_arguments(command)
  questions.input({
    prompt = t('add.arguments', { command = command }),
    completion = 'file',
  }, function(typed)
    local args = M.words(typed)
    questions.finish({ name = M.name_of(command), command = command, args = #args > 0 and args or nil })
  end)
end

--- What a program is called: what stands before the first dot.
---@param command string
---@return string
function M.name_of(command)
  return vim.fs.basename(command):match('^[^.]*')
end

---@param given string
local function from_command(given)
  local known = command_of(given)
  if known and known.args then
    return questions.finish({ name = M.name_of(known.command), command = known.command, args = known.args })
  elseif known then
    return ask_arguments(known.command)
  end
  questions.input({ prompt = t('add.program'), completion = 'shellcmd' }, function(typed)
    local command = M.words(typed)[1]
    if command then
      ask_arguments(command)
    end
  end)
end

-- ---- the beginning ----

---@type table<string, fun(given: string, beginning: sidekicks.add.Beginning)>
local sources = {
  path = from_path,
  compose = from_compose,
  sandbox = from_sandbox,
  ['docker-agent'] = from_docker_agent,
  command = from_command,
}
local in_order = { 'compose', 'sandbox', 'docker-agent', 'command' }

---@param beginning sidekicks.add.Beginning
local function choose(beginning)
  local choices = vim.list_extend(vim.list_extend({}, beginning.agents), in_order)
  vim.ui.select(choices, {
    prompt = t('add.which'),
    format_item = function(choice)
      return type(choice) == 'table' and word_found(choice) or t('add.source.' .. choice)
    end,
  }, function(choice)
    if type(choice) == 'table' then
      add_found(choice)
    elseif choice then
      sources[choice]('', beginning)
    end
  end)
end

---@return string[]
local function names()
  local known = vim.tbl_keys(sources)
  table.sort(known)
  return known
end

--- Runs `:Sidekicks add [source [argument]]`.
---@param text string what was typed after it
function M.run(text)
  local word, given = text:match('^(%S*)%s*(.-)$')
  if word ~= '' and not sources[word] then
    return notify.error(t('add.unknown', { word = word, known = table.concat(names(), ', ') }))
  elseif #vim.api.nvim_list_uis() == 0 then
    return notify.error(t('error.noUi'))
  end
  host.request('ViewService.NewAgents', {}, function(err, beginning)
    if err or not beginning then
      return notify.error(err and err.message or '')
    elseif word == '' then
      return choose(beginning)
    end
    sources[word](given, beginning)
  end)
end

---@return string[]
local function installed()
  local found ---@type string[]?
  host.request('ViewService.NewAgents', {}, function(_, beginning)
    found = vim.tbl_map(function(agent)
      return agent.name
    end, beginning and beginning.agents or {})
  end)
  vim.wait(completion_patience_ms, function()
    return found ~= nil
  end, 10)
  return found or {}
end

---@param words string[]
---@param lead string
---@return string[]
function M.complete(words, lead)
  if #words == 0 then
    return names()
  elseif words[1] == 'path' then
    return #words == 1 and installed() or {}
  elseif words[1] == 'command' then
    return vim.fn.getcompletion(lead, #words == 1 and 'shellcmd' or 'file')
  end
  return #words == 1 and sources[words[1]] and vim.fn.getcompletion(lead, 'file') or {}
end

return M
