-- What came of a message that was sent: its answers, or why there are none. Reads a snapshot and asks nobody.
local t = require('sidekicks.language').t

local M = {}

---@param message sidekicks.Message
---@return string
local function text_of(message)
  local texts = {}
  for _, part in ipairs(message.parts) do
    if part.kind == 'text' then
      table.insert(texts, part.text)
    end
  end
  return table.concat(texts)
end

---@param messages sidekicks.Message[]
---@param id string
---@return sidekicks.Message? sent
---@return sidekicks.Message[] after
local function split_at(messages, id)
  for index, message in ipairs(messages) do
    if message.id == id then
      return message, vim.list_slice(messages, index + 1)
    end
  end
  return nil, {}
end

--- What went wrong with a message that stands after the one that was sent, if it says so.
---@param message sidekicks.Message
---@return string?
local function problem_of(message)
  if message.role == 'system' and message.code == 'no-recipient' then
    return message.error == '' and t('system.no-recipient') or t('system.no-recipientNamed', { what = message.error })
  elseif message.role == 'system' and message.code ~= 'attachment-unavailable' then
    return message.error ~= '' and message.error or nil
  elseif message.role == 'agent' and message.error ~= '' then
    return message.error
  elseif message.role == 'agent' and message.stopReason ~= 'end_turn' then
    return t('ask.stopped', { reason = message.stopReason })
  end
end

--- What was said, each answer under its author where several agents gave one.
---@param answers sidekicks.Message[]
---@return string?
local function spoken(answers)
  if #answers < 2 then
    return answers[1] and text_of(answers[1])
  end
  local texts = vim.tbl_map(function(message)
    return ('%s:\n%s'):format(message.agent, text_of(message))
  end, answers)
  return table.concat(texts, '\n\n')
end

--- The answers to a message are there once nothing is answered any more, or the next message is.
---@param snapshot table
---@param sent? sidekicks.Message
---@param after sidekicks.Message[]
---@return boolean
local function is_over(snapshot, sent, after)
  local is_answered = vim.iter(after):any(function(message)
    return message.role == 'user' and not message.queued
  end)
  return is_answered or (not snapshot.busy and sent ~= nil and not sent.queued)
end

--- Looks whether the answer is there: gives it, or why there will be none; nothing while it is still awaited.
---@param snapshot table
---@param id string of the message that was sent
---@return string? err
---@return string? text
function M.of(snapshot, id)
  local sent, after = split_at(snapshot.messages, id)
  if sent and sent.error ~= '' then
    return sent.error
  elseif not is_over(snapshot, sent, after) then
    return nil
  end
  local problem, answers = nil, {}
  for _, message in ipairs(after) do
    if message.role == 'user' then
      break
    elseif message.role == 'agent' then
      table.insert(answers, message)
    end
    problem = problem or problem_of(message)
  end
  return problem or (#answers == 0 and t('end.cancelled') or nil), spoken(answers)
end

return M
