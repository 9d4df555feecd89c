-- A conflict as a three-way diff in a tab page of its own: what the agent started from, your text (the real buffer), and the
-- agent's. It is resolved by choosing, or by editing and saying so; closing the tab page leaves it listed.
local buffer_texts = require('sidekicks.edits.text')
local host = require('sidekicks.host')
local keys = require('sidekicks.keys')
local notify = require('sidekicks.notify')
local paths = require('sidekicks.edits.paths')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.review.Three
---@field id string
---@field tab integer
---@field buf integer the real one
---@field base integer
---@field theirs integer
---@field undo integer where the real buffer stood when it was opened
---@field give_back fun() its keys

---@type table<integer, sidekicks.review.Three> by tab page
local open = {}

---@param text string
---@return string[]
local function lines_of(text)
  local lines = vim.split((text:gsub('\r\n', '\n')), '\n', { plain = true })
  if #lines > 1 and lines[#lines] == '' then
    table.remove(lines)
  end
  return lines
end

---@param buf integer
---@param text string
local function fill(buf, text)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines_of(text))
  vim.bo[buf].modifiable = false
end

---@param text string
---@param filetype string
---@return integer
local function scratch(text, filetype)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.b[buf].sidekicks = { conversation = '', kind = 'conflict' }
  fill(buf, text)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].filetype = filetype
  keys.map(buf, 'conflict')
  return buf
end

---@param win integer
---@param words string
local function name_side(win, words)
  vim.wo[win][0].winbar = ' %#SidekicksHeading#' .. words:gsub('%%', '%%%%') .. '%*%<'
end

--- The buffer of the file. Where none was loaded any more, the text the person had then is brought back into it.
---@param conflict { path: string, mine: string }
---@return integer
local function real_buffer(conflict)
  local buf = paths.find(conflict.path)
  if buf then
    return buf
  end
  buf = vim.fn.bufadd(conflict.path)
  vim.fn.bufload(buf)
  vim.bo[buf].buflisted = true
  local mine = buffer_texts.lines_for(buf, conflict.mine)
  if mine and buffer_texts.of(buf) ~= conflict.mine then
    require('sidekicks.edits.apply').lines(buf, mine)
    notify.info(t('review.mineBack', { path = vim.fn.fnamemodify(conflict.path, ':~:.') }))
  end
  return buf
end

---@param buf integer
---@return integer
local function undo_place(buf)
  return vim.api.nvim_buf_call(buf, function()
    return vim.fn.undotree().seq_cur
  end)
end

--- Three windows side by side, the real buffer in the middle, all compared.
---@param conflict { path: string, agent: string, base: string, mine: string, theirs: string }
---@return { tab: integer, buf: integer, base: integer, theirs: integer }
local function lay_out(conflict)
  local buf = real_buffer(conflict)
  vim.cmd('tab split')
  vim.api.nvim_win_set_buf(0, buf)
  local filetype = vim.bo[buf].filetype
  local base, theirs = scratch(conflict.base, filetype), scratch(conflict.theirs, filetype)
  local mid = vim.api.nvim_get_current_win()
  local left = vim.api.nvim_open_win(base, false, { split = 'left', win = mid })
  local right = vim.api.nvim_open_win(theirs, false, { split = 'right', win = mid })
  for _, win in ipairs({ left, mid, right }) do
    vim.api.nvim_win_call(win, function()
      vim.cmd.diffthis()
    end)
  end
  name_side(left, t('review.sideBase', { agent = conflict.agent }))
  name_side(mid, t('review.sideMine', { file = vim.fs.basename(conflict.path) }))
  name_side(right, t('review.sideTheirs', { agent = conflict.agent }))
  vim.cmd('wincmd =')
  return { tab = vim.api.nvim_get_current_tabpage(), buf = buf, base = base, theirs = theirs }
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
    local three = lay_out(conflict)
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
  for _, buf in ipairs({ three.base, three.theirs }) do
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
      name_side(vim.fn.win_findbuf(three.buf)[1] or 0, '')
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

---@param choice 'mine'|'theirs'|'edited'
---@param prepare? fun(three: sidekicks.review.Three): string? text
local function resolve(choice, prepare)
  local three = open[vim.api.nvim_get_current_tabpage()]
  if not three then
    return notify.info(t('review.noConflictHere'))
  end
  local text = prepare and prepare(three)
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
    return buffer_texts.of(three.buf)
  end)
end

---@diagnostic disable-next-line: undefined-field
local diff = vim.text and vim.text.diff or vim.diff

---@param buf integer
---@return string[]
local function lines_in(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

--- The changes between two buffers: first line and count in each, as `vim.diff` gives them.
---@param from integer
---@param to integer
---@return integer[][]
local function changes(from, to)
  local a, b = table.concat(lines_in(from), '\n') .. '\n', table.concat(lines_in(to), '\n') .. '\n'
  return diff(a, b, { result_type = 'indices' }) --[[@as integer[][] ]]
end

--- Gives your text the side's lines of one change. Of three texts Neovim's own `do` and `dp` do not know which two are
--- meant; here the one changed is always the person's.
---@param three sidekicks.review.Three
---@param side integer
---@param at 1|3 where the cursor's line stands in a change: in your text, or in the side's
local function carry(three, side, at)
  local line = vim.api.nvim_win_get_cursor(0)[1]
  for _, change in ipairs(changes(three.buf, side)) do
    local first, count = change[at], change[at + 1]
    -- Where a text lacks the lines, the change lies between the one above and the one below.
    if line >= first and line <= first + math.max(count - 1, count == 0 and 1 or 0) then
      local start = change[2] == 0 and change[1] or change[1] - 1
      local lines = vim.list_slice(lines_in(side), change[3], change[3] + change[4] - 1)
      vim.api.nvim_buf_set_lines(three.buf, start, start + change[2], false, lines)
      vim.cmd.diffupdate()
      return
    end
  end
  notify.info(t('review.noChangeHere'))
end

--- Takes the agent's side of the change at the cursor into your text.
function M.get()
  local three = open[vim.api.nvim_get_current_tabpage()]
  if not three or vim.api.nvim_get_current_buf() ~= three.buf then
    return notify.info(t('review.getFrom'))
  end
  carry(three, three.theirs, 1)
end

--- Puts this side of the change at the cursor into your text.
function M.put()
  local three = open[vim.api.nvim_get_current_tabpage()]
  local buf = vim.api.nvim_get_current_buf()
  if not three or (buf ~= three.base and buf ~= three.theirs) then
    return notify.info(t('review.putFrom'))
  end
  carry(three, buf, 3)
end

--- The agent may have written again, or the conflict may be settled, while it is on screen.
function M.update()
  for _, three in pairs(open) do
    host.request('ViewService.Conflict', { id = three.id }, function(err, conflict)
      if not err and conflict and open[three.tab] == three and vim.api.nvim_buf_is_valid(three.theirs) then
        local lines = vim.api.nvim_buf_get_lines(three.theirs, 0, -1, false)
        if not vim.deep_equal(lines, lines_of(conflict.theirs)) then
          fill(three.theirs, conflict.theirs)
          fill(three.base, conflict.base)
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
