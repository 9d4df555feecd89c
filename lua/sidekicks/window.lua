-- The windows of a conversation: where they open, how they look, how they hide. Knows buffers by number only.
local looks = require('sidekicks.window.looks')
local options = require('sidekicks.options')
local viewport = require('sidekicks.viewport')

local M = {
  dress = looks.dress,
}

---@class (exact) sidekicks.OpenOptions
---@field position? sidekicks.Position
---@field size? number
---@field insert? boolean begin to type at once

local input_height = 6
local smallest = 20
-- What conversations side by side take of the screen at most.
local shared_part = 0.7

--- The first window of this tab page that shows the buffer.
---@param buf integer
---@return integer?
function M.of(buf)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(win) == buf then
      return win
    end
  end
end

---@param size number
---@param whole integer
---@return integer
local function cells(size, whole)
  local wanted = size < 1 and math.floor(size * whole) or math.floor(size)
  return math.max(math.min(wanted, whole - smallest), math.min(smallest, whole))
end

---@param buf integer
---@param split 'right'|'left'|'below'
---@param extent vim.api.keyset.win_config
---@return integer
local function open_edge(buf, split, extent)
  return vim.api.nvim_open_win(buf, true, vim.tbl_extend('error', { split = split, win = -1 }, extent))
end

---@param size number
---@return { row: integer, col: integer, width: integer, height: integer }
local function float_frame(size)
  local width = cells(math.max(size, 0.8), vim.o.columns)
  local height = math.max(math.floor((vim.o.lines - 2) * 0.85), 12)
  return {
    row = math.max(math.floor((vim.o.lines - height) / 2) - 1, 0),
    col = math.floor((vim.o.columns - width) / 2),
    width = width,
    height = height,
  }
end

---@type table<sidekicks.Position, fun(buf: integer, size: number): integer>
local open_at = {
  right = function(buf, size)
    return open_edge(buf, 'right', { width = cells(size, vim.o.columns) })
  end,
  left = function(buf, size)
    return open_edge(buf, 'left', { width = cells(size, vim.o.columns) })
  end,
  bottom = function(buf, size)
    return open_edge(buf, 'below', { height = cells(size, vim.o.lines - 2) })
  end,
  tab = function(buf)
    vim.cmd.sbuffer({ args = { tostring(buf) }, mods = { tab = vim.fn.tabpagenr() } })
    return vim.api.nvim_get_current_win()
  end,
  current = function(buf)
    vim.api.nvim_win_set_buf(0, buf)
    return vim.api.nvim_get_current_win()
  end,
  float = function(buf, size)
    local frame = float_frame(size)
    return vim.api.nvim_open_win(buf, true, {
      relative = 'editor',
      border = 'rounded',
      row = frame.row,
      col = frame.col,
      width = frame.width - 2,
      height = frame.height - input_height - 4,
    })
  end,
}

--- How high an input is in so many rows.
---@param rows integer
---@return integer
local function height_of_input(rows)
  return math.min(input_height, math.max(math.floor(rows / 3), 1))
end

--- The input is left of a conversation whose transcript was wiped: that comes back above it.
---@param transcript integer
---@param input_win integer
---@return integer win
local function open_above(transcript, input_win)
  local rows = vim.api.nvim_win_get_height(input_win)
  local win = vim.api.nvim_open_win(transcript, true, { split = 'above', win = input_win })
  vim.api.nvim_win_set_height(input_win, height_of_input(rows))
  return win
end

---@param transcript_win integer
---@param input integer
---@return integer
local function open_input(transcript_win, input)
  local config = vim.api.nvim_win_get_config(transcript_win)
  if config.relative ~= '' then
    config.row = config.row + config.height + 2
    config.height = input_height
    return vim.api.nvim_open_win(input, true, config)
  end
  local height = height_of_input(vim.api.nvim_win_get_height(transcript_win))
  local is_at_end = viewport.is_at_end(transcript_win)
  local win = vim.api.nvim_open_win(input, true, { split = 'below', win = transcript_win, height = height })
  if is_at_end then
    viewport.return_to_end(transcript_win)
  end
  return win
end

---@return integer[] from left to right
local function fixed_transcripts()
  return vim.tbl_filter(function(win)
    local ours = vim.b[vim.api.nvim_win_get_buf(win)].sidekicks
    return ours and ours.kind == 'transcript' and vim.wo[win].winfixwidth
  end, vim.api.nvim_tabpage_list_wins(0))
end

--- Conversations side by side share the room, so that none is squeezed and the code beside them keeps some.
---@param size number
---@param position sidekicks.Position
local function share_width(size, position)
  local wins = fixed_transcripts()
  if #wins < 2 then
    return
  end
  local width = math.min(cells(size, vim.o.columns), math.floor(vim.o.columns * shared_part / #wins))
  for _, win in ipairs(wins) do
    vim.wo[win][0].winfixwidth = false
  end
  -- A window that grows takes from its right: at the right edge the last one takes all for them, and they from it.
  if position == 'right' then
    vim.api.nvim_win_set_width(wins[#wins], width * #wins)
  end
  for _, win in ipairs(wins) do
    vim.api.nvim_win_set_width(win, width)
  end
  for _, win in ipairs(wins) do
    vim.wo[win][0].winfixwidth = true
  end
end

--- Shows a conversation in this tab page, where it is already or at the place the options say, and goes to its input.
---@param transcript integer
---@param input integer
---@param opts? sidekicks.OpenOptions
function M.open(transcript, input, opts)
  opts = opts or {}
  local wanted = options.get().window
  local win = M.of(transcript)
  if not win then
    local position = opts.position or wanted.position
    local input_win = M.of(input)
    local is_beside = input_win and vim.api.nvim_win_get_config(input_win).relative == ''
    win = is_beside and open_above(transcript, input_win) or open_at[position](transcript, opts.size or wanted.size)
    vim.wo[win][0].winfixwidth = position == 'right' or position == 'left'
    share_width(opts.size or wanted.size, position)
  end
  local input_win = M.of(input) or open_input(win, input)
  vim.api.nvim_set_current_win(input_win)
  if opts.insert then
    vim.cmd.startinsert({ bang = true })
  end
end

--- Shows one buffer of ours in a window of its own; each gives the window.
M.open_at = open_at

--- The last window of all cannot close: it shows something else instead.
---@param win integer
local function leave(win)
  local alternate = vim.fn.bufnr('#')
  if alternate > 0 and vim.bo[alternate].buflisted then
    vim.api.nvim_win_set_buf(win, alternate)
  else
    vim.api.nvim_win_call(win, function()
      vim.cmd.enew()
    end)
  end
end

--- Closes every window of this tab page that shows one of the buffers. It ends nothing but the view.
---@param bufs table<any, integer>
---@return boolean closed at least one
function M.hide(bufs)
  local closed = false
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_is_valid(win) and vim.tbl_contains(bufs, vim.api.nvim_win_get_buf(win)) then
      closed = true
      if #vim.api.nvim_list_tabpages() == 1 and #vim.api.nvim_tabpage_list_wins(0) == 1 then
        leave(win)
      else
        vim.api.nvim_win_close(win, false)
      end
    end
  end
  return closed
end

--- A file that is reached through a container is a person's own, though its buffer is one of ours.
---@param win integer
---@return boolean
local function is_ours(win)
  local ours = vim.b[vim.api.nvim_win_get_buf(win)].sidekicks
  return ours ~= nil and ours.kind ~= 'file'
end

--- The window a person was in last that is not ours: this one, the one before it, else the one whose buffer was used last.
---@return integer?
function M.of_person()
  local wins = { vim.api.nvim_get_current_win(), vim.fn.win_getid(vim.fn.winnr('#')) }
  local others = vim.fn.getwininfo()
  table.sort(others, function(a, b)
    local used_a, used_b = vim.fn.getbufinfo(a.bufnr)[1].lastused, vim.fn.getbufinfo(b.bufnr)[1].lastused
    return used_a > used_b or (used_a == used_b and a.winid < b.winid)
  end)
  vim.list_extend(
    wins,
    vim.tbl_map(function(info)
      return info.winid
    end, others)
  )
  for _, win in ipairs(wins) do
    if win ~= 0 and vim.api.nvim_win_get_config(win).relative == '' and not is_ours(win) then
      local buf = vim.api.nvim_win_get_buf(win)
      if vim.bo[buf].buftype == '' or vim.bo[buf].buftype == 'help' then
        return win
      end
    end
  end
end

--- The window to show a file in: the last one that is not ours, else a new one beside.
---@return integer
function M.for_file()
  local wins = { vim.fn.win_getid(vim.fn.winnr('#')) }
  vim.list_extend(wins, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(wins) do
    if win ~= 0 and vim.api.nvim_win_get_config(win).relative == '' then
      local buf = vim.api.nvim_win_get_buf(win)
      if not is_ours(win) and vim.bo[buf].buftype == '' then
        return win
      end
    end
  end
  local opposite = options.get().window.position == 'left' and 'right' or 'left'
  return vim.api.nvim_open_win(vim.api.nvim_create_buf(true, false), false, { split = opposite, win = -1 })
end

return M
