-- Owns: telling when the panel has drawn what is waited for, by Neovim's own clock. Must not: ask the host for anything.
local channel = ...

local panel = vim.fn.bufnr('^sidekicks://agents$')
---@type { from: integer, pattern: string }?
local wanted

---@param pattern string
---@return integer? row from 1
local function find(pattern)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(panel, 0, -1, false)) do
    if line:find(pattern) then
      return row
    end
  end
end

local function on_end()
  if wanted and find(wanted.pattern) then
    local took = (vim.uv.hrtime() - wanted.from) / 1e6
    wanted = nil
    vim.schedule(function()
      vim.rpcnotify(channel, 'bench_shown', took)
    end)
  end
end

-- Called when all windows of a redraw are drawn.
vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace('bench.pool'), { on_end = on_end })

require('sidekicks').on('config:changed', function()
  if wanted then
    vim.rpcnotify(channel, 'bench_told', (vim.uv.hrtime() - wanted.from) / 1e6)
  end
end)

--- From now on until a row of the panel that fits is on screen.
---@param pattern string
local function wait_for(pattern)
  wanted = { from = vim.uv.hrtime(), pattern = pattern }
end

--- A method of the host, until the panel shows what came of it.
---@param method string
---@param agent string
---@param pattern string
function BenchAsk(method, agent, pattern)
  wait_for(pattern)
  require('sidekicks').request(method, { name = agent })
end

--- The floor: the same row, written at once by Lua alone.
---@param row string a pattern that finds it
---@param text string
function BenchWrite(row, text)
  wait_for('^' .. vim.pesc(text) .. '$')
  vim.schedule(function()
    local found = assert(find(row))
    vim.bo[panel].modifiable = true
    vim.api.nvim_buf_set_lines(panel, found - 1, found, false, { text })
    vim.bo[panel].modifiable = false
  end)
end

--- A save by rename, until the panel shows what changed.
---@param written string the new text of the file, beside it
---@param file string
---@param pattern string
function BenchSave(written, file, pattern)
  wait_for(pattern)
  assert(vim.uv.fs_rename(written, file))
end
