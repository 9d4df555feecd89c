-- The line above a conversation: who, what it does, since when, what waits, how full its context is.
-- It reads the state and the clock; one timer redraws it, and only while something works and is visible.
local places = require('sidekicks.place')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

local frames = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
local frame_ms = 100

---@type uv.uv_timer_t?
local timer

--- The activity sign at a time: a function of the clock, so that all turn in step and none is ever reset.
---@param now integer milliseconds
---@return string
function M.spinner(now)
  return frames[math.floor(now / frame_ms) % #frames + 1]
end

--- `8 s`, `2 min 05 s`.
---@param ms integer
---@return string
function M.elapsed(ms)
  local seconds = math.max(math.floor(ms / 1000), 0)
  if seconds < 60 then
    return t('winbar.seconds', { seconds = seconds })
  end
  return t('winbar.minutes', { minutes = math.floor(seconds / 60), seconds = ('%02d'):format(seconds % 60) })
end

---@param tokens integer
---@return string
local function short_number(tokens)
  if tokens < 1000 then
    return tostring(tokens)
  elseif tokens < 999500 then
    return ('%.0fk'):format(tokens / 1000)
  end
  return ('%.1fM'):format(tokens / 1000000)
end

---@param usage? sidekicks.Usage
---@return string?
function M.usage(usage)
  if not usage or usage.used == 0 then
    return nil
  elseif usage.size == 0 then
    return short_number(usage.used)
  end
  local percent = math.floor(usage.used * 100 / usage.size + 0.5)
  return t('winbar.usage', { percent = percent, size = short_number(usage.size) })
end

---@param group string
---@param text string
---@return string
local function item(group, text)
  return ('%%#%s#%s%%*'):format(group, (text:gsub('%%', '%%%%')))
end

---@param option sidekicks.Option
---@return string
local function value_name(option)
  for _, choice in ipairs(option.choices) do
    if choice.value == option.value then
      return choice.name
    end
  end
  return option.value
end

--- The mode and the model, by the names the agent gave them.
---@param known sidekicks.state.Conversation
---@param agent string
---@return string[]
local function settings(known, agent)
  local names = {}
  for _, category in ipairs({ 'mode', 'model' }) do
    for _, option in ipairs(known.options[agent] or {}) do
      if option.category == category and option.value ~= '' then
        table.insert(names, value_name(option))
        break
      end
    end
  end
  return names
end

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

---@param known sidekicks.state.Conversation
---@param now integer
---@return string?
local function activity_item(known, now)
  if #known.permissions > 0 then
    return item('SidekicksPermissionTitle', t('winbar.asks', { count = #known.permissions }))
  elseif #known.questions > 0 then
    return item('SidekicksPermissionTitle', t('winbar.question', { count = #known.questions }))
  elseif known.waitingFor ~= '' then
    return item('SidekicksQueued', t('winbar.waits'))
  elseif known.busy then
    local text = M.spinner(now) .. ' ' .. M.elapsed(now - known.since)
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

---@param known sidekicks.state.Conversation
---@param name string
---@return string
local function draw_conversation(known, name)
  local agent = state.agent(name)
  local title = agent and agent.title ~= '' and agent.title or name
  local icon = agent and agent.icon ~= '' and agent.icon .. ' ' or ''
  local left = { item('SidekicksSpeaker', icon .. title) }
  vim.list_extend(left, left_items(known, agent))
  local right = settings(known, name)
  table.insert(right, M.usage(known.usage[name]))
  return (' %s  %%<%%=%s '):format(table.concat(left, '  '), item('SidekicksUsage', table.concat(right, ' · ')))
end

--- The winbar of a transcript; Neovim asks for it while it draws the window.
---@return string
function M.draw()
  local buf = vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0)
  local id = require('sidekicks.buffer').conversation_of(buf)
  local known = id and state.conversation(id)
  local name = places.agent_of(vim.api.nvim_buf_get_name(buf)) or ''
  if state.host_lost() then
    return (' %s  %s'):format(item('SidekicksSpeaker', name), item('SidekicksError', t('winbar.hostLost')))
  end
  return known and draw_conversation(known, name) or ' ' .. item('SidekicksSpeaker', name)
end

--- The winbar of an input: how to send, and where the other keys are told.
---@return string
function M.draw_input()
  return ' ' .. item('SidekicksUsage', t('winbar.input')) .. '%<'
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
    timer:start(frame_ms, frame_ms, vim.schedule_wrap(tick))
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
