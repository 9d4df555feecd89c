-- The buffers of Sidekicks: reads them by name, shows and hides them. What is in them is drawn by others.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local places = require('sidekicks.place')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

---@alias sidekicks.Kind 'transcript'|'input'|'log'|'agents'|'changes'|'conflict'

---@type table<integer, string[]> names of the conversations a tab page showed when they were hidden
local hidden = {}

local group = vim.api.nvim_create_augroup('sidekicks.buffer', { clear = true })

---@type table<sidekicks.Kind, string>
local filetypes = {
  transcript = 'sidekicks',
  input = 'sidekicks-input',
  log = 'sidekicks-log',
  agents = 'sidekicks-agents',
}

---@param buf integer
---@param kind sidekicks.Kind
local function set_up(buf, kind)
  local bo = vim.bo[buf]
  bo.bufhidden = 'hide'
  bo.buflisted = false
  bo.swapfile = false
  bo.buftype = kind == 'input' and 'acwrite' or 'nofile'
  bo.modifiable = kind == 'input'
  bo.filetype = filetypes[kind]
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    window.dress(win, kind)
  end
end

--- Both buffers of a conversation come together.
---@param buf integer
---@param name string of the transcript's buffer
---@param kind 'transcript'|'input'
local function read_conversation(buf, name, kind)
  local place = places.of(name)
  places.settle(place, kind, buf)
  set_up(buf, kind)
  places.load(kind == 'transcript' and name .. '/input' or name)
  places.resolve(place)
end

---@param buf integer
---@param encoded string
local function read_log(buf, encoded)
  vim.b[buf].sidekicks = { conversation = '', kind = 'log' }
  set_up(buf, 'log')
  require('sidekicks.log').attach(buf, places.decode(encoded))
end

---@param buf integer
local function read_agents(buf)
  vim.b[buf].sidekicks = { conversation = '', kind = 'agents' }
  require('sidekicks.panel').attach(buf)
  set_up(buf, 'agents')
end

--- Fills a buffer by its name. Reading it again begins anew.
---@param buf integer
function M.read(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  local transcript = name:match('^sidekicks://agent/[^/]+')
  local log = name:match('^sidekicks://log/([^/]+)$')
  if transcript == name then
    read_conversation(buf, transcript, 'transcript')
  elseif transcript and name == transcript .. '/input' then
    read_conversation(buf, transcript, 'input')
  elseif log then
    read_log(buf, log)
  elseif name == 'sidekicks://agents' then
    read_agents(buf)
  else
    notify.error(t('buffer.unknownName', { name = name }))
  end
end

--- The conversation a buffer shows or writes to, and what kind of buffer it is; nil for a buffer that is not ours.
---@param buf? integer
---@return string? id "" while the host has not told
---@return sidekicks.Kind? kind
function M.conversation_of(buf)
  local ours = vim.b[buf or 0].sidekicks
  if type(ours) == 'table' then
    return ours.conversation, ours.kind
  end
end

---@param place sidekicks.Place
---@param opts? sidekicks.OpenOptions
local function show(place, opts)
  local transcript, input = places.load(place.name), places.load(place.name .. '/input')
  window.open(transcript, input, opts)
  if place.id then
    state.use(place.id)
  end
end

--- What is told while Insert mode is being left would be wiped out with the name of the mode.
---@param callback fun()
local function after_insert_mode(callback)
  if vim.api.nvim_get_mode().mode:find('^i') then
    vim.api.nvim_create_autocmd('InsertLeave', {
      group = group,
      once = true,
      desc = 'Go on when Insert mode is over',
      callback = vim.schedule_wrap(callback),
    })
    vim.cmd.stopinsert()
  else
    vim.cmd.stopinsert()
    callback()
  end
end

--- Takes back the windows of a conversation that does not exist, and says why.
---@param place sidekicks.Place
---@param reason string
local function withdraw(place, reason)
  local function tell()
    notify.error(reason)
  end
  if vim.api.nvim_get_current_buf() == place.input then
    after_insert_mode(tell)
  else
    tell()
  end
  window.hide({ place.input, place.transcript })
  places.drop(place)
end

--- Shows the conversation with an agent at once; takes it back if the host then says there is none.
---@param agent string
---@param opts? sidekicks.OpenOptions
local function open_agent(agent, opts)
  local place = places.of(places.direct_name(agent))
  if not place.id then
    table.insert(place.waiting, function(err)
      if err then
        withdraw(place, err.message)
      else
        state.use(assert(place.id))
      end
    end)
  end
  show(place, opts)
end

---@param agents sidekicks.AgentSummary[]
---@param callback fun(agent: string)
local function select_agent(agents, callback)
  vim.ui.select(agents, {
    prompt = t('command.whichAgent'),
    format_item = function(agent)
      return vim.trim(('%s %s'):format(agent.icon, agent.title ~= '' and agent.title or agent.name))
    end,
  }, function(chosen)
    if chosen then
      callback(chosen.name)
    end
  end)
end

--- Calls back with the agent meant: the one named, the only one, or the one chosen from a list.
---@param agent? string
---@param callback fun(agent: string)
function M.choose_agent(agent, callback)
  if agent and agent ~= '' then
    return callback(agent)
  end
  host.request('AgentService.List', {}, function(err, result)
    local agents = result and result.agents or {}
    if err or #agents == 0 then
      notify.error(err and err.message or t('command.noAgents'))
    elseif #agents == 1 then
      callback(agents[1].name)
    else
      select_agent(agents, callback)
    end
  end)
end

--- What is known here may be a moment old: before an agent is refused, the host is asked.
---@param agent string
---@param callback fun()
local function if_configured(agent, callback)
  if #state.agents() == 0 or state.agent(agent) then
    return callback()
  end
  host.request('AgentService.List', {}, function(err, result)
    local is_known = result and vim.iter(result.agents):any(function(known)
      return known.name == agent
    end)
    if is_known then
      return callback()
    end
    notify.error(err and err.message or t('error.unknownAgent', { agent = agent }))
  end)
end

--- Shows the direct conversation with an agent and begins to write in its input.
---@param agent? string without it the only one, else one is asked for
---@param opts? sidekicks.OpenOptions
function M.open_direct(agent, opts)
  opts = vim.tbl_extend('keep', opts or {}, { insert = true })
  M.choose_agent(agent, function(chosen)
    if_configured(chosen, function()
      open_agent(chosen, opts)
    end)
  end)
end

--- Shows a conversation the host has told of.
---@param conversation sidekicks.Conversation
---@param opts? sidekicks.OpenOptions
function M.show(conversation, opts)
  open_agent(conversation.direct, opts)
end

--- Goes to the input of a conversation, which is shown if it is not.
---@param id string
---@param opts? sidekicks.OpenOptions
---@return boolean shown false where no buffer of it was ever made
function M.focus_input(id, opts)
  local place = places.by_id(id)
  if place then
    show(place, opts)
  end
  return place ~= nil
end

--- Goes to where this tab page shows a buffer of ours, else shows it in a split.
---@param name string
function M.go_to(name)
  local shown = places.find(name)
  local win = shown and window.of(shown)
  if win then
    vim.api.nvim_set_current_win(win)
  else
    vim.cmd.split({ args = { vim.fn.fnameescape(name) } })
  end
end

---@param agent string
function M.open_log(agent)
  M.go_to('sidekicks://log/' .. places.encode(agent))
end

---@return sidekicks.Place[] those this tab page shows
local function visible()
  return vim.tbl_filter(function(place)
    return (place.transcript and window.of(place.transcript) or place.input and window.of(place.input)) ~= nil
  end, places.all())
end

--- Hides the conversations of this tab page; nothing ends.
function M.close()
  local shown = visible()
  if #shown == 0 then
    return
  end
  hidden[vim.api.nvim_get_current_tabpage()] = vim.tbl_map(function(place)
    return place.name
  end, shown)
  for _, place in ipairs(shown) do
    window.hide({ place.input, place.transcript })
  end
end

--- Hides one buffer, a conversation with both of its own.
---@param buf integer
function M.hide(buf)
  for _, place in ipairs(places.all()) do
    if place.transcript == buf or place.input == buf then
      window.hide({ place.input, place.transcript })
      return
    end
  end
  window.hide({ buf })
end

---@return string[] names of what toggle brings back
local function to_bring_back()
  local last = state.last_used()
  local place = last and places.by_id(last)
  return hidden[vim.api.nvim_get_current_tabpage()] or { place and place.name }
end

--- Hides the conversations of this tab page, or shows those it hid, or the one used last.
function M.toggle()
  if #visible() > 0 then
    return M.close()
  end
  local names = to_bring_back()
  if #names == 0 then
    return M.open_direct()
  end
  for _, name in ipairs(names) do
    show(places.of(name))
  end
end

require('sidekicks.highlight').setup()

vim.api.nvim_create_autocmd('BufWinEnter', {
  group = group,
  pattern = 'sidekicks://*',
  desc = 'Give a window of Sidekicks its look',
  callback = function(event)
    local _, kind = M.conversation_of(event.buf)
    local win = vim.api.nvim_get_current_win()
    if kind and vim.api.nvim_win_get_buf(win) == event.buf then
      window.dress(win, kind)
    end
  end,
})

vim.api.nvim_create_autocmd('BufEnter', {
  group = group,
  pattern = 'sidekicks://*',
  desc = 'Remember the conversation used last',
  callback = function(event)
    local id = M.conversation_of(event.buf)
    if id and id ~= '' then
      state.use(id)
    end
  end,
})

vim.api.nvim_create_autocmd('TabClosed', {
  group = group,
  desc = 'Forget what closed tab pages hid',
  callback = function()
    for tab in pairs(hidden) do
      hidden[tab] = vim.api.nvim_tabpage_is_valid(tab) and hidden[tab] or nil
    end
  end,
})

-- What shows by itself: requests, activity, notices. Loaded once there is something to show.
host.on('host:started', function()
  for _, view in ipairs({ 'permission', 'attention', 'winbar', 'config.live', 'review' }) do
    require('sidekicks.' .. view)
  end
end)

return M
