-- `:Sidekicks ask`: sends one message, waits for its answer and prints it. For scripts: in a Neovim without a screen it
-- blocks, answers permission requests itself and ends with a status; anywhere else it never blocks.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.Ask
---@field channel string
---@field message string id of the message that was sent
---@field allow boolean
---@field attended boolean somebody can answer permission requests
---@field finish fun(err?: string, text?: string) called once

--- No screen is attached, and standard output is not somebody's wire.
---@return boolean
local function is_unattended()
  return #vim.api.nvim_list_uis() == 0 and not vim.list_contains(vim.v.argv, '--embed')
end

---@param message sidekicks.Message
---@return string
local function text_of(message)
  local texts = {}
  for _, part in ipairs(message.parts) do
    if part.kind == 'text' then
      table.insert(texts, part.text)
    end
  end
  return table.concat(texts)
end

---@param messages sidekicks.Message[]
---@param id string
---@return sidekicks.Message? sent
---@return sidekicks.Message[] after
local function split_at(messages, id)
  for index, message in ipairs(messages) do
    if message.id == id then
      return message, vim.list_slice(messages, index + 1)
    end
  end
  return nil, {}
end

--- Looks whether the answer is there: gives it, or why there will be none; nothing while it is still awaited.
---@param ask sidekicks.Ask
---@param messages sidekicks.Message[]
---@return string? err
---@return string? text
local function outcome(ask, messages)
  local sent, after = split_at(messages, ask.message)
  if sent and sent.error ~= '' then
    return sent.error
  end
  for _, message in ipairs(after) do
    if message.role == 'system' and message.error ~= '' and message.code ~= 'attachment-unavailable' then
      return message.error
    elseif message.role == 'agent' and message.done then
      local complete = message.error == '' and message.stopReason == 'end_turn'
      return not complete and (message.error ~= '' and message.error or t(
        'ask.stopped',
        { reason = message.stopReason }
      )) or nil,
        text_of(message)
    end
  end
end

---@param ask sidekicks.Ask
local function look(ask)
  host.request('ChannelService.Conversation', { id = ask.channel }, function(err, snapshot)
    if err or not snapshot then
      return ask.finish(err and err.message or '')
    end
    local problem, text = outcome(ask, snapshot.messages)
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
  io.stderr:write('sidekicks: ', t('question.declined', { agent = question.agent, what = what }), '\n')
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

--- Asks an agent, and calls back once with its answer or with why there is none.
---@param agent string
---@param text string
---@param opts { allow: boolean, attended: boolean }
---@param callback fun(err?: string, text?: string)
function M.ask(agent, text, opts, callback)
  host.request('ChannelService.Direct', { agent = agent }, function(err, conversation)
    if err or not conversation then
      return callback(err and err.message or '')
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
    io.stderr:write('sidekicks: ', reason, '\n')
    vim.cmd.cquit({ count = 1 })
  else
    notify.error(reason)
  end
end

---@param agent string
---@param text string
---@param allow boolean
local function ask_and_wait(agent, text, allow)
  local done, problem, answer = false, nil, nil
  M.ask(agent, text, { allow = allow, attended = false }, function(err, said)
    done, problem, answer = true, err, said
  end)
  -- An answer has no time limit; 2^31 - 1 ms is the longest wait there is.
  vim.wait(2147483647, function()
    return done
  end, 50)
  if answer and answer ~= '' then
    io.stdout:write(answer, answer:sub(-1) == '\n' and '' or '\n')
    io.stdout:flush()
  end
  if problem or not done then
    M.refuse(problem or t('ask.interrupted'))
  end
end

---@param agent string
---@param text string
---@param allow boolean
local function ask_and_go_on(agent, text, allow)
  M.ask(agent, text, { allow = allow, attended = true }, function(err, said)
    if said and said ~= '' then
      vim.api.nvim_echo({ { said } }, true, {})
    end
    if err then
      M.refuse(err)
    end
  end)
end

--- The command: see the top of this file.
---@param agent string
---@param text string
---@param allow boolean allow each permission request once
function M.run(agent, text, allow)
  if is_unattended() then
    ask_and_wait(agent, text, allow)
  else
    ask_and_go_on(agent, text, allow)
  end
end

return M
