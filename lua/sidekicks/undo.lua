-- Undo steps of their own for what Sidekicks changes in a buffer somebody may be typing in. Changes no text.
local M = {}

--- Ends the undo step that is open, also that of somebody who is typing: setting this option does.
---@param buf integer
function M.close_step(buf)
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('noautocmd let &g:undolevels = &g:undolevels')
  end)
end

--- The number of the undo step the buffer is at.
---@param buf integer
---@return integer
function M.step(buf)
  return vim.api.nvim_buf_call(buf, vim.fn.changenr)
end

return M
