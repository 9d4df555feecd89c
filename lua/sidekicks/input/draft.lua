-- The draft of a conversation: what is being written, kept by the host a moment after it changed. Touches no buffer.
local host = require('sidekicks.host')

---@class (exact) sidekicks.input.Draft
---@field private conversation string
---@field private text fun(): string? what is written; nil once it cannot be read
---@field private timer uv.uv_timer_t runs while it is not kept yet
---@field private kept string what the host has
---@field private taken boolean the one of the host was taken, or refused
local Draft = {}
Draft.__index = Draft

local keep_after_ms = 500

---@param conversation string
---@param text fun(): string?
---@return sidekicks.input.Draft
function Draft.new(conversation, text)
  local self =
    { conversation = conversation, text = text, timer = assert(vim.uv.new_timer()), kept = '', taken = false }
  return setmetatable(self, Draft)
end

--- Has the host keep what is written now.
function Draft:keep()
  self.timer:stop()
  local text = self.text() or self.kept
  if text ~= self.kept then
    self.kept = text
    host.request('ViewService.Draft', { id = self.conversation, text = text })
  end
end

function Draft:keep_soon()
  self.timer:start(
    keep_after_ms,
    0,
    vim.schedule_wrap(function()
      if not self.timer:is_closing() then
        self:keep()
      end
    end)
  )
end

--- Notes what the host kept; only the first time does it count.
---@param draft string
---@return boolean wanted it may be written
function Draft:take(draft)
  if self.taken then
    return false
  end
  self.taken, self.kept = true, draft
  return draft ~= ''
end

--- Keeps it for the last time.
function Draft:close()
  self:keep()
  self.timer:close()
end

return Draft
