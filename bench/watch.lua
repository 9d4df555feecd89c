-- Owns: sending one prompt from the measured Neovim, and telling when its last words are in the transcript and when
-- the answer has ended. Must not: touch a buffer.
local channel, conversation, text, mark, buf = ...

local look_every_ms = 10
local rows_near_end = 60

local started = vim.uv.hrtime()
local timer = assert(vim.uv.new_timer())
local last_look, worst_wait = started, 0
local remove_listener

---@return number
local function elapsed()
  return (vim.uv.hrtime() - started) / 1e6
end

---@return boolean
local function has_mark()
  for _, row in ipairs(vim.api.nvim_buf_get_lines(buf, -rows_near_end, -1, false)) do
    if row:find(mark, 1, true) then
      return true
    end
  end
  return false
end

-- How long the main loop kept the timer waiting is the longest it was busy in one piece.
local function look()
  local now = vim.uv.hrtime()
  worst_wait = math.max(worst_wait, (now - last_look) / 1e6 - look_every_ms)
  last_look = now
  if not timer:is_closing() and has_mark() then
    timer:close()
    vim.rpcnotify(channel, 'bench_seen', elapsed(), worst_wait)
  end
end

remove_listener = require('sidekicks').on('turn:changed', function(turn)
  if turn.channel == conversation and not turn.busy then
    remove_listener()
    vim.rpcnotify(channel, 'bench_idle', elapsed())
  end
end)

timer:start(look_every_ms, look_every_ms, vim.schedule_wrap(look))
require('sidekicks').request('ChannelService.Send', { id = conversation, text = text }, function(err)
  if err then
    timer:close()
    vim.rpcnotify(channel, 'bench_failed', err.message)
  end
end)
