-- The permission requests and questions that wait, in the order in which they came, and the answers on their way. Draws
-- nothing.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')

local M = {}

---@alias sidekicks.permission.Request sidekicks.Permission|sidekicks.Question

--- When each request was seen first.
---@type table<string, integer>
local order = {}
local seen = 0
--- Answered here; the host has not yet taken them from the state.
---@type table<string, true>
local answered = {}
--- The person wants to see these later.
---@type table<string, true>
local put_off = {}

---@return sidekicks.permission.Request[]
local function unanswered()
  local list, known = {}, {}
  for _, conversation in vim.spairs(state.conversations()) do
    for _, permission in ipairs(vim.list_extend(vim.list_slice(conversation.permissions), conversation.questions)) do
      known[permission.id] = true
      if not order[permission.id] then
        seen = seen + 1
        order[permission.id] = seen
      end
      if not answered[permission.id] then
        table.insert(list, permission)
      end
    end
  end
  for _, notes in ipairs({ order, answered, put_off }) do
    for id in pairs(notes) do
      notes[id] = known[id] and notes[id] or nil
    end
  end
  return list
end

--- Every request that waits for an answer, oldest first.
---@return sidekicks.permission.Request[]
function M.waiting()
  local list = unanswered()
  table.sort(list, function(a, b)
    return order[a.id] < order[b.id]
  end)
  return list
end

--- Whether a request is a question, not one for permission.
---@param request sidekicks.permission.Request
---@return boolean
function M.is_question(request)
  return request.schema ~= nil
end

---@param list sidekicks.permission.Request[]
---@param id? string
---@return sidekicks.permission.Request?
---@return integer index 0 if it is not there
function M.find(list, id)
  for index, permission in ipairs(list) do
    if permission.id == id then
      return permission, index
    end
  end
  return nil, 0
end

--- The oldest request nobody has put off.
---@param list sidekicks.permission.Request[]
---@return sidekicks.permission.Request?
---@return integer index
function M.oldest_to_show(list)
  for index, permission in ipairs(list) do
    if not put_off[permission.id] then
      return permission, index
    end
  end
  return nil, 0
end

--- Leaves a request waiting without showing it.
---@param id string
function M.put_off(id)
  put_off[id] = true
end

---@param id string
---@param method string
---@param params table
---@param on_failure fun()
local function send(id, method, params, on_failure)
  answered[id] = true
  host.request(method, params, function(err)
    if err then
      answered[id] = nil
      notify.error(err.message)
      on_failure()
    end
  end)
end

--- Sends the answer to one question, by its own id.
---@param question sidekicks.Question
---@param action 'accept'|'decline'|'cancel'
---@param content? table<string, any>
---@param on_failure fun()
function M.answer_question(question, action, content, on_failure)
  local params = { id = question.id, action = action, content = content }
  send(question.id, 'ChannelService.AnswerQuestion', params, on_failure)
end

--- Sends the answer to one request, by its own id.
---@param permission sidekicks.Permission
---@param option string id
---@param on_failure fun()
function M.answer(permission, option, on_failure)
  local params = { id = permission.id, optionId = option }
  send(permission.id, 'ChannelService.AnswerPermission', params, on_failure)
end

---@param permission sidekicks.Permission
---@param kinds string[]
---@return string?
local function option_of_kind(permission, kinds)
  for _, kind in ipairs(kinds) do
    for _, option in ipairs(permission.options) do
      if option.kind == kind then
        return option.optionId
      end
    end
  end
end

--- The option somebody means by an id, a number, `allow` or `reject`.
---@param permission sidekicks.Permission
---@param word string
---@return string?
function M.option_meant(permission, word)
  for _, option in ipairs(permission.options) do
    if option.optionId == word then
      return word
    end
  end
  local numbered = permission.options[tonumber(word) or 0]
  if numbered then
    return numbered.optionId
  elseif word == 'allow' or word == 'reject' then
    return option_of_kind(permission, { word .. '_once', word .. '_always' })
  end
end

return M
