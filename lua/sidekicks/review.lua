-- What agents changed and nobody has accepted yet, and the conflicts, as the host listed them last (SPEC 9). One question
-- at a time is on its way, however much changes. It draws nothing and decides nothing.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.review.Layer one file of one turn
---@field turn sidekicks.ChangedTurn
---@field file sidekicks.ChangedFile

-- An agent changes many files in a row; a person types many keys in one.
local gathered_ms = 150
local typed_ms = 400
local large_bytes = 1048576

---@type sidekicks.ChangedTurn[] oldest first
local turns = {}
---@type sidekicks.Conflict[]
local conflicts = {}
---@type table<string, integer> turn to the time its first change was heard of
local since = {}
---@type table<string, string> conversation to what waits there for a review
local notices = {}
---@type fun()[]
local listeners = {}

local asking, news = false, false
---@type uv.uv_timer_t?
local timer
---@type fun(err?: sidekicks.Failure)[]
local waiting = {}

---@return sidekicks.ChangedTurn[] oldest first
function M.turns()
  return turns
end

--- The messages whose turns changed something, the newest first.
---@return string[]
function M.messages()
  return vim
    .iter(turns)
    :map(function(turn)
      return turn.messageId
    end)
    :rev()
    :totable()
end

---@return sidekicks.Conflict[]
function M.conflicts()
  return conflicts
end

---@param message_id string
---@return sidekicks.ChangedTurn?
function M.turn(message_id)
  for _, turn in ipairs(turns) do
    if turn.messageId == message_id then
      return turn
    end
  end
end

--- When its first change was heard of, as a time of day.
---@param message_id string
---@return string
function M.time(message_id)
  return os.date('%H:%M', since[message_id]) --[[@as string]]
end

--- What the turns changed in a file, the newest turn first.
---@param path string with every link resolved
---@return sidekicks.review.Layer[]
function M.layers(path)
  local layers = {}
  for index = #turns, 1, -1 do
    for _, file in ipairs(turns[index].files) do
      if file.path == path then
        table.insert(layers, { turn = turns[index], file = file })
      end
    end
  end
  return layers
end

--- A number of things, in words: `key.one` or `key.many`.
---@param key string
---@param count integer
---@return string
function M.counted(key, count)
  return t(key .. (count == 1 and '.one' or '.many'), { count = count })
end

--- What waits for a review in a conversation, in a few words; nil if nothing does.
---@param channel string
---@return string?
function M.notice(channel)
  return notices[channel]
end

--- Calls `listener` after each new list.
---@param listener fun()
function M.on_change(listener)
  table.insert(listeners, listener)
end

local function count_notices()
  local files, open = {}, {}
  for _, turn in ipairs(turns) do
    files[turn.channel] = files[turn.channel] or {}
    for _, file in ipairs(turn.files) do
      files[turn.channel][file.path] = true
    end
  end
  for _, conflict in ipairs(conflicts) do
    open[conflict.channel] = (open[conflict.channel] or 0) + 1
  end
  notices = {}
  for channel, paths in pairs(files) do
    notices[channel] = M.counted('review.notice', vim.tbl_count(paths))
  end
  for channel, count in pairs(open) do
    notices[channel] = M.counted('review.noticeConflicts', count)
  end
end

--- In this order they are shown, whichever was changed first.
---@param a { path: string }
---@param b { path: string }
---@return boolean
local function by_path(a, b)
  return a.path < b.path
end

---@param listed { turns: sidekicks.ChangedTurn[], conflicts: sidekicks.Conflict[] }
local function take(listed)
  turns, conflicts = listed.turns, listed.conflicts
  table.sort(conflicts, by_path)
  local before = since
  since = {}
  for _, turn in ipairs(turns) do
    since[turn.messageId] = before[turn.messageId] or os.time()
    table.sort(turn.files, by_path)
  end
  count_notices()
  for _, listener in ipairs(listeners) do
    listener()
  end
end

local ask

---@param callbacks fun(err?: sidekicks.Failure)[]
---@param err? sidekicks.Failure
---@param listed? table
local function answered(callbacks, err, listed)
  asking = false
  if listed then
    take(listed)
  elseif err and #callbacks == 0 and host.running() then
    notify.warn(err.message)
  end
  for _, callback in ipairs(callbacks) do
    callback(err)
  end
  if news or #waiting > 0 then
    ask()
  end
end

ask = function()
  if asking then
    return
  end
  local callbacks = waiting
  asking, news, waiting = true, false, {}
  host.request('ViewService.Changes', {}, function(err, listed)
    answered(callbacks, err, listed)
  end)
end

--- Has everything listed anew, and calls back with a list asked for after this call.
---@param callback fun(err?: sidekicks.Failure)
function M.refresh(callback)
  table.insert(waiting, callback)
  ask()
end

--- Something has changed: it is asked for once things have been quiet for a moment, or at the latest when that moment is
--- over for whoever asked first.
---@param ms integer
local function refresh_soon(ms)
  news = true
  if timer or not host.running() then
    return
  end
  timer = vim.defer_fn(function()
    timer = nil
    if news and host.running() then
      ask()
    end
  end, ms)
end

--- Somebody typed in a file with changes to review: where they stand now is asked for when a moment has passed. Of a large
--- file it is not, since all of its text is compared: there the marks do until the next change of an agent.
---@param buf integer
function M.typed(buf)
  if vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf)) < large_bytes then
    refresh_soon(typed_ms)
  end
end

host.on('changes:changed', function()
  refresh_soon(gathered_ms)
end)

host.on('history:opened', function()
  refresh_soon(gathered_ms)
end)

-- What was kept for review ends with the host.
host.on('host:exited', function()
  take({ turns = {}, conflicts = {} })
end)

M.on_change(require('sidekicks.review.marks').draw_all)
M.on_change(require('sidekicks.review.list').update)
M.on_change(require('sidekicks.review.conflict').update)
M.on_change(require('sidekicks.winbar').update)

return M
