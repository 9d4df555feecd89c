-- Tells that an agent waits or is done, when nobody sees its window. It listens to the state and touches no view.
local notify = require('sidekicks.notify')
local options = require('sidekicks.options')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.attention.Seen
---@field busy boolean
---@field permissions integer
---@field questions integer
---@field answering string

---@type table<string, sidekicks.attention.Seen>
local seen = {}
local has_focus = true

---@param known sidekicks.state.Conversation
---@return boolean
local function is_visible(known)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local buf = vim.api.nvim_win_get_buf(win)
    if buf == known.buf or buf == known.input_buf then
      return true
    end
  end
  return false
end

--- An agent by its title; in a channel with the name of that.
---@param known sidekicks.state.Conversation
---@param name string of the agent
---@return string
local function title_of(known, name)
  local conversation = known.conversation
  if conversation and conversation.direct ~= '' then
    name = conversation.direct
  end
  local agent = state.agent(name)
  local title = agent and agent.title ~= '' and agent.title or name
  local channel = conversation and conversation.direct == '' and '#' .. conversation.name
  if not channel then
    return title
  end
  return title ~= '' and ('%s (%s)'):format(title, channel) or channel
end

---@return boolean
local function has_terminal()
  return vim.iter(vim.api.nvim_list_uis()):any(function(ui)
    return ui.stdout_tty == true
  end)
end

--- A notification of the terminal's own (OSC 9); one that knows none ignores it.
---@param text string
local function notify_terminal(text)
  local sequence = ('\27]9;%s\7'):format((text:gsub('%c', ' ')))
  if not has_terminal() then
    return
  elseif vim.api.nvim_ui_send then
    vim.api.nvim_ui_send(sequence)
  else
    vim.api.nvim_chan_send(vim.v.stderr, sequence)
  end
end

---@param known sidekicks.state.Conversation
---@param key string
---@param agent string
local function tell(known, key, agent)
  local text = t(key, { agent = title_of(known, agent) })
  if not has_focus then
    notify_terminal('Sidekicks: ' .. text)
  end
  if not is_visible(known) then
    notify.info(text)
  end
end

---@param known sidekicks.state.Conversation
local function look(known)
  local before = seen[known.id] or { busy = false, permissions = 0, questions = 0, answering = '' }
  seen[known.id] = {
    busy = known.busy,
    permissions = #known.permissions,
    questions = #known.questions,
    answering = known.answering,
  }
  if not options.get().notify or known.buf == nil then
    return
  elseif #known.permissions > before.permissions then
    tell(known, 'attention.asks', known.permissions[#known.permissions].agent)
  elseif #known.questions > before.questions then
    tell(known, 'attention.question', known.questions[#known.questions].agent)
  elseif before.busy and not known.busy and not state.host_lost() then
    tell(known, 'attention.done', before.answering)
  end
end

state.on_change(function(id)
  local known = id and state.conversation(id)
  if known then
    look(known)
  end
end)

local group = vim.api.nvim_create_augroup('sidekicks.attention', { clear = true })

vim.api.nvim_create_autocmd({ 'FocusGained', 'FocusLost' }, {
  group = group,
  desc = 'Know whether somebody looks at Neovim',
  callback = function(event)
    has_focus = event.event == 'FocusGained'
  end,
})

return M
