-- What a transcript shows of its conversation beyond what is drawn: older messages when its top is reached, newer ones at the
-- bottom where the newest are not drawn, and a message somebody goes to. It draws nothing itself.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')

local M = {}

---@class sidekicks.transcript.Further : sidekicks.transcript.Drawn
---@field conversation string
---@field number? integer of the last patch drawn; nil while a whole one is awaited
---@field waiting table[] patches that could not be drawn yet
---@field more boolean older messages can be had
---@field newer boolean and newer ones: the end of what is drawn is not that of the conversation
---@field asking boolean older or newer ones have been asked for
---@field wanted? sidekicks.transcript.Wanted
---@field is_alive fun(view: sidekicks.transcript.Further): boolean

--- A message somebody goes to.
---@class (exact) sidekicks.transcript.Wanted
---@field message string
---@field state 'new'|'asked'|'answered' how far the host has been asked to draw it
---@field callback fun(first_row?: integer, last_row?: integer)

-- So many rows from the top or the bottom, more messages are fetched, to be there before somebody reads on.
local near_edge = 3

---@param view sidekicks.transcript.Further
---@return 'Older'|'Newer'|nil
local function page_in_sight(view)
  for _, win in ipairs(vim.fn.win_findbuf(view.buf)) do
    if view.more and vim.fn.line('w0', win) <= near_edge then
      return 'Older'
    elseif view.newer and vim.fn.line('w$', win) > vim.api.nvim_buf_line_count(view.buf) - near_edge then
      return 'Newer'
    end
  end
end

--- The rows of a message, from 1, without the blank one above it.
---@param view sidekicks.transcript.Further
---@param message string
---@return integer? first
---@return integer? last
local function rows_of_message(view, message)
  local first, last
  for block, row in view.blocks:each() do
    if block.message == message and block.kind ~= 'gap' then
      first, last = first or row + 1, row + block.count
    elseif first then
      break
    end
  end
  return first, last
end

---@param view sidekicks.transcript.Further
---@param wanted sidekicks.transcript.Wanted
local function ask_for(view, wanted)
  wanted.state = 'asked'
  host.request('ViewService.Reveal', { id = view.conversation, messageId = wanted.message }, function()
    if wanted.state == 'asked' then
      wanted.state = 'answered'
      M.load(view)
    end
  end)
end

--- Tells where the message somebody goes to stands, once it is drawn or cannot be.
---@param view sidekicks.transcript.Further
---@param wanted sidekicks.transcript.Wanted
local function look_for(view, wanted)
  if wanted.state == 'new' then
    ask_for(view, wanted)
  elseif wanted.state == 'answered' then
    view.wanted = nil
    wanted.callback(rows_of_message(view, wanted.message))
    M.load(view)
  end
end

---@param view sidekicks.transcript.Further
---@param page 'Older'|'Newer'
local function ask_page(view, page)
  view.asking = true
  host.request('ViewService.' .. page, { id = view.conversation }, function(err, result)
    view.asking = false
    if err then
      notify.error(err.message)
    elseif result then
      local field = page == 'Older' and 'more' or 'newer'
      view[field] = result.more
      M.load(view)
    end
  end)
end

--- Asks for what is still to be drawn: the message somebody goes to, else what stands beyond an edge that is in sight.
---@param view sidekicks.transcript.Further
function M.load(view)
  if not view:is_alive() or not view.number or view.waiting[1] then
    return
  elseif view.wanted then
    return look_for(view, view.wanted)
  end
  local page = not view.asking and page_in_sight(view)
  if page then
    ask_page(view, page)
  end
end

---@param message string
---@param callback fun(first_row?: integer, last_row?: integer)
---@return sidekicks.transcript.Wanted
function M.wanted(message, callback)
  return { message = message, state = 'new', callback = callback }
end

--- Everything is drawn anew: what was asked for before is asked again.
---@param view sidekicks.transcript.Further
function M.start_over(view)
  if view.wanted then
    view.wanted.state = 'new'
  end
end

return M
