-- The log of the host: where its last words and our own complaints go. Shows nothing.
local M = {}

--- Where it is.
---@return string
function M.path()
  local home = vim.env.XDG_STATE_HOME or vim.fn.expand('~/.local/state')
  return home .. '/sidekicks/host.log'
end

---@param text string
function M.write(text)
  vim.fn.mkdir(vim.fs.dirname(M.path()), 'p', '0700')
  vim.fn.writefile(vim.split(text, '\n', { plain = true }), M.path(), 'a')
end

return M
