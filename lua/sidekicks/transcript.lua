-- The buffers that show conversations: asks the host to draw, and takes its patches in order.
-- It decides nothing about what is shown; a transcript can be thrown away and asked for again.
local Blocks = require('sidekicks.transcript.blocks')
local draw = require('sidekicks.transcript.draw')
local further = require('sidekicks.transcript.further')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local viewport = require('sidekicks.viewport')

local M = {}

---@class sidekicks.transcript.View : sidekicks.transcript.Further
---@field failed boolean the last whole patch could not be drawn
---@field followed boolean the last window on it that went showed the end

-- While Neovim evaluates an expression, text is locked; it is over at the next key.
local locked_retry_ms = 30

---@type table<integer, sidekicks.transcript.View>
local views = {}
--- Messages somebody goes to in buffers that show nothing yet.
---@type table<integer, sidekicks.transcript.Wanted>
local wanted_first = {}

---@param view sidekicks.transcript.View
---@return boolean
local function is_alive(view)
  return views[view.buf] == view and vim.api.nvim_buf_is_loaded(view.buf)
end

---@param view sidekicks.transcript.View
local function open(view)
  view.number, view.waiting, view.asking = nil, {}, false
  further.start_over(view)
  host.request('ViewService.Open', { id = view.conversation }, function(err, result)
    if not is_alive(view) then
      return
    elseif err then
      notify.error(err.message)
    elseif result then
      require('sidekicks.input').restore(view.conversation, result.draft)
    end
  end)
end

---@param view sidekicks.transcript.View
---@param patch table
local function apply(view, patch)
  local operations = patch.first and draw.whole(view, patch.operations) or patch.operations
  draw.apply(view, operations, not (view.newer or patch.newer))
  -- The newest messages have taken the place of others, and nobody goes to one of them.
  if patch.first and view.newer and not patch.newer and not view.wanted then
    vim.iter(vim.fn.win_findbuf(view.buf)):each(viewport.return_to_end)
  end
end

--- Draws a patch. False if Neovim does not let anybody change text at this moment.
---@param view sidekicks.transcript.View
---@param patch table
---@return boolean
local function draw_patch(view, patch)
  local fine, problem = pcall(apply, view, patch)
  if not fine then
    vim.bo[view.buf].modifiable = false
    if tostring(problem):find('E565', 1, true) then
      return false
    end
    error(problem, 0)
  end
  local was_newer = view.newer
  view.number, view.more, view.newer = patch.number, patch.more, patch.newer
  if was_newer ~= view.newer then
    for _, win in ipairs(vim.fn.win_findbuf(view.buf)) do
      vim.api.nvim__redraw({ win = win, winbar = true })
    end
  end
  return true
end

---@param view sidekicks.transcript.View
local function show_empty(view)
  require('sidekicks.transcript.empty').update(view.buf, view.conversation, view.blocks.rows == 0)
end

local flush

---@param view sidekicks.transcript.View
local function retry_soon(view)
  vim.defer_fn(function()
    if is_alive(view) then
      flush(view)
    end
  end, locked_retry_ms)
end

--- What is drawn no longer fits what the host thinks: everything is asked for anew, once.
---@param view sidekicks.transcript.View
---@param problem string
local function start_over(view, problem)
  local again = view.failed
  view.failed = true
  view.blocks = Blocks.new()
  if again then
    notify.error(t('error.internal', { what = problem }))
  else
    open(view)
  end
end

---@param view sidekicks.transcript.View
flush = function(view)
  while view.waiting[1] do
    local patch = view.waiting[1]
    local fine, drawn = pcall(draw_patch, view, patch)
    if not fine then
      return start_over(view, tostring(drawn))
    elseif not drawn then
      return retry_soon(view)
    end
    view.failed = view.failed and not patch.first
    table.remove(view.waiting, 1)
  end
  show_empty(view)
  further.load(view)
end

--- The number the next patch must have.
---@param view sidekicks.transcript.View
---@return integer?
local function expected(view)
  local last = view.waiting[#view.waiting]
  local number = last and last.number or view.number
  return number and number + 1
end

---@param view sidekicks.transcript.View
---@param patch table
local function take(view, patch)
  if patch.first then
    view.waiting = {}
  elseif expected(view) == nil then
    return
  elseif patch.number ~= expected(view) then
    return open(view)
  end
  table.insert(view.waiting, patch)
  if #view.waiting == 1 then
    flush(view)
  end
end

require('sidekicks.state').on_change(function(id)
  for _, view in pairs(views) do
    if view.number and view.blocks.rows == 0 and (id == nil or id == view.conversation) and is_alive(view) then
      show_empty(view)
    end
  end
end)

host.on('view:patch', function(patch)
  for _, view in pairs(views) do
    if view.conversation == patch.channel and is_alive(view) then
      take(view, patch)
    end
  end
end)

host.on('host:exited', function()
  for _, view in pairs(views) do
    view.number, view.waiting, view.asking = nil, {}, false
  end
end)

host.on('host:started', function()
  for _, view in pairs(views) do
    open(view)
  end
end)

---@param view sidekicks.transcript.View
local function watch(view)
  local group = vim.api.nvim_create_augroup('sidekicks.transcript.' .. view.buf, { clear = true })
  vim.api.nvim_create_autocmd('BufWinEnter', {
    group = group,
    buffer = view.buf,
    desc = 'Fold the transcript in a window that begins to show it',
    callback = function()
      local win = vim.api.nvim_get_current_win()
      draw.fold_window(view, win)
      if view.followed then
        viewport.return_to_end(win)
      end
      view.followed = false
    end,
  })
  vim.api.nvim_create_autocmd('BufWinLeave', {
    group = group,
    buffer = view.buf,
    desc = 'Remember whether the end was followed, to follow it again',
    callback = function()
      view.followed = not view.newer and viewport.follows_end(view.buf)
    end,
  })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = view.buf,
    desc = 'Stop drawing a conversation whose buffer is gone',
    callback = function()
      M.detach(view.buf)
    end,
  })
end

vim.api.nvim_create_autocmd('WinScrolled', {
  group = vim.api.nvim_create_augroup('sidekicks.transcript', { clear = true }),
  desc = 'Load more messages when the top of a transcript is reached, or the bottom',
  callback = function()
    for win in pairs(vim.v.event) do
      local number = tonumber(win)
      local view = number and vim.api.nvim_win_is_valid(number) and views[vim.api.nvim_win_get_buf(number)]
      if view then
        further.load(view)
      end
    end
  end,
})

---@param buf integer
local function set_options(buf)
  vim.bo[buf].undolevels = -1
  vim.bo[buf].swapfile = false
  vim.bo[buf].modifiable = false
end

---@param buf integer
---@param conversation string
---@return sidekicks.transcript.View
local function create(buf, conversation)
  ---@type sidekicks.transcript.View
  local view = {
    buf = buf,
    conversation = conversation,
    blocks = Blocks.new(),
    waiting = {},
    is_alive = is_alive,
    more = false,
    newer = false,
    asking = false,
    failed = false,
    followed = false,
    wanted = wanted_first[buf],
  }
  wanted_first[buf] = nil
  set_options(buf)
  watch(view)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    draw.fold_window(view, win)
  end
  return view
end

--- Begins to draw a conversation in a buffer. A buffer that shows it already is drawn anew where it stands.
---@param buf integer
---@param conversation string its id
function M.attach(buf, conversation)
  local view = views[buf]
  if not view or view.conversation ~= conversation then
    view = create(buf, conversation)
    views[buf] = view
  end
  require('sidekicks.permission').show()
  open(view)
end

--- Stops drawing in a buffer. The conversation goes on.
---@param buf integer
function M.detach(buf)
  local view = views[buf]
  if not view then
    return
  end
  views[buf] = nil
  vim.api.nvim_del_augroup_by_name('sidekicks.transcript.' .. buf)
  if host.running() then
    host.request('ViewService.Close', { id = view.conversation })
  end
end

--- Calls back with the rows of a message (from 1) once it is drawn: with all that was said since, or, where that is much,
--- with the messages around it. Nothing where the conversation does not hold it.
---@param buf integer
---@param message string
---@param callback fun(first_row?: integer, last_row?: integer) called once, unless somebody goes elsewhere before
function M.reveal(buf, message, callback)
  local view, wanted = views[buf], further.wanted(message, callback)
  if view then
    view.wanted = wanted
    further.load(view)
  else
    wanted_first[buf] = wanted
  end
end

--- Messages far back are drawn, not the newest ones.
---@param buf integer
---@return boolean
function M.is_far_back(buf)
  local view = views[buf]
  return view ~= nil and view.newer
end

--- Draws the newest messages where others are drawn, and shows the end of them. False where they are drawn already.
---@param buf integer
---@return boolean
function M.draw_newest(buf)
  if not M.is_far_back(buf) then
    return false
  end
  vim.cmd("normal! m'")
  host.request('ViewService.Newest', { id = views[buf].conversation })
  return true
end

--- The block that holds a row, and its first row; both rows count from 0.
---@param buf integer
---@param row integer
---@return sidekicks.transcript.Block? block
---@return integer? first_row
function M.block_at(buf, row)
  local view = views[buf]
  if view then
    return view.blocks:at_row(row)
  end
end

--- Every block of a transcript with its first row (from 0), from the first on.
---@param buf integer
---@return fun(): sidekicks.transcript.Block?, integer?
function M.blocks(buf)
  local view = views[buf]
  return (view and view.blocks or Blocks.new()):each()
end

return M
