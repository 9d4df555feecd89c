-- Keeps what windows show of a buffer still while its lines change, or at its end. Knows nothing of what the lines mean.
local M = {}

---@class (exact) sidekicks.viewport.Window
---@field win integer
---@field view vim.fn.winsaveview.ret
---@field at_end boolean

--- Rows `from` to `to` (from 0, end excluded) became `count` rows; in the coordinates of its own moment.
---@class (exact) sidekicks.viewport.Change
---@field from integer
---@field to integer
---@field count integer

---@param win integer
---@return boolean
local function is_selecting(win)
  return win == vim.api.nvim_get_current_win() and vim.api.nvim_get_mode().mode:find('^[vVsS\22\19]') ~= nil
end

--- The cursor is on the last line, or somebody looks at the end from another window.
---@param win integer
---@return boolean
function M.is_at_end(win)
  local last = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(win))
  if is_selecting(win) then
    return false
  end
  if vim.api.nvim_win_get_cursor(win)[1] == last then
    return true
  end
  return win ~= vim.api.nvim_get_current_win() and vim.fn.line('w$', win) >= last
end

---@param win integer
---@return vim.fn.winsaveview.ret
local function view_of(win)
  if win == vim.api.nvim_get_current_win() then
    return vim.fn.winsaveview()
  end
  return vim.api.nvim_win_call(win, vim.fn.winsaveview)
end

--- What each window on the buffer shows now.
---@param buf integer
---@return sidekicks.viewport.Window[]
function M.capture(buf)
  return vim.tbl_map(function(win)
    return { win = win, view = view_of(win), at_end = M.is_at_end(win) }
  end, vim.fn.win_findbuf(buf))
end

--- Where a row is after the changes; one that was replaced stays where it stood.
---@param row integer
---@param changes sidekicks.viewport.Change[]
---@return integer
function M.moved(row, changes)
  for _, change in ipairs(changes) do
    if row >= change.to then
      row = row + change.count - (change.to - change.from)
    elseif row >= change.from then
      row = math.max(change.from, math.min(row, change.from + change.count - 1))
    end
  end
  return row
end

--- Puts back what the window showed. A view that Neovim itself kept is left alone, as restoring costs a redraw.
---@param window sidekicks.viewport.Window
---@param changes sidekicks.viewport.Change[]
function M.hold(window, changes)
  if not vim.api.nvim_win_is_valid(window.win) then
    return
  end
  local before, now = window.view, view_of(window.win)
  local wanted = {
    topline = M.moved(before.topline - 1, changes) + 1,
    lnum = M.moved(before.lnum - 1, changes) + 1,
    topfill = before.topfill,
    leftcol = before.leftcol,
    skipcol = before.skipcol,
  }
  for field, value in pairs(wanted) do
    if now[field] ~= value then
      wanted.col, wanted.coladd, wanted.curswant = before.col, before.coladd, before.curswant
      return vim.api.nvim_win_call(window.win, function()
        vim.fn.winrestview(wanted)
      end)
    end
  end
end

--- Keeps the first row on the screen where it is; the cursor is left to Neovim, which knows what changed within lines.
---@param window sidekicks.viewport.Window
---@param changes sidekicks.viewport.Change[]
function M.hold_top(window, changes)
  if not vim.api.nvim_win_is_valid(window.win) then
    return
  end
  local topline = M.moved(window.view.topline - 1, changes) + 1
  if view_of(window.win).topline ~= topline then
    vim.api.nvim_win_call(window.win, function()
      vim.fn.winrestview({ topline = topline })
    end)
  end
end

--- Windows of other tab pages that went to the end unseen: Neovim scrolls only what is on the screen.
---@type table<integer, true>
local unseen = {}

---@param win integer
---@return boolean
local function is_here(win)
  return vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage()
end

---@param win integer
local function to_foot(win)
  if vim.api.nvim_win_is_valid(win) then
    vim.api.nvim_win_call(win, function()
      vim.cmd('normal! zb')
    end)
  end
end

--- Shows the end of the buffer, however its last line is wrapped.
---@param win integer
function M.show_end(win)
  if not vim.api.nvim_win_is_valid(win) then
    return
  end
  unseen[win] = not is_here(win) or nil
  local buf = vim.api.nvim_win_get_buf(win)
  local last = vim.api.nvim_buf_line_count(buf)
  local line = vim.api.nvim_buf_get_lines(buf, last - 1, last, false)[1]
  vim.api.nvim_win_set_cursor(win, { last, #line })
end

--- Whether some window shows the end of the buffer and goes on to.
---@param buf integer
---@return boolean
function M.follows_end(buf)
  return vim.iter(M.capture(buf)):any(function(window)
    return window.at_end
  end)
end

--- Shows the end of the buffer, at the foot of the window once the windows around it are in their places: Neovim itself
--- keeps the cursor where it stood in a window of another height, and leaves room below.
---@param win integer
function M.return_to_end(win)
  M.show_end(win)
  vim.schedule(function()
    to_foot(win)
  end)
end

--- Windows that went to the end while their tab page was away, and are there still.
local function show_unseen()
  for win in pairs(unseen) do
    local is_valid = vim.api.nvim_win_is_valid(win)
    if not is_valid or is_here(win) then
      unseen[win] = nil
    end
    if is_valid and is_here(win) and M.is_at_end(win) then
      to_foot(win)
    end
  end
end

vim.api.nvim_create_autocmd('TabEnter', {
  group = vim.api.nvim_create_augroup('sidekicks.viewport', { clear = true }),
  desc = 'Show the end that a conversation reached while its tab page was away',
  callback = show_unseen,
})

return M
