-- `:SidekicksChannel`: shows a channel, and makes one that is not there, with its members. The host decides what exists.
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local names = require('sidekicks.channel.names')
local notify = require('sidekicks.notify')
local places = require('sidekicks.place')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

--- Asks a question with two answers, the harmless one first.
---@param question string
---@param answers { yes: string, no: string }
---@param on_yes fun()
function M.confirm(question, answers, on_yes)
  vim.ui.select({ 'no', 'yes' }, {
    prompt = question,
    format_item = function(answer)
      return answers[answer]
    end,
  }, function(answer)
    if answer == 'yes' then
      on_yes()
    end
  end)
end

---@param conversation sidekicks.Conversation
---@return sidekicks.AgentSummary[]
local function absent(conversation)
  return vim.tbl_filter(function(agent)
    return not vim.list_contains(conversation.members, agent.name)
  end, state.agents())
end

--- Offers the agents that are not there yet, one after the other, until there is enough or none is left.
---@param conversation sidekicks.Conversation
---@param done? fun()
function M.invite(conversation, done)
  local choices = absent(conversation)
  done = done or function() end
  if #choices == 0 then
    return done()
  end
  ---@type (sidekicks.AgentSummary|false)[]
  local items = vim.list_extend({}, choices)
  table.insert(items, false)
  vim.ui.select(items, {
    prompt = t('channel.invite', { name = conversation.name }),
    format_item = function(agent)
      return agent and vim.trim(('%s %s'):format(agent.icon, agent.title)) or t('channel.enough')
    end,
  }, function(agent)
    if not agent then
      return done()
    end
    host.request('ChannelService.AddMember', { id = conversation.id, agent = agent.name }, function(err, now)
      if err or not now then
        notify.error(err and err.message or '')
        return done()
      end
      M.invite(now, done)
    end)
  end)
end

--- Whether somebody can be asked.
---@return boolean
local function is_attended()
  return #vim.api.nvim_list_uis() > 0
end

---@param name string
---@param invites boolean ask for the members
local function create(name, invites)
  host.request('ChannelService.Create', { name = name, description = '' }, function(err, conversation)
    if err or not conversation then
      return notify.error(err and err.message or '')
    end
    buffer.show(conversation, true, { insert = not invites })
    if invites then
      M.invite(conversation, function()
        buffer.focus_input(conversation.id, { insert = true })
      end)
    end
  end)
end

local find_or_create

---@param name string
---@param force? boolean
function find_or_create(name, force)
  local address = { kind = 'channel', name = name, project = '' }
  host.request('ViewService.Find', address, function(err, result)
    local found = result and result.channels[1]
    if err then
      notify.error(err.message)
    elseif found then
      buffer.show(found, true, { insert = true })
    elseif name:find('^#.') then
      -- So it is written everywhere else.
      find_or_create(vim.trim(name:sub(2)), force)
    elseif force or not is_attended() then
      create(name, false)
    else
      local answers = { yes = t('channel.create'), no = t('channel.createNot') }
      M.confirm(t('channel.askCreate', { name = name }), answers, function()
        create(name, true)
      end)
    end
  end)
end

--- Shows the channel of a name. An unknown one is made: after a question, with `force` at once.
---@param name string
---@param force? boolean
function M.open(name, force)
  state.with_configuration(function()
    find_or_create(name, force)
  end)
end

---@param channel sidekicks.Conversation
---@return string
local function described(channel)
  local about = { '#' .. channel.name, channel.description, table.concat(channel.members, ', ') }
  return table.concat(
    vim.tbl_filter(function(part)
      return part ~= ''
    end, about),
    ' · '
  )
end

local function choose()
  host.request('ChannelService.List', {}, function(err, result)
    local channels = vim.tbl_filter(function(conversation)
      return conversation.direct == ''
    end, result and result.channels or {})
    if err or #channels == 0 then
      return notify.show(err and err.message or t('channel.none'), vim.log.levels[err and 'ERROR' or 'INFO'])
    end
    vim.ui.select(channels, { prompt = t('channel.which'), format_item = described }, function(channel)
      if channel then
        buffer.show(channel, true, { insert = true })
      end
    end)
  end)
end

--- Offers the channels of the project.
function M.choose()
  state.with_configuration(choose)
end

--- Runs `:SidekicksChannel`.
---@param typed vim.api.keyset.create_user_command.command_args
function M.run(typed)
  local name = vim.trim(typed.args)
  if name == '' then
    M.choose()
  else
    M.open(name, typed.bang)
  end
end

--- Completes the name at the end of the command line.
---@param lead string its last word
---@param line string
---@param position integer bytes of the line before the cursor
---@return string[]
function M.complete(lead, line, position)
  local typed = line:sub(1, position):match('SidekicksChannel!?%s+(.*)$') or ''
  local all = vim.tbl_map(function(channel)
    return channel.name
  end, names.list())
  return names.tails(all, typed, lead)
end

--- The channel an argument names, else the current conversation; says so where there is none.
---@param name? string
---@param callback fun(conversation: sidekicks.Conversation)
function M.with_conversation(name, callback)
  if name then
    return places.ask({ kind = 'channel', name = name, project = '' }, function(err, conversation)
      if err or not conversation then
        return notify.error(err and err.message or '')
      end
      callback(conversation)
    end)
  end
  require('sidekicks.send').with_open_conversation(function(id)
    host.request('ChannelService.Conversation', { id = id }, function(err, snapshot)
      if err or not snapshot then
        return notify.error(err and err.message or '')
      end
      callback(snapshot.channel)
    end)
  end)
end

--- A conversation in a few words: `#review`, the title of an agent; one of another project with its folder.
---@param conversation sidekicks.Conversation
---@param here boolean
---@return string
function M.label(conversation, here)
  local agent = state.agent(conversation.direct)
  local name = conversation.direct == '' and '#' .. conversation.name or agent and agent.title or conversation.direct
  return here and name or ('%s (%s)'):format(name, vim.fn.fnamemodify(conversation.project, ':~'))
end

return M
