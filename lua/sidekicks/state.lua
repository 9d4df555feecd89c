-- What the views know of conversations, kept from events and snapshots, and the door to what they know of agents. Decides
-- nothing and draws nothing: all of it can be thrown away and asked for again.
local agents = require('sidekicks.state.agents')
local host = require('sidekicks.host')
local listeners = require('sidekicks.state.listeners')
local notify = require('sidekicks.notify')

local changed = listeners.changed

local M = {
  on_change = listeners.on_change,
  agents = agents.agents,
  agent = agents.agent,
  configuration = agents.configuration,
  with_configuration = agents.with_configuration,
}

---@class sidekicks.state.Conversation
---@field id string
---@field conversation? sidekicks.Conversation nil until the first snapshot is there
---@field busy boolean
---@field queued integer
---@field answering string
---@field cancelling boolean
---@field waitingFor string the conversation its agent answers meanwhile
---@field answered_last? string the agent that began to answer last
---@field growing? string id of the answer that grows here; nil while another Neovim answers
---@field since integer when the answer in progress began, in milliseconds since 1970; 0 if there is none
---@field usage table<string, sidekicks.Usage>
---@field permissions sidekicks.Permission[] oldest first
---@field questions sidekicks.Question[] oldest first
---@field cancellingSince integer when its answer was told to stop, in milliseconds since 1970; 0 if it was not
---@field options table<string, sidekicks.Option[]> by agent
---@field buf? integer its transcript
---@field input_buf? integer

---@type table<string, sidekicks.state.Conversation>
local conversations = {}
---@type string?
local last_used
local host_lost = false

---@return integer
function M.now()
  local seconds, microseconds = vim.uv.gettimeofday()
  return seconds * 1000 + math.floor(microseconds / 1000)
end

---@param id string
---@return sidekicks.state.Conversation
local function entry(id)
  if not conversations[id] then
    conversations[id] = {
      id = id,
      busy = false,
      queued = 0,
      answering = '',
      cancelling = false,
      waitingFor = '',
      since = 0,
      usage = {},
      permissions = {},
      questions = {},
      cancellingSince = 0,
      options = {},
    }
  end
  return conversations[id]
end

--- Whoever begins to answer starts the clock again.
---@param known sidekicks.state.Conversation
---@param turn table the fields of `turn:changed`
---@param began? integer when the answer began, if that is known
local function take_turn(known, turn, began)
  if not turn.busy then
    known.since, known.growing = 0, nil
  elseif not known.busy or known.answering ~= turn.answering then
    known.since = began or M.now()
  end
  if not turn.cancelling then
    known.cancellingSince = 0
  elseif not known.cancelling then
    known.cancellingSince = M.now()
  end
  for _, field in ipairs({ 'busy', 'queued', 'answering', 'cancelling', 'waitingFor' }) do
    known[field] = turn[field]
  end
  if known.waitingFor ~= '' and not entry(known.waitingFor).conversation then
    M.track(known.waitingFor)
  end
end

--- The answer that grows: messages that wait may stand below it.
---@param messages sidekicks.Message[]
---@return sidekicks.Message?
local function growing(messages)
  for index = #messages, 1, -1 do
    if not messages[index].done then
      return messages[index]
    end
  end
end

---@param messages sidekicks.Message[]
---@return string?
local function last_author(messages)
  for index = #messages, 1, -1 do
    if messages[index].role == 'agent' then
      return messages[index].agent
    end
  end
end

---@param id string
---@param agent string
local function ask_options(id, agent)
  host.request('ChannelService.Options', { id = id, agent = agent }, function(err, result)
    if not err and result then
      entry(id).options[agent] = result.options
      changed(id)
    end
  end)
end

---@param id string
local function ask_snapshot(id)
  host.request('ChannelService.Conversation', { id = id }, function(err, snapshot)
    if err or not snapshot then
      return
    end
    local known = entry(id)
    known.conversation = snapshot.channel
    known.usage = snapshot.usage
    known.permissions = snapshot.permissions
    known.questions = snapshot.questions
    local answer = growing(snapshot.messages)
    known.growing = answer and answer.id
    known.answered_last = last_author(snapshot.messages) or known.answered_last
    take_turn(known, snapshot, answer and answer.createdAt)
    for _, agent in ipairs(snapshot.channel.members) do
      ask_options(id, agent)
    end
    changed(id)
  end)
end

--- Keeps a conversation from now on, from a snapshot.
---@param id string
---@param conversation? sidekicks.Conversation
---@return sidekicks.state.Conversation
function M.track(id, conversation)
  local known = entry(id)
  known.conversation = conversation or known.conversation
  ask_snapshot(id)
  return known
end

--- What is known of a conversation; nil if nothing is.
---@param id string
---@return sidekicks.state.Conversation?
function M.conversation(id)
  return conversations[id]
end

---@return table<string, sidekicks.state.Conversation>
function M.conversations()
  return conversations
end

--- The host died and has not been started again: what is shown may be old.
---@return boolean
function M.host_lost()
  return host_lost
end

--- The conversation used last, if it is still known.
---@return string?
function M.last_used()
  return last_used and conversations[last_used] and last_used or nil
end

---@param id string
function M.use(id)
  last_used = id
end

--- Remembers the buffer a view shows a conversation in; nil forgets it.
---@param id string
---@param kind 'transcript'|'input'
---@param buf? integer
function M.set_buffer(id, kind, buf)
  entry(id)[kind == 'input' and 'input_buf' or 'buf'] = buf
end

--- Everything again, after the host was started anew. Ids of kept conversations hold; the rest comes from snapshots.
local function rebuild()
  host_lost = false
  agents.ask()
end

local function lose()
  host_lost = true
  agents.lose()
  for _, known in pairs(conversations) do
    take_turn(known, { busy = false, queued = 0, answering = '', cancelling = false, waitingFor = '' })
    known.permissions, known.questions = {}, {}
  end
  changed()
end

host.on('host:started', rebuild)

-- The conversations of before are not reached any more.
host.on('history:opened', function()
  conversations, last_used = {}, nil
  changed()
end)

host.on('host:exited', lose)

host.on('host:notice', function(notice)
  local level = vim.log.levels[notice.level:upper()] or vim.log.levels.INFO
  notify.show(notice.message, level)
end)

host.on('agent:sign-in', function(change)
  require('sidekicks.sign_in').tell(change.agent)
end)

-- The list is whole: what is not in it was deleted.
host.on('channels:changed', function(change)
  local present = {}
  for _, conversation in ipairs(change.channels) do
    present[conversation.id] = true
    if conversations[conversation.id] then
      conversations[conversation.id].conversation = conversation
      changed(conversation.id)
    end
  end
  for id in pairs(conversations) do
    if not present[id] then
      conversations[id] = nil
      changed()
    end
  end
end)

host.on('message:updated', function(change)
  local message, known = change.message, conversations[change.channel]
  if message.role == 'agent' and not message.done then
    known = entry(change.channel)
    known.growing, known.answered_last = message.id, message.agent
  elseif known and known.growing == message.id then
    known.growing = nil
  end
end)

host.on('turn:changed', function(turn)
  take_turn(entry(turn.channel), turn)
  changed(turn.channel)
end)

---@param known sidekicks.state.Conversation
---@param list 'permissions'|'questions'
---@param id string
local function drop(known, list, id)
  known[list] = vim.tbl_filter(function(request)
    return request.id ~= id
  end, known[list])
end

for list, name in pairs({ permissions = 'permission', questions = 'question' }) do
  host.on(name .. ':requested', function(request)
    require('sidekicks.permission') -- draws what waits, wherever the person is: also without a conversation on screen
    local known = entry(request.channel)
    drop(known, list, request.id)
    table.insert(known[list], request)
    changed(request.channel)
  end)
  host.on(name .. ':resolved', function(resolved)
    drop(entry(resolved.channel), list, resolved.id)
    changed(resolved.channel)
  end)
end

host.on('usage:changed', function(change)
  entry(change.channel).usage[change.agent] = change.usage
  changed(change.channel)
end)

host.on('options:changed', function(change)
  entry(change.channel).options[change.agent] = change.options
  changed(change.channel)
end)

if host.running() then
  rebuild()
end

return M
