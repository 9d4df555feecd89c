-- Has the host follow the workspaces of the buffers somebody sees, and tells these buffers of changes. Draws nothing.
local host = require('sidekicks.host')

local M = {}

---@class sidekicks.files.Followed
---@field agent string
---@field watching boolean the host was told to
---@field changed fun()

local group = vim.api.nvim_create_augroup('sidekicks.files.follow', { clear = true })

---@type table<integer, sidekicks.files.Followed>
local followed = {}

---@param known sidekicks.files.Followed
local function watch(known)
  if known.watching then
    return
  end
  known.watching = true
  host.request('WorkspaceService.Watch', { agent = known.agent }, function(err)
    known.watching = known.watching and not err
    if known.watching then
      known.changed() -- what changed after it was looked at, and before it was followed
    end
  end)
end

---@param known sidekicks.files.Followed
local function unwatch(known)
  if known.watching and host.running() then
    known.watching = false
    host.request('WorkspaceService.Unwatch', { agent = known.agent })
  end
end

---@param buf integer
---@return boolean
local function is_visible(buf)
  return #vim.fn.win_findbuf(buf) > 0
end

---@param buf integer
local function on_shown(buf)
  local known = followed[buf]
  if known and not known.watching then
    watch(known)
    known.changed() -- what happened while nobody looked
  end
end

---@param buf integer
local function detach(buf)
  local known = followed[buf]
  followed[buf] = nil
  if known then
    unwatch(known)
  end
end

--- Calls back after each change in the workspace of an agent while a window shows the buffer, and when one shows it again.
---@param buf integer
---@param agent string
---@param changed fun()
---@return fun() remove
function M.attach(buf, agent, changed)
  detach(buf)
  local known = { agent = agent, watching = false, changed = changed }
  followed[buf] = known
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  local function on(event, desc, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buf, desc = desc, callback = callback })
  end
  on('BufWinEnter', 'Follow the files somebody sees', function()
    on_shown(buf)
  end)
  on({ 'BufHidden', 'BufUnload' }, 'Follow files no longer that nobody sees', function()
    unwatch(known)
  end)
  if is_visible(buf) then
    watch(known)
  end
  return function()
    if followed[buf] == known then
      detach(buf)
    end
  end
end

host.on('workspace:changed', function(change)
  for _, known in pairs(followed) do
    if known.agent == change.agent and known.watching then
      known.changed()
    end
  end
end)

-- A host that is gone follows nothing; the next one begins anew.
host.on('host:exited', function()
  for _, known in pairs(followed) do
    known.watching = false
  end
end)

local function follow_visible()
  for buf in pairs(followed) do
    if is_visible(buf) then
      on_shown(buf)
    end
  end
end

host.on('host:started', follow_visible)
-- An agent that was not there before may be there now.
host.on('config:changed', follow_visible)

return M
