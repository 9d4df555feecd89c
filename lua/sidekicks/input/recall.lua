-- Brings prompts of before into an input that is empty, or shows one of them unchanged. It sends nothing and keeps no draft.
local completion = require('sidekicks.completion')
local host = require('sidekicks.host')

local M = {}

---@alias sidekicks.input.Set fun(buf: integer, text: string)

---@param box sidekicks.input.Box
---@return boolean
local function is_browsing(box)
  local text = table.concat(vim.api.nvim_buf_get_lines(box.buf, 0, -1, false), '\n')
  return not completion.is_open() and box.prompts:is_browsing(text)
end

--- A key that comes before the prompts of earlier days is not lost: they are shown when they are there.
---@param box sidekicks.input.Box
---@param set sidekicks.input.Set
local function show_previous(box, set)
  local prompt = box.prompts:previous()
  box.wants_earlier = prompt == nil
  if prompt then
    set(box.buf, prompt)
  end
end

--- Those of earlier days are asked for when they are first wanted.
---@param box sidekicks.input.Box
---@param set sidekicks.input.Set
local function ask(box, set)
  box.prompts.asked = true
  host.request('ChannelService.Conversation', { id = box.conversation }, function(err, snapshot)
    if err or not snapshot then
      box.prompts.asked = false
      return
    end
    box.prompts:take(snapshot.messages)
    if box.wants_earlier and vim.api.nvim_buf_is_loaded(box.buf) and is_browsing(box) then
      show_previous(box, set)
    end
  end)
end

---@param box sidekicks.input.Box
---@param set sidekicks.input.Set
---@return boolean done false where something else is being written
function M.previous(box, set)
  if not is_browsing(box) then
    return false
  end
  show_previous(box, set)
  if not box.prompts.asked then
    ask(box, set)
  end
  return true
end

---@param box sidekicks.input.Box
---@param set sidekicks.input.Set
---@return boolean done false where none is shown
function M.next(box, set)
  local prompt = is_browsing(box) and box.prompts:next()
  if prompt then
    set(box.buf, prompt)
  end
  return prompt ~= nil and prompt ~= false
end

return M
