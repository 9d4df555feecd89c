-- The actions of Sidekicks' buffers, in the order in which they are told, with their default keys. Each does its work elsewhere.

---@class (exact) sidekicks.Action
---@field name string as in `<Plug>(sidekicks-name)` and in the option `keys`
---@field kinds sidekicks.Kind[] the buffers it belongs to
---@field modes string[]
---@field keys string[] the default ones
---@field expr? boolean `run` gives the keys to type instead
---@field run fun(): string?

---@param module string
---@param method string
---@return fun(): any
local function calls(module, method)
  return function()
    return require('sidekicks.' .. module)[method]()
  end
end

---@param method string
---@return fun(): any
local function on_input(method)
  return function()
    return require('sidekicks.input')[method](vim.api.nvim_get_current_buf())
  end
end

local function copy_region()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  require('sidekicks.clipboard').copy_region(vim.api.nvim_get_current_buf(), row)
end

local function copy_selection()
  local mode = vim.fn.mode()
  local lines = vim.fn.getregion(vim.fn.getpos('v'), vim.fn.getpos('.'), { type = mode })
  vim.api.nvim_feedkeys(vim.keycode('<Esc>'), 'nx', false)
  require('sidekicks.clipboard').copy_lines(lines)
end

local function focus_input()
  local buffer = require('sidekicks.buffer')
  local id = buffer.conversation_of(0)
  if id then
    buffer.focus_input(id, { insert = true })
  end
end

local function cancel()
  local buf = vim.api.nvim_get_current_buf()
  local _, kind = require('sidekicks.buffer').conversation_of(buf)
  if kind == 'input' then
    require('sidekicks.input').cancel(buf)
  else
    require('sidekicks.command').cancel()
  end
end

local function sign_in()
  local _, kind = require('sidekicks.buffer').conversation_of(0)
  if kind == 'agents' then
    require('sidekicks.panel').sign_in()
  else
    require('sidekicks.sign_in').here()
  end
end

local function hide()
  require('sidekicks.hiding').hide(vim.api.nvim_get_current_buf())
end

--- Typed as a command, so that a selection becomes its range.
---@param subcommand string
---@return fun()
local function on_changes(subcommand)
  return function()
    local is_visual = vim.fn.mode():find('[vV\22]') ~= nil
    local typed = (is_visual and ':' or '<Cmd>') .. 'Sidekicks ' .. subcommand .. '<CR>'
    vim.api.nvim_feedkeys(vim.keycode(typed), 'n', false)
  end
end

---@param step 1|-1
---@return fun()
local function step_in_list(step)
  return function()
    require('sidekicks.review.list').step(step)
  end
end

---@type sidekicks.Action[]
return {
  { name = 'send', kinds = { 'input' }, modes = { 'n', 'i' }, keys = { '<CR>', '<C-s>' }, run = on_input('send') },
  { name = 'newline', kinds = { 'input' }, modes = { 'i' }, keys = { '<C-j>' }, run = on_input('newline') },
  {
    name = 'paste-image',
    kinds = { 'input' },
    modes = { 'i' },
    keys = { '<C-v>' },
    run = function()
      require('sidekicks.attach.image').paste('<C-v>')
    end,
  },
  { name = 'copy', kinds = { 'transcript' }, modes = { 'n' }, keys = { 'Y' }, run = copy_region },
  { name = 'copy-selection', kinds = { 'transcript' }, modes = { 'x' }, keys = { 'Y' }, run = copy_selection },
  {
    name = 'previous-prompt',
    kinds = { 'input' },
    modes = { 'n', 'i' },
    keys = { '<Up>' },
    run = on_input('previous_prompt'),
  },
  {
    name = 'next-prompt',
    kinds = { 'input' },
    modes = { 'n', 'i' },
    keys = { '<Down>' },
    run = on_input('next_prompt'),
  },
  { name = 'cancel', kinds = { 'transcript', 'input' }, modes = { 'n', 'i' }, keys = { '<C-c>' }, run = cancel },
  {
    name = 'permission',
    kinds = { 'transcript', 'input' },
    modes = { 'n' },
    keys = { 'gp' },
    run = calls('permission', 'focus'),
  },
  {
    name = 'sign-in',
    kinds = { 'transcript', 'input', 'agents' },
    modes = { 'n' },
    keys = { 'gs' },
    run = sign_in,
  },
  {
    name = 'previous-message',
    kinds = { 'transcript' },
    modes = { 'n', 'x', 'o' },
    keys = { '[[' },
    run = calls('navigate', 'previous_message'),
  },
  {
    name = 'next-message',
    kinds = { 'transcript' },
    modes = { 'n', 'x', 'o' },
    keys = { ']]' },
    run = calls('navigate', 'next_message'),
  },
  {
    name = 'newest',
    kinds = { 'transcript' },
    modes = { 'n' },
    keys = { 'G' },
    run = calls('navigate', 'newest'),
  },
  {
    name = 'go-to',
    kinds = { 'transcript' },
    modes = { 'n' },
    keys = { '<CR>' },
    run = calls('navigate', 'go_to_location'),
  },
  {
    name = 'show-tool',
    kinds = { 'transcript' },
    modes = { 'n' },
    keys = { 'K' },
    run = calls('navigate', 'show_tool'),
  },
  {
    name = 'edit-queued',
    kinds = { 'transcript' },
    modes = { 'n' },
    keys = { 'cc' },
    run = calls('queued', 'edit'),
  },
  {
    name = 'remove-queued',
    kinds = { 'transcript' },
    modes = { 'n' },
    keys = { 'dd' },
    run = calls('queued', 'remove'),
  },
  {
    name = 'resend',
    kinds = { 'transcript' },
    modes = { 'n' },
    keys = { 'R' },
    run = calls('queued', 'resend'),
  },
  { name = 'write', kinds = { 'transcript' }, modes = { 'n' }, keys = { 'i' }, run = focus_input },
  { name = 'enter', kinds = { 'agents' }, modes = { 'n' }, keys = { '<CR>' }, run = calls('panel', 'enter') },
  { name = 'start', kinds = { 'agents' }, modes = { 'n' }, keys = { 's' }, run = calls('panel', 'start') },
  { name = 'stop', kinds = { 'agents' }, modes = { 'n' }, keys = { 'x' }, run = calls('panel', 'stop') },
  { name = 'restart', kinds = { 'agents' }, modes = { 'n' }, keys = { 'r' }, run = calls('panel', 'restart') },
  {
    name = 'stop-sandbox',
    kinds = { 'agents' },
    modes = { 'n' },
    keys = { 'X' },
    run = calls('panel', 'stop_sandbox'),
  },
  {
    name = 'remove-sandbox',
    kinds = { 'agents' },
    modes = { 'n' },
    keys = { 'D' },
    run = calls('panel', 'remove_sandbox'),
  },
  { name = 'log', kinds = { 'agents' }, modes = { 'n' }, keys = { 'gl' }, run = calls('panel', 'log') },
  { name = 'files', kinds = { 'agents' }, modes = { 'n' }, keys = { 'gf' }, run = calls('panel', 'files') },
  { name = 'file-open', kinds = { 'files' }, modes = { 'n' }, keys = { '<CR>' }, run = calls('files.act', 'open') },
  { name = 'file-up', kinds = { 'files' }, modes = { 'n' }, keys = { '-' }, run = calls('files.act', 'up') },
  { name = 'file-create', kinds = { 'files' }, modes = { 'n' }, keys = { 'a' }, run = calls('files.act', 'create') },
  { name = 'file-delete', kinds = { 'files' }, modes = { 'n' }, keys = { 'dd' }, run = calls('files.act', 'delete') },
  { name = 'file-attach', kinds = { 'files' }, modes = { 'n' }, keys = { 'ga' }, run = calls('files.act', 'attach') },
  { name = 'file-refresh', kinds = { 'files' }, modes = { 'n' }, keys = { 'R' }, run = calls('files.act', 'refresh') },
  { name = 'terminal', kinds = { 'agents' }, modes = { 'n' }, keys = { 't' }, run = calls('panel', 'terminal') },
  {
    name = 'review',
    kinds = { 'transcript', 'input' },
    modes = { 'n' },
    keys = { 'gr' },
    run = calls('navigate', 'review'),
  },
  {
    name = 'change-open',
    kinds = { 'changes' },
    modes = { 'n' },
    keys = { '<CR>' },
    run = calls('review.list', 'enter'),
  },
  { name = 'change-accept', kinds = { 'changes' }, modes = { 'n', 'x' }, keys = { 'a' }, run = on_changes('accept') },
  { name = 'change-reject', kinds = { 'changes' }, modes = { 'n', 'x' }, keys = { 'r' }, run = on_changes('reject') },
  { name = 'change-restore', kinds = { 'changes' }, modes = { 'n' }, keys = { 'R' }, run = on_changes('restore') },
  { name = 'change-next', kinds = { 'changes' }, modes = { 'n' }, keys = { ']c' }, run = step_in_list(1) },
  { name = 'change-prev', kinds = { 'changes' }, modes = { 'n' }, keys = { '[c' }, run = step_in_list(-1) },
  {
    name = 'conflict-mine',
    kinds = { 'conflict' },
    modes = { 'n' },
    keys = { 'gm' },
    run = calls('review.conflict', 'take_mine'),
  },
  {
    name = 'conflict-theirs',
    kinds = { 'conflict' },
    modes = { 'n' },
    keys = { 'ga' },
    run = calls('review.conflict', 'take_theirs'),
  },
  {
    name = 'conflict-done',
    kinds = { 'conflict' },
    modes = { 'n' },
    keys = { 'gs' },
    run = calls('review.conflict', 'done'),
  },
  {
    name = 'conflict-get',
    kinds = { 'conflict' },
    modes = { 'n' },
    keys = { 'do' },
    run = calls('review.conflict', 'get'),
  },
  {
    name = 'conflict-put',
    kinds = { 'conflict' },
    modes = { 'n' },
    keys = { 'dp' },
    run = calls('review.conflict', 'put'),
  },
  {
    name = 'hide',
    kinds = { 'transcript', 'log', 'agents', 'files', 'terminal' },
    modes = { 'n' },
    keys = { 'q' },
    run = hide,
  },
  {
    name = 'help',
    kinds = { 'transcript', 'input', 'log', 'agents', 'files', 'changes', 'conflict', 'terminal' },
    modes = { 'n' },
    keys = { 'g?' },
    run = calls('keys.help', 'show'),
  },
}
