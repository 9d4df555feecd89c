-- What the keys of the files do: open, make, delete, attach. The host does it to the files; here a person is asked.
local addresses = require('sidekicks.address')
local files = require('sidekicks.files')
local host = require('sidekicks.host')
local image = require('sidekicks.files.image')
local notify = require('sidekicks.notify')
local rows = require('sidekicks.files.rows')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

--- The folder of the current buffer, and what the cursor is on.
---@return sidekicks.files.Shown?
---@return sidekicks.files.Target
---@return integer buf
local function here()
  local buf = vim.api.nvim_get_current_buf()
  local known, target = files.here(buf)
  return known, target, buf
end

--- Does something with the entry under the cursor.
---@param action fun(agent: string, entry: sidekicks.WorkspaceEntry, buf: integer)
local function with_entry(action)
  local known, target, buf = here()
  if known and target.entry then
    action(known.agent, target.entry, buf)
  elseif known then
    notify.error(t('files.nothingHere'))
  end
end

--- Edits a file or a buffer of ours under just that name: nothing in it is a wildcard.
---@param name string
local function edit(name)
  vim.cmd.edit({ args = { name }, magic = { file = false, bar = false } })
end

---@param agent string
---@param dir string
---@return string
local function folder_name(agent, dir)
  return addresses.format_files({ kind = 'files', agent = agent, path = dir })
end

---@param agent string
---@param path string
---@param on_host string where it is on this computer, "" where it is not
local function open_file(agent, path, on_host)
  local is_here = on_host ~= ''
  if image.is_image(path) and is_here then
    image.open(on_host)
  elseif image.is_image(path) then
    image.fetch(agent, path)
  else
    edit(is_here and on_host or addresses.format_files({ kind = 'file', agent = agent, path = path }))
  end
end

--- Calls back with where a file is on this computer.
---@param agent string
---@param path string
---@param callback fun(on_host: string)
local function locate(agent, path, callback)
  host.request('ViewService.OnHost', { agent = agent, path = path }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    callback(result.path)
  end)
end

--- Opens the folder or the file under the cursor, in this window.
function M.open()
  local _, target = here()
  if target.up then
    return M.up()
  end
  local win = vim.api.nvim_get_current_win()
  with_entry(function(agent, entry, buf)
    if entry.dir then
      return edit(folder_name(agent, entry.path))
    end
    locate(agent, entry.path, function(on_host)
      if vim.api.nvim_get_current_win() == win and vim.api.nvim_win_get_buf(win) == buf then
        open_file(agent, entry.path, on_host)
      end
    end)
  end)
end

--- Goes to the folder above, the cursor to where it came from.
function M.up()
  local known = here()
  if not known then
    return
  elseif known.dir == '' then
    return notify.info(t('files.atTop'))
  end
  local above = known.dir:match('^(.*)/[^/]+$') or ''
  edit(folder_name(known.agent, above))
  files.focus(vim.api.nvim_get_current_buf(), known.dir)
end

--- Asks for a name and makes an empty file of it here.
function M.create()
  local known, _, buf = here()
  if not known then
    return
  end
  vim.ui.input({ prompt = t('files.newName') .. ' ' }, function(name)
    if not name or name == '' then
      return
    end
    local params = { agent = known.agent, dir = known.dir, name = name }
    host.request('WorkspaceService.Create', params, function(err)
      if err then
        return notify.error(err.message)
      end
      files.focus(buf, known.dir == '' and name or known.dir .. '/' .. name)
      files.refresh(buf)
    end)
  end)
end

---@param question string
---@param yes string
---@param on_yes fun()
local function ask(question, yes, on_yes)
  require('sidekicks.channel').confirm(question, { yes = yes, no = t('files.no') }, on_yes)
end

---@param agent string
---@param entry sidekicks.WorkspaceEntry
---@param buf integer
---@param permanent boolean
local function remove(agent, entry, buf, permanent)
  local name = rows.plain(entry.name)
  local params = { agent = agent, path = entry.path, permanent = permanent }
  host.request('WorkspaceService.Remove', params, function(err)
    files.refresh(buf)
    if err and err.code == 'refused' and not permanent then
      return ask(t('files.askOtherDisk', { name = name }), t('files.yesForGood'), function()
        remove(agent, entry, buf, true)
      end)
    elseif err then
      return notify.error(err.message)
    end
    notify.info(t(permanent and 'files.deleted' or 'files.trashed', { name = name }))
  end)
end

--- Deletes what is under the cursor, after a question that says where it goes.
function M.delete()
  with_entry(function(agent, entry, buf)
    local known = state.agent(agent)
    local permanent = known ~= nil and known.runtime ~= 'local'
    local where = permanent and 'ForGood' or 'Trash'
    local question = t('files.ask' .. (entry.dir and 'Folder' or '') .. where, { name = rows.plain(entry.name) })
    ask(question, t('files.yes' .. where), function()
      remove(agent, entry, buf, permanent)
    end)
  end)
end

--- Calls back with the input of the conversation meant; where there is none, with that of the agent.
---@param agent string
---@param callback fun(input: integer)
local function with_input(agent, callback)
  local send = require('sidekicks.send')
  if send.current() then
    return send.with_input(callback)
  end
  send.with_direct(agent, function()
    send.with_input(callback)
  end)
end

--- Attaches the file under the cursor to the message being written.
function M.attach()
  with_entry(function(agent, entry)
    if entry.dir then
      return notify.error(t('attach.failed', { path = entry.path, what = t('attach.folder') }))
    end
    locate(agent, entry.path, function(on_host)
      with_input(agent, function(input)
        local attach = require('sidekicks.attach')
        if on_host ~= '' then
          attach.files(attach.spot(input), { on_host })
        else
          attach.name(attach.spot(input), agent, entry.path)
        end
      end)
    end)
  end)
end

--- Looks again.
function M.refresh()
  files.refresh(vim.api.nvim_get_current_buf())
end

return M
