-- `:Sidekicks`: its subcommands, their arguments and their completion. Each does its work elsewhere.
local agents = require('sidekicks.command.agents')
local buffer = require('sidekicks.buffer')
local hiding = require('sidekicks.hiding')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local send = require('sidekicks.send')
local session_options = require('sidekicks.session_options')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.Invocation what a person typed after the subcommand
---@field text string as typed, without blanks around
---@field words string[]
---@field bang boolean
---@field first? integer line of the range, from 1
---@field last? integer

---@class (exact) sidekicks.Subcommand
---@field run fun(invocation: sidekicks.Invocation)
---@field complete? fun(words: string[], lead: string, typed: string): string[] what may stand after these finished words
---@field range? boolean
---@field bang? boolean

--- A subcommand that does something to the current conversation.
---@param method string
---@return fun()
local function on_conversation(method)
  return function()
    send.with_open_conversation(function(id)
      host.request(method, { id = id }, function(err)
        if err then
          notify.error(err.message)
        end
      end)
    end)
  end
end

---@param invocation sidekicks.Invocation
local function run_send(invocation)
  if invocation.first and invocation.last then
    send.send_lines(invocation.text, invocation.first, invocation.last)
  else
    send.send(invocation.text)
  end
end

---@param invocation sidekicks.Invocation
local function run_ask(invocation)
  local channel, rest = require('sidekicks.channel.names').take(invocation.text)
  local agent, text
  if channel then
    text = rest ~= '' and rest or nil
  else
    agent, text = invocation.text:match('^(%S+)%s+(.+)$')
  end
  if not text then
    return require('sidekicks.ask').refuse(t('command.askUsage'))
  end
  require('sidekicks.ask').run({ agent = agent, channel = channel }, text, invocation.bang)
end

---@param words string[]
---@param lead string
---@param typed string
---@return string[]
local function complete_ask(words, lead, typed)
  local names = require('sidekicks.channel.names')
  if names.take(typed) and (typed:find('%s$') or #words > 0) then
    return {}
  end
  local channels = names.tails(names.arguments(), typed, lead)
  return vim.list_extend(agents.complete(words), channels)
end

---@param invocation sidekicks.Invocation
local function run_terminal(invocation)
  local terminal = require('sidekicks.terminal')
  local agent = invocation.text ~= '' and invocation.text or terminal.agent_here() or agents.current()
  terminal.open(agent, invocation.bang)
end

---@param invocation sidekicks.Invocation
local function run_permit(invocation)
  local permission = require('sidekicks.permission')
  if invocation.text == '' then
    permission.focus()
  else
    permission.answer(invocation.text)
  end
end

---@return string[]
local function complete_permission()
  return require('sidekicks.permission').words()
end

---@param invocation sidekicks.Invocation
local function run_copy(invocation)
  local n = invocation.text == '' and 1 or tonumber(invocation.text)
  if not n or n < 1 or n % 1 ~= 0 then
    return notify.error(t('command.copyUsage'))
  end
  require('sidekicks.clipboard').copy_block(n)
end

--- Stops the answer in progress of the current conversation and what waits.
function M.cancel()
  send.with_open_conversation(require('sidekicks.cancel').run)
end

--- A subcommand on what agents changed.
---@param verb 'accept'|'reject'
---@return sidekicks.Subcommand
local function on_changes(verb)
  local function run(invocation)
    require('sidekicks.review.act').run(verb, invocation)
  end
  return { run = run, range = true, bang = true }
end

---@type table<string, sidekicks.Subcommand>
local subcommands = {
  accept = on_changes('accept'),
  add = {
    run = function(invocation)
      require('sidekicks.add').run(invocation.text)
    end,
    complete = function(words, lead)
      return require('sidekicks.add').complete(words, lead)
    end,
  },
  agents = {
    run = function()
      require('sidekicks.panel').open()
    end,
  },
  ask = { run = run_ask, complete = complete_ask, bang = true },
  attach = {
    run = function(invocation)
      require('sidekicks.attach').run(invocation.text)
    end,
    complete = function(words, lead)
      return require('sidekicks.attach').complete(words, lead)
    end,
  },
  cancel = { run = M.cancel },
  changes = {
    run = function()
      require('sidekicks.review.list').open()
    end,
  },
  channel = {
    run = function(invocation)
      require('sidekicks.channel.manage').run(invocation)
    end,
    complete = function(_, lead, typed)
      return require('sidekicks.channel.manage').complete(lead, typed)
    end,
    bang = true,
  },
  close = { run = hiding.close },
  config = {
    run = function(invocation)
      require('sidekicks.config').run(invocation.text)
    end,
    complete = function(words, lead)
      return require('sidekicks.config').complete(words, lead)
    end,
  },
  copy = { run = run_copy },
  export = {
    run = function(invocation)
      require('sidekicks.export').run(invocation.text, invocation.bang)
    end,
    complete = function(_, lead, typed)
      return require('sidekicks.channel.names').tails(vim.fn.getcompletion(typed, 'file'), typed, lead)
    end,
    bang = true,
  },
  files = agents.chosen(buffer.open_files),
  install = {
    run = function()
      require('sidekicks.install').run()
    end,
  },
  log = agents.chosen(buffer.open_log),
  mode = session_options.of_category('mode'),
  model = session_options.of_category('model'),
  new = { run = on_conversation('ChannelService.NewSession') },
  open = {
    run = function(invocation)
      buffer.open_direct(invocation.text)
    end,
    complete = agents.complete,
  },
  option = session_options.any,
  permit = { run = run_permit, complete = complete_permission },
  reject = on_changes('reject'),
  reset = {
    run = function(invocation)
      require('sidekicks.reset').run(invocation.text)
    end,
    complete = function(words)
      return #words == 0 and require('sidekicks.reset').choices or {}
    end,
  },
  restart = agents.process('AgentService.Restart'),
  restore = {
    run = function(invocation)
      require('sidekicks.review.act').restore(invocation.text)
    end,
    complete = function(words)
      return #words == 0 and require('sidekicks.review').messages() or {}
    end,
  },
  sandbox = {
    run = function(invocation)
      require('sidekicks.sandbox').run(invocation.words)
    end,
    complete = function(words)
      return require('sidekicks.sandbox').complete(words, agents.names)
    end,
  },
  search = {
    run = function(invocation)
      require('sidekicks.search').run(invocation.text)
    end,
  },
  send = { run = run_send, range = true },
  signin = agents.chosen(function(agent)
    require('sidekicks.sign_in').run(agent)
  end),
  start = agents.process('AgentService.Start'),
  stop = agents.process('AgentService.Stop'),
  terminal = { run = run_terminal, complete = agents.complete, bang = true },
  toggle = { run = hiding.toggle },
}

--- The names of the subcommands, in alphabetical order.
---@return string[]
function M.names()
  local names = vim.tbl_keys(subcommands)
  table.sort(names)
  return names
end

---@param name string
---@param typed vim.api.keyset.create_user_command.command_args
---@return string? problem
local function misuse(name, typed)
  local subcommand = subcommands[name]
  if not subcommand then
    return t('command.unknown', { name = name, known = table.concat(M.names(), ', ') })
  elseif typed.range > 0 and not subcommand.range then
    return t('command.noRange', { name = name })
  elseif typed.bang and not subcommand.bang then
    return t('command.noBang', { name = name })
  end
end

--- Runs what was typed.
---@param typed vim.api.keyset.create_user_command.command_args
function M.run(typed)
  notify.begin_action()
  local name, text = typed.args:match('^%s*(%S*)%s*(.-)%s*$')
  name = name == '' and 'agents' or name
  local problem = misuse(name, typed)
  if problem then
    return notify.error(problem)
  end
  local ranged = typed.range > 0
  subcommands[name].run({
    text = text,
    words = vim.split(text, '%s+', { trimempty = true }),
    bang = typed.bang,
    first = ranged and typed.line1 or nil,
    last = ranged and typed.line2 or nil,
  })
end

--- Completes the word at the end of the command line.
---@param lead string the word so far
---@param line string
---@param position integer bytes of the line before the cursor
---@return string[]
function M.complete(lead, line, position)
  local typed = line:sub(1, position):match('Sidekicks!?%s+(.*)$') or ''
  local words = vim.split(typed:sub(1, #typed - #lead), '%s+', { trimempty = true })
  local name = table.remove(words, 1)
  local subcommand = subcommands[name]
  local after_name = typed:match('^%S+%s+(.*)$') or ''
  local candidates = name == nil and M.names()
    or subcommand and subcommand.complete and subcommand.complete(words, lead, after_name)
    or {}
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
