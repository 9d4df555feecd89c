-- `:Sidekicks channel`: names, describes, fills, empties and deletes channels. What must not be done is refused by the host.
local channel = require('sidekicks.channel')
local host = require('sidekicks.host')
local names = require('sidekicks.channel.names')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.ChannelVerb
---@field run fun(conversation: sidekicks.Conversation, argument: string, force: boolean)
---@field bang? boolean
---@field values? fun(conversation?: sidekicks.Conversation): string[] what may stand at the end

---@param told? fun(conversation: sidekicks.Conversation): string
---@return sidekicks.Callback
local function answered(told)
  return function(err, result)
    if err then
      notify.error(err.message)
    elseif told and result then
      notify.info(told(result))
    end
  end
end

--- The text without the quotation marks around all of it.
---@param text string
---@return string
local function unquoted(text)
  return text:match('^"([^"]*)"$') or text
end

---@param conversation sidekicks.Conversation
---@param change { name?: string, description?: string }
local function rename(conversation, change)
  host.request('ChannelService.Rename', {
    id = conversation.id,
    name = change.name or conversation.name,
    description = change.description or conversation.description,
  }, answered())
end

--- Asks for a text that was not typed.
---@param question string
---@param present string
---@param callback fun(text: string)
local function ask_text(question, present, callback)
  vim.ui.input({ prompt = question .. ' ', default = present }, function(text)
    if text then
      callback(vim.trim(text))
    end
  end)
end

---@param conversation sidekicks.Conversation
---@param method string
---@param agents string[]
local function each_agent(conversation, method, agents)
  for _, agent in ipairs(agents) do
    host.request(method, { id = conversation.id, agent = agent }, answered())
  end
end

---@param text string
---@return string[]
local function agents_in(text)
  return vim.tbl_map(function(word)
    return (word:gsub('^@', ''))
  end, vim.split(text, '[%s,]+', { trimempty = true }))
end

---@param conversation sidekicks.Conversation
---@return boolean
local function is_channel(conversation)
  if conversation.direct ~= '' then
    notify.error(t('error.directConversation', { agent = conversation.direct }))
  end
  return conversation.direct == ''
end

---@param conversation sidekicks.Conversation
local function ask_remove(conversation)
  if #conversation.members == 0 then
    return notify.info(t('channel.nobody', { name = conversation.name }))
  end
  vim.ui.select(conversation.members, {
    prompt = t('channel.remove', { name = conversation.name }),
  }, function(agent)
    if agent then
      each_agent(conversation, 'ChannelService.RemoveMember', { agent })
    end
  end)
end

---@param conversation sidekicks.Conversation
---@param key 'delete'|'clear'
---@param method string
---@param force boolean
local function after_question(conversation, key, method, force)
  local name = conversation.direct == '' and '#' .. conversation.name or conversation.direct
  local function go()
    host.request(
      method,
      { id = conversation.id },
      answered(key == 'clear' and function()
        return t('channel.cleared', { name = name })
      end or nil)
    )
  end
  if force then
    return go()
  end
  local answers = { yes = t('channel.' .. key .. 'Yes'), no = t('channel.no') }
  channel.confirm(t('channel.' .. key, { name = name }), answers, go)
end

---@param conversation? sidekicks.Conversation
---@return string[]
local function absent_agents(conversation)
  local members = conversation and conversation.members or {}
  local absent = {}
  for _, agent in ipairs(state.agents()) do
    if not vim.list_contains(members, agent.name) then
      table.insert(absent, agent.name)
    end
  end
  return absent
end

---@type table<string, sidekicks.ChannelVerb>
local verbs = {
  rename = {
    run = function(conversation, argument)
      if not is_channel(conversation) then
        return
      elseif argument ~= '' then
        return rename(conversation, { name = unquoted(argument) })
      end
      ask_text(t('channel.askName', { name = conversation.name }), conversation.name, function(name)
        rename(conversation, { name = name })
      end)
    end,
  },
  describe = {
    run = function(conversation, argument)
      if not is_channel(conversation) then
        return
      elseif argument ~= '' then
        return rename(conversation, { description = unquoted(argument) })
      end
      ask_text(t('channel.askDescription', { name = conversation.name }), conversation.description, function(text)
        rename(conversation, { description = text })
      end)
    end,
  },
  invite = {
    run = function(conversation, argument)
      if not is_channel(conversation) then
        return
      elseif argument ~= '' then
        each_agent(conversation, 'ChannelService.AddMember', agents_in(argument))
      elseif #absent_agents(conversation) == 0 then
        notify.info(t('channel.everybody', { name = conversation.name }))
      else
        channel.invite(conversation)
      end
    end,
    values = absent_agents,
  },
  remove = {
    run = function(conversation, argument)
      if not is_channel(conversation) then
        return
      elseif argument ~= '' then
        each_agent(conversation, 'ChannelService.RemoveMember', agents_in(argument))
      else
        ask_remove(conversation)
      end
    end,
    values = function(conversation)
      return conversation and conversation.members or {}
    end,
  },
  delete = {
    bang = true,
    run = function(conversation, _, force)
      if is_channel(conversation) then
        after_question(conversation, 'delete', 'ChannelService.Delete', force)
      end
    end,
  },
  clear = {
    bang = true,
    run = function(conversation, _, force)
      after_question(conversation, 'clear', 'ChannelService.Clear', force)
    end,
  },
}

---@return string[]
local function verb_names()
  local all = vim.tbl_keys(verbs)
  table.sort(all)
  return all
end

---@param invocation sidekicks.Invocation
---@return string? problem
---@return sidekicks.ChannelVerb? verb
---@return string? name of the channel
---@return string argument
local function read(invocation)
  local word, rest = invocation.text:match('^(%S*)%s*(.*)$')
  local verb = verbs[word]
  if not verb then
    return t('channel.usage', { known = table.concat(verb_names(), ', ') }), nil, nil, ''
  elseif invocation.bang and not verb.bang then
    return t('command.noBang', { name = 'channel ' .. word }), nil, nil, ''
  end
  local name, argument = names.take(rest)
  if verb.bang and argument ~= '' then
    return t('channel.noArgument', { verb = word, what = argument }), nil, nil, ''
  end
  return nil, verb, name, argument
end

--- Runs `:Sidekicks channel`.
---@param invocation sidekicks.Invocation
function M.run(invocation)
  local problem, verb, name, argument = read(invocation)
  if problem or not verb then
    return notify.error(problem or '')
  end
  state.with_configuration(function()
    channel.with_conversation(name, function(conversation)
      verb.run(conversation, argument, invocation.bang)
    end)
  end)
end

---@return sidekicks.Conversation?
local function current()
  local id = require('sidekicks.send').current()
  local known = id and state.conversation(id)
  return known and known.conversation or nil
end

--- Completes the verb, the channel, the agents.
---@param lead string
---@param typed string everything after `channel`
---@return string[]
function M.complete(lead, typed)
  local word, rest = typed:match('^(%S+)%s+(.*)$')
  local verb = word and verbs[word]
  if not word then
    return verb_names()
  elseif not verb then
    return {}
  end
  local name, argument = names.take(rest)
  local is_named = name ~= nil and (argument ~= '' or rest:find('%s$') ~= nil)
  local values = verb.values and verb.values(is_named and names.find(name or '') or current()) or {}
  if is_named then
    return values
  end
  -- Before anything is typed, the channel may be named or left out.
  return vim.list_extend(names.tails(names.arguments(), rest, lead), values)
end

return M
