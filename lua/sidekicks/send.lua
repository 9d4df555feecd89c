-- Which conversation a person means, and what is sent to it from any buffer. The host decides what becomes of it.
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

--- The conversation of the current buffer, else the one used last.
---@return string?
function M.current()
  local id = buffer.conversation_of(0)
  return id ~= '' and id or state.last_used()
end

--- Calls back with the conversation meant, or says that there is none.
---@param callback fun(id: string)
function M.with_open_conversation(callback)
  local id = M.current()
  if id then
    callback(id)
  else
    notify.error(t('command.noConversation'))
  end
end

--- Calls back with the direct conversation of an agent, which is the one used last from then on.
---@param agent string
---@param callback fun(id: string)
function M.with_direct(agent, callback)
  host.request('ChannelService.Direct', { agent = agent }, function(err, conversation)
    if err or not conversation then
      return notify.error(err and err.message or '')
    end
    state.track(conversation.id, conversation)
    state.use(conversation.id)
    callback(conversation.id)
  end)
end

--- Calls back with the conversation meant; where there is none, with that of the only agent or of one that is chosen.
---@param callback fun(id: string)
local function with_conversation(callback)
  local id = M.current()
  if id then
    return callback(id)
  end
  buffer.choose_agent(nil, function(agent)
    M.with_direct(agent, callback)
  end)
end

--- Calls back with the input of the conversation meant, which is shown and gone to.
---@param callback fun(buf: integer)
function M.with_input(callback)
  with_conversation(function(id)
    local function on_shown()
      local buf = vim.api.nvim_get_current_buf()
      if select(2, buffer.conversation_of(buf)) == 'input' then
        callback(buf)
      end
    end
    if buffer.focus_input(id, { insert = true }) then
      return on_shown()
    end
    host.request('ViewService.Locate', { id = id }, function(err, result)
      if err or not result then
        return notify.error(err and err.message or '')
      end
      buffer.show(result.channel, result.here, { insert = true })
      on_shown()
    end)
  end)
end

--- Longer than any run of backticks in the lines, so that nothing in them closes it.
---@param lines string[]
---@return string
local function fence_for(lines)
  local longest = 2
  for _, line in ipairs(lines) do
    for run in line:gmatch('`+') do
      longest = math.max(longest, #run)
    end
  end
  return ('`'):rep(longest + 1)
end

--- Lines of the current buffer as context for an agent: where they are, and they themselves as a code block.
---@param first integer from 1
---@param last integer
---@return string
function M.context(first, last)
  local lines = vim.api.nvim_buf_get_lines(0, first - 1, last, false)
  local fence = fence_for(lines)
  local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':.')
  local place = ('%s:%d-%d'):format(path ~= '' and path or t('command.unnamed'), first, last)
  return table.concat({ place, fence .. vim.bo.filetype, table.concat(lines, '\n'), fence }, '\n')
end

--- Sends a text; an empty one means what stands in the input of the conversation.
---@param text string
function M.send(text)
  with_conversation(function(id)
    local known = state.conversation(id)
    if text ~= '' then
      host.request('ChannelService.Send', { id = id, text = text }, function(err)
        if err then
          notify.error(err.message)
        end
      end)
    elseif known and known.input_buf then
      require('sidekicks.input').send(known.input_buf)
    else
      notify.error(t('error.emptyText'))
    end
  end)
end

--- Sends lines of the current buffer after a text; without one they go into the input, where it can be written.
---@param text string
---@param first integer from 1
---@param last integer
function M.send_lines(text, first, last)
  local lines = M.context(first, last)
  if text ~= '' then
    return M.send(text .. '\n\n' .. lines)
  end
  M.with_input(function(buf)
    require('sidekicks.input').append(buf, lines .. '\n')
  end)
end

return M
