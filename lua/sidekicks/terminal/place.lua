-- Where a terminal's window opens: where the options say, sharing the room with what stands there. Knows buffers by number only.
local options = require('sidekicks.options')
local window = require('sidekicks.window')

local M = {}

-- What a terminal below a conversation takes of the screen, and its lines at least.
local part_below = 0.3
local lines_below = 8
-- A window that takes so much of the screen is split side by side.
local wide = 0.6

--- A window of this tab page that shows a buffer of a kind.
---@param kind sidekicks.Kind
---@return integer?
local function showing(kind)
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(win)
    local ours = vim.b[vim.api.nvim_win_get_buf(win)].sidekicks
    return ours ~= nil and ours.kind == kind and vim.api.nvim_win_get_config(win).relative == ''
  end)
end

---@param buf integer
---@return integer win
local function open(buf)
  local wanted, other = options.get().window, showing('terminal')
  local is_beside = wanted.position == 'right' or wanted.position == 'left'
  if other and (is_beside or wanted.position == 'bottom') then
    local is_wide = vim.api.nvim_win_get_width(other) > vim.o.columns * wide
    return vim.api.nvim_open_win(buf, true, { split = is_wide and 'right' or 'below', win = other })
  elseif is_beside and showing('transcript') then
    local height = math.max(math.floor(vim.o.lines * part_below), lines_below)
    return vim.api.nvim_open_win(buf, true, { split = 'below', win = -1, height = height })
  end
  return window.open_at[wanted.position](buf, wanted.size)
end

--- Goes to where this tab page shows the buffer, else opens a window for it.
---@param buf integer
function M.show(buf)
  local win = window.of(buf)
  if win then
    vim.api.nvim_set_current_win(win)
  else
    window.dress(open(buf), 'terminal')
  end
end

--- Shows a buffer in the place of another one, where that is to be seen.
---@param buf integer
---@param other? integer
function M.show_instead(buf, other)
  local win = other and vim.api.nvim_buf_is_valid(other) and window.of(other)
  if not win then
    return M.show(buf)
  end
  vim.api.nvim_set_current_win(win)
  vim.api.nvim_win_set_buf(win, buf)
end

return M
