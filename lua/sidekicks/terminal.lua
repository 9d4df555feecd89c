-- `:Sidekicks terminal`: shows the terminal of an agent's workspace, in which the host says what runs. Starts no shell itself.
local agents = require('sidekicks.buffer')
local buffers = require('sidekicks.terminal.buffer')
local host = require('sidekicks.host')
local jobs = require('sidekicks.terminal.jobs')
local notify = require('sidekicks.notify')
local place = require('sidekicks.terminal.place')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

---@type table<string, integer> agent to the buffer in which one is about to run, or cannot
local waiting = {}

---@param buf integer
local function type_into(buf)
  if vim.api.nvim_get_current_buf() == buf and vim.api.nvim_get_mode().mode:find('^nt?$') then
    vim.cmd.startinsert()
  end
end

---@param buf integer
local function drop(buf)
  window.hide({ buf })
  if vim.api.nvim_buf_is_valid(buf) then
    vim.api.nvim_buf_delete(buf, { force = true })
  end
end

---@param buf integer
---@param agent string
---@param what string
local function refuse(buf, agent, what)
  if vim.api.nvim_buf_is_valid(buf) then
    waiting[agent] = buf
    buffers.refuse(buf, t('terminal.failed', { agent = agent, what = (what:gsub('%.$', '')) }))
  end
end

---@param buf integer
---@param agent string
---@param plan sidekicks.terminal.Plan
local function run(buf, agent, plan)
  local win = window.of(buf)
  local terminal, problem
  if win then
    buffers.say(buf)
    terminal, problem = jobs.start(win, plan, agent)
  end
  if terminal then
    host.request('ViewService.TerminalBegan', { id = plan.id, pid = vim.fn.jobpid(terminal.job) })
    return type_into(buf)
  end
  host.request('ViewService.TerminalClosed', { id = plan.id })
  if problem then
    refuse(buf, agent, t('terminal.notStarted', { command = plan.words[1], what = problem }))
  else
    drop(buf) -- its window was closed meanwhile
  end
end

---@param agent string
local function open_new(agent)
  local buf = buffers.new(agent)
  buffers.say(buf, t('terminal.opening'))
  place.show_instead(buf, waiting[agent])
  waiting[agent] = buf
  host.request('ViewService.Terminal', { agent = agent }, function(err, plan)
    if waiting[agent] == buf then
      waiting[agent] = nil
    end
    if plan then
      run(buf, agent, plan)
    elseif err and err.code == 'not-found' then
      drop(buf)
      notify.error(err.message)
    else
      refuse(buf, agent, err and err.message or '')
    end
  end)
end

--- Shows the terminal of an agent in which a shell runs, else opens one.
---@param agent? string without it the only one, else one is asked for
---@param another? boolean open one in any case
function M.open(agent, another)
  agents.choose_agent(agent, function(chosen)
    local running = jobs.running(chosen)
    if another or not running then
      return open_new(chosen)
    end
    place.show(running.buf)
    type_into(running.buf)
  end)
end

--- The agent whose terminal the current buffer is.
---@return string?
function M.agent_here()
  return buffers.agent_of(vim.api.nvim_get_current_buf())
end

---@param text string
---@return string that means nothing in a statusline
local function plain(text)
  return (text:gsub('%%', '%%%%'))
end

--- The winbar of a terminal.
---@return string
function M.draw_winbar()
  local buf = vim.api.nvim_get_current_buf()
  local terminal = jobs.of(buf)
  local where = terminal and vim.fn.fnamemodify(terminal.place, ':~') or ''
  return (' %%#SidekicksSpeaker#%s%%*  %%#SidekicksUsage#%s%%*%%<'):format(
    plain(t('terminal.title', { agent = buffers.agent_of(buf) or '' })),
    plain(where)
  )
end

return M
