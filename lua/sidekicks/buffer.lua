-- The buffers of Sidekicks: reads them by name, shows and hides them. What is in them is drawn by others.
local addresses = require('sidekicks.address')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local places = require('sidekicks.place')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

---@alias sidekicks.Kind 'transcript'|'input'|'log'|'agents'|'files'|'file'|'changes'|'conflict'|'terminal'

local group = vim.api.nvim_create_augroup('sidekicks.buffer', { clear = true })

---@type table<sidekicks.Kind, string>
local filetypes = {
  transcript = 'sidekicks',
  input = 'sidekicks-input',
  log = 'sidekicks-log',
  agents = 'sidekicks-agents',
  files = 'sidekicks-files',
}

---@param buf integer
---@param kind sidekicks.Kind
local function set_up(buf, kind)
  local bo = vim.bo[buf]
  bo.bufhidden = 'hide'
  bo.buflisted = false
  bo.buftype = kind == 'input' and 'acwrite' or 'nofile'
  bo.modifiable = kind == 'input'
  bo.filetype = filetypes[kind]
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    window.dress(win, kind)
  end
end

--- Both buffers of a conversation come together.
---@param buf integer
---@param name string its own
---@param kind 'transcript'|'input'
local function read_conversation(buf, name, kind)
  local place = places.of(name)
  places.settle(place, kind, buf)
  set_up(buf, kind)
  places.load(kind == 'transcript' and place.name .. '/input' or place.name)
  places.resolve(place)
end

---@param buf integer
---@param encoded string
local function read_log(buf, encoded)
  vim.b[buf].sidekicks = { conversation = '', kind = 'log' }
  set_up(buf, 'log')
  require('sidekicks.log').attach(buf, addresses.decode(encoded))
end

---@param buf integer
local function read_agents(buf)
  vim.b[buf].sidekicks = { conversation = '', kind = 'agents' }
  require('sidekicks.panel').attach(buf)
  set_up(buf, 'agents')
end

---@param buf integer
---@param address sidekicks.FilesAddress
local function read_files(buf, address)
  vim.b[buf].sidekicks = { conversation = '', kind = address.kind }
  if address.kind == 'file' then
    return require('sidekicks.files.file').read(buf, address)
  end
  require('sidekicks.files').attach(buf, address)
  set_up(buf, 'files')
end

--- Fills a buffer by its name. Reading it again begins anew.
---@param buf integer
function M.read(buf)
  -- Before the first line: a full disk has no room for a swap file either.
  vim.bo[buf].swapfile = false
  local name = vim.api.nvim_buf_get_name(buf)
  local address, is_input = addresses.parse(name)
  local files = addresses.parse_files(name)
  local log = name:match('^sidekicks://log/([^/]+)$')
  local message = name:match('^sidekicks://message/([^/]+/[^/]+)$')
  if address then
    read_conversation(buf, name, is_input and 'input' or 'transcript')
  elseif message then
    require('sidekicks.message').read(buf, message)
  elseif log then
    read_log(buf, log)
  elseif files then
    read_files(buf, files)
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

--- Shows both buffers of a place and goes to the input.
---@param place sidekicks.Place
---@param opts? sidekicks.OpenOptions
function M.show_place(place, opts)
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
---@param level integer
local function withdraw(place, reason, level)
  local function tell()
    notify.show(reason, level)
  end
  if vim.api.nvim_get_current_buf() == place.input then
    after_insert_mode(tell)
  else
    tell()
  end
  window.hide({ place.input, place.transcript })
  places.drop(place)
end

--- Shows a place at once; takes it back if the host then says there is nothing of its name.
---@param place sidekicks.Place
---@param opts? sidekicks.OpenOptions
local function open_place(place, opts)
  if not place.id then
    table.insert(place.waiting, function(err)
      if err then
        withdraw(place, err.message, vim.log.levels.ERROR)
      else
        state.use(assert(place.id))
      end
    end)
  end
  M.show_place(place, opts)
end

--- Shows a conversation the host has told of.
---@param conversation sidekicks.Conversation
---@param here boolean it is one of the present project
---@param opts? sidekicks.OpenOptions
---@return sidekicks.Place
function M.show(conversation, here, opts)
  local place = places.of_conversation(conversation, here)
  open_place(place, opts)
  return place
end

---@param agent string
---@param opts? sidekicks.OpenOptions
local function open_agent(agent, opts)
  local address = { kind = 'agent', name = agent, project = '' }
  if not places.has_moved() then
    return open_place(places.of(addresses.format(address)), opts)
  end
  places.ask(address, function(err, conversation, here)
    if err or not conversation then
      return notify.error(err and err.message or '')
    end
    M.show(conversation, here == true, opts)
  end)
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
function M.if_configured(agent, callback)
  if state.agent(agent) then
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
    -- Before the first list of agents is there, the input is not kept waiting for it.
    if #state.agents() == 0 then
      return open_agent(chosen, opts)
    end
    M.if_configured(chosen, function()
      open_agent(chosen, opts)
    end)
  end)
end

--- Goes to the input of a conversation, which is shown if it is not.
---@param id string
---@param opts? sidekicks.OpenOptions
---@return boolean shown false where no buffer of it was ever made
function M.focus_input(id, opts)
  local place = places.by_id(id)
  if place then
    M.show_place(place, opts)
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

--- Shows an agent's log in a split.
---@param agent string
function M.open_log(agent)
  M.if_configured(agent, function()
    M.go_to('sidekicks://log/' .. addresses.encode(agent))
  end)
end

--- Shows the files of an agent's workspace in a split.
---@param agent string
function M.open_files(agent)
  M.go_to(addresses.format_files({ kind = 'files', agent = agent, path = '' }))
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

host.on('channels:changed', function(change)
  local present = {}
  for _, conversation in ipairs(change.channels) do
    present[conversation.id] = true
  end
  for _, place in ipairs(places.all()) do
    if place.id and not present[place.id] then
      local key = require('sidekicks.input').keep_in_register(place.input) and 'channel.goneKept' or 'channel.gone'
      withdraw(place, t(key, { name = place.address.name }), vim.log.levels.INFO)
    end
  end
end)

-- What shows by itself: requests, activity, notices. Loaded once there is something to show.
host.on('host:started', function()
  for _, view in ipairs({ 'permission', 'attention', 'winbar', 'config.live', 'review' }) do
    require('sidekicks.' .. view)
  end
end)

return M
