-- The questions of `:Sidekicks add` that every source ends with: what is asked for, its name, a yes. What is valid, the host says;
-- nothing waits, giving up writes nothing, and what was typed comes back with the reason it cannot be.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local ask_path_of = require('sidekicks.ask_path').path_of
local preview = require('sidekicks.add.preview')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.NewAgent an agent as the configuration has it, with its name
---@field name string
---@field title? string
---@field command? string
---@field args? string[]
---@field workspace? string
---@field runtime? { type: string, name: string, workspacePath?: string, lifecycle: table<string, string> }

---@class (exact) sidekicks.add.Draft
---@field path string
---@field line integer
---@field lines string[]
---@field warnings string[]

---@class (exact) sidekicks.add.Question
---@field prompt string
---@field default? string
---@field completion? string
---@field answer fun(agent: sidekicks.NewAgent, typed: string): sidekicks.NewAgent? the agent with it; nil gives up

--- Tells why an answer cannot be. A question of Neovim's own covers what was told, so it says it too.
---@param problem string
---@param prompt string
---@return string prompt of the question that follows
local function refused(problem, prompt)
  notify.warn(problem)
  return t('add.again', { why = problem, prompt = prompt })
end

--- Asks for a line; `callback` is not called when the person gives up.
---@param question { prompt: string, default?: string, completion?: string }
---@param callback fun(typed: string)
function M.input(question, callback)
  vim.ui.input({
    prompt = question.prompt .. ' ',
    default = question.default or '',
    completion = question.completion,
  }, function(typed)
    if typed then
      callback(vim.trim(typed))
    end
  end)
end

---@alias sidekicks.add.UseFile fun(path: string, refuse: fun(problem: string)) `refuse` tells why it is none and asks again

--- Asks for the path of a file until it is one that can be used.
---@param prompt string
---@param typed string what stands there to begin with; "": the home folder
---@param use sidekicks.add.UseFile
---@param problem? string why what was typed is none
local function ask_path(prompt, typed, use, problem)
  M.input({
    prompt = problem and refused(problem, prompt) or prompt,
    default = typed ~= '' and typed or '~/',
    completion = 'file',
  }, function(answer)
    if ask_path_of(answer) ~= '' then
      M.path(prompt, answer, use)
    end
  end)
end

--- Uses the file that was named, or asks for one.
---@param prompt string
---@param given string
---@param use sidekicks.add.UseFile
function M.path(prompt, given, use)
  local path = ask_path_of(given)
  if path == '' then
    return ask_path(prompt, given, use)
  end
  use(path, function(problem)
    ask_path(prompt, given, use, problem)
  end)
end

---@param agent sidekicks.NewAgent
---@param fields table<string, any>
---@return sidekicks.NewAgent
function M.with(agent, fields)
  return vim.tbl_extend('force', agent, fields)
end

---@type fun(agent: sidekicks.NewAgent, problem?: string)
local confirm

--- Asks until what the answer makes of the agent can be added.
---@param agent sidekicks.NewAgent
---@param question sidekicks.add.Question
---@param callback fun(agent: sidekicks.NewAgent)
---@param problem? string why the answer before cannot be
local function ask(agent, question, callback, problem)
  M.input({
    prompt = problem and refused(problem, question.prompt) or question.prompt,
    default = question.default,
    completion = question.completion,
  }, function(typed)
    local next_agent = question.answer(agent, typed)
    if not next_agent then
      return
    end
    host.request('ViewService.DraftAgent', { agent = next_agent }, function(err)
      if not err then
        return callback(next_agent)
      end
      ask(agent, M.with(question, { default = typed }), callback, err.message)
    end)
  end)
end

---@param agent sidekicks.NewAgent
---@param problem? string
local function ask_name(agent, problem)
  ask(agent, {
    prompt = t('add.name'),
    default = agent.name,
    answer = function(unnamed, typed)
      return M.with(unnamed, { name = typed })
    end,
  }, confirm, problem)
end

---@param agent sidekicks.NewAgent
---@param questions sidekicks.add.Question[]
---@param index integer
local function ask_each(agent, questions, index)
  if not questions[index] then
    return ask_name(agent)
  end
  ask(agent, questions[index], function(answered)
    ask_each(answered, questions, index + 1)
  end)
end

--- Asks for what is still open of an agent, then for its name and a yes.
---@param agent sidekicks.NewAgent its name is only one that is wanted
---@param questions? sidekicks.add.Question[]
function M.finish(agent, questions)
  host.request('ViewService.AgentName', { wanted = agent.name }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    ask_each(M.with(agent, { name = result.name }), questions or {}, 1)
  end)
end

-- ---- the end ----

---@param agent sidekicks.NewAgent
---@param draft sidekicks.add.Draft
local function offer_next(agent, draft)
  local values = { name = agent.name, path = vim.fn.fnamemodify(draft.path, ':~'), line = draft.line }
  notify.info(t('add.done', values))
  vim.ui.select({ 'open', 'edit', 'nothing' }, {
    prompt = t('add.next', values),
    format_item = function(what)
      return t('add.next.' .. what, values)
    end,
  }, function(what)
    if what == 'open' then
      require('sidekicks.buffer').open_direct(agent.name)
    elseif what == 'edit' then
      require('sidekicks.config').edit({ line = draft.line, column = #draft.lines[1]:match('^%s*') + 1 })
    end
  end)
end

---@param agent sidekicks.NewAgent
---@param draft sidekicks.add.Draft
local function write(agent, draft)
  host.request('ConfigService.AddAgent', { agent = agent }, function(err)
    if not err then
      return offer_next(agent, draft)
    end
    -- What stands in the way may be removed: nothing of the answers is lost.
    notify.error(err.message)
    confirm(agent, err.message)
  end)
end

---@param agent sidekicks.NewAgent
---@param draft sidekicks.add.Draft
local function ask_yes(agent, draft)
  local path = vim.fn.fnamemodify(draft.path, ':~')
  preview.show(path, draft)
  vim.ui.select({ 'yes', 'no' }, {
    prompt = t('add.ask', { path = path }),
    format_item = function(answer)
      return t('add.' .. answer)
    end,
  }, function(answer)
    preview.close()
    if answer == 'yes' then
      write(agent, draft)
    end
  end)
end

--- Shows what would be written and asks for a yes.
---@param agent sidekicks.NewAgent
---@param problem? string why it could not be written before
function confirm(agent, problem)
  host.request('ViewService.DraftAgent', { agent = agent }, function(err, draft)
    if err or not draft then
      return ask_name(agent, err and err.message or '')
    end
    table.insert(draft.warnings, problem)
    ask_yes(agent, draft)
  end)
end

return M
