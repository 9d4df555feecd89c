-- The terminals there are: runs the shells the host names, in buffers, and tells it when a buffer is gone. Opens no window
-- a person would see.
local events = require('sidekicks.host.events')
local host = require('sidekicks.host')
local output = require('sidekicks.terminal.output')
local run = require('sidekicks.terminal.run').run

local M = {}

---@class (exact) sidekicks.terminal.Plan
---@field id string
---@field words string[]
---@field folder string "" for any
---@field env table<string, string>
---@field place string where it runs, for a person

---@class (exact) sidekicks.Terminal
---@field id string
---@field agent string
---@field buf integer
---@field job integer
---@field place string
---@field ended boolean

---@alias sidekicks.terminal.Told { pid?: integer, error?: string, values?: table<string, string> }

local group = vim.api.nvim_create_augroup('sidekicks.terminal', { clear = true })

---@type table<integer, sidekicks.Terminal> by buffer
local terminals = {}

---@param buf integer
local function forget(buf)
  local terminal = terminals[buf]
  terminals[buf] = nil
  if terminal and host.running() then
    host.request('ViewService.TerminalClosed', { id = terminal.id })
  end
end

---@param terminal sidekicks.Terminal
local function watch(terminal)
  vim.api.nvim_create_autocmd({ 'BufUnload', 'BufWipeout' }, {
    group = group,
    buffer = terminal.buf,
    desc = 'Have what a terminal left ended',
    callback = function()
      forget(terminal.buf)
    end,
  })
end

---@param terminal sidekicks.Terminal
---@param printed sidekicks.terminal.Output
local function ended(terminal, printed)
  terminal.ended = true
  printed.finish()
  events.tell('terminal:exit', { id = terminal.id })
end

--- Runs a shell in the current buffer.
---@param plan sidekicks.terminal.Plan
---@param agent string
---@param size? { width: integer, height: integer } where no window says it
---@return sidekicks.Terminal?
---@return string? problem
local function start(plan, agent, size)
  local printed = output.new(function(data)
    events.tell('terminal:output', { id = plan.id, data = data })
  end)
  ---@type sidekicks.Terminal
  local terminal = {
    id = plan.id,
    agent = agent,
    buf = vim.api.nvim_get_current_buf(),
    job = 0,
    place = plan.place,
    ended = false,
  }
  local job, problem = run(
    plan.words,
    vim.tbl_extend('error', {
      cwd = plan.folder ~= '' and plan.folder or nil,
      env = plan.env,
      on_stdout = function(_, lines)
        printed.add(lines)
      end,
      on_exit = function()
        ended(terminal, printed)
      end,
    }, size or {})
  )
  if not job then
    return nil, problem
  end
  terminal.job = job
  terminals[terminal.buf] = terminal
  watch(terminal)
  return terminal
end

--- Runs a shell in the buffer of a window, which is empty. What a person has set up for terminals must not make them type
--- in another window.
---@param win integer
---@param plan sidekicks.terminal.Plan
---@param agent string
---@param size? { width: integer, height: integer } where the window does not say it
---@return sidekicks.Terminal?
---@return string? problem
function M.start(win, plan, agent, size)
  local is_typing = vim.api.nvim_get_mode().mode:find('^[iRt]') ~= nil
  local terminal, problem
  vim.api.nvim_win_call(win, function()
    terminal, problem = start(plan, agent, size)
  end)
  if not is_typing and vim.api.nvim_get_current_win() ~= win then
    vim.cmd.stopinsert()
  end
  return terminal, problem
end

--- The terminal of a buffer.
---@param buf integer
---@return sidekicks.Terminal?
function M.of(buf)
  return terminals[buf]
end

--- The oldest of an agent in which a shell runs.
---@param agent string
---@return sidekicks.Terminal?
function M.running(agent)
  local oldest ---@type sidekicks.Terminal?
  for _, terminal in pairs(terminals) do
    if terminal.agent == agent and not terminal.ended and (not oldest or terminal.buf < oldest.buf) then
      oldest = terminal
    end
  end
  return oldest
end

---@param buf integer
---@param size { width: integer, height: integer }
---@param action fun(win: integer)
local function in_unseen_window(buf, size, action)
  local win = vim.api.nvim_open_win(buf, false, {
    relative = 'editor',
    row = 0,
    col = 0,
    width = size.width,
    height = size.height,
    style = 'minimal',
    focusable = false,
    hide = true,
    noautocmd = true,
  })
  action(win)
  vim.api.nvim_win_close(win, true)
end

--- Runs a shell in a buffer of its own that no window shows. Called by the host.
---@param plan sidekicks.terminal.Plan|{ agent: string }
---@param cols integer
---@param rows integer
---@return sidekicks.terminal.Told
function M.open(plan, cols, rows)
  local buf = require('sidekicks.terminal.buffer').new(plan.agent)
  local size = { width = cols, height = rows }
  local terminal, problem
  local fine, cause = pcall(in_unseen_window, buf, size, function(win)
    terminal, problem = M.start(win, plan, plan.agent, size)
  end)
  if not terminal then
    vim.api.nvim_buf_delete(buf, { force = true })
    local what = fine and problem or tostring(cause)
    return { error = 'terminal.notStarted', values = { command = plan.words[1], what = what } }
  end
  -- Before Neovim 0.11 the window says how large it is, and a window is no larger than the screen.
  vim.fn.jobresize(terminal.job, cols, rows)
  return { pid = vim.fn.jobpid(terminal.job) }
end

--- Does something with a terminal that is there and whose shell runs.
---@param id string
---@param action fun(terminal: sidekicks.Terminal)
---@return sidekicks.terminal.Told
local function on_running(id, action)
  for _, terminal in pairs(terminals) do
    if terminal.id == id then
      local done = not terminal.ended and pcall(action, terminal)
      return done and {} or { error = 'terminal.ended' }
    end
  end
  return { error = 'terminal.unknown', values = { id = id } }
end

--- Types into a terminal. Called by the host, as are those below.
---@param id string
---@param data string
---@return sidekicks.terminal.Told
function M.write(id, data)
  return on_running(id, function(terminal)
    vim.api.nvim_chan_send(terminal.job, data)
  end)
end

---@param id string
---@param cols integer
---@param rows integer
---@return sidekicks.terminal.Told
function M.resize(id, cols, rows)
  return on_running(id, function(terminal)
    vim.fn.jobresize(terminal.job, cols, rows)
  end)
end

---@param id string
---@return sidekicks.terminal.Told
function M.close(id)
  for buf, terminal in pairs(terminals) do
    if terminal.id == id then
      vim.api.nvim_buf_delete(buf, { force = true })
      return {}
    end
  end
  return {}
end

return M
