-- The actions of Sidekicks' buffers: their maps, default keys and words. Each does its work elsewhere.
local options = require('sidekicks.options')
local t = require('sidekicks.language').t

local M = {}

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

--- In the order in which they are told.
---@type sidekicks.Action[]
local actions = {
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
  { name = 'hide', kinds = { 'transcript', 'log', 'agents' }, modes = { 'n' }, keys = { 'q' }, run = hide },
  {
    name = 'help',
    kinds = { 'transcript', 'input', 'log', 'agents', 'changes', 'conflict' },
    modes = { 'n' },
    keys = { 'g?' },
    run = calls('keys', 'help'),
  },
}

---@param action string
---@return string
local function plug(action)
  return ('<Plug>(sidekicks-%s)'):format(action)
end

---@param action sidekicks.Action
---@return string
local function describe(action)
  return t('keys.' .. action.name)
end

--- The names of all actions.
---@return string[]
function M.actions()
  return vim.tbl_map(function(action)
    return action.name
  end, actions)
end

---@param action sidekicks.Action
---@return string[]
local function keys_of(action)
  local chosen = options.get().keys[action.name]
  if chosen == false then
    return {}
  end
  return type(chosen) == 'table' and chosen or chosen and { chosen } or action.keys
end

---@param buf integer
---@param action sidekicks.Action
local function map_action(buf, action)
  local desc = 'Sidekicks: ' .. describe(action)
  vim.keymap.set(action.modes, plug(action.name), action.run, { buffer = buf, desc = desc })
  for _, key in ipairs(keys_of(action)) do
    vim.keymap.set(action.modes, key, plug(action.name), { buffer = buf, remap = true, nowait = true, desc = desc })
  end
end

--- Gives a buffer the maps of its kind.
---@param buf integer
---@param kind sidekicks.Kind
function M.map(buf, kind)
  for _, action in ipairs(actions) do
    if vim.list_contains(action.kinds, kind) then
      map_action(buf, action)
    end
  end
end

--- Kinds of buffers that are not ours, and have our keys for a while.
---@type table<integer, sidekicks.Kind>
local lent = {}

--- What a key does in a buffer by itself, to be put back; nil if nothing.
---@param buf integer
---@param mode string
---@param key string
---@return table?
local function own_map(buf, mode, key)
  return vim.api.nvim_buf_call(buf, function()
    local map = vim.fn.maparg(key, mode, false, true)
    return map.buffer == 1 and map or nil
  end)
end

--- Lends a buffer that is not ours the maps of a kind.
---@param buf integer
---@param kind sidekicks.Kind
---@return fun() give_back
function M.lend(buf, kind)
  local maps = {}
  for _, action in ipairs(actions) do
    if vim.list_contains(action.kinds, kind) then
      for _, mode in ipairs(action.modes) do
        for _, key in ipairs(vim.list_extend({ plug(action.name) }, keys_of(action))) do
          table.insert(maps, { mode = mode, key = key, before = own_map(buf, mode, key) })
        end
      end
    end
  end
  M.map(buf, kind)
  lent[buf] = kind
  return function()
    lent[buf] = nil
    if not vim.api.nvim_buf_is_valid(buf) then
      return
    end
    for _, map in ipairs(maps) do
      pcall(vim.keymap.del, map.mode, map.key, { buffer = buf })
      if map.before then
        vim.api.nvim_buf_call(buf, function()
          vim.fn.mapset(map.mode, false, map.before)
        end)
      end
    end
  end
end

--- Some keys in one line.
---@param names string[] of the actions
---@return string
function M.hint(names)
  local words = {}
  for _, action in ipairs(actions) do
    local key = keys_of(action)[1]
    if key and vim.list_contains(names, action.name) then
      table.insert(words, key .. ' ' .. describe(action))
    end
  end
  return table.concat(words, ' · ')
end

--- The lines that tell the keys of a kind of buffer.
---@param kind sidekicks.Kind
---@return string[]
local function help_lines(kind)
  local lines = {}
  for _, action in ipairs(actions) do
    local keys = keys_of(action)
    if vim.list_contains(action.kinds, kind) and #keys > 0 then
      table.insert(lines, ('  %-14s %s'):format(table.concat(keys, ' '), describe(action)))
    end
  end
  return lines
end

---@param lines string[]
---@return integer
local function width_of(lines)
  local width = 0
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return width
end

--- Shows the keys of this buffer in a small window; `q` or leaving it closes it.
function M.help()
  local _, kind = require('sidekicks.buffer').conversation_of(0)
  local lines = help_lines(lent[vim.api.nvim_get_current_buf()] or kind or 'transcript')
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].modifiable = false
  local width = math.min(width_of(lines) + 2, vim.o.columns - 2)
  local from = vim.api.nvim_get_current_win()
  local win = vim.api.nvim_open_win(buf, true, {
    relative = 'editor',
    row = math.max(math.floor((vim.o.lines - #lines) / 2) - 1, 0),
    col = math.max(math.floor((vim.o.columns - width) / 2) - 1, 0),
    width = width,
    height = #lines,
    border = 'rounded',
    style = 'minimal',
    title = (' %s '):format(t('keys.title')),
  })
  -- Neovim avoids the quickfix window when it looks for one to go to.
  local function close()
    vim.api.nvim_win_close(win, true)
    if vim.api.nvim_win_is_valid(from) then
      vim.api.nvim_set_current_win(from)
    end
  end
  for _, key in ipairs({ 'q', '<Esc>', 'g?' }) do
    vim.keymap.set('n', key, close, { buffer = buf, nowait = true, desc = t('keys.close') })
  end
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = buf,
    once = true,
    desc = 'Close the list of keys',
    callback = vim.schedule_wrap(function()
      if vim.api.nvim_win_is_valid(win) then
        vim.api.nvim_win_close(win, true)
      end
    end),
  })
end

return M
