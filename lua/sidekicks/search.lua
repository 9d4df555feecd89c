-- `:Sidekicks search`: what the host found, as a quickfix list whose entries go to the messages. It searches nothing itself.
local host = require('sidekicks.host')
local message = require('sidekicks.message')
local notify = require('sidekicks.notify')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t

local M = {}

local namespace = vim.api.nvim_create_namespace('sidekicks.search')

--- What was searched for last, as a pattern; nil before the first search.
---@type vim.regex?
local pattern

---@param character string
---@return string
local function any_accent(character)
  if vim.fn.match(character, '^\\k$') == 0 then
    return ('[[=%s=]]'):format(character)
  end
  return vim.fn.escape(character, '\\[]*.^$~')
end

--- A pattern for the beginnings of these words, whatever their case and accents.
---@param words string
---@return vim.regex?
local function pattern_of(words)
  local alternatives = {}
  for word in words:gmatch('[%w_\128-\255]+') do
    local characters = vim.tbl_map(any_accent, vim.fn.split(word, '\\zs'))
    table.insert(alternatives, table.concat(characters))
  end
  return #alternatives > 0 and vim.regex('\\c\\%(' .. table.concat(alternatives, '\\|') .. '\\)') or nil
end

---@param buf integer
---@param row integer from 0
---@return boolean found
local function highlight_row(buf, row)
  local from = 0
  local length = #vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
  while pattern and from < length do
    local first, last = pattern:match_line(buf, row, from, length)
    if not first or last == first then
      break
    end
    vim.api.nvim_buf_set_extmark(buf, namespace, row, from + first, {
      end_col = from + last,
      hl_group = 'SidekicksFound',
      priority = 160,
    })
    from = from + last
  end
  return from > 0
end

--- Marks the words that were searched for in rows of a transcript, and nowhere else in it.
---@param buf integer
---@param first integer from 1
---@param last integer
---@return integer? row the first one with such a word
function M.highlight(buf, first, last)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  local found
  -- The head of a message says who and when, which is not what was searched.
  for row = math.min(first + 1, last), last do
    if highlight_row(buf, row - 1) then
      found = found or row
    end
  end
  return found
end

---@param hit sidekicks.Hit
---@return string
local function author(hit)
  local agent = state.agent(hit.agent)
  return hit.role == 'user' and t('transcript.you') or agent and agent.title or hit.agent
end

---@param hit sidekicks.Hit
---@param place string
---@return table
local function entry(hit, place)
  local who = hit.role == 'system' and hit.agent == '' and {} or { author(hit) }
  local when = os.date('%Y-%m-%d %H:%M', math.floor(hit.createdAt / 1000))
  return {
    filename = message.name(hit.channel, hit.messageId),
    module = table.concat(vim.iter({ place, who, when }):flatten():totable(), ' · '),
    text = hit.snippet,
    user_data = { conversation = hit.channel, message = hit.messageId },
    valid = 1,
  }
end

---@param all sidekicks.Conversation[]
---@param here sidekicks.Conversation[]
---@return table<string, string> label by id
local function labels(all, here)
  local label = require('sidekicks.channel').label
  local found = {}
  for _, conversation in ipairs(all) do
    found[conversation.id] = label(conversation, false)
  end
  for _, conversation in ipairs(here) do
    found[conversation.id] = label(conversation, true)
  end
  return found
end

---@param words string
---@param hits sidekicks.Hit[]
---@param places table<string, string>
local function show(words, hits, places)
  local items = vim.tbl_map(function(hit)
    return entry(hit, places[hit.channel] or '')
  end, hits)
  pattern = pattern_of(words)
  vim.fn.setqflist({}, ' ', { title = t('search.title', { words = words }), items = items })
  require('sidekicks.hits').tidy()
  vim.cmd.copen({ mods = { split = 'botright' } })
end

---@param words string
---@param hits sidekicks.Hit[]
local function with_places(words, hits)
  host.request('ChannelService.List', { all = true }, function(_, all)
    host.request('ChannelService.List', {}, function(_, here)
      show(words, hits, labels(all and all.channels or {}, here and here.channels or {}))
    end)
  end)
end

--- Searches all conversations for messages that have all these words.
---@param words string as typed: nothing in it has a meaning of its own
function M.run(words)
  if words == '' then
    return notify.error(t('search.usage'))
  end
  state.with_configuration(function()
    host.request('ChannelService.Search', { words = words }, function(err, result)
      if err or not result then
        notify.error(err and err.message or '')
      elseif #result.hits == 0 then
        notify.info(t('search.none', { words = words }))
      else
        with_places(words, result.hits)
      end
    end)
  end)
end

return M
