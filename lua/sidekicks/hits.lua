-- The buffers that stand for messages in lists of hits: Neovim makes one for each name in a quickfix list, and keeps it when
-- the list is gone. Here those are wiped that nothing refers to any more.
local M = {}

local prefix = 'sidekicks://message/'

--- What the quickfix lists of this Neovim refer to, those of before too.
---@return table<integer, true> by buffer
local function listed()
  local bufs = {}
  for nr = 1, vim.fn.getqflist({ nr = '$' }).nr do
    for _, item in ipairs(vim.fn.getqflist({ nr = nr, items = 0 }).items) do
      bufs[item.bufnr] = true
    end
  end
  return bufs
end

--- Wipes those that are neither in a list nor in a window.
function M.tidy()
  local kept = listed()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local is_hit = vim.startswith(vim.api.nvim_buf_get_name(buf), prefix)
    if is_hit and not kept[buf] and #vim.fn.win_findbuf(buf) == 0 then
      vim.api.nvim_buf_delete(buf, { force = true })
    end
  end
end

return M
