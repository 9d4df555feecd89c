-- Signing in to an agent: says once that it is needed, shows the ways the agent offers, and runs the one that is chosen in
-- a terminal, once its command was seen and allowed. Which ways there are the host says; it keeps no key and no password.
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.sign_in.Method
---@field name string in the agent's own words, as is `description`
---@field description string
---@field command string "" for a way that is not run in a terminal
---@field args string[]
---@field env table<string, string> what the agent adds
---@field line string the command as it is shown: what runs, and nothing else

---@class (exact) sidekicks.sign_in.Offer
---@field folder string
---@field env table<string, string> of the configuration
---@field methods sidekicks.sign_in.Method[]

---@type table<string, 'now'|'before'> agents that need it, and whether the person has only just heard
local told = {}

--- Tells that an agent needs a sign-in, once until it has had one.
---@param agent string
function M.tell(agent)
  if not told[agent] then
    told[agent] = 'now'
    notify.warn(t('signIn.needed', { agent = agent }))
  end
end

--- Whether what just failed is what the person has just been told; asked a second time it is not.
---@param agent string
---@return boolean
function M.just_told(agent)
  local is_new = told[agent] == 'now'
  told[agent] = told[agent] and 'before'
  return is_new
end

---@param method sidekicks.sign_in.Method
---@return string
local function describe(method)
  return method.description == '' and method.name or ('%s: %s'):format(method.name, method.description)
end

--- What failed for want of a sign-in works only in a new process, or in one that asks again.
---@param agent string
local function signed_in(agent)
  told[agent] = nil
  local function tell(err)
    if err then
      notify.error(err.message)
    else
      notify.info(t('signIn.done', { agent = agent }))
    end
  end
  local known = state.agent(agent)
  if known and known.state ~= 'stopped' then
    host.request('AgentService.Restart', { name = agent }, tell)
  else
    tell()
  end
end

---@param agent string
---@param code integer
local function ended(agent, code)
  if vim.v.exiting ~= vim.NIL then
    return
  elseif code == 0 then
    signed_in(agent)
  else
    notify.warn(t('signIn.ended', { agent = agent, code = code }))
  end
end

--- Whoever closes the terminal goes on where they asked for it.
---@param win integer the terminal
---@param origin integer
local function go_back_from(win, origin)
  vim.api.nvim_create_autocmd('WinClosed', {
    pattern = tostring(win),
    once = true,
    desc = 'Go back to where a sign-in was asked for',
    callback = function()
      if vim.api.nvim_get_current_win() == win then
        vim.schedule(function()
          if vim.api.nvim_win_is_valid(origin) then
            vim.api.nvim_set_current_win(origin)
          end
        end)
      end
    end,
  })
end

--- Runs it in a terminal of its own: a list of words that no shell reads.
---@param agent string
---@param offer sidekicks.sign_in.Offer
---@param method sidekicks.sign_in.Method
local function run(agent, offer, method)
  local env = vim.tbl_extend('force', offer.env, method.env)
  local origin = vim.api.nvim_get_current_win()
  vim.cmd.new({ mods = { split = 'botright' } })
  local win = vim.api.nvim_get_current_win()
  vim.bo.buflisted = false
  local words = vim.list_extend({ method.command }, method.args)
  local job, problem = require('sidekicks.terminal.run').run(words, {
    cwd = offer.folder,
    env = next(env) and env or nil,
    on_exit = vim.schedule_wrap(function(_, code)
      ended(agent, code)
    end),
  })
  if job then
    go_back_from(win, origin)
    return vim.cmd.startinsert()
  end
  vim.api.nvim_win_close(win, true)
  notify.error(t('signIn.notStarted', { command = method.line, what = problem or '' }))
end

---@param agent string
---@param offer sidekicks.sign_in.Offer
---@param method sidekicks.sign_in.Method
local function confirm(agent, offer, method)
  if method.command == '' then
    return notify.info(t('signIn.elsewhere', { agent = agent, what = describe(method) }))
  end
  vim.ui.select({ 'no', 'yes' }, {
    prompt = t('signIn.confirm', { command = method.line, folder = offer.folder }),
    format_item = function(answer)
      return t('signIn.' .. answer)
    end,
  }, function(answer)
    if answer == 'yes' then
      run(agent, offer, method)
    end
  end)
end

---@param agent string
---@param offer sidekicks.sign_in.Offer
local function choose(agent, offer)
  if #offer.methods == 1 then
    return confirm(agent, offer, offer.methods[1])
  end
  vim.ui.select(offer.methods, {
    prompt = t('signIn.which', { agent = agent }),
    format_item = describe,
  }, function(method)
    if method then
      vim.cmd.redraw() -- Neovim 0.10 would ask in the line of the answer
      confirm(agent, offer, method)
    end
  end)
end

--- Offers the ways an agent can be signed in to.
---@param agent string
function M.run(agent)
  host.request('ViewService.SignIn', { agent = agent }, function(err, offer)
    if err or not offer then
      notify.error(err and err.message or '')
    else
      choose(agent, offer)
    end
  end)
end

---@return string[] members of the current conversation: those that need it, else all
local function candidates()
  local id = buffer.conversation_of(0)
  local known = id and state.conversation(id)
  local members = known and known.conversation and known.conversation.members or {}
  local needing = vim.tbl_filter(function(agent)
    return told[agent] ~= nil
  end, members)
  return #needing > 0 and needing or members
end

--- The same for the agent of the current conversation.
function M.here()
  local agents = candidates()
  if #agents == 1 then
    M.run(agents[1])
  elseif #agents > 1 then
    vim.ui.select(agents, { prompt = t('command.whichAgent') }, function(agent)
      if agent then
        M.run(agent)
      end
    end)
  else
    notify.error(t('command.noConversation'))
  end
end

return M
