-- Windows of our own that float in the middle of the screen. Knows nothing of what they show.
local plain = require('sidekicks.plain')

local M = {}

---@class (exact) sidekicks.Float
---@field width integer
---@field height integer
---@field title string

--- Opens a buffer in such a window and goes there.
---@param buf integer
---@param float sidekicks.Float
---@return integer win
function M.open(buf, float)
  local win = vim.api.nvim_open_win(buf, true, {
    relative = 'editor',
    row = math.max(math.floor((vim.o.lines - float.height) / 2) - 1, 0),
    col = math.max(math.floor((vim.o.columns - float.width) / 2) - 1, 0),
    width = float.width,
    height = float.height,
    border = 'rounded',
    style = 'minimal',
    -- Neovim passes the control characters of a title on to the terminal.
    title = (' %s '):format(vim.fn.strcharpart(plain.row(float.title), 0, math.max(float.width - 4, 0))),
  })
  vim.wo[win][0].wrap = true
  vim.wo[win][0].linebreak = true
  return win
end

--- Cells of the widest line.
---@param lines string[]
---@return integer
function M.width_of(lines)
  local width = 1
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return width
end

return M
