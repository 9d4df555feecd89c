-- The floating window of one permission request or question: its buffer, its frame, its place. It decides nothing about requests and
-- never enters itself.
local highlight = require('sidekicks.highlight')
local place = require('sidekicks.permission.place')
local plain = require('sidekicks.plain')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

local namespace = vim.api.nvim_create_namespace('sidekicks.permission')
local z_index = 60
local look = 'Normal:SidekicksPermission,NormalFloat:SidekicksPermission,FloatBorder:SidekicksPermissionBorder'

--- Of the request that is drawn.
---@type { id: string, buf: integer, win?: integer, page: string, revision: integer, options: table<integer, any> }?
local drawn
--- The window that had the focus before ours.
---@type integer?
local came_from

---@param win? integer
---@return boolean
local function is_valid(win)
  return win ~= nil and vim.api.nvim_win_is_valid(win)
end

--- The id of the request that is drawn.
---@return string?
function M.request()
  return drawn and drawn.id
end

---@return boolean
function M.is_open()
  return drawn ~= nil and is_valid(drawn.win)
end

--- Whether a window is ours.
---@param win? integer
---@return boolean
function M.is(win)
  return drawn ~= nil and win ~= nil and drawn.win == win
end

--- What the row under the cursor stands for.
---@return any
function M.option_at_cursor()
  return drawn and M.is_open() and drawn.options[vim.api.nvim_win_get_cursor(drawn.win)[1]] or nil
end

--- Neovim draws no window while a command line is written, unless told to.
local function redraw_behind_command_line()
  if vim.api.nvim_get_mode().mode:sub(1, 1) == 'c' then
    vim.cmd.redraw()
  end
end

--- Closes the window and gives the focus back, if it had it.
function M.close()
  local old = drawn
  if not old then
    return
  end
  drawn = nil
  local had_focus = old.win == vim.api.nvim_get_current_win()
  if is_valid(old.win) then
    vim.api.nvim_win_close(old.win, true)
  end
  vim.api.nvim_buf_delete(old.buf, { force = true })
  if had_focus and is_valid(came_from) then
    vim.api.nvim_set_current_win(came_from)
  end
  redraw_behind_command_line()
end

--- Goes to the window.
function M.enter()
  if M.is_open() and not M.is(vim.api.nvim_get_current_win()) then
    came_from = vim.api.nvim_get_current_win()
    vim.api.nvim_set_current_win(drawn.win)
  end
end

---@param conversation string
---@return { row: integer, col: integer, width: integer, height: integer }?
local function conversation_window(conversation)
  local known = state.conversation(conversation)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if known and vim.api.nvim_win_get_buf(win) == known.buf then
      local at = vim.fn.getwininfo(win)[1]
      return { row = at.winrow - 1 + at.winbar, col = at.wincol - 1, width = at.width, height = at.height }
    end
  end
end

--- The screen rows of the line that the cursor is in, unless it is in our own window.
---@return sidekicks.permission.Rows?
local function cursor_rows()
  local win = vim.api.nvim_get_current_win()
  local line = vim.api.nvim_win_get_cursor(win)[1]
  local at = vim.fn.screenpos(win, line, vim.fn.col('.'))
  if M.is(win) or at.row == 0 then
    return nil
  end
  local start, stop = vim.fn.screenpos(win, line, 1), vim.fn.screenpos(win, line, vim.fn.col('$'))
  return { first = (start.row > 0 and start.row or at.row) - 1, last = stop.row > 0 and stop.row or at.row }
end

---@param rows string[]
---@param width integer
---@return integer
local function height_of(rows, width)
  local height = 0
  for _, row in ipairs(rows) do
    local as_drawn = row:gsub('\t', (' '):rep(8)):gsub('%c', '^@')
    height = height + math.max(math.ceil(vim.api.nvim_strwidth(as_drawn) / width), 1)
  end
  return height
end

---@param request sidekicks.permission.Request
---@param rows string[]
---@return sidekicks.permission.Box?
local function box_for(request, rows)
  ---@type sidekicks.permission.Screen
  local screen = {
    columns = vim.o.columns,
    lines = vim.o.lines,
    bottom = vim.o.lines - vim.o.cmdheight - (vim.o.laststatus > 0 and 1 or 0),
    window = conversation_window(request.channel),
    avoid = cursor_rows(),
  }
  return place.box(screen, function(width)
    return height_of(rows, width)
  end)
end

--- How to get here from where the person is; "" where they are here.
---@return string
local function way_here()
  if M.is(vim.api.nvim_get_current_win()) then
    return ''
  end
  local ours = vim.b.sidekicks
  return ours and ours.conversation ~= '' and 'gp' or ':Sidekicks permit'
end

--- The keys, the first ones where there is no room for all.
---@param keys string
---@param room integer cells
---@return string
local function keys_line(keys, room)
  local way = way_here()
  local line = way == '' and keys or t('permission.way', { way = way, keys = keys })
  while vim.fn.strdisplaywidth(line) > room and line:find(' · ', 1, true) do
    line = line:match('^(.*) · ')
  end
  return line
end

---@param what sidekicks.permission.Content
---@param index integer
---@param count integer
---@param width integer
---@return vim.api.keyset.win_config
local function frame(what, index, count, width)
  local title = what.title
  if count > 1 then
    title = ('%s (%s)'):format(title, t('permission.count', { index = index, count = count }))
  end
  return {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    zindex = z_index,
    title = { { (' %s '):format(plain.row(title)), highlight.group('permission.title') } },
    footer = { { (' %s '):format(keys_line(what.keys, width - 2)), highlight.group('permission.border') } },
  }
end

---@param buf integer
---@param what sidekicks.permission.Content
local function fill(buf, what)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, what.rows)
  for row, role in pairs(what.roles) do
    local opts = { end_col = #what.rows[row], hl_group = highlight.group(role) }
    vim.api.nvim_buf_set_extmark(buf, namespace, row - 1, 0, opts)
  end
  vim.bo[buf].modifiable = false
end

---@param map_keys fun(buf: integer)
---@return integer
local function new_buffer(map_keys)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'hide'
  vim.bo[buf].undolevels = -1
  map_keys(buf)
  vim.bo[buf].filetype = 'sidekicks-permission'
  return buf
end

---@param win integer
---@return boolean
local function is_here(win)
  return is_valid(win) and vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage()
end

--- Opens the window, moves it, or takes it to this tab page.
---@param config vim.api.keyset.win_config
local function put(config)
  if is_here(drawn.win) then
    return vim.api.nvim_win_set_config(drawn.win, config)
  end
  local elsewhere = drawn.win
  drawn.win = vim.api.nvim_open_win(drawn.buf, false, vim.tbl_extend('force', config, { noautocmd = true }))
  vim.wo[drawn.win][0].wrap = true
  vim.wo[drawn.win][0].linebreak = true
  vim.wo[drawn.win][0].winhighlight = look
  if is_valid(elsewhere) then
    vim.api.nvim_win_close(elsewhere, true)
  end
end

--- Draws a request, or moves what is drawn of it to where it should be. Does nothing where the screen has no room.
---@param request sidekicks.permission.Request
---@param what sidekicks.permission.Content
---@param index integer
---@param count integer how many wait
---@param map_keys fun(buf: integer)
function M.draw(request, what, index, count, map_keys)
  local box = box_for(request, what.rows)
  if not box then
    return
  end
  drawn = drawn or { id = '', buf = new_buffer(map_keys), page = '', revision = 0, options = {} }
  local is_other = drawn.page ~= what.page
  if is_other or drawn.revision ~= what.revision then
    fill(drawn.buf, what)
    drawn.id, drawn.page, drawn.revision, drawn.options = request.id, what.page, what.revision, what.options
  end
  put(vim.tbl_extend('error', frame(what, index, count, box.width), box))
  if is_other then
    vim.api.nvim_win_set_cursor(drawn.win, { what.cursor or 1, 0 })
  end
  redraw_behind_command_line()
end

return M
