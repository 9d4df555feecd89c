-- Modes, models and other options an agent's session offers: the subcommands that choose them. The host sets them.
local host = require('sidekicks.host')
local meant = require('sidekicks.meant')
local notify = require('sidekicks.notify')
local send = require('sidekicks.send')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.session_options.Target
---@field id string
---@field agent string

--- What the current conversation offers.
---@param category? string every option when left out
---@return sidekicks.Option[]
---@return sidekicks.session_options.Target?
local function offered(category)
  local id = send.current()
  local known = id and state.conversation(id)
  if not known or not known.conversation then
    return {}
  end
  local target = { id = known.id, agent = meant.agent(known) }
  local options = vim.tbl_filter(function(option)
    return category == nil or option.category == category
  end, known.options[target.agent] or {})
  return options, target
end

---@param option sidekicks.Option
---@param wanted string a value, or the name shown for it
---@return string? value
local function value_of(option, wanted)
  for _, choice in ipairs(option.choices) do
    if choice.value == wanted or choice.name == wanted then
      return choice.value
    end
  end
end

---@param option sidekicks.Option
---@param target sidekicks.session_options.Target
---@param value string
local function set(option, target, value)
  local params = { id = target.id, agent = target.agent, optionId = option.optionId, value = value }
  host.request('ChannelService.SetOption', params, function(err)
    if err then
      notify.error(err.message)
    end
  end)
end

--- How an option is called: session modes and old models come without a name.
---@param option sidekicks.Option
---@return string
local function title(option)
  return option.name ~= '' and option.name or option.optionId
end

---@param option sidekicks.Option
---@param target sidekicks.session_options.Target
local function ask_value(option, target)
  vim.ui.select(option.choices, {
    prompt = title(option),
    format_item = function(choice)
      local sign = choice.value == option.value and '● ' or '  '
      return sign .. choice.name .. (choice.description ~= '' and ': ' .. choice.description or '')
    end,
  }, function(choice)
    if choice then
      set(option, target, choice.value)
    end
  end)
end

--- Sets an option, or asks for the value where none is named.
---@param option sidekicks.Option
---@param target sidekicks.session_options.Target
---@param wanted string
local function set_or_ask(option, target, wanted)
  if wanted == '' then
    return ask_value(option, target)
  end
  local value = value_of(option, wanted)
  if value then
    set(option, target, value)
  else
    notify.error(t('command.noValue', { option = title(option), value = wanted }))
  end
end

---@param option? sidekicks.Option
---@return string[]
local function values(option)
  return vim.tbl_map(function(choice)
    return choice.value
  end, option and option.choices or {})
end

--- The subcommand for the option of one category.
---@param category 'mode'|'model'
---@return sidekicks.Subcommand
function M.of_category(category)
  return {
    run = function(invocation)
      local options, target = offered(category)
      if not options[1] or not target then
        return notify.error(t('command.notOffered', { what = category }))
      end
      set_or_ask(options[1], target, invocation.text)
    end,
    complete = function(words)
      return #words == 0 and values(offered(category)[1]) or {}
    end,
  }
end

---@param options sidekicks.Option[]
---@param target sidekicks.session_options.Target
local function ask_option(options, target)
  vim.ui.select(options, {
    prompt = t('command.whichOption'),
    format_item = function(option)
      return ('%s: %s'):format(title(option), option.value)
    end,
  }, function(option)
    if option then
      ask_value(option, target)
    end
  end)
end

---@param options sidekicks.Option[]
---@param id string
---@return sidekicks.Option?
local function find(options, id)
  for _, option in ipairs(options) do
    if option.optionId == id then
      return option
    end
  end
end

--- The subcommand for any option, by its id.
---@type sidekicks.Subcommand
M.any = {
  run = function(invocation)
    local options, target = offered()
    local id = invocation.words[1]
    local option = id and find(options, id)
    if not target or #options == 0 or (id and not option) then
      notify.error(t('command.notOffered', { what = id or 'option' }))
    elseif option then
      set_or_ask(option, target, vim.trim(invocation.text:sub(#id + 1)))
    else
      ask_option(options, target)
    end
  end,
  complete = function(words)
    local options = offered()
    if #words == 0 then
      return vim.tbl_map(function(option)
        return option.optionId
      end, options)
    end
    return #words == 1 and values(find(options, words[1])) or {}
  end,
}

return M
