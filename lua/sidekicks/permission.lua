-- Shows waiting permission requests and takes the answers. The window is only a picture of the host's state: it can be
-- closed and drawn again, and never takes the focus or a key from somebody who is typing. Closing it answers nothing.
local notify = require('sidekicks.notify')
local requests = require('sidekicks.permission.requests')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t
local window = require('sidekicks.permission.window')

local M = {}

local group = vim.api.nvim_create_augroup('sidekicks.permission', { clear = true })
local locked_retry_ms = 50

--- The request chosen with a key, in place of the oldest.
---@type string?
local chosen
local following = false
local scheduled = false

---@return sidekicks.Permission?
local function shown()
  return (requests.find(requests.waiting(), window.request()))
end

---@param permission sidekicks.Permission
---@param option string id
local function answer(permission, option)
  chosen = nil
  requests.answer(permission, option, M.show)
  M.show()
end

--- Leaves the request waiting; it stays reachable.
local function put_off_shown()
  local id = window.request()
  if id then
    requests.put_off(id)
    chosen = nil
    M.show()
  end
end

---@param step 1|-1
local function show_other(step)
  local list = requests.waiting()
  local _, index = requests.find(list, window.request())
  local other = list[(index - 1 + step) % math.max(#list, 1) + 1]
  if other then
    chosen = other.id
    M.show()
  end
end

---@param digit integer
local function choose(digit)
  local permission = shown()
  local option = permission and permission.options[digit]
  if permission and option then
    answer(permission, option.optionId)
  end
end

local function choose_row()
  local permission, option = shown(), window.option_at_cursor()
  if permission and option then
    answer(permission, option)
  end
end

---@param buf integer
local function map_keys(buf)
  local function map(key, desc, run)
    vim.keymap.set('n', key, run, { buffer = buf, nowait = true, desc = desc })
  end
  for digit = 1, 9 do
    map(tostring(digit), t('permission.key.choose', { number = digit }), function()
      choose(digit)
    end)
  end
  map('<CR>', t('permission.key.chooseRow'), choose_row)
  map('q', t('permission.key.later'), put_off_shown)
  map('<Esc>', t('permission.key.later'), put_off_shown)
  map('<Tab>', t('permission.key.next'), function()
    show_other(1)
  end)
  map('<S-Tab>', t('permission.key.previous'), function()
    show_other(-1)
  end)
end

local function show_soon()
  if not scheduled then
    scheduled = true
    vim.schedule(function()
      scheduled = false
      M.show()
    end)
  end
end

--- A window that went with its tab page was not closed by anybody; its request is shown in the next one.
---@param event { match: string }
local function on_closed(event)
  local win, id = tonumber(event.match), window.request()
  if not win or not id or not window.is(win) then
    return show_soon()
  end
  local tab = vim.api.nvim_win_get_tabpage(win)
  vim.schedule(function()
    if vim.api.nvim_tabpage_is_valid(tab) then
      requests.put_off(id)
      chosen = nil
    end
    M.show()
  end)
end

--- Watches, while something waits, all that could put the window over the cursor's line or out of sight.
local function follow()
  if following then
    return
  end
  following = true
  local moves = { 'CursorMoved', 'CursorMovedI', 'WinScrolled', 'WinEnter', 'BufWinEnter' }
  local sizes = { 'VimResized', 'WinResized', 'TabEnter' }
  vim.api.nvim_create_autocmd(vim.list_extend(moves, sizes), {
    group = group,
    desc = 'Keep the permission request in sight and off the line of the cursor',
    callback = show_soon,
  })
  vim.api.nvim_create_autocmd('WinClosed', {
    group = group,
    desc = 'A permission window that is closed leaves its request waiting',
    callback = on_closed,
  })
end

local function stop()
  if not following then
    return
  end
  following, chosen = false, nil
  vim.api.nvim_clear_autocmds({ group = group })
  window.close()
end

--- Draws the window anew from the state, or closes it where nothing is to be shown.
function M.show()
  local list = requests.waiting()
  local permission, index = requests.find(list, chosen)
  if not permission then
    permission, index = requests.oldest_to_show(list)
  end
  if not permission then
    return stop()
  end
  follow()
  local fine, problem = pcall(window.draw, permission, index, #list, map_keys)
  if not fine and tostring(problem):find('E565', 1, true) then
    -- Neovim evaluates an expression; it allows no window until that is over.
    vim.defer_fn(M.show, locked_retry_ms)
  elseif not fine then
    error(problem, 0)
  end
end

--- Goes to the window of the request that is shown, else of the oldest one.
function M.focus()
  local list = requests.waiting()
  if #list == 0 then
    return notify.info(t('permission.none'))
  end
  if not window.is_open() then
    chosen = list[1].id
    M.show()
  end
  window.enter()
end

--- Answers the oldest request; without an option, goes to it.
---@param word? string number, option id, `allow` or `reject`
function M.answer(word)
  if not word or word == '' then
    return M.focus()
  end
  local permission = requests.waiting()[1]
  if not permission then
    return notify.info(t('permission.none'))
  end
  local option = requests.option_meant(permission, word)
  if not option then
    return notify.error(t('error.unknownOption', { option = word }))
  end
  answer(permission, option)
end

state.on_change(M.show)

return M
