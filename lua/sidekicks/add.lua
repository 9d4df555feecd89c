-- `:Sidekicks add`: asks where an agent comes from, and takes it from this computer or by hand; add/files reads the files of
-- others, add/questions asks what every source ends with. What is found, the host knows.
local command_line = require('sidekicks.add.command_line')
local files = require('sidekicks.add.files')
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

-- ---- by hand ----

---@param command string
local function ask_arguments(command)
  questions.input({
    prompt = t('add.arguments', { command = command }),
    completion = 'file',
  }, function(typed)
    local args = command_line.words(typed)
    questions.finish({ name = command_line.name_of(command), command = command, args = #args > 0 and args or nil })
  end)
end

---@param given string
local function from_command(given)
  local known = command_line.of(given)
  if known and known.args then
    return questions.finish({ name = command_line.name_of(known.command), command = known.command, args = known.args })
  elseif known then
    return ask_arguments(known.command)
  end
  questions.input({ prompt = t('add.program'), completion = 'shellcmd' }, function(typed)
    local command = command_line.words(typed)[1]
    if command then
      ask_arguments(command)
    end
  end)
end

-- ---- the beginning ----

---@type table<string, fun(given: string, beginning: sidekicks.add.Beginning)>
local sources = {
  path = from_path,
  compose = files.compose,
  sandbox = files.sandbox,
  ['docker-agent'] = files.docker_agent,
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
