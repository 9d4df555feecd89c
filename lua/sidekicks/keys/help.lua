-- The list of the keys of a buffer, in a small window. Knows no key itself.
local float = require('sidekicks.float')
local t = require('sidekicks.language').t

local M = {}

--- Shows the keys of this buffer in a small window; `q` or leaving it closes it.
function M.show()
  local lines = require('sidekicks.keys').lines(vim.api.nvim_get_current_buf())
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].modifiable = false
  local width = math.min(float.width_of(lines) + 2, vim.o.columns - 2)
  local from = vim.api.nvim_get_current_win()
  local win = float.open(buf, { width = width, height = #lines, title = t('keys.title') })
  -- Neovim avoids the quickfix window when it looks for one to go to.
  local function close()
    vim.api.nvim_win_close(win, true)
    if vim.api.nvim_win_is_valid(from) then
      vim.api.nvim_set_current_win(from)
    end
  end
  for _, key in ipairs({ 'q', '<Esc>', 'g?' }) do
    vim.keymap.set('n', key, close, { buffer = buf, nowait = true, desc = t('keys.close') })
  end
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = buf,
    once = true,
    desc = 'Close the list of keys',
    callback = vim.schedule_wrap(function()
      if vim.api.nvim_win_is_valid(win) then
        vim.api.nvim_win_close(win, true)
      end
    end),
  })
end

return M
