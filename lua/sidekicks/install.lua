-- `:Sidekicks install`: the one-time build of the Node side, run in a terminal where it can be watched.
local notify = require('sidekicks.notify')
local program = require('sidekicks.program')
local t = require('sidekicks.language').t

local M = {}

local height = 10

--- Rather the Node on PATH than the one the set-up itself may replace.
---@return string
local function node()
  return vim.fn.executable('node') == 1 and 'node' or program.node()
end

---@return string[]
local function command()
  return { node(), program.root() .. '/scripts/run.mjs', 'setup', '--plugin' }
end

---@param code integer
---@param win? integer
local function report(code, win)
  if code ~= 0 then
    return notify.error(t('install.failed', { code = code }))
  end
  notify.info(t('install.done'))
  if win and vim.api.nvim_win_is_valid(win) then
    vim.api.nvim_win_close(win, true)
  end
end

---@param on_exit fun(job: integer, code: integer)
local function run_in_terminal(on_exit)
  local opts = { cwd = program.root(), on_exit = on_exit }
  if vim.fn.has('nvim-0.11') == 1 then
    vim.fn.jobstart(command(), vim.tbl_extend('error', opts, { term = true }))
  else
    vim.fn.termopen(command(), opts)
  end
end

local function install_in_split()
  local before = vim.api.nvim_get_current_win()
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  local win = vim.api.nvim_open_win(buf, true, { split = 'below', win = -1, height = height })
  run_in_terminal(function(_, code)
    report(code, win)
  end)
  -- The end of the output stays in view for as long as the cursor is on the last line.
  vim.cmd.normal({ 'G', bang = true })
  vim.api.nvim_set_current_win(before)
end

--- Without a screen: waits, passes on what is printed, and fails as a script would expect.
local function install_and_wait()
  local function pass_on(_, text)
    io.stdout:write(text or '')
  end
  local opts = { cwd = program.root(), text = true, stdout = pass_on, stderr = pass_on }
  local outcome = vim.system(command(), opts):wait()
  if outcome.code ~= 0 then
    io.stderr:write('sidekicks: ', t('install.failed', { code = outcome.code }), '\n')
    vim.cmd.cquit({ count = 1 })
  end
end

function M.run()
  if vim.fn.executable(node()) == 0 then
    notify.error(t('install.noNode'))
  elseif #vim.api.nvim_list_uis() == 0 and not vim.list_contains(vim.v.argv, '--embed') then
    install_and_wait()
  else
    install_in_split()
  end
end

return M
