-- The buffers of terminals, from their first moment: how they look in any window, and their keys. Runs nothing in them.
local window = require('sidekicks.window')

local M = {}

local group = vim.api.nvim_create_augroup('sidekicks.terminal.buffer', { clear = true })
local namespace = vim.api.nvim_create_namespace('sidekicks.terminal')

--- A buffer in which a terminal may run. It keeps its look and its keys when one does.
---@param agent string
---@return integer
function M.new(agent)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.b[buf].sidekicks = { conversation = '', kind = 'terminal' }
  vim.b[buf].sidekicks_agent = agent
  require('sidekicks.keys').map(buf, 'terminal')
  vim.api.nvim_create_autocmd('BufWinEnter', {
    group = group,
    buffer = buf,
    desc = 'Give a window of a terminal its look',
    callback = function()
      window.dress(vim.api.nvim_get_current_win(), 'terminal')
    end,
  })
  return buf
end

--- The agent whose terminal a buffer is to be.
---@param buf integer
---@return string?
function M.agent_of(buf)
  return vim.b[buf].sidekicks_agent
end

--- What stands in an empty one, drawn and no line of it.
---@param buf integer
---@param text string? nil for nothing
function M.say(buf, text)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  if text then
    vim.api.nvim_buf_set_extmark(buf, namespace, 0, 0, {
      virt_text = { { text, 'SidekicksUsage' } },
      virt_text_pos = 'overlay',
    })
  end
end

--- Why none can run: it is gone with its window.
---@param buf integer
---@param text string
function M.refuse(buf, text)
  M.say(buf)
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[buf].modifiable = false
end

return M
