-- Conversations as buffer names say them: which one a name means, and the pair of buffers tied to it. Opens no window.
local addresses = require('sidekicks.address')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.Place
---@field name string of the transcript's buffer
---@field address sidekicks.Address
---@field id? string once the host has told
---@field transcript? integer
---@field input? integer
---@field attached table<string, integer> buffers tied to the conversation, by kind
---@field asking boolean the host has been asked for the id
---@field waiting fun(err?: sidekicks.Failure)[]

---@type table<string, sidekicks.Place>
local places = {}
--- The working directory changed: the same names may mean conversations of another project by now.
local has_moved = false

local group = vim.api.nvim_create_augroup('sidekicks.place', { clear = true })

--- The place a buffer's name means, be it that of the transcript or of the input.
---@param name string
---@return sidekicks.Place
function M.of(name)
  local address = assert(addresses.parse(name), name)
  local own_name = addresses.format(address)
  if not places[own_name] then
    places[own_name] = { name = own_name, address = address, attached = {}, asking = false, waiting = {} }
  end
  return places[own_name]
end

---@param id string
---@return sidekicks.Place?
function M.by_id(id)
  for _, place in pairs(places) do
    if place.id == id then
      return place
    end
  end
end

--- Every place, by name.
---@return sidekicks.Place[]
function M.all()
  local all = vim.tbl_values(places)
  table.sort(all, function(a, b)
    return a.name < b.name
  end)
  return all
end

--- Whether a name may mean another conversation than when its buffers were made.
---@return boolean
function M.has_moved()
  return has_moved
end

---@param name string
---@return integer?
local function buffer_named(name)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf) == name then
      return buf
    end
  end
end

--- The loaded buffer of that very name.
---@param name string
---@return integer?
function M.find(name)
  local buf = buffer_named(name)
  return buf and vim.api.nvim_buf_is_loaded(buf) and buf or nil
end

--- The buffer of a name, read if it was not loaded.
---@param name string
---@return integer
function M.load(name)
  local buf = M.find(name) or vim.fn.bufadd(name)
  vim.fn.bufload(buf)
  return buf
end

---@param buf integer
---@param kind sidekicks.Kind
---@param id string
local function mark(buf, kind, id)
  vim.b[buf].sidekicks = { conversation = id, kind = kind }
end

--- Ties the buffers to their conversation: the input first, since the transcript brings the draft kept for it.
---@param place sidekicks.Place
---@param id string
local function attach(place, id)
  local is_other = place.id ~= id
  place.id = id
  for _, kind in ipairs({ 'input', 'transcript' }) do
    local buf = place[kind]
    if buf and (is_other or place.attached[kind] ~= buf) then
      place.attached[kind] = buf
      mark(buf, kind, id)
      state.set_buffer(id, kind, buf)
      require('sidekicks.' .. kind).attach(buf, id)
    end
  end
end

---@param place sidekicks.Place
---@param err? sidekicks.Failure
local function tell_waiting(place, err)
  local waiting = place.waiting
  place.waiting = {}
  for _, callback in ipairs(waiting) do
    callback(err)
  end
end

--- Gives the agents a start in the background, so that their commands, modes and models are known.
---@param conversation sidekicks.Conversation
local function prepare(conversation)
  host.request('ChannelService.Prepare', { id = conversation.id }, function(err)
    if err and not require('sidekicks.sign_in').just_told(conversation.direct) then
      local who = conversation.direct ~= '' and conversation.direct or '#' .. conversation.name
      notify.warn(t('system.notice', { agent = who, what = err.message }))
    end
  end)
end

--- Where nobody waits for the failure, the buffer itself says it.
---@param place sidekicks.Place
---@param err? sidekicks.Failure
local function fail(place, err)
  if place.input and not place.id then
    require('sidekicks.input').give_back(place.input)
  end
  if #place.waiting == 0 and place.transcript and not place.id then
    vim.bo[place.transcript].modifiable = true
    vim.api.nvim_buf_set_lines(place.transcript, 0, -1, false, vim.split(err and err.message or '', '\n'))
    vim.bo[place.transcript].modifiable = false
  end
  tell_waiting(place, err)
end

--- Asks which conversation a name means.
---@param address sidekicks.Address
---@param callback fun(err?: sidekicks.Failure, conversation?: sidekicks.Conversation, here?: boolean)
function M.ask(address, callback)
  if address.kind == 'agent' and address.project == '' then
    return host.request('ChannelService.Direct', { agent = address.name }, function(err, conversation)
      callback(err, conversation, true)
    end)
  end
  host.request('ViewService.Find', address, function(err, result)
    local found = result and result.channels[1]
    if not err and not found then
      local key = address.project ~= '' and 'channel.unknownThere' or 'channel.unknown'
      local folder = vim.fn.fnamemodify(address.project, ':~')
      err = { code = 'not-found', message = t(key, { name = address.name, folder = folder }) }
    end
    callback(err, found, result and result.here)
  end)
end

---@param place sidekicks.Place
---@param err? sidekicks.Failure
---@param conversation? sidekicks.Conversation
local function settle_answer(place, err, conversation)
  place.asking = false
  if err or not conversation then
    return fail(place, err)
  end
  M.rename(place, conversation)
  state.track(conversation.id, conversation)
  attach(place, conversation.id)
  prepare(conversation)
  tell_waiting(place)
end

--- Asks which conversation it is and ties the buffers to it. One that is known stays the same, whatever its name means by now.
---@param place sidekicks.Place
function M.resolve(place)
  if place.asking then
    return
  end
  place.asking = true
  if not place.id then
    return M.ask(place.address, function(err, conversation)
      settle_answer(place, err, conversation)
    end)
  end
  host.request('ViewService.Locate', { id = place.id }, function(err, result)
    if err and err.code == 'not-found' then
      place.id, place.attached, place.asking = nil, {}, false
      return M.resolve(place)
    end
    settle_answer(place, err, result and result.channel)
  end)
end

--- The place of a conversation the host told of, with a name that no other one has.
---@param conversation sidekicks.Conversation
---@param here boolean it is one of the present project
---@return sidekicks.Place
function M.of_conversation(conversation, here)
  local known = M.by_id(conversation.id)
  if known then
    return known
  end
  local place = M.of(addresses.format(addresses.of(conversation, here)))
  if place.id and place.id ~= conversation.id then
    place = M.of(addresses.format(addresses.of(conversation, false)))
  end
  place.id = conversation.id
  state.track(conversation.id, conversation)
  return place
end

---@param place sidekicks.Place
---@param kind 'transcript'|'input'
---@param buf integer
local function release(place, kind, buf)
  if place[kind] == buf then
    place[kind], place.attached[kind] = nil, nil
    if place.id then
      state.set_buffer(place.id, kind, nil)
    end
  end
end

--- Makes a buffer the transcript or the input of a place, for as long as it is loaded.
---@param place sidekicks.Place
---@param kind 'transcript'|'input'
---@param buf integer
function M.settle(place, kind, buf)
  place[kind] = buf
  mark(buf, kind, place.id or '')
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buf,
    once = true,
    desc = 'Let go of a conversation whose buffer is gone',
    callback = function()
      release(place, kind, buf)
    end,
  })
end

--- Gives a buffer another name; Neovim keeps one of the old name, which is nobody's.
---@param buf integer
---@param name string
local function rename_buffer(buf, name)
  local before = vim.api.nvim_buf_get_name(buf)
  local taken = buffer_named(name)
  if taken then
    vim.api.nvim_buf_delete(taken, { force = true })
  end
  vim.api.nvim_buf_set_name(buf, name)
  local left = buffer_named(before)
  if left then
    vim.api.nvim_buf_delete(left, { force = true })
  end
end

--- The buffers of a channel are called what it is called now.
---@param place sidekicks.Place
---@param conversation sidekicks.Conversation
function M.rename(place, conversation)
  local address = vim.tbl_extend('force', place.address, { name = addresses.of(conversation, true).name })
  local name = addresses.format(address)
  if name == place.name or (places[name] and places[name].id) then
    return
  end
  places[place.name], places[name] = nil, place
  place.name, place.address = name, address
  for kind, suffix in pairs({ transcript = '', input = '/input' }) do
    if place[kind] then
      rename_buffer(place[kind], name .. suffix)
    end
  end
end

--- Forgets a place whose conversation does not exist, with its buffers.
---@param place sidekicks.Place
function M.drop(place)
  places[place.name] = nil
  for _, buf in pairs({ place.transcript, place.input }) do
    vim.api.nvim_buf_delete(buf, { force = true })
  end
end

---@param place sidekicks.Place
local function resolve_shown(place)
  if place.transcript or place.input then
    M.resolve(place)
  end
end

host.on('host:started', function()
  vim.iter(M.all()):each(resolve_shown)
end)

-- Another configuration, or an emptied history: the same names mean other conversations, or none.
host.on('history:opened', function()
  for _, place in ipairs(M.all()) do
    place.id, place.attached = nil, {}
    resolve_shown(place)
  end
end)

host.on('channels:changed', function(change)
  for _, conversation in ipairs(change.channels) do
    local place = M.by_id(conversation.id)
    if place then
      M.rename(place, conversation)
    end
  end
end)

vim.api.nvim_create_autocmd('DirChanged', {
  group = group,
  desc = 'The project may be another one now',
  callback = function()
    has_moved = true
  end,
})

return M
