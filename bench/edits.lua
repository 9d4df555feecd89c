-- Owns: how long the editor's loop stands still at most, and when buffers hold what is waited for. Must not: change a buffer.
local channel = ...

local look_every_ms = 2
local timer = assert(vim.uv.new_timer())
local last, worst = vim.uv.hrtime(), 0

timer:start(look_every_ms, look_every_ms, function()
  local now = vim.uv.hrtime()
  worst = math.max(worst, (now - last) / 1e6 - look_every_ms)
  last = now
end)

function BenchStart()
  last, worst = vim.uv.hrtime(), 0
end

---@return number milliseconds since `BenchStart` was called last
function BenchWorst()
  return worst
end

--- Tells when the line of every buffer is this text.
---@param row integer from 0
---@param text string
---@param bufs integer[]
function BenchAwait(row, text, bufs)
  local look = assert(vim.uv.new_timer())
  local function is_other(buf)
    return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] ~= text
  end
  look:start(look_every_ms, look_every_ms, function()
    vim.schedule(function()
      while bufs[1] and not is_other(bufs[#bufs]) do
        table.remove(bufs)
      end
      if #bufs == 0 and not look:is_closing() then
        look:close()
        vim.rpcnotify(channel, 'bench_right')
      end
    end)
  end)
end
