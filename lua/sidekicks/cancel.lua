-- Cancels an answer; an agent that was told to stop and does not is offered to be stopped itself (SPEC section 5). Waits for nothing.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

--- An agent may take this long to end its answer.
local patience_ms = 10000

---@param err? sidekicks.Failure
local function tell_failure(err)
  if err then
    notify.error(err.message)
  end
end

---@param known sidekicks.state.Conversation
local function offer_stop(known)
  local name = known.answering
  local agent = state.agent(name)
  local title = agent and agent.title ~= '' and agent.title or name
  vim.ui.select({ 'stop', 'wait' }, {
    prompt = t('cancel.ignored', { agent = title }),
    format_item = function(choice)
      return t('cancel.' .. choice, { agent = title })
    end,
  }, function(choice)
    -- It may have ended while the person thought.
    if choice == 'stop' and known.cancelling and known.answering == name then
      host.request('AgentService.Stop', { name = name }, tell_failure)
    end
  end)
end

--- Stops the answer in progress of a conversation and what waits.
---@param id string
function M.run(id)
  local known = state.conversation(id)
  host.request('ChannelService.Cancel', { id = id }, tell_failure)
  if known and known.cancellingSince > 0 and state.now() - known.cancellingSince >= patience_ms then
    vim.schedule(function()
      offer_stop(known)
    end)
  end
end

return M
