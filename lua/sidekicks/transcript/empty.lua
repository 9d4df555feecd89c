-- What a channel shows while nothing has been said in it: what it is for, who is there, how one begins. No text of the buffer.
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

local namespace = vim.api.nvim_create_namespace('sidekicks.transcript.empty')

---@param names string[]
---@return string
local function mentions(names)
  return table.concat(
    vim.tbl_map(function(name)
      return '@' .. name
    end, names),
    ' '
  )
end

---@return string[]
local function all_agents()
  return vim.tbl_map(function(agent)
    return agent.name
  end, state.agents())
end

---@param conversation sidekicks.Conversation
---@return string[]
local function paragraphs(conversation)
  local said = {}
  if conversation.description ~= '' then
    table.insert(said, conversation.description)
  end
  if #conversation.members > 0 then
    table.insert(said, t('empty.members', { members = mentions(conversation.members) }))
    table.insert(said, t(#conversation.members == 1 and 'empty.write' or 'empty.mention'))
  else
    table.insert(said, t('empty.nobody', { agents = mentions(all_agents()) }))
    table.insert(said, t('empty.invite'))
  end
  return said
end

--- Virtual lines do not wrap by themselves.
---@param text string
---@param width integer
---@return string[]
local function wrapped(text, width)
  local lines, line = {}, ''
  for word in text:gmatch('[^ ]+') do
    local longer = line == '' and word or line .. ' ' .. word
    if line ~= '' and vim.fn.strdisplaywidth(longer) > width then
      table.insert(lines, line)
      longer = word
    end
    line = longer
  end
  table.insert(lines, line)
  return lines
end

--- Shows it in the transcript of a conversation, or takes it away.
---@param buf integer
---@param id string of the conversation
---@param is_empty boolean nothing is drawn
function M.update(buf, id, is_empty)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local known = is_empty and state.conversation(id)
  local conversation = known and known.conversation
  if not conversation or conversation.direct ~= '' then
    return
  end
  local win = vim.fn.win_findbuf(buf)[1]
  local width = (win and vim.api.nvim_win_get_width(win) or 80) - 2
  local rows = {}
  for _, paragraph in ipairs(paragraphs(conversation)) do
    for _, line in ipairs(wrapped(paragraph, width)) do
      table.insert(rows, { { ' ' .. line, 'SidekicksNotice' } })
    end
    table.insert(rows, { { '', 'SidekicksNotice' } })
  end
  vim.api.nvim_buf_set_extmark(buf, namespace, 0, 0, { virt_lines = rows })
end

return M
