-- The pieces of the line above a conversation: signs, times, numbers, names. They are worded here and put together elsewhere.
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {
  frame_ms = 100,
}

local frames = { '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏' }
-- A text of fewer cells says nothing.
local least_room = 12

--- The activity sign at a time: a function of the clock, so that all turn in step and none is ever reset.
---@param now integer milliseconds
---@return string
function M.spinner(now)
  return frames[math.floor(now / M.frame_ms) % #frames + 1]
end

--- `8 s`, `2 min 05 s`.
---@param ms integer
---@return string
function M.elapsed(ms)
  local seconds = math.max(math.floor(ms / 1000), 0)
  if seconds < 60 then
    return t('winbar.seconds', { seconds = seconds })
  end
  return t('winbar.minutes', { minutes = math.floor(seconds / 60), seconds = ('%02d'):format(seconds % 60) })
end

---@param tokens integer
---@return string
local function short_number(tokens)
  if tokens < 1000 then
    return tostring(tokens)
  elseif tokens < 999500 then
    return ('%.0fk'):format(tokens / 1000)
  end
  return ('%.1fM'):format(tokens / 1000000)
end

---@param usage? sidekicks.Usage
---@return string?
function M.usage(usage)
  if not usage or usage.used == 0 then
    return nil
  elseif usage.size == 0 then
    return short_number(usage.used)
  end
  local percent = math.floor(usage.used * 100 / usage.size + 0.5)
  return t('winbar.usage', { percent = percent, size = short_number(usage.size) })
end

--- A text in the colour of a group, whatever signs are in it.
---@param group string
---@param text string
---@return string
function M.item(group, text)
  return ('%%#%s#%s%%*'):format(group, (text:gsub('%%', '%%%%')))
end

--- An agent as it is called, also one that is not configured any more.
---@param name string
---@return string
function M.title_of(name)
  local agent = state.agent(name)
  return agent and agent.title ~= '' and agent.title or name
end

---@param option sidekicks.Option
---@return string
local function value_name(option)
  for _, choice in ipairs(option.choices) do
    if choice.value == option.value then
      return choice.name
    end
  end
  return option.value
end

--- The mode and the model, by the names the agent gave them.
---@param known sidekicks.state.Conversation
---@param agent string
---@return string[]
function M.settings(known, agent)
  local names = {}
  for _, category in ipairs({ 'mode', 'model' }) do
    for _, option in ipairs(known.options[agent] or {}) do
      if option.category == category and option.value ~= '' then
        table.insert(names, value_name(option))
        break
      end
    end
  end
  return names
end

--- As much of a text as there is room for.
---@param text string
---@param room integer cells
---@return string
function M.shortened(text, room)
  if vim.fn.strdisplaywidth(text) <= room then
    return text
  end
  if room < least_room then
    return ''
  end
  while vim.fn.strdisplaywidth(text) >= room do
    text = vim.fn.strcharpart(text, 0, vim.fn.strcharlen(text) - 1)
  end
  return text .. '…'
end

--- How wide a part of a winbar is drawn.
---@param drawn string
---@return integer cells
function M.width_of(drawn)
  return vim.fn.strdisplaywidth((drawn:gsub('%%#.-#', ''):gsub('%%%*', ''):gsub('%%%%', '%%')))
end

--- The keys of a buffer: where they do not fit, some in the middle are left out, never the way to all of them.
---@param keys string
---@return string
function M.hint(keys)
  local items = vim.split(keys, ' · ', { plain = true })
  local cut = math.max(1, math.min(4, #items - 1))
  items[cut] = '%<' .. items[cut]
  return '%#SidekicksUsage#' .. table.concat(items, ' · ')
end

return M
