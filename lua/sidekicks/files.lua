-- The files of a workspace as buffers, one a folder: drawn again after each change for as long as somebody sees them.
-- What their keys do stands in files/act.lua.
local follow = require('sidekicks.files.follow')
local host = require('sidekicks.host')
local language = require('sidekicks.language')
local rows = require('sidekicks.files.rows')
local state = require('sidekicks.state')
local t = language.t

local M = {}

---@class sidekicks.files.Shown
---@field agent string
---@field dir string
---@field entries? sidekicks.WorkspaceEntry[] nil until the host has told
---@field failure? string why they cannot be shown
---@field location string where they are, in words; "" until the host has told
---@field targets sidekicks.files.Target[] by row
---@field language string it was drawn in
---@field focus? string path of the entry the cursor goes to when it is drawn
---@field asking boolean
---@field again boolean there was news since it was asked
---@field remove fun()

local namespace = vim.api.nvim_create_namespace('sidekicks.files')
local group = vim.api.nvim_create_augroup('sidekicks.files', { clear = true })

---@type table<integer, sidekicks.files.Shown>
local shown = {}

---@param buf integer
---@param drawing sidekicks.files.Drawing
local function write(buf, drawing)
  require('sidekicks.rows').write(buf, namespace, drawing.rows)
  for _, mark in ipairs(drawing.marks) do
    vim.api.nvim_buf_set_extmark(buf, namespace, mark.row, 0, mark.opts)
  end
end

---@param targets sidekicks.files.Target[]
---@param path? string
---@return integer?
local function row_of(targets, path)
  for row, target in ipairs(targets) do
    if path and target.path == path then
      return row
    end
  end
end

--- Each window keeps its cursor on what it is on, and its first line as far above.
---@param known sidekicks.files.Shown
---@param views table<integer, vim.fn.winsaveview.ret>
---@param after sidekicks.files.Target[]
local function put_back(known, views, after)
  local found = row_of(after, known.focus)
  for win, seen in pairs(views) do
    local on = known.targets[seen.lnum]
    local row = found or row_of(after, on and on.path) or math.min(seen.lnum, math.max(#after, 1))
    seen.topline = seen.topline == 1 and 1 or math.max(seen.topline + row - seen.lnum, 1)
    seen.lnum = row
    vim.api.nvim_win_call(win, function()
      vim.fn.winrestview(seen)
    end)
  end
  known.focus = not found and known.focus or nil
end

---@param buf integer
local function draw(buf)
  local known = shown[buf]
  if not known or not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local views = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    views[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  end
  local drawing = rows.draw(known)
  write(buf, drawing)
  put_back(known, views, drawing.targets)
  known.targets, known.language = drawing.targets, language.current()
end

--- Asks for the files anew: one question is on its way at any time, and one more follows it if there was news meanwhile.
---@param buf integer
function M.refresh(buf)
  local known = shown[buf]
  if not known or known.asking then
    if known then
      known.again = true
    end
    return
  end
  known.asking, known.again = true, false
  host.request('WorkspaceService.List', { agent = known.agent, dir = known.dir }, function(err, result)
    if shown[buf] ~= known then
      return
    end
    known.asking = false
    local entries, failure = result and result.entries, err and err.message
    if failure ~= known.failure or not vim.deep_equal(entries, known.entries) then
      known.entries, known.failure = entries, failure
      draw(buf)
    end
    if known.again then
      M.refresh(buf)
    end
  end)
end

---@param buf integer
local function ask_location(buf)
  local known = shown[buf]
  host.request('WorkspaceService.Info', { agent = known.agent }, function(_, info)
    if shown[buf] == known and info then
      known.location = info.location
      vim.api.nvim__redraw({ buf = buf, winbar = true })
    end
  end)
end

---@param buf integer
local function detach(buf)
  if shown[buf] then
    shown[buf].remove()
    shown[buf] = nil
  end
end

---@param buf integer
---@param agent string
---@return fun() remove
local function listen(buf, agent)
  local removes = {
    follow.attach(buf, agent, function()
      M.refresh(buf)
    end),
    state.on_change(function(conversation)
      local known = shown[buf]
      if not conversation and known and known.language ~= language.current() then
        draw(buf)
      end
    end),
    host.on('config:changed', function()
      ask_location(buf)
      M.refresh(buf)
    end),
  }
  return function()
    for _, remove in ipairs(removes) do
      remove()
    end
  end
end

--- Fills the buffer and keeps it up to date for as long as it is loaded.
---@param buf integer
---@param address sidekicks.FilesAddress
function M.attach(buf, address)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local focus = shown[buf] and shown[buf].focus
  detach(buf)
  local known = { agent = address.agent, dir = address.path, location = '', targets = {}, language = '', focus = focus }
  shown[buf] = vim.tbl_extend('error', known, { asking = false, again = false, remove = listen(buf, address.agent) })
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buf,
    once = true,
    desc = 'Let go of files whose buffer is gone',
    callback = function()
      detach(buf)
    end,
  })
  draw(buf)
  M.refresh(buf)
  ask_location(buf)
end

--- Which folder a buffer shows, and what the row of the cursor in the current window is about.
---@param buf integer
---@return sidekicks.files.Shown?
---@return sidekicks.files.Target
function M.here(buf)
  local known = shown[buf]
  return known, known and known.targets[vim.api.nvim_win_get_cursor(0)[1]] or {}
end

--- Has the cursor go to an entry as soon as it is drawn.
---@param buf integer
---@param path string
function M.focus(buf, path)
  local known = shown[buf]
  if known then
    known.focus = path
    draw(buf)
  end
end

--- The winbar of the files.
---@return string
function M.draw_winbar()
  local known = shown[vim.api.nvim_get_current_buf()]
  if not known then
    return ''
  end
  local place = known.location .. (known.dir ~= '' and '/' .. rows.plain(known.dir) or '')
  local title = ('%s  %%#SidekicksUsage#%s'):format(
    t('files.title', { agent = known.agent }):gsub('%%', '%%%%'),
    place:gsub('%%', '%%%%')
  )
  return (' %%#SidekicksSpeaker#%s  %s%%*'):format(title, require('sidekicks.winbar.parts').hint(t('files.hint')))
end

return M
