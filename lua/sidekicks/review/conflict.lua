-- A conflict as a three-way diff in a tab page of its own: what the agent started from, your text (the real buffer), and the
-- agent's. It is resolved by choosing, or by editing and saying so; closing the tab page leaves it listed.
local apply = require('sidekicks.edits.apply')
local buffer_texts = require('sidekicks.edits.text')
local host = require('sidekicks.host')
local keys = require('sidekicks.keys')
local notify = require('sidekicks.notify')
local reload = require('sidekicks.edits.reload')
local sides = require('sidekicks.review.sides')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.review.Three
---@field id string
---@field tab integer
---@field buf integer the real one
---@field base? integer nil where the texts stand in buffer and file alone
---@field theirs integer
---@field undo integer where the real buffer stood when it was opened
---@field give_back fun() its keys

---@type table<integer, sidekicks.review.Three> by tab page
local open = {}

---@param buf integer
---@return integer
local function undo_place(buf)
  return vim.api.nvim_buf_call(buf, function()
    return vim.fn.undotree().seq_cur
  end)
end

---@param id string
---@return sidekicks.review.Three?
local function shown(id)
  for _, three in pairs(open) do
    if three.id == id then
      return three
    end
  end
end

--- The first change, wherever the person's cursor was.
local function go_to_change()
  vim.cmd('normal! gg')
  if vim.fn.diff_hlID(1, 1) == 0 then
    vim.cmd('silent! normal! ]c')
  end
end

--- Opens a conflict, or goes to where it is open.
---@param id string
function M.open(id)
  local already = shown(id)
  if already and vim.api.nvim_tabpage_is_valid(already.tab) then
    return vim.api.nvim_set_current_tabpage(already.tab)
  end
  host.request('ViewService.Conflict', { id = id }, function(err, conflict)
    if err or not conflict then
      return notify.error(err and err.message or '')
    end
    local three = sides.lay_out(conflict)
    three.id, three.undo = id, undo_place(three.buf)
    three.give_back = keys.lend(three.buf, 'conflict')
    open[three.tab] = three
    go_to_change()
    vim.cmd.redraw()
    notify.info(keys.hint({ 'conflict-mine', 'conflict-theirs', 'conflict-done', 'help' }))
  end)
end

--- Ends what was lent to a tab page that is gone, or going.
---@param three sidekicks.review.Three
local function forget(three)
  open[three.tab] = nil
  three.give_back()
  for _, buf in pairs({ three.theirs, three.base }) do
    if vim.api.nvim_buf_is_valid(buf) then
      vim.api.nvim_buf_delete(buf, { force = true })
    end
  end
end

---@param three sidekicks.review.Three
local function close(three)
  if vim.api.nvim_tabpage_is_valid(three.tab) then
    vim.api.nvim_set_current_tabpage(three.tab)
    vim.cmd.diffoff({ bang = true })
    if #vim.api.nvim_list_tabpages() > 1 then
      vim.cmd.tabclose()
    else
      sides.name_side(vim.fn.win_findbuf(three.buf)[1] or 0, '')
    end
  end
  forget(three)
end

--- The next one that waits, so that several are gone through without the list.
---@param resolved string
local function go_on(resolved)
  local review = require('sidekicks.review')
  review.refresh(function()
    local left = vim.tbl_filter(function(conflict)
      return conflict.id ~= resolved
    end, review.conflicts())
    if left[1] then
      notify.info(review.counted('review.moreConflicts', #left))
      M.open(left[1].id)
    else
      notify.info(t('review.resolved'))
    end
  end)
end

--- What is chosen goes into the buffer here, where the host knows no text. Neovim counts the file as read, so that it can be
--- written.
---@param three sidekicks.review.Three
---@param choice 'mine'|'theirs'|'edited'
local function settle_on_disk(three, choice)
  if choice == 'theirs' then
    apply.lines(three.buf, vim.api.nvim_buf_get_lines(three.theirs, 0, -1, false))
  end
  if vim.bo[three.buf].modified then
    reload.keep_text(three.buf)
  end
end

---@param choice 'mine'|'theirs'|'edited'
---@param prepare? fun(three: sidekicks.review.Three): string? text
local function resolve(choice, prepare)
  local three = open[vim.api.nvim_get_current_tabpage()]
  if not three then
    return notify.info(t('review.noConflictHere'))
  end
  local text = prepare and prepare(three)
  if not three.base then
    settle_on_disk(three, choice)
  end
  local params = { id = three.id, choice = choice, text = text }
  host.request('ViewService.ResolveConflict', params, function(err)
    if err and err.code ~= 'not-found' then
      return notify.error(err.message)
    elseif err then
      notify.info(err.message)
    end
    close(three)
    go_on(three.id)
  end)
end

--- Your text stays, as it was when the conflict was opened; what was edited since can be had by redo.
function M.take_mine()
  resolve('mine', function(three)
    vim.api.nvim_buf_call(three.buf, function()
      if vim.fn.undotree().seq_cur ~= three.undo then
        vim.cmd(('silent undo %d'):format(three.undo))
      end
    end)
  end)
end

--- The agent's text takes the place of yours, which can be had by undo.
function M.take_theirs()
  resolve('theirs')
end

--- What stands in your buffer now is the answer.
function M.done()
  resolve('edited', function(three)
    return three.base and buffer_texts.of(three.buf) or nil
  end)
end

--- Takes the agent's side of the change at the cursor into your text.
function M.get()
  local three = open[vim.api.nvim_get_current_tabpage()]
  if not three or vim.api.nvim_get_current_buf() ~= three.buf then
    return notify.info(t('review.getFrom'))
  end
  sides.carry(three.buf, three.theirs, 1)
end

--- Puts this side of the change at the cursor into your text.
function M.put()
  local three = open[vim.api.nvim_get_current_tabpage()]
  local buf = vim.api.nvim_get_current_buf()
  if not three or (buf ~= three.base and buf ~= three.theirs) then
    return notify.info(t('review.putFrom'))
  end
  sides.carry(three.buf, buf, 3)
end

--- The agent may have written again, or the conflict may be settled, while it is on screen.
function M.update()
  for _, three in pairs(open) do
    host.request('ViewService.Conflict', { id = three.id }, function(err, conflict)
      if not err and conflict and open[three.tab] == three and vim.api.nvim_buf_is_valid(three.theirs) then
        sides.fill_theirs(three.theirs, three.buf, conflict)
        if three.base then
          sides.fill(three.base, conflict.base)
        end
      end
    end)
  end
end

vim.api.nvim_create_autocmd('TabClosed', {
  group = vim.api.nvim_create_augroup('sidekicks.review.conflict', { clear = true }),
  desc = 'Give back what a closed conflict used',
  callback = function()
    for tab, three in pairs(open) do
      if not vim.api.nvim_tabpage_is_valid(tab) then
        forget(three)
      end
    end
  end,
})

return M
