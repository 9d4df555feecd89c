-- Puts rows into a buffer that a person reads and never writes. Knows nothing of what they say.
local M = {}

--- The rows take the place of all that stood there; the marks of before are gone.
---@param buf integer
---@param namespace integer
---@param rows string[]
function M.write(buf, namespace, rows)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, rows)
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
end

return M
