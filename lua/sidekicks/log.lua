-- An agent's standard error as a buffer: the lines the host kept, then each as it comes.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

local kept_lines = 5000

local group = vim.api.nvim_create_augroup('sidekicks.log', { clear = true })
local namespace = vim.api.nvim_create_namespace('sidekicks.log')

---@param buf integer
---@return integer[] windows that look at its end
local function following(buf)
  local last = vim.api.nvim_buf_line_count(buf)
  return vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_cursor(win)[1] == last
  end, vim.fn.win_findbuf(buf))
end

---@param buf integer
---@param first integer
---@param last integer
---@param lines string[]
local function set_lines(buf, first, last, lines)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, first, last, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

---@param buf integer
---@return boolean
local function is_empty(buf)
  return vim.api.nvim_buf_line_count(buf) == 1 and vim.api.nvim_buf_get_lines(buf, 0, 1, false)[1] == ''
end

--- An empty log says what will stand in it; that is drawn and no line of it.
---@param buf integer
---@param agent string
local function mark_if_empty(buf, agent)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  if is_empty(buf) then
    local text = { t('log.empty', { agent = agent }), 'SidekicksUsage' }
    vim.api.nvim_buf_set_extmark(buf, namespace, 0, 0, { virt_text = { text }, virt_text_pos = 'overlay' })
  end
end

--- Adds lines at the end, and drops the oldest over the limit.
---@param buf integer
---@param lines string[]
local function append(buf, lines)
  local wins = following(buf)
  set_lines(buf, is_empty(buf) and 0 or -1, -1, lines)
  local surplus = vim.api.nvim_buf_line_count(buf) - kept_lines
  if surplus > 0 then
    set_lines(buf, 0, surplus, {})
  end
  for _, win in ipairs(wins) do
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buf), 0 })
  end
end

---@param buf integer
---@param agent string
local function fill(buf, agent)
  host.request('AgentService.Logs', { name = agent }, function(err, result)
    if err or not result then
      notify.error(err and err.message or '')
    elseif vim.api.nvim_buf_is_valid(buf) then
      set_lines(buf, 0, -1, {})
      append(buf, result.lines)
      mark_if_empty(buf, agent)
    end
  end)
end

--- Fills the buffer and keeps it up to date for as long as it is loaded.
---@param buf integer
---@param agent string
function M.attach(buf, agent)
  local removes = {
    host.on('agent:log', function(event)
      if event.agent == agent then
        append(buf, { event.line })
        mark_if_empty(buf, agent)
      end
    end),
    state.on_change(function(conversation)
      if not conversation then
        mark_if_empty(buf, agent)
      end
    end),
    host.on('host:started', function()
      fill(buf, agent)
    end),
  }
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buf,
    once = true,
    desc = 'Stop following a log whose buffer is gone',
    callback = function()
      for _, remove in ipairs(removes) do
        remove()
      end
    end,
  })
  fill(buf, agent)
  require('sidekicks.log.memory').follow()
end

return M
