-- The windows of a conflict side by side, and what is carried from one to another. It resolves nothing.
local buffer_texts = require('sidekicks.edits.text')
local keys = require('sidekicks.keys')
local notify = require('sidekicks.notify')
local paths = require('sidekicks.edits.paths')
local t = require('sidekicks.language').t

local M = {}

--- A conflict as the host tells it.
---@class (exact) sidekicks.review.Conflict
---@field path string
---@field agent string
---@field base string
---@field mine string
---@field theirs string
---@field onDisk boolean the texts stand in buffer and file alone

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
function M.fill(buf, text)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines_of(text))
  vim.bo[buf].modifiable = false
end

--- Shows the file as the buffer would hold it.
---@param buf integer
---@param real integer
local function fill_from_disk(buf, real)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, {})
  vim.api.nvim_buf_call(buf, function()
    local encoding = vim.bo[real].fileencoding ~= '' and vim.bo[real].fileencoding or vim.o.encoding
    local name = vim.fn.fnameescape(vim.api.nvim_buf_get_name(real))
    local read = 'silent keepalt noautocmd 0read ++enc=%s ++ff=%s %s'
    vim.cmd(read:format(encoding, vim.bo[real].fileformat, name))
  end)
  vim.api.nvim_buf_set_lines(buf, -2, -1, false, {})
  vim.bo[buf].modifiable = false
end

--- What the agent wants, beside the real buffer.
---@param buf integer
---@param real integer
---@param conflict sidekicks.review.Conflict
function M.fill_theirs(buf, real, conflict)
  if conflict.onDisk then
    fill_from_disk(buf, real)
  elseif not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, 0, -1, false), lines_of(conflict.theirs)) then
    M.fill(buf, conflict.theirs)
  end
end

---@param filetype string
---@return integer
local function scratch(filetype)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.b[buf].sidekicks = { conversation = '', kind = 'conflict' }
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].filetype = filetype
  keys.map(buf, 'conflict')
  return buf
end

---@param win integer
---@param words string
function M.name_side(win, words)
  vim.wo[win][0].winbar = ' %#SidekicksHeading#' .. words:gsub('%%', '%%%%') .. '%*%<'
end

--- The buffer of the file. Where none was loaded any more, the text the person had then is brought back into it.
---@param conflict sidekicks.review.Conflict
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
  if mine and not conflict.onDisk and buffer_texts.of(buf) ~= conflict.mine then
    require('sidekicks.edits.apply').lines(buf, mine)
    notify.info(t('review.mineBack', { path = vim.fn.fnamemodify(conflict.path, ':~:.') }))
  end
  return buf
end

---@param win integer
---@param side 'left'|'right'
---@param filetype string
---@return integer win
---@return integer buf
local function open_beside(win, side, filetype)
  local buf = scratch(filetype)
  return vim.api.nvim_open_win(buf, false, { split = side, win = win }), buf
end

---@param wins integer[]
local function compare(wins)
  for _, win in ipairs(wins) do
    vim.api.nvim_win_call(win, function()
      vim.cmd.diffthis()
    end)
  end
  vim.cmd('wincmd =')
end

--- The real buffer, with what the agent started from on its left, if that is known, and what it wants on its right.
---@param conflict sidekicks.review.Conflict
---@return { tab: integer, buf: integer, base?: integer, theirs: integer }
function M.lay_out(conflict)
  local buf = real_buffer(conflict)
  vim.cmd('tab split')
  vim.api.nvim_win_set_buf(0, buf)
  local mid, filetype = vim.api.nvim_get_current_win(), vim.bo[buf].filetype
  local right, theirs = open_beside(mid, 'right', filetype)
  M.fill_theirs(theirs, buf, conflict)
  M.name_side(mid, t('review.sideMine', { file = vim.fs.basename(conflict.path) }))
  M.name_side(right, t(conflict.onDisk and 'review.sideOnDisk' or 'review.sideTheirs', { agent = conflict.agent }))
  local wins, base = { mid, right }, nil
  if not conflict.onDisk then
    wins[3], base = open_beside(mid, 'left', filetype)
    M.fill(base, conflict.base)
    M.name_side(wins[3], t('review.sideBase', { agent = conflict.agent }))
  end
  compare(wins)
  return { tab = vim.api.nvim_get_current_tabpage(), buf = buf, base = base, theirs = theirs }
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
---@param buf integer of your text
---@param side integer
---@param at 1|3 where the cursor's line stands in a change: in your text, or in the side's
function M.carry(buf, side, at)
  local line = vim.api.nvim_win_get_cursor(0)[1]
  for _, change in ipairs(changes(buf, side)) do
    local first, count = change[at], change[at + 1]
    -- Where a text lacks the lines, the change lies between the one above and the one below.
    if line >= first and line <= first + math.max(count - 1, count == 0 and 1 or 0) then
      local start = change[2] == 0 and change[1] or change[1] - 1
      local lines = vim.list_slice(lines_in(side), change[3], change[3] + change[4] - 1)
      vim.api.nvim_buf_set_lines(buf, start, start + change[2], false, lines)
      vim.cmd.diffupdate()
      return
    end
  end
  notify.info(t('review.noChangeHere'))
end

return M
