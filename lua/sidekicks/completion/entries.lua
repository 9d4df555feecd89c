-- What the lists of the input hold: commands the agents announced, files of the workspace, contexts. It asks the host and never
-- waits for it; an answer that comes late is dropped. It shows nothing.
local host = require('sidekicks.host')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.completion.Entry one of Neovim's own completion lists
---@field word string
---@field abbr? string
---@field menu string
---@field equal 1 it is never filtered by what is typed
---@field dup 1

---@class (exact) sidekicks.completion.File
---@field path string
---@field word string what names it in a message

---@class (exact) sidekicks.completion.Question what the host is asked
---@field id string
---@field text string
---@field sign string
---@field query string
---@field limit integer

--- Files found for one word of one conversation.
---@class (exact) sidekicks.completion.Files
---@field conversation string
---@field sign string
---@field query string
---@field list sidekicks.completion.File[]
---@field time integer when they were found, in the milliseconds of `vim.uv.now`

local most_files = 50
local reading_retry_ms = 250
-- So long what was found is trusted; then somebody may have made a file meanwhile.
local fresh_ms = 2000

---@type table<string, sidekicks.Command[]> by agent
local commands = {}
---@type table<string, true> agents whose commands were asked for
local asked = {}
---@type table<string, true> conversations whose agents were asked to get ready
local prepared = {}
---@type sidekicks.completion.Files
local files = { conversation = '', sign = '', query = '', list = {}, time = 0 }
--- The sign and query an answer is awaited for.
---@type string?
local awaited
local tell = function() end

--- Calls `listener` whenever there is more to show.
---@param listener fun()
function M.on_news(listener)
  tell = listener
end

--- In a channel the members come first, then the agents that join when they are mentioned.
---@param conversation string
---@return string[] agents
---@return boolean several
local function agents_of(conversation)
  local known = state.conversation(conversation)
  local what = known and known.conversation
  if not what then
    return {}, false
  elseif what.direct ~= '' then
    return { what.direct }, false
  end
  local members, others = {}, {}
  for _, member in ipairs(what.members) do
    if state.agent(member) then
      table.insert(members, member)
    end
  end
  for _, agent in ipairs(state.agents()) do
    if not vim.list_contains(members, agent.name) then
      table.insert(others, agent.name)
    end
  end
  return vim.list_extend(members, others), true
end

--- Whether several agents listen, so that a message may begin with whom it is for.
---@param conversation string
---@return boolean
function M.has_mentions(conversation)
  return select(2, agents_of(conversation))
end

---@param agent string
---@param callback fun()
local function ask_commands(agent, callback)
  asked[agent] = true
  host.request('ChannelService.Commands', { agent = agent }, function(err, result)
    if err or not result then
      asked[agent] = nil
    elseif not commands[agent] then
      commands[agent] = result.commands
    end
    callback()
  end)
end

--- The first `/` opens the sessions in which agents announce their commands.
---@param conversation string
local function prepare(conversation)
  if prepared[conversation] then
    return
  end
  prepared[conversation] = true
  host.request('ChannelService.Prepare', { id = conversation }, function(err)
    prepared[conversation] = not err or nil
  end)
end

---@param command sidekicks.Command
---@return string
local function explained(command)
  local hint = command.hint ~= '' and ('‹' .. command.hint .. '› ') or ''
  return ((hint .. command.description):gsub('%s+', ' '))
end

---@param conversation string
---@return sidekicks.completion.Entry[]
local function all_commands(conversation)
  local agents, several = agents_of(conversation)
  local entries = {}
  for _, agent in ipairs(agents) do
    if not asked[agent] then
      ask_commands(agent, tell)
    end
    for _, command in ipairs(commands[agent] or {}) do
      local name = several and (agent .. ':' .. command.name) or command.name
      table.insert(entries, { word = '/' .. name, menu = explained(command), equal = 1, dup = 1 })
    end
  end
  return entries
end

--- Those that begin with what is written, then those that contain it.
---@param entries sidekicks.completion.Entry[]
---@param query string
---@return sidekicks.completion.Entry[]
local function matching(entries, query)
  local beginning, containing = {}, {}
  for _, entry in ipairs(entries) do
    local at = entry.word:lower():find(query:lower(), 2, true)
    if at then
      table.insert(at == 2 and beginning or containing, entry)
    end
  end
  return vim.list_extend(beginning, containing)
end

--- Whether all characters of the query stand in the path, in that order.
---@param path string
---@param query string
---@return boolean
local function could_match(path, query)
  local at = 0
  for character in query:lower():gmatch('[%z\1-\127\194-\244][\128-\191]*') do
    at = select(2, path:lower():find(character, at + 1, true))
    if not at then
      return false
    end
  end
  return true
end

--- The agents of a channel, for `@`.
---@param conversation string
---@param word sidekicks.completion.Word
---@return sidekicks.completion.Entry[]
local function mention_entries(conversation, word)
  local agents, several = agents_of(conversation)
  if not several or word.text:sub(1, 1) ~= '@' or word.text:sub(2, 2) == '"' then
    return {}
  end
  local members = state.conversation(conversation).conversation.members
  local entries = vim.tbl_map(function(name)
    local agent = state.agent(name)
    local what = agent and agent.title ~= name and agent.title or t('completion.agent')
    local joins = not vim.list_contains(members, name) and ' · ' .. t('completion.joins') or ''
    return { word = '@' .. name, menu = what .. joins, equal = 1, dup = 1 }
  end, agents)
  return matching(entries, word.query)
end

---@param file sidekicks.completion.File
---@return sidekicks.completion.Entry
local function file_entry(file)
  return { word = file.word, abbr = file.path, menu = t('completion.file'), equal = 1, dup = 1 }
end

--- What the host is asked for a word; whose files are meant may depend on the whole message.
---@param conversation string
---@param word sidekicks.completion.Word
---@param text string
---@return sidekicks.completion.Question
local function file_question(conversation, word, text)
  return { id = conversation, text = text, sign = word.text:sub(1, 1), query = word.query, limit = most_files }
end

local ask_files

--- A large tree is still being read: what it holds is asked for again, if it is still wanted.
---@param params sidekicks.completion.Question
local function ask_again(params)
  vim.defer_fn(function()
    if files.conversation == params.id and files.sign == params.sign and files.query == params.query then
      ask_files(params)
    end
  end, reading_retry_ms)
end

---@param params sidekicks.completion.Question
ask_files = function(params)
  local question = params.sign .. params.query
  if awaited == question then
    return
  end
  awaited = question
  host.request('ViewService.Files', params, function(err, result)
    if awaited ~= question then
      return
    end
    awaited = nil
    if err or not result then
      return
    end
    files = {
      conversation = params.id,
      sign = params.sign,
      query = params.query,
      list = result.files,
      time = vim.uv.now(),
    }
    tell()
    if not result.complete then
      ask_again(params)
    end
  end)
end

--- What was found last and still can match; the answer to another query is asked for meanwhile.
---@param params sidekicks.completion.Question
---@return sidekicks.completion.Entry[]
local function file_entries(params)
  if files.conversation ~= params.id or files.sign ~= params.sign then
    files = { conversation = params.id, sign = params.sign, query = '', list = {}, time = 0 }
  end
  if files.query ~= params.query or vim.uv.now() - files.time > fresh_ms then
    ask_files(params)
  end
  local found = vim.iter(files.list)
  if files.query ~= params.query then
    found = found:filter(function(file)
      return could_match(file.path, params.query)
    end)
  end
  return found:map(file_entry):totable()
end

local contexts = { 'selection', 'buffer', 'diagnostics', 'quickfix', 'diff' }

---@return sidekicks.completion.Entry[]
local function all_contexts()
  return vim.tbl_map(function(context)
    return { word = '#' .. context, menu = t('completion.' .. context), equal = 1, dup = 1 }
  end, contexts)
end

---@param conversation string
---@param word sidekicks.completion.Word
---@return sidekicks.completion.Entry[]
local function command_entries(conversation, word)
  prepare(conversation)
  return matching(all_commands(conversation), word.query)
end

--- The entries for a word as far as they are known now; news tell of more.
---@param conversation string
---@param word sidekicks.completion.Word
---@param text string the whole message
---@return sidekicks.completion.Entry[]
function M.now(conversation, word, text)
  if word.kind == 'file' then
    return vim.list_extend(mention_entries(conversation, word), file_entries(file_question(conversation, word, text)))
  elseif word.kind == 'context' then
    return matching(all_contexts(), word.query)
  end
  return command_entries(conversation, word)
end

--- Calls back once the commands of every agent that listens are known, as far as they have announced any.
---@param conversation string
---@param callback fun()
local function with_commands(conversation, callback)
  local unknown = vim.tbl_filter(function(agent)
    return not commands[agent]
  end, (agents_of(conversation)))
  local left = #unknown
  if left == 0 then
    return callback()
  end
  for _, agent in ipairs(unknown) do
    ask_commands(agent, function()
      left = left - 1
      if left == 0 then
        callback()
      end
    end)
  end
end

--- The entries for a word, once they are found.
---@param conversation string
---@param word sidekicks.completion.Word
---@param text string the whole message
---@param callback fun(entries: sidekicks.completion.Entry[])
function M.later(conversation, word, text, callback)
  if word.kind == 'command' then
    with_commands(conversation, function()
      callback(command_entries(conversation, word))
    end)
  elseif word.kind == 'context' then
    callback(M.now(conversation, word, text))
  else
    host.request('ViewService.Files', file_question(conversation, word, text), function(_, result)
      local found = vim.iter(result and result.files or {}):map(file_entry):totable()
      callback(vim.list_extend(mention_entries(conversation, word), found))
    end)
  end
end

host.on('commands:changed', function(change)
  commands[change.agent] = change.commands
  asked[change.agent] = true
  tell()
end)

host.on('host:exited', function()
  commands, asked, prepared, awaited = {}, {}, {}, nil
end)

return M
