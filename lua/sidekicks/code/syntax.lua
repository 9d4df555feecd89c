-- Colours lines by the syntax file of their language, a little at a time, in a hidden buffer that no window ever shows.
local M = {}

-- Code has no such columns; what has is data.
local last_column = 1000

---@type table<string, integer>
local buffers = {}
---@type table<integer, string>
local names = {}

--- The buffer of a filetype, kept because reading a syntax file takes milliseconds.
---@param filetype string
---@return integer
local function buffer_of(filetype)
  local buf = buffers[filetype]
  if not buf or not vim.api.nvim_buf_is_valid(buf) then
    buf = vim.api.nvim_create_buf(false, true)
    vim.bo[buf].bufhidden = 'hide'
    vim.bo[buf].undolevels = -1
    buffers[filetype] = buf
    -- Syntax files try things that fail in silence; that is no error of anybody's. Nor is a <C-c> that falls on one.
    local last_error = vim.v.errmsg
    vim.api.nvim_buf_call(buf, function()
      pcall(vim.cmd, { cmd = 'setlocal', args = { 'syntax=' .. filetype }, mods = { emsg_silent = true } })
    end)
    vim.v.errmsg = last_error
  end
  return buf
end

---@param id integer
---@return string
local function name_of(id)
  names[id] = names[id] or vim.fn.synIDattr(id, 'name')
  return names[id]
end

--- Marks the runs of one line that have a group.
---@param row integer
---@param line string
---@param mark sidekicks.code.Mark
local function paint_line(row, line, mark)
  local last, start = 0, 1
  for column = 1, math.min(#line, last_column) + 1 do
    local id = column <= #line and column <= last_column and vim.fn.synID(row + 1, column, 1) or 0
    if id ~= last then
      if last ~= 0 then
        mark(row, start - 1, row, column - 1, name_of(last))
      end
      last, start = id, column
    end
  end
end

---@param filetype string one that has a syntax file
---@param lines string[]
---@return sidekicks.code.Painter
function M.painter(filetype, lines)
  local buf = buffer_of(filetype)
  -- Interrupted: the next block of this language reads it again.
  if vim.b[buf].current_syntax == nil then
    buffers[filetype] = nil
    vim.api.nvim_buf_delete(buf, { force = true })
    buf = vim.api.nvim_create_buf(false, true)
  end
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local row = 0
  return function(deadline, mark)
    vim.api.nvim_buf_call(buf, function()
      while row < #lines do
        paint_line(row, lines[row + 1], mark)
        row = row + 1
        if vim.uv.hrtime() > deadline then
          return
        end
      end
    end)
    if row < #lines then
      return false
    end
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, {})
    return true
  end
end

return M
