-- Conversations as buffer names say them: which one a name means, and the pair of buffers tied to it. Opens no window.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.Place
---@field name string of the transcript's buffer
---@field agent string
---@field id? string once the host has told
---@field transcript? integer
---@field input? integer
---@field attached table<string, integer> buffers tied to the conversation, by kind
---@field asking boolean the host has been asked for the id
---@field waiting fun(err?: sidekicks.Failure)[]

---@type table<string, sidekicks.Place>
local places = {}

local group = vim.api.nvim_create_augroup('sidekicks.place', { clear = true })

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

--- The agent a buffer's name means; nil for any other buffer.
---@param name string
---@return string?
function M.agent_of(name)
  local encoded = name:match('^sidekicks://agent/([^/]+)')
  return encoded and M.decode(encoded)
end

---@param name string of the transcript's buffer
---@return sidekicks.Place
function M.of(name)
  if not places[name] then
    local agent = assert(M.agent_of(name), name)
    places[name] = { name = name, agent = agent, attached = {}, asking = false, waiting = {} }
  end
  return places[name]
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

--- Gives the agent a start in the background, so that its commands, modes and models are known.
---@param conversation sidekicks.Conversation
local function prepare(conversation)
  host.request('ChannelService.Prepare', { id = conversation.id }, function(err)
    if err and not require('sidekicks.sign_in').just_told(conversation.direct) then
      notify.warn(t('system.notice', { agent = conversation.direct, what = err.message }))
    end
  end)
end

--- Where nobody waits for the failure, the buffer itself says it.
---@param place sidekicks.Place
---@param err? sidekicks.Failure
local function fail(place, err)
  if #place.waiting == 0 and place.transcript and not place.id then
    vim.bo[place.transcript].modifiable = true
    vim.api.nvim_buf_set_lines(place.transcript, 0, -1, false, vim.split(err and err.message or '', '\n'))
    vim.bo[place.transcript].modifiable = false
  end
  tell_waiting(place, err)
end

--- Asks which conversation it is and ties the buffers to it.
---@param place sidekicks.Place
function M.resolve(place)
  if place.asking then
    return
  end
  place.asking = true
  host.request('ChannelService.Direct', { agent = place.agent }, function(err, conversation)
    place.asking = false
    if err or not conversation then
      return fail(place, err)
    end
    state.track(conversation.id, conversation)
    attach(place, conversation.id)
    prepare(conversation)
    tell_waiting(place)
  end)
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

--- Forgets a place that turned out not to exist, with its buffers.
---@param place sidekicks.Place
function M.drop(place)
  places[place.name] = nil
  for _, buf in pairs({ place.transcript, place.input }) do
    vim.api.nvim_buf_delete(buf, { force = true })
  end
end

host.on('host:started', function()
  for _, place in pairs(places) do
    if place.transcript or place.input then
      M.resolve(place)
    end
  end
end)

-- Another configuration, or an emptied history: the same names mean other conversations, or none.
host.on('history:opened', function()
  for _, place in pairs(places) do
    place.id, place.attached = nil, {}
    if place.transcript or place.input then
      M.resolve(place)
    end
  end
end)

return M
