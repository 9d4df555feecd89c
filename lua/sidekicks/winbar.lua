-- The line above a conversation: who, what it does, since when, what waits, how full its context is.
-- It reads the state and the clock; one timer redraws it, and only while something works and is visible.
local addresses = require('sidekicks.address')
local meant = require('sidekicks.meant')
local parts = require('sidekicks.winbar.parts')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {
  spinner = parts.spinner,
  elapsed = parts.elapsed,
  usage = parts.usage,
}

local item, title_of = parts.item, parts.title_of

---@type uv.uv_timer_t?
local timer

---@param agent sidekicks.AgentSummary
---@return string?
local function agent_item(agent)
  if agent.state == 'starting' then
    return item('SidekicksActivity', M.spinner(state.now()) .. ' ' .. t('agent.starting'))
  elseif agent.state == 'error' then
    local cause = vim.split(agent.error, '\n')[1]
    return item('SidekicksError', t('agent.error') .. (cause ~= '' and ': ' .. cause or ''))
  elseif agent.outdated then
    return item('SidekicksNotice', t('agent.outdated'))
  end
end

--- A conversation by the name of its channel or of its agent.
---@param id string
---@return string
local function name_of(id)
  local known = state.conversation(id)
  local conversation = known and known.conversation
  if not conversation then
    return t('winbar.elsewhere')
  end
  return conversation.direct == '' and '#' .. conversation.name or title_of(conversation.direct)
end

---@param known sidekicks.state.Conversation
---@param now integer
---@return string?
local function activity_item(known, now)
  local is_channel = known.conversation and known.conversation.direct == ''
  local title = title_of(known.answering)
  if #known.permissions > 0 then
    local who = is_channel and title_of(known.permissions[1].agent) .. ' ' or ''
    return item('SidekicksPermissionTitle', who .. t('winbar.asks', { count = #known.permissions }))
  elseif #known.questions > 0 then
    local who = is_channel and title_of(known.questions[1].agent) .. ' ' or ''
    return item('SidekicksPermissionTitle', who .. t('winbar.question', { count = #known.questions }))
  elseif known.waitingFor ~= '' then
    return item('SidekicksQueued', t('winbar.waits', { agent = title, place = name_of(known.waitingFor) }))
  elseif known.busy then
    local words = { M.spinner(now) }
    if not known.growing then
      table.insert(words, t('winbar.otherNeovim', { agent = title }))
    else
      table.insert(words, is_channel and title or nil)
      table.insert(words, M.elapsed(now - known.since))
    end
    local text = table.concat(words, ' ')
    return item('SidekicksActivity', known.cancelling and text .. ' · ' .. t('winbar.cancelling') or text)
  end
end

---@param known sidekicks.state.Conversation
---@param agent? sidekicks.AgentSummary
---@return string[]
local function left_items(known, agent)
  local items = {}
  local function add(text)
    items[#items + 1] = text
  end
  if known.buf and require('sidekicks.transcript').is_far_back(known.buf) then
    add(item('SidekicksNotice', t('winbar.farBack')))
  end
  add(activity_item(known, state.now()))
  if not known.busy and agent then
    add(agent_item(agent))
  end
  if known.queued > 0 then
    add(item('SidekicksQueued', t('winbar.queued', { count = known.queued })))
  end
  local to_review = require('sidekicks.review').notice(known.id)
  if to_review then
    add(item('SidekicksChanged', to_review))
  end
  return items
end

--- Who belongs to a channel; one that is not configured any more is said to be so.
---@param members string[]
---@return string
local function members_text(members)
  if #members == 0 then
    return t('winbar.nobody')
  end
  local titles = vim.tbl_map(function(member)
    local is_gone = #state.agents() > 0 and not state.agent(member)
    return is_gone and t('winbar.memberGone', { agent = member }) or title_of(member)
  end, members)
  return table.concat(titles, ', ')
end

--- How an agent is set and how full its context is.
---@param known sidekicks.state.Conversation
---@param agent string "" for none
---@return string[]
local function state_of(known, agent)
  local right = parts.settings(known, agent)
  table.insert(right, M.usage(known.usage[agent]))
  return right
end

--- Of the agent that is meant, by its name where it could be another one's; else what the channel is for.
---@param known sidekicks.state.Conversation
---@return string
local function channel_text(known)
  local conversation = assert(known.conversation)
  local agent = meant.agent(known)
  local right = state_of(known, agent)
  if #right == 0 then
    return conversation.description
  elseif #conversation.members > 1 and not known.busy then
    table.insert(right, 1, title_of(agent))
  end
  return table.concat(right, ' · ')
end

---@param known sidekicks.state.Conversation
---@param address sidekicks.Address
---@param win integer
---@return string
local function draw_channel(known, address, win)
  local conversation = assert(known.conversation)
  local title = item('SidekicksSpeaker', '#' .. conversation.name)
  if address.project ~= '' then
    title = title .. ' ' .. item('SidekicksMember', ('(%s)'):format(vim.fn.fnamemodify(address.project, ':~')))
  end
  local left = { title }
  vim.list_extend(left, left_items(known))
  table.insert(left, item('SidekicksMember', members_text(conversation.members)))
  local text = table.concat(left, '  ')
  local right = parts.shortened(channel_text(known), vim.api.nvim_win_get_width(win) - parts.width_of(text) - 6)
  return (' %s  %%<%%=%s '):format(text, item('SidekicksUsage', right))
end

---@param known sidekicks.state.Conversation
---@param address sidekicks.Address
---@return string
local function draw_direct(known, address)
  local name = address.name
  local agent = state.agent(name)
  local icon = agent and agent.icon ~= '' and agent.icon .. ' ' or ''
  local left = { item('SidekicksSpeaker', icon .. title_of(name)) }
  if address.project ~= '' then
    left[1] = left[1] .. ' ' .. item('SidekicksMember', ('(%s)'):format(vim.fn.fnamemodify(address.project, ':~')))
  end
  vim.list_extend(left, left_items(known, agent))
  local right = item('SidekicksUsage', table.concat(state_of(known, name), ' · '))
  return (' %s  %%<%%=%s '):format(table.concat(left, '  '), right)
end

--- The winbar of a transcript; Neovim asks for it while it draws the window.
---@return string
function M.draw()
  local win = vim.g.statusline_winid or vim.api.nvim_get_current_win()
  local buf = vim.api.nvim_win_get_buf(win)
  local id = require('sidekicks.buffer').conversation_of(buf)
  local known = id and state.conversation(id)
  local address = addresses.parse(vim.api.nvim_buf_get_name(buf))
  if not address then
    return ''
  end
  local name = item('SidekicksSpeaker', (address.kind == 'channel' and '#' or '') .. address.name)
  if state.host_lost() then
    return (' %s  %s'):format(name, item('SidekicksError', t('winbar.hostLost')))
  elseif not known or not known.conversation then
    return ' ' .. name
  end
  return address.kind == 'channel' and draw_channel(known, address, win) or draw_direct(known, address)
end

--- The winbar of an input: how to send, and where the other keys are told.
---@return string
function M.draw_input()
  local id = require('sidekicks.buffer').conversation_of(vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0))
  local known = id and state.conversation(id)
  local is_channel = known and known.conversation and known.conversation.direct == ''
  return ' ' .. item('SidekicksUsage', t(is_channel and 'winbar.inputChannel' or 'winbar.input')) .. '%<'
end

---@param win integer
local function redraw(win)
  vim.api.nvim__redraw({ win = win, winbar = true })
end

---@return fun(): integer?, sidekicks.state.Conversation? windows of this tab page that show a transcript
local function visible_transcripts()
  local buffer = require('sidekicks.buffer')
  return coroutine.wrap(function()
    for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
      local id, kind = buffer.conversation_of(vim.api.nvim_win_get_buf(win))
      if kind == 'transcript' then
        coroutine.yield(win, state.conversation(id or ''))
      end
    end
  end)
end

---@param known? sidekicks.state.Conversation
---@return boolean
local function works(known)
  if not known or state.host_lost() then
    return false
  end
  local agent = known.conversation and state.agent(known.conversation.direct)
  return known.busy or (agent ~= nil and agent.state == 'starting')
end

local function stop()
  if timer then
    timer:stop()
    timer:close()
    timer = nil
  end
end

local function tick()
  local any = false
  for win, known in visible_transcripts() do
    if works(known) then
      any = true
      redraw(win)
    end
  end
  if not any then
    stop()
  end
end

local function start()
  if not timer then
    timer = assert(vim.uv.new_timer())
    timer:start(parts.frame_ms, parts.frame_ms, vim.schedule_wrap(tick))
  end
end

--- Draws the lines again after a change; the timer runs from now on if something visible works.
---@param id? string only this conversation
function M.update(id)
  local any = false
  for win, known in visible_transcripts() do
    any = any or works(known)
    if id == nil or (known and known.id == id) then
      redraw(win)
    end
  end
  if any then
    start()
  end
end

--- Is the timer running?
---@return boolean
function M.ticking()
  return timer ~= nil
end

state.on_change(M.update)

vim.api.nvim_create_autocmd({ 'BufWinEnter', 'TabEnter' }, {
  group = vim.api.nvim_create_augroup('sidekicks.winbar', { clear = true }),
  desc = 'Draw the activity of the conversations that came into view',
  callback = vim.schedule_wrap(function()
    M.update()
  end),
})

return M
