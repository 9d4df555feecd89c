-- Where the permission window stands: at the conversation or at the bottom of the screen, never over the line that is
-- being written. Arithmetic on screen rows and columns, which count from 0.
local M = {}

--- Rows `first` to `last`, end excluded.
---@class (exact) sidekicks.permission.Rows
---@field first integer
---@field last integer

---@class (exact) sidekicks.permission.Box
---@field row integer
---@field col integer
---@field width integer within the border
---@field height integer within the border

local border = 2
local widest = 100
local narrowest = 30
local part_of_screen = 0.4

--- The highest the window may be, its border included.
---@param lines integer
---@return integer
local function highest(lines)
  return math.max(math.floor(lines * part_of_screen), border + 1)
end

---@param height integer
---@param bottom integer
---@param screen_bottom integer
---@param avoid? sidekicks.permission.Rows
---@return integer row
---@return integer height
local function beside(height, bottom, screen_bottom, avoid)
  local row = math.max(bottom - height, 0)
  if not avoid or row >= avoid.last or row + height <= avoid.first then
    return row, height
  end
  local above, below = avoid.first, screen_bottom - avoid.last
  if above >= height or above >= below then
    local fitting = math.min(height, above)
    return avoid.first - fitting, fitting
  end
  return avoid.last, math.min(height, below)
end

---@class (exact) sidekicks.permission.Screen
---@field columns integer
---@field lines integer
---@field bottom integer the row after the last that may be covered
---@field window? { row: integer, col: integer, width: integer, height: integer } of the conversation, if it is visible
---@field avoid? sidekicks.permission.Rows the cursor's line

--- The place for so many rows; nil where the screen has no room.
---@param screen sidekicks.permission.Screen
---@param rows_at fun(width: integer): integer rows the content takes at a width
---@return sidekicks.permission.Box?
function M.box(screen, rows_at)
  local at = screen.window
  if at and at.width < narrowest + border then
    at = nil
  end
  local width = math.min((at and at.width or screen.columns) - border, widest)
  local height = math.min(rows_at(width) + border, highest(screen.lines))
  local bottom = math.min(at and at.row + at.height or screen.bottom, screen.bottom)
  local row, fitting = beside(height, bottom, screen.bottom, screen.avoid)
  if fitting <= border or width < 1 then
    return nil
  end
  return { row = row, col = at and at.col or 0, width = width, height = fitting - border }
end

return M
