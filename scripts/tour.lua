-- The tour without a terminal: one prompt to the demo agent, its permission question answered, the conversation printed.
-- It uses what every script can use: `:Sidekicks open` and the functions of `require('sidekicks')`.
local sidekicks = require('sidekicks')

local agent = 'demo'
local file = 'greeting.lua'
local prompt = 'Have a look at @' .. file .. ', please.'
local patience = 60000

---@class sidekicks.tour.Question
---@field title string
---@field options string[]
---@field answer string

---@param text string
local function say(text)
  io.stdout:write(text, '\n')
end

---@param heading string
---@param lines string[]
local function section(heading, lines)
  say('')
  say('── ' .. heading .. ' ' .. ('─'):rep(math.max(4, 74 - vim.api.nvim_strwidth(heading))))
  say(table.concat(lines, '\n'))
end

---@param what string
---@param condition fun(): boolean
local function wait_for(what, condition)
  assert(vim.wait(patience, condition, 10), ('%s: nothing of the kind after %d s'):format(what, patience / 1000))
end

---@param permission sidekicks.Permission
---@return sidekicks.PermissionOption
local function allowing(permission)
  for _, option in ipairs(permission.options) do
    if option.kind == 'allow_once' then
      return option
    end
  end
  error('the agent offers no way to allow its edit once', 0)
end

--- Answers one request as a person would who allows it.
---@param permission sidekicks.Permission
---@return sidekicks.tour.Question
local function allow(permission)
  local chosen = allowing(permission)
  sidekicks.call('ChannelService.AnswerPermission', { id = permission.id, optionId = chosen.optionId }, 5000)
  local names = vim.tbl_map(function(option)
    return option.name
  end, permission.options)
  return { title = permission.toolCall.title, options = names, answer = chosen.name }
end

--- Sends the prompt and sees the turn through.
---@param id string
---@return sidekicks.tour.Question[] questions
local function converse(id)
  ---@type sidekicks.Permission[]
  local waiting = {}
  local ended = false
  sidekicks.on('permission:requested', function(permission)
    table.insert(waiting, permission)
  end)
  sidekicks.on('turn:changed', function(turn)
    ended = ended or (turn.channel == id and not turn.busy)
  end)
  sidekicks.call('ChannelService.Send', { id = id, text = prompt }, patience)
  local questions = {}
  while not ended do
    wait_for('the answer', function()
      return ended or #waiting > 0
    end)
    if #waiting > 0 then
      table.insert(questions, allow(table.remove(waiting, 1)))
    end
  end
  return questions
end

---@param id string
---@return sidekicks.Message
local function last_answer(id)
  local messages = sidekicks.call('ChannelService.Conversation', { id = id }, 5000).messages
  local last = assert(messages[#messages], 'the conversation is empty')
  assert(last.stopReason == 'end_turn', ('the answer ended as %q: %s'):format(last.stopReason, last.error))
  return last
end

---@param message sidekicks.Message
---@return string words the last ones the agent said
local function last_words(message)
  for i = #message.parts, 1, -1 do
    local part = message.parts[i]
    if part.kind == 'text' then
      return vim.trim(part.text):match('[^\n]*$')
    end
  end
  error('the agent said nothing', 0)
end

--- The transcript once it is drawn to its end.
---@param words string
---@return string[]
local function transcript(words)
  local buf = vim.fn.bufnr('^sidekicks://agent/' .. agent .. '$')
  assert(buf > 0, 'the conversation has no buffer')
  local lines ---@type string[]
  wait_for('the end of the transcript', function()
    lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
    return vim.iter(lines):any(function(line)
      return line:find(words, 1, true) ~= nil
    end)
  end)
  return lines
end

---@param question sidekicks.tour.Question
---@return string
local function describe(question)
  return ('%s  [%s]  →  %s'):format(question.title, table.concat(question.options, ' | '), question.answer)
end

local function tour()
  -- Without a screen Neovim would print the mode it is in.
  vim.o.showmode = false
  vim.cmd.edit(file)
  local edited = vim.api.nvim_get_current_buf()
  -- What the agent reads and edits is the buffer, so it has to see this line that no file holds.
  vim.api.nvim_buf_set_lines(edited, 1, 1, false, { '-- (a line that is not saved yet)' })
  vim.cmd.Sidekicks({ args = { 'open', agent } })

  local id = sidekicks.call('ChannelService.Direct', { agent = agent }, patience).id
  local questions = converse(id)
  local drawn = transcript(last_words(last_answer(id)))
  assert(#questions > 0, 'the agent edited without asking')
  assert(vim.bo[edited].modified, 'the edit did not reach the open buffer')

  section(('conversation with %s'):format(agent), drawn)
  section('asked before it edited', vim.tbl_map(describe, questions))
  section(('%s in its buffer, not saved'):format(file), vim.api.nvim_buf_get_lines(edited, 0, -1, false))
end

local ok, reason = pcall(tour)
if not ok then
  io.stderr:write('\nThe tour failed: ', tostring(reason), '\n')
end
vim.cmd(ok and 'qall!' or 'cquit 1')
