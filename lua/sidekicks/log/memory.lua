-- The line above a log: whose it is, and the memory of this computer, asked for only while a log is visible.
local host = require('sidekicks.host')
local addresses = require('sidekicks.address')
local t = require('sidekicks.language').t

local M = {}

local every_ms = 5000
local gigabyte = 1024 * 1024 * 1024

---@type table<string, string>
local groups = { normal = 'SidekicksUsage', warning = 'SidekicksWarning', critical = 'SidekicksError' }

---@class (exact) sidekicks.Memory
---@field level ''|'normal'|'warning'|'critical' "" where it cannot be measured
---@field used integer bytes
---@field total integer bytes

---@type sidekicks.Memory?
local memory
---@type uv.uv_timer_t?
local timer

---@param win integer
---@return string? agent whose log the window shows
local function agent_of(win)
  local encoded = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)):match('^sidekicks://log/([^/]+)$')
  return encoded and addresses.decode(encoded)
end

---@return integer[] windows of this tab page that show a log
local function visible()
  return vim.tbl_filter(agent_of, vim.api.nvim_tabpage_list_wins(0))
end

---@param group string
---@param text string
---@return string
local function item(group, text)
  return ('%%#%s#%s%%*'):format(group, (text:gsub('%%', '%%%%')))
end

---@param bytes integer
---@return string
local function gigabytes(bytes)
  return (('%.1f'):format(bytes / gigabyte):gsub('%.', t('log.decimal')))
end

--- The winbar of the window that is being drawn.
---@return string
function M.draw()
  local left = ' ' .. item('SidekicksSpeaker', t('log.title', { agent = agent_of(vim.g.statusline_winid or 0) or '' }))
  if not memory or memory.level == '' then
    return left .. '%<'
  end
  local text = t('log.memory', {
    level = t('log.memory.' .. memory.level),
    used = gigabytes(memory.used),
    total = gigabytes(memory.total),
  })
  return left .. '%<%=' .. item(groups[memory.level], text) .. ' '
end

local function stop()
  if timer then
    timer:close()
    timer = nil
  end
end

--- A host that has ended is not started for this.
local function ask()
  if #visible() == 0 then
    return stop()
  elseif not host.running() then
    return
  end
  host.request('SystemService.Memory', {}, function(err, result)
    memory = not err and result or nil
    for _, win in ipairs(visible()) do
      vim.api.nvim__redraw({ win = win, winbar = true })
    end
  end)
end

--- Asks now and from time to time, until no log is visible any more.
function M.follow()
  if not timer and #visible() > 0 then
    timer = assert(vim.uv.new_timer())
    timer:start(0, every_ms, vim.schedule_wrap(ask))
  end
end

vim.api.nvim_create_autocmd({ 'BufWinEnter', 'TabEnter' }, {
  group = vim.api.nvim_create_augroup('sidekicks.log.memory', { clear = true }),
  desc = 'Show the memory of this computer above a visible log',
  callback = M.follow,
})

return M
