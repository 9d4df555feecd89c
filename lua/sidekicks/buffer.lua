-- The buffers of Sidekicks and what their names mean; what is in them is drawn by others.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

---@alias sidekicks.Kind 'transcript'|'input'|'log'

---@class (exact) sidekicks.buffer.Place a conversation as its buffer name says it
---@field name string of the transcript's buffer
---@field agent string
---@field id? string once the host has told
---@field transcript? integer
---@field input? integer
---@field asking boolean the host has been asked for the id
---@field waiting fun(err?: sidekicks.Failure)[]

---@type table<string, sidekicks.buffer.Place>
local places = {}
---@type table<integer, string[]> names of the conversations a tab page showed when they were hidden
local hidden = {}

local group = vim.api.nvim_create_augroup('sidekicks.buffer', { clear = true })

--- A name as it stands in a buffer's name: no slash, per cent sign, blank or control character is left.
---@param name string
---@return string
function M.encode(name)
  return (name:gsub('[%%/%s%c]', function(character)
    return ('%%%02X'):format(character:byte())
  end))
end

---@param encoded string
---@return string
function M.decode(encoded)
  return (encoded:gsub('%%(%x%x)', function(digits)
    return string.char(tonumber(digits, 16))
  end))
end

---@param agent string
---@return string
function M.direct_name(agent)
  return 'sidekicks://agent/' .. M.encode(agent)
end

--- The loaded buffer of that very name.
---@param name string
---@return integer?
function M.find(name)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf) == name and vim.api.nvim_buf_is_loaded(buf) then
      return buf
    end
  end
end

---@param name string
---@return integer
local function load(name)
  local buf = M.find(name) or vim.fn.bufadd(name)
  vim.fn.bufload(buf)
  return buf
end

---@param buf integer
---@param lines string[]
local function write(buf, lines)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

---@param buf integer
---@param kind sidekicks.Kind
---@param id string
local function mark(buf, kind, id)
  vim.b[buf].sidekicks = { conversation = id, kind = kind }
end

---@param place sidekicks.buffer.Place
---@param kind 'transcript'|'input'
local function forget(place, kind)
  local buf = place[kind]
  place[kind] = nil
  if place.id then
    state.set_buffer(place.id, kind, nil)
  end
  if buf and kind == 'transcript' then
    require('sidekicks.transcript').detach(buf)
  end
end

--- Ties the buffers of a place to its conversation: the input first, since the transcript brings the draft kept for it.
---@param place sidekicks.buffer.Place
---@param id string
local function attach(place, id)
  place.id = id
  for _, kind in ipairs({ 'input', 'transcript' }) do
    local buf = place[kind]
    if buf then
      mark(buf, kind, id)
      state.set_buffer(id, kind, buf)
      require('sidekicks.' .. kind).attach(buf, id)
    end
  end
end

---@param place sidekicks.buffer.Place
---@param err? sidekicks.Failure
local function tell_waiting(place, err)
  local waiting = place.waiting
  place.waiting = {}
  for _, callback in ipairs(waiting) do
    callback(err)
  end
end

---@param id string
local function prepare(id)
  host.request('ChannelService.Prepare', { id = id }, function(err)
    if err then
      notify.warn(err.message)
    end
  end)
end

--- Asks which conversation it is and ties the buffers to it.
---@param place sidekicks.buffer.Place
local function resolve(place)
  if place.asking then
    return
  end
  place.asking = true
  host.request('ChannelService.Direct', { agent = place.agent }, function(err, conversation)
    place.asking = false
    if err or not conversation then
      if place.transcript then
        write(place.transcript, vim.split(err and err.message or '', '\n'))
      end
      return tell_waiting(place, err)
    end
    state.track(conversation.id, conversation)
    attach(place, conversation.id)
    prepare(conversation.id)
    tell_waiting(place)
  end)
end

---@param buf integer
---@param place sidekicks.buffer.Place
---@param kind 'transcript'|'input'
local function watch(buf, place, kind)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buf,
    desc = 'Stop drawing a conversation whose buffer is gone',
    callback = function()
      if place[kind] == buf then
        forget(place, kind)
      end
    end,
  })
end

---@param buf integer
---@param kind sidekicks.Kind
local function set_up(buf, kind)
  local bo = vim.bo[buf]
  bo.bufhidden = 'hide'
  bo.buflisted = false
  bo.swapfile = false
  bo.buftype = kind == 'input' and 'acwrite' or 'nofile'
  bo.modifiable = kind == 'input'
  bo.undolevels = kind == 'input' and vim.go.undolevels or -1
  bo.filetype = kind == 'input' and 'sidekicks-input' or kind == 'log' and 'sidekicks-log' or 'sidekicks'
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    window.dress(win, kind)
  end
end

---@param name string of the transcript's buffer
---@param agent string
---@return sidekicks.buffer.Place
local function place_of(name, agent)
  places[name] = places[name] or { name = name, agent = agent, asking = false, waiting = {} }
  return places[name]
end

--- Both buffers of a conversation come and are read together.
---@param buf integer
---@param name string of the transcript's buffer
---@param agent string
---@param kind 'transcript'|'input'
local function read_conversation(buf, name, agent, kind)
  local place = place_of(name, agent)
  place[kind] = buf
  mark(buf, kind, place.id or '')
  watch(buf, place, kind)
  set_up(buf, kind)
  if kind == 'transcript' then
    load(name .. '/input')
  else
    load(name)
  end
  resolve(place)
end

---@param buf integer
---@param name string
local function read_log(buf, name)
  local agent = M.decode(name:match('^sidekicks://log/(.+)$'))
  vim.b[buf].sidekicks = { conversation = '', kind = 'log' }
  set_up(buf, 'log')
  require('sidekicks.log').attach(buf, agent)
end

--- Fills a buffer by its name. Reading it again begins anew; a buffer that is being read is left alone.
---@param buf integer
function M.read(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  local base, input = name:match('^(sidekicks://agent/[^/]+)(/?i?n?p?u?t?)$')
  if base and (input == '' or input == '/input') then
    read_conversation(buf, base, M.decode(base:match('[^/]+$')), input == '' and 'transcript' or 'input')
  elseif name:match('^sidekicks://log/[^/]+$') then
    read_log(buf, name)
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

---@param id string
---@return sidekicks.buffer.Place?
local function place_by_id(id)
  for _, place in pairs(places) do
    if place.id == id then
      return place
    end
  end
end

---@param place sidekicks.buffer.Place
---@param opts? sidekicks.OpenOptions
local function open_place(place, opts)
  local transcript, input = load(place.name), load(place.name .. '/input')
  window.open(transcript, input, opts)
  if place.id then
    state.use(place.id)
  end
end

--- Undoes the opening of a conversation that does not exist.
---@param place sidekicks.buffer.Place
local function withdraw(place)
  places[place.name] = nil
  local bufs = { place.transcript, place.input }
  window.hide(bufs)
  for _, buf in ipairs(bufs) do
    vim.api.nvim_buf_delete(buf, { force = true })
  end
end

---@param agent string
---@param opts? sidekicks.OpenOptions
local function open_agent(agent, opts)
  local place = place_of(M.direct_name(agent), agent)
  if not place.id then
    table.insert(place.waiting, function(err)
      if err then
        withdraw(place)
        notify.error(err.message)
      else
        state.use(assert(place.id))
      end
    end)
  end
  open_place(place, opts)
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
      M.select_agent(agents, callback)
    end
  end)
end

---@param agents sidekicks.AgentSummary[]
---@param callback fun(agent: string)
function M.select_agent(agents, callback)
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

--- Shows the direct conversation with an agent and goes to its input.
---@param agent? string without it the only one, else one is asked for
---@param opts? sidekicks.OpenOptions
function M.open_direct(agent, opts)
  opts = vim.tbl_extend('keep', opts or {}, { insert = true })
  M.choose_agent(agent, function(chosen)
    if #state.agents() > 0 and not state.agent(chosen) then
      return notify.error(t('error.unknownAgent', { agent = chosen }))
    end
    open_agent(chosen, opts)
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
function M.focus_input(id, opts)
  local place = place_by_id(id)
  if place then
    open_place(place, opts)
  end
end

---@param place sidekicks.buffer.Place
---@return boolean
local function is_visible(place)
  return (place.transcript and window.of(place.transcript) or place.input and window.of(place.input)) ~= nil
end

---@return sidekicks.buffer.Place[]
local function visible_places()
  local visible = vim.tbl_filter(is_visible, vim.tbl_values(places))
  table.sort(visible, function(a, b)
    return a.name < b.name
  end)
  return visible
end

---@param which sidekicks.buffer.Place[]
local function hide(which)
  for _, place in ipairs(which) do
    window.hide({ place.input, place.transcript })
  end
end

--- Hides the conversations of this tab page; nothing ends.
function M.close()
  local visible = visible_places()
  if #visible > 0 then
    hidden[vim.api.nvim_get_current_tabpage()] = vim.tbl_map(function(place)
      return place.name
    end, visible)
    hide(visible)
  end
end

--- Hides one buffer, a conversation with both of its own.
---@param buf integer
function M.hide(buf)
  for _, place in pairs(places) do
    if place.transcript == buf or place.input == buf then
      return hide({ place })
    end
  end
  window.hide({ buf })
end

--- Hides the conversations of this tab page, or shows those it hid, or the one used last.
function M.toggle()
  if #visible_places() > 0 then
    return M.close()
  end
  local last = state.last_used()
  local place = last and place_by_id(last)
  local names = hidden[vim.api.nvim_get_current_tabpage()] or { place and place.name }
  if #names == 0 then
    return M.open_direct()
  end
  for _, name in ipairs(names) do
    open_place(place_of(name, M.decode(name:match('[^/]+$'))))
  end
end

require('sidekicks.highlight').setup()

vim.api.nvim_create_autocmd('BufWinEnter', {
  group = group,
  pattern = 'sidekicks://*',
  desc = 'Give a window of Sidekicks its look',
  callback = function(event)
    local _, kind = M.conversation_of(event.buf)
    if kind then
      window.dress(vim.api.nvim_get_current_win(), kind)
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

host.on('host:started', function()
  for _, place in pairs(places) do
    if place.id then
      resolve(place)
    end
  end
end)

return M
