-- The Agents panel: one buffer, drawn again from the state after each change, and what its keys do. Decides nothing.
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local rows = require('sidekicks.panel.rows')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

local name = 'sidekicks://agents'
local namespace = vim.api.nvim_create_namespace('sidekicks.panel')
local group = vim.api.nvim_create_augroup('sidekicks.panel', { clear = true })

---@class sidekicks.panel.Shown
---@field buf integer
---@field targets table<integer, sidekicks.panel.Target> by row from 1
---@field told boolean
---@field failure? string
---@field scheduled boolean a drawing is about to happen
---@field remove fun()

---@type sidekicks.panel.Shown?
local shown

---@param a sidekicks.panel.Target
---@param b sidekicks.panel.Target
---@return boolean
local function is_same(a, b)
  if a.problem and b.problem then
    return a.problem.line == b.problem.line and a.problem.message == b.problem.message
  end
  return a.agent ~= nil and a.agent == b.agent
end

--- The row that is about the same as an earlier row, as far below the first such one as that was.
---@param row integer from 1
---@param before table<integer, sidekicks.panel.Target>
---@param after table<integer, sidekicks.panel.Target>
---@return integer?
local function moved_row(row, before, after)
  local target = before[row] or {}
  local first = row
  while before[first - 1] and is_same(before[first - 1], target) do
    first = first - 1
  end
  for start, candidate in ipairs(after) do
    if is_same(candidate, target) then
      local last = start
      while last - start < row - first and after[last + 1] and is_same(after[last + 1], target) do
        last = last + 1
      end
      return last
    end
  end
end

---@param buf integer
---@param drawing sidekicks.panel.Drawing
local function write(buf, drawing)
  require('sidekicks.rows').write(buf, namespace, drawing.rows)
  for _, mark in ipairs(drawing.marks) do
    vim.api.nvim_buf_set_extmark(buf, namespace, mark[1], mark[2], { end_col = mark[3], hl_group = mark[4] })
  end
end

---@param targets table<integer, sidekicks.panel.Target>
---@return integer?
local function first_agent(targets)
  for row, target in ipairs(targets) do
    if target.agent then
      return row
    end
  end
end

--- Each window keeps its cursor on what it is on, and its first line as far above.
---@param before table<integer, sidekicks.panel.Target>
---@param after table<integer, sidekicks.panel.Target>
---@param views table<integer, vim.fn.winsaveview.ret>
local function put_back(before, after, views)
  for win, seen in pairs(views) do
    local fallback = first_agent(before) and math.min(seen.lnum, #after) or first_agent(after) or 1
    local row = moved_row(seen.lnum, before, after) or fallback
    seen.topline = seen.topline == 1 and 1 or math.max(seen.topline + row - seen.lnum, 1)
    seen.lnum = row
    vim.api.nvim_win_call(win, function()
      vim.fn.winrestview(seen)
    end)
  end
end

---@param buf integer
---@return table<integer, vim.fn.winsaveview.ret> by window
local function views_of(buf)
  local views = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    views[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  end
  return views
end

---@return sidekicks.panel.View
local function view()
  local told = shown ~= nil and shown.told
  return {
    agents = told and state.agents() or {},
    configuration = told and state.configuration() or nil,
    failure = shown and shown.failure,
    lost = state.host_lost(),
  }
end

local function draw()
  if not shown or not vim.api.nvim_buf_is_loaded(shown.buf) then
    return
  end
  shown.scheduled = false
  local drawing = rows.draw(view())
  local views = views_of(shown.buf)
  write(shown.buf, drawing)
  put_back(shown.targets, drawing.targets, views)
  shown.targets = drawing.targets
end

--- Changes that come together are drawn once.
local function draw_soon()
  if shown and not shown.scheduled then
    shown.scheduled = true
    vim.schedule(draw)
  end
end

--- The first use of all may be the one that starts the host, and that can fail.
local function ask()
  host.request('AgentService.List', {}, function(err)
    if shown then
      shown.told, shown.failure = not err, err and err.message
      draw_soon()
    end
  end)
end

local function detach()
  if shown then
    shown.remove()
    shown = nil
  end
end

--- Fills the buffer and keeps it up to date for as long as it is loaded.
---@param buf integer
function M.attach(buf)
  detach()
  local remove = state.on_change(function(conversation)
    if not conversation then
      draw_soon()
    end
  end)
  shown = { buf = buf, targets = {}, told = false, scheduled = false, remove = remove }
  vim.api.nvim_clear_autocmds({ group = group })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buf,
    once = true,
    desc = 'Stop following the agents once their panel is gone',
    callback = detach,
  })
  draw()
  ask()
end

--- Shows the panel in a split of its own, or goes to where this tab page shows it.
function M.open()
  buffer.go_to(name)
end

---@return sidekicks.panel.Target
local function target_here()
  local row = vim.api.nvim_win_get_cursor(0)[1]
  return shown and shown.targets[row] or {}
end

--- Does something with the agent under the cursor.
---@param action fun(agent: string)
local function with_agent(action)
  local agent = target_here().agent
  if agent then
    action(agent)
  else
    notify.error(t('panel.noAgentHere'))
  end
end

---@param method 'AgentService.Start'|'AgentService.Stop'|'AgentService.Restart'
---@return fun()
local function asks(method)
  return function()
    with_agent(function(agent)
      require('sidekicks.agent_process').request(method, agent)
    end)
  end
end

M.start = asks('AgentService.Start')
M.stop = asks('AgentService.Stop')
M.restart = asks('AgentService.Restart')

--- Opens the conversation with the agent under the cursor, or goes to the place of a problem.
function M.enter()
  local problem = target_here().problem
  if problem then
    require('sidekicks.config').edit(problem)
  else
    with_agent(buffer.open_direct)
  end
end

function M.log()
  with_agent(buffer.open_log)
end

function M.files()
  with_agent(buffer.open_files)
end

function M.terminal()
  with_agent(require('sidekicks.terminal').open)
end

function M.sign_in()
  with_agent(require('sidekicks.sign_in').run)
end

function M.stop_sandbox()
  with_agent(require('sidekicks.sandbox').stop)
end

function M.remove_sandbox()
  with_agent(require('sidekicks.sandbox').remove)
end

--- The winbar of the panel.
---@return string
function M.draw_winbar()
  local hint = require('sidekicks.winbar.parts').hint
  return (' %%#SidekicksSpeaker#%s%%*  %s%%*'):format(t('panel.title'), hint(t('panel.hint')))
end

return M
