-- Which agent of a conversation is meant where none is named: what is shown of it and what is set belong to the same one.
-- It looks at what is known and asks nobody.
local M = {}

--- In a channel the agent at work, else the only member that offers something, else the member that began to answer last.
---@param known sidekicks.state.Conversation
---@return string "" where it could be any
function M.agent(known)
  local conversation = assert(known.conversation)
  if conversation.direct ~= '' then
    return conversation.direct
  elseif known.answering ~= '' then
    return known.answering
  end
  local offering = vim.tbl_filter(function(member)
    return #(known.options[member] or {}) > 0
  end, conversation.members)
  if #offering == 1 then
    return offering[1]
  end
  local last = known.answered_last
  return last and vim.list_contains(conversation.members, last) and last or ''
end

return M
