-- `:Sidekicks add`: asks, step by step, for a program on PATH, its arguments and a name, and has the host write the agent
-- into the configuration. What a valid agent is, the host says.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.NewAgent
---@field name string
---@field command string
---@field args? string[]

--- Words divided by blanks; quotes hold words together and are dropped.
---@param text string
---@return string[]
function M.words(text)
  local words, word, quote = {}, nil, nil
  for character in text:gmatch('.') do
    if quote then
      word, quote = character ~= quote and word .. character or word, character ~= quote and quote or nil
    elseif character == '"' or character == "'" then
      word, quote = word or '', character
    elseif character:find('%s') then
      table.insert(words, word)
      word = nil
    else
      word = (word or '') .. character
    end
  end
  table.insert(words, word)
  return words
end

--- A name for the agent of a program: what stands before the first dot, with - for what a name may not hold.
---@param command string
---@return string
local function suggest_name(command)
  local base = vim.fs.basename(command):match('^[^.]*')
  return (base:gsub('[^%w_-]+', '-'):sub(1, 32))
end

---@param agent sidekicks.NewAgent
local function add(agent)
  host.request('ConfigService.AddAgent', { agent = agent }, function(err)
    if err then
      notify.error(err.message)
    else
      notify.info(t('add.done', { name = agent.name }))
    end
  end)
end

--- Asks for one thing; giving up ends the whole.
---@param prompt string
---@param default string
---@param completion? string
---@param callback fun(answer: string)
local function ask(prompt, default, completion, callback)
  vim.ui.input({ prompt = prompt .. ' ', default = default, completion = completion }, function(answer)
    if answer then
      callback(vim.trim(answer))
    end
  end)
end

---@param command string
---@param args string[]
local function ask_name(command, args)
  ask(t('add.name'), suggest_name(command), nil, function(name)
    add({ name = name, command = command, args = #args > 0 and args or nil })
  end)
end

---@param command string
local function ask_arguments(command)
  if command == '' then
    return
  elseif vim.fn.executable(vim.fn.expand(command)) == 0 then
    notify.warn(t('program.missing', { command = command }))
  end
  ask(t('add.arguments', { command = command }), '', 'file', function(arguments)
    ask_name(command, M.words(arguments))
  end)
end

--- Runs `:Sidekicks add [program [arguments]]`: asks for what is not given.
---@param text string what was typed after it
function M.run(text)
  local words = M.words(text)
  local command = table.remove(words, 1)
  if not command then
    ask(t('add.program'), '', 'shellcmd', ask_arguments)
  elseif #words == 0 then
    ask_arguments(command)
  else
    ask_name(command, words)
  end
end

return M
