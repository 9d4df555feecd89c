-- `:Sidekicks changes`: the quickfix list of conflicts and of turns, their files and hunks. It follows what is accepted and
-- rejected while it is the current one. Accepting and rejecting is done elsewhere.
local highlight = require('sidekicks.highlight')
local host = require('sidekicks.host')
local keys = require('sidekicks.keys')
local notify = require('sidekicks.notify')
local rows_of = require('sidekicks.review.rows')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.review.Shown
---@field id integer of the quickfix list
---@field filter sidekicks.review.Filter
---@field entries sidekicks.review.Entry[]

local title = 'Sidekicks changes'
local most_height = 12
local space = vim.api.nvim_create_namespace('sidekicks.review.list')

---@type sidekicks.review.Shown?
local shown
---@type { buf: integer, give_back: fun() }?
local lent

---@return integer? window of this tab page that shows the quickfix list
local function window()
  local win = vim.fn.getqflist({ winid = 0 }).winid
  return win ~= 0 and win or nil
end

--- Whether our list is the current one.
---@return boolean
local function is_current()
  return shown ~= nil and vim.fn.getqflist({ id = 0 }).id == shown.id
end

--- The lines of our list, as 'quickfixtextfunc' has them.
---@param info { id: integer, start_idx: integer, end_idx: integer }
---@return string[] nothing for one of ours that is not kept up to date any more: it looks like any other
function M.texts(info)
  local lines = {}
  if not shown or (shown.id ~= 0 and shown.id ~= info.id) then
    return lines
  end
  for index = info.start_idx, info.end_idx do
    local one = shown.entries[index]
    table.insert(lines, one and one.text or '')
  end
  return lines
end

---@param rows sidekicks.review.Rows
---@return table
local function what(rows)
  return {
    title = title,
    items = rows.items,
    quickfixtextfunc = "v:lua.require'sidekicks.review.list'.texts",
  }
end

---@param buf integer
local function colour(buf)
  vim.api.nvim_buf_clear_namespace(buf, space, 0, -1)
  if not is_current() or not shown then
    return
  end
  for index, one in ipairs(shown.entries) do
    vim.api.nvim_buf_set_extmark(buf, space, index - 1, 0, { end_col = #one.text, hl_group = 'Normal', strict = false })
    for _, mark in ipairs(one.marks) do
      vim.api.nvim_buf_set_extmark(buf, space, index - 1, mark[1], {
        end_col = mark[2],
        hl_group = highlight.group(mark[3]),
        priority = 5000,
        strict = false,
      })
    end
  end
end

--- The buffer is that of every quickfix list: it has our keys only while it shows ours.
---@param buf integer
local function take_or_give_keys(buf)
  local is_lent = lent ~= nil and lent.buf == buf
  if is_current() and not is_lent then
    lent = { buf = buf, give_back = keys.lend(buf, 'changes') }
  elseif not is_current() and lent and is_lent then
    lent.give_back()
    lent = nil
  end
end

--- Shows the list as it is now in the place of the one before it.
---@param rows sidekicks.review.Rows
local function replace(rows)
  local win = window()
  local cursor = win and vim.api.nvim_win_get_cursor(win)
  local current = shown
  if not current then
    return
  end
  current.entries = rows.entries
  vim.fn.setqflist({}, 'r', vim.tbl_extend('error', what(rows), { id = current.id }))
  if win and cursor then
    local last = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(win))
    vim.api.nvim_win_set_cursor(win, { math.min(cursor[1], last), cursor[2] })
  end
end

--- Brings the list up to date, if it is the current one.
function M.update()
  if not shown or not is_current() then
    return
  end
  local rows = rows_of.listed(shown.filter)
  if #rows.entries == 0 then
    rows = rows_of.nothing()
  end
  if not vim.deep_equal(rows.entries, shown.entries) then
    replace(rows)
  end
end

---@param rows sidekicks.review.Rows
---@param filter sidekicks.review.Filter
local function show(rows, filter)
  if shown and is_current() then
    shown.filter = filter
    replace(rows)
  else
    shown = { id = 0, filter = filter, entries = rows.entries }
    vim.fn.setqflist({}, ' ', what(rows))
    shown.id = vim.fn.getqflist({ id = 0 }).id
  end
  vim.cmd(('botright copen %d'):format(math.min(#rows.entries, most_height)))
  local buf = vim.api.nvim_get_current_buf()
  colour(buf)
  take_or_give_keys(buf)
end

--- Puts the cursor on the first entry that leads somewhere.
---@param rows sidekicks.review.Rows
local function go_to_first(rows)
  for row, item in ipairs(rows.items) do
    if item.valid == 1 then
      return vim.api.nvim_win_set_cursor(0, { row, 0 })
    end
  end
end

--- Opens the list of what waits for a review.
---@param filter? sidekicks.review.Filter
function M.open(filter)
  if not host.running() then
    return notify.info(t('review.nothing'))
  end
  require('sidekicks.review').refresh(function(err)
    if err then
      return notify.error(err.message)
    end
    local rows = rows_of.listed(filter or {})
    if #rows.entries == 0 then
      return notify.info(t('review.nothing'))
    end
    show(rows, filter or {})
    go_to_first(rows)
  end)
end

--- Lists hunks that were not restored, and leaves the person where they are.
---@param refused sidekicks.RefusedHunk[]
function M.show_refused(refused)
  local items = vim.tbl_map(function(hunk)
    return { filename = hunk.path, lnum = hunk.line, text = hunk.reason, type = 'W' }
  end, refused)
  vim.fn.setqflist({}, ' ', { title = t('review.refusedTitle'), items = items })
  local win = vim.api.nvim_get_current_win()
  vim.cmd(('botright copen %d'):format(math.min(#items, most_height)))
  if vim.api.nvim_win_is_valid(win) then
    vim.api.nvim_set_current_win(win)
  end
end

---@param buf integer
---@return boolean
local function is_ours(buf)
  return vim.bo[buf].buftype == 'quickfix' and is_current() and window() == vim.api.nvim_get_current_win()
end

--- The turn of the entry at the cursor.
---@return string?
function M.message_here()
  if is_ours(vim.api.nvim_get_current_buf()) and shown then
    local one = shown.entries[vim.api.nvim_win_get_cursor(0)[1]]
    return one and one.message
  end
end

---@param entries sidekicks.review.Entry[]
---@return fun(message: string, path: string): boolean
local function files_of(entries)
  return function(message, path)
    return vim.iter(entries):any(function(one)
      return not one.hunk and one.message == message and (not one.path or one.path == path)
    end)
  end
end

--- What entries of the list stand for; nil in any other buffer.
---@param buf integer
---@param first integer line from 1
---@param last integer
---@return sidekicks.review.Target[]?
function M.targets(buf, first, last)
  if not is_ours(buf) or not shown then
    return nil
  end
  local chosen = vim.list_slice(shown.entries, first, last)
  local is_whole = files_of(chosen)
  local targets = require('sidekicks.review.targets').files(function(turn, file)
    return is_whole(turn.messageId, file.path)
  end)
  for _, one in ipairs(chosen) do
    if one.hunk and not is_whole(one.message, one.path) then
      table.insert(targets, { message = one.message, path = one.path, hunk = one.hunk, count = 1 })
    end
  end
  return targets
end

--- Goes to what the entry at the cursor stands for: a conflict is opened, a heading leads to its first hunk.
function M.enter()
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local one = shown and shown.entries[row]
  if one and one.conflict then
    return require('sidekicks.review.conflict').open(one.conflict)
  end
  local items = vim.fn.getqflist()
  for index = row, #items do
    if items[index].valid == 1 then
      return vim.cmd(('cc %d'):format(index))
    end
  end
end

--- Moves to the next entry that leads somewhere or the one before, [count] times.
---@param step 1|-1
function M.step(step)
  local items = vim.fn.getqflist()
  local row, left = vim.api.nvim_win_get_cursor(0)[1], vim.v.count1
  local at = row + step
  while left > 0 and items[at] do
    if items[at].valid == 1 then
      row, left = at, left - 1
    end
    at = at + step
  end
  vim.api.nvim_win_set_cursor(0, { row, 0 })
end

vim.api.nvim_create_autocmd('FileType', {
  group = vim.api.nvim_create_augroup('sidekicks.review.list', { clear = true }),
  pattern = 'qf',
  desc = 'Give the list of changes its colours and keys',
  callback = function(event)
    if shown and vim.fn.getqflist({ qfbufnr = 0 }).qfbufnr == event.buf then
      colour(event.buf)
      take_or_give_keys(event.buf)
    end
  end,
})

return M
