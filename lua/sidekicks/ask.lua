-- `:Sidekicks ask`: sends one message, waits for its answer and prints it. For scripts: in a Neovim without a screen it
-- blocks, answers permission requests itself and ends with a status; anywhere else it never blocks.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local outcome = require('sidekicks.ask.outcome')
local plain = require('sidekicks.plain')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.Ask
---@field channel string
---@field message string id of the message that was sent
---@field allow boolean
---@field attended boolean somebody can answer permission requests
---@field finish fun(err?: string, text?: string) called once

--- Who is asked: one of them.
---@class (exact) sidekicks.AskTarget
---@field agent? string
---@field channel? string

--- No screen is attached, and standard output is not somebody's wire.
---@return boolean
local function is_unattended()
  return #vim.api.nvim_list_uis() == 0 and not vim.list_contains(vim.v.argv, '--embed')
end

---@param ask sidekicks.Ask
local function look(ask)
  host.request('ChannelService.Conversation', { id = ask.channel }, function(err, snapshot)
    if err or not snapshot then
      return ask.finish(err and err.message or '')
    end
    local problem, text = outcome.of(snapshot, ask.message)
    if problem or text then
      ask.finish(problem, text)
    end
  end)
end

---@param options sidekicks.PermissionOption[]
---@param kinds string[] the best first
---@return string?
local function option_of_kind(options, kinds)
  for _, kind in ipairs(kinds) do
    for _, option in ipairs(options) do
      if option.kind == kind then
        return option.optionId
      end
    end
  end
end

---@param ask sidekicks.Ask
---@param permission sidekicks.Permission
local function answer_permission(ask, permission)
  local refusals = { 'reject_once', 'reject_always' }
  local option = option_of_kind(permission.options, ask.allow and { 'allow_once' } or refusals)
    or option_of_kind(permission.options, refusals)
  if option then
    host.request('ChannelService.AnswerPermission', { id = permission.id, optionId = option })
  else
    host.request('ChannelService.Cancel', { id = ask.channel })
  end
end

--- A script has nobody to ask: the agent goes on without an answer.
---@param question sidekicks.Question
local function decline_question(question)
  host.request('ChannelService.AnswerQuestion', { id = question.id, action = 'decline' })
  local what = vim.split(question.message, '\n', { plain = true })[1]
  local told = t('question.declined', { agent = question.agent, what = plain.visible(what) })
  io.stderr:write('sidekicks: ', told, '\n')
end

--- Follows the conversation from before the message is sent, so that no event is missed.
---@param ask sidekicks.Ask
---@return fun() stop
local function follow(ask)
  local function of_ours(listener)
    return function(event)
      if event.channel == ask.channel then
        listener(event)
      end
    end
  end
  local function check()
    if ask.message ~= '' then
      look(ask)
    end
  end
  local removes = {
    host.on('turn:changed', of_ours(check)),
    host.on('host:exited', function(reason)
      ask.finish(reason.message)
    end),
  }
  if ask.allow or not ask.attended then
    local listener = of_ours(function(permission)
      answer_permission(ask, permission)
    end)
    table.insert(removes, host.on('permission:requested', listener))
  end
  if not ask.attended then
    table.insert(removes, host.on('question:requested', of_ours(decline_question)))
  end
  return function()
    for _, remove in ipairs(removes) do
      remove()
    end
  end
end

---@param ask sidekicks.Ask
---@param text string
local function send(ask, text)
  host.request('ChannelService.Send', { id = ask.channel, text = text }, function(err, result)
    if err or not result then
      return ask.finish(err and err.message or '')
    end
    ask.message = result.id
    look(ask)
  end)
end

--- Who is named may well stand in a configuration that cannot be read.
---@param reason string
---@param callback fun(reason: string)
local function with_broken_configuration(reason, callback)
  host.request('ConfigService.Current', {}, function(_, current)
    local problem = current and not current.valid and current.problems[1]
    if problem then
      local values = { path = current.path, line = problem.line, column = problem.column, what = problem.message }
      reason = ('%s (%s)'):format(reason, t('ask.brokenConfiguration', values))
    end
    callback(reason)
  end)
end

--- Asks an agent or a channel, and calls back once with the answer or with why there is none.
---@param target sidekicks.AskTarget
---@param text string
---@param opts { allow: boolean, attended: boolean }
---@param callback fun(err?: string, text?: string)
function M.ask(target, text, opts, callback)
  local kind = target.channel and 'channel' or 'agent'
  local address = { kind = kind, name = target.channel or target.agent, project = '' }
  require('sidekicks.place').ask(address, function(err, conversation)
    if err or not conversation then
      return with_broken_configuration(err and err.message or '', callback)
    end
    ---@type sidekicks.Ask
    local ask = {
      channel = conversation.id,
      message = '',
      allow = opts.allow,
      attended = opts.attended,
      finish = function() end,
    }
    local stop = follow(ask)
    ask.finish = function(...)
      stop()
      ask.finish = function() end
      callback(...)
    end
    send(ask, text)
  end)
end

--- Says why there is no answer: to a script by its exit status too.
---@param reason string
function M.refuse(reason)
  if is_unattended() then
    io.stderr:write('sidekicks: ', plain.visible(reason), '\n')
    vim.cmd.cquit({ count = 1 })
  else
    notify.error(reason)
  end
end

---@param target sidekicks.AskTarget
---@param text string
---@param allow boolean
local function ask_and_wait(target, text, allow)
  local done, problem, answer = false, nil, nil
  M.ask(target, text, { allow = allow, attended = false }, function(err, said)
    done, problem, answer = true, err, said
  end)
  -- An answer has no time limit; 2^31 - 1 ms is the longest wait there is.
  vim.wait(2147483647, function()
    return done
  end, 50)
  if answer and answer ~= '' then
    answer = plain.visible(answer)
    io.stdout:write(answer, answer:sub(-1) == '\n' and '' or '\n')
    io.stdout:flush()
  end
  if problem or not done then
    M.refuse(problem or t('ask.interrupted'))
  end
end

---@param target sidekicks.AskTarget
---@param text string
---@param allow boolean
local function ask_and_go_on(target, text, allow)
  M.ask(target, text, { allow = allow, attended = true }, function(err, said)
    if said and said ~= '' then
      notify.print(said)
    end
    if err then
      M.refuse(err)
    end
  end)
end

--- The command: see the top of this file.
---@param target sidekicks.AskTarget
---@param text string
---@param allow boolean allow each permission request once
function M.run(target, text, allow)
  if is_unattended() then
    ask_and_wait(target, text, allow)
  else
    ask_and_go_on(target, text, allow)
  end
end

return M
