-- Writes the buffer of a file that is reached through a container or sandbox: whole, and only over the text it came from
-- unless a person says otherwise. The host does it in its own time.
local addresses = require('sidekicks.address')
local files = require('sidekicks.files.file')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local text = require('sidekicks.files.text')

local M = {}

-- `:wq` asks at once whether the buffer is written. A file that takes longer is written all the same.
local patience_ms = 2000

---@param content string
---@param path string
---@return string
local function told(content, path)
  local _, lines = content:gsub('\n', '')
  lines = lines + ((content ~= '' and content:sub(-1) ~= '\n') and 1 or 0)
  local size = require('sidekicks.files.rows').size(#content)
  return t('files.saved', { path = require('sidekicks.files.rows').plain(path), lines = lines, size = size })
end

---@class (exact) sidekicks.files.Sending
---@field buf integer
---@field file sidekicks.files.File
---@field content string
---@field tick integer of the buffer when it was sent
---@field done fun()

---@param sending sidekicks.files.Sending
---@param version string
local function on_saved(sending, version)
  local buf, file = sending.buf, sending.file
  file.content, file.version = sending.content, version
  if files.of(buf) ~= file then
    return
  end
  if vim.api.nvim_buf_get_changedtick(buf) == sending.tick then
    vim.bo[buf].modified = false
    notify.print(told(sending.content, file.address.path))
  else
    notify.warn(t('files.changedMeanwhile', { path = file.address.path }))
  end
  if file.diff and vim.api.nvim_buf_is_valid(file.diff) then
    vim.api.nvim_buf_delete(file.diff, { force = true })
  end
  vim.api.nvim_exec_autocmds('BufWritePost', { buffer = buf, modeline = false })
end

--- A new file is made first, so that one that came meanwhile is not written over.
---@param file sidekicks.files.File
---@param callback fun(err?: sidekicks.Failure)
local function make(file, callback)
  if file.version then
    return callback()
  end
  local dir, name = file.address.path:match('^(.*)/([^/]+)$')
  local params = { agent = file.address.agent, dir = dir or '', name = name or file.address.path }
  host.request('WorkspaceService.Create', params, function(err)
    file.version = not err and vim.fn.sha256('') or nil
    callback(err)
  end)
end

---@param sending sidekicks.files.Sending
local function ask(sending)
  vim.schedule(function()
    require('sidekicks.files.conflict').ask(sending.buf, sending.file.address)
  end)
end

---@param sending sidekicks.files.Sending
---@param version string "" writes over whatever is there
local function send(sending, version)
  local address = sending.file.address
  local params = { agent = address.agent, path = address.path, content = sending.content, version = version }
  host.request('WorkspaceService.Save', params, function(err, result)
    if err or not result then
      notify.error(err and err.message or '')
    elseif result.conflict then
      ask(sending)
    else
      on_saved(sending, result.version)
    end
    sending.done()
  end)
end

--- Sends the text; `version` "" writes over whatever is there.
---@param buf integer
---@param file sidekicks.files.File
---@param version? string
---@param done fun()
local function save(buf, file, version, done)
  local content, tick = text.content(buf, file.content), vim.api.nvim_buf_get_changedtick(buf)
  local sending = { buf = buf, file = file, content = content, tick = tick, done = done }
  if not text.is_utf8(content) then
    notify.error(t('file.notText', { path = file.address.path }))
    return done()
  end
  if version then
    return send(sending, version)
  end
  make(file, function(err)
    if not err then
      return send(sending, file.version)
    elseif err.code == 'exists' then
      ask(sending)
    else
      notify.error(err.message)
    end
    done()
  end)
end

--- Writes the buffer, and goes on when that takes long.
---@param buf integer
---@param file sidekicks.files.File
---@param version? string
local function write(buf, file, version)
  if file.saving then
    return notify.info(t('files.saving', { path = file.address.path }))
  end
  local is_done = false
  file.saving = true
  save(buf, file, version, function()
    file.saving, is_done = false, true
  end)
  vim.wait(patience_ms, function()
    return is_done
  end, 10)
  if not is_done then
    notify.info(t('files.saving', { path = file.address.path }))
  end
end

--- Writes over whatever is there now.
---@param buf integer
function M.overwrite(buf)
  local file = files.of(buf)
  if file then
    save(buf, file, '', function() end)
  end
end

--- `:w`, also of another buffer to the name of such a file.
---@param event { event: string, buf: integer, match: string }
function M.run(event)
  local address = addresses.parse_files(event.match)
  if event.event ~= 'BufWriteCmd' or not address then
    return notify.error(t('files.wholeOnly'))
  end
  local own = vim.api.nvim_buf_get_name(event.buf) == event.match
  local known = own and files.of(event.buf)
  if own and not (known and vim.deep_equal(known.address, address)) then
    known = files.begin(event.buf, address)
  end
  local file = known or { address = address, content = '', asking = false, saving = false }
  if own and not file.version and not vim.bo[event.buf].modifiable then
    return notify.error(t('files.notRead', { path = address.path }))
  end
  vim.api.nvim_exec_autocmds('BufWritePre', { buffer = event.buf, modeline = false })
  write(event.buf, file, vim.v.cmdbang == 1 and '' or nil)
end

return M
