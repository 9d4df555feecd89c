-- Has the host look at the file of a buffer that is about to be written, where agents work and the file has changed: what can be
-- merged is, and what cannot be is not written over unasked (SPEC 9). It merges nothing and writes nothing.
local host = require('sidekicks.host')
local paths = require('sidekicks.edits.paths')
local t = require('sidekicks.language').t
local watch = require('sidekicks.edits.watch')

local M = {}

-- A host that does not answer in time leaves the question to Neovim, which asks it then.
local patience_ms = 1000

---@type string
local refusal = ''

--- The buffer whose own file is being written, if the file is another than Neovim knows.
---@return integer?
local function overtaken()
  local buf = tonumber(vim.fn.expand('<abuf>')) or 0
  local own = paths.of(buf)
  local is_own = own ~= nil and paths.resolved(vim.fn.expand('<afile>:p')) == own
  return is_own and watch.is_followed(buf) and watch.has_changed(buf) and buf or nil
end

--- Whether the buffer of this BufWritePre must not be written.
---@return boolean
function M.is_refused()
  local buf = overtaken()
  local path = buf and paths.of(buf)
  if not path or not vim.uv.fs_stat(path) then
    return false
  end
  local answered, result = pcall(host.call, 'ViewService.BufferWrites', { path = path }, patience_ms)
  if not answered or result.agent == '' then
    return false
  end
  refusal = t('changes.notWritten', { agent = result.agent, path = vim.fn.fnamemodify(path, ':~:.') })
  return vim.v.cmdbang == 0
end

---@return string
function M.refusal()
  return refusal
end

return M
