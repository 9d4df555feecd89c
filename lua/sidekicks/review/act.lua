-- Accepts, rejects and restores: finds what a person means, tells the host, and says what came of it. The host changes texts.
local host = require('sidekicks.host')
local marks = require('sidekicks.review.marks')
local notify = require('sidekicks.notify')
local paths = require('sidekicks.edits.paths')
local review = require('sidekicks.review')
local t = require('sidekicks.language').t
local targets_of = require('sidekicks.review.targets')

local M = {}

---@param targets sidekicks.review.Target[]
---@return string[] paths, each once
local function paths_of(targets)
  local seen, list = {}, {}
  for _, target in ipairs(targets) do
    if not seen[target.path] then
      seen[target.path] = true
      table.insert(list, target.path)
    end
  end
  return list
end

---@param list string[]
---@return string
local function named(list)
  return #list == 1 and vim.fn.fnamemodify(list[1], ':~:.') or review.counted('review.files', #list)
end

--- Where the old text is now: in buffers, not saved, or on disk where no buffer holds the file.
---@param list string[]
---@return string
local function whereabouts(list)
  local unsaved, on_disk = 0, 0
  for _, path in ipairs(list) do
    local buf = paths.find(path)
    if not buf then
      on_disk = on_disk + 1
    elseif vim.bo[buf].modified then
      unsaved = unsaved + 1
    end
  end
  local words = {}
  if unsaved > 0 then
    table.insert(words, #list == 1 and t('review.notSaved') or t('review.notSavedOf', { count = unsaved }))
  end
  if on_disk > 0 then
    table.insert(words, #list == 1 and t('review.onDisk') or t('review.onDiskOf', { count = on_disk }))
  end
  return #words > 0 and ' (' .. table.concat(words, ', ') .. ')' or ''
end

---@param verb sidekicks.review.Verb
---@param done sidekicks.review.Target[]
---@param problem? string
local function tell(verb, done, problem)
  local count = 0
  for _, target in ipairs(done) do
    count = count + target.count
  end
  if count > 0 then
    local list = paths_of(done)
    local changes = review.counted('review.changes', count)
    local said = t('review.' .. verb .. 'ed', { changes = changes, files = named(list) })
    notify.info(verb == 'reject' and said .. whereabouts(list) or said)
  end
  if problem then
    notify.error(problem)
  end
end

--- Tells the host one after the other; what fails does not stop the rest, and is said once.
---@param verb sidekicks.review.Verb
---@param targets sidekicks.review.Target[]
local function run(verb, targets)
  local done, problem = {}, nil
  local function next_one(index)
    local target = targets[index]
    if not target then
      return tell(verb, done, problem)
    end
    local params = { verdict = verb, messageId = target.message, path = target.path, hunk = target.hunk }
    host.request('ViewService.Decide', params, function(err)
      problem = problem or err and err.message
      if not err then
        table.insert(done, target)
        marks.expect_undo(target.path)
      end
      next_one(err and err.code == 'unavailable' and #targets + 1 or index + 1)
    end)
  end
  next_one(1)
end

--- Asks where more than one file is meant.
---@param question string
---@param callback fun()
local function confirm(question, callback)
  vim.ui.select({ 'no', 'yes' }, {
    prompt = question,
    format_item = function(answer)
      return t('review.' .. answer)
    end,
  }, function(answer)
    if answer == 'yes' then
      callback()
    end
  end)
end

---@param verb sidekicks.review.Verb
---@param targets sidekicks.review.Target[]
---@param nothing string what to say where nothing is meant
local function act(verb, targets, nothing)
  if #targets == 0 then
    return notify.info(nothing)
  end
  targets = targets_of.gathered(targets)
  local list = paths_of(targets)
  if #list == 1 then
    return run(verb, targets)
  end
  local count = vim.iter(targets):fold(0, function(sum, target)
    return sum + target.count
  end)
  local values = { changes = review.counted('review.changes', count), files = named(list) }
  confirm(t('review.ask.' .. verb, values), function()
    run(verb, targets)
  end)
end

--- Accepts or rejects what the cursor, a range, or all with a !, mean; in the list of changes, its entries.
---@param verb sidekicks.review.Verb
---@param invocation sidekicks.Invocation
function M.run(verb, invocation)
  if not host.running() then
    return notify.info(t('review.nothing'))
  end
  local buf = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local first, last = invocation.first or line, invocation.last or line
  local entries = not invocation.bang and require('sidekicks.review.list').targets(buf, first, last)
  local rows = targets_of.held_rows(buf, first, last)
  review.refresh(function(err)
    if err then
      return notify.error(err.message)
    elseif not vim.api.nvim_buf_is_loaded(buf) then
      return
    end
    local from, to = rows()
    if invocation.bang then
      act(verb, targets_of.all(buf), t('review.nothing'))
    elseif entries then
      act(verb, entries, t('review.nothingHere'))
    else
      act(verb, targets_of.at_rows(verb, buf, from, to), t('review.nothingHere'))
    end
  end)
end

---@param list string[] paths
---@param values table<string, string> for the texts
---@param refused sidekicks.RefusedHunk[]
local function tell_restored(list, values, refused)
  if #refused == 0 then
    return notify.info(t('review.restored', values) .. whereabouts(list))
  end
  values.changes = review.counted('review.changes', #refused)
  require('sidekicks.review.list').show_refused(refused)
  notify.warn(t('review.restoredPartly', values))
end

---@param turn sidekicks.ChangedTurn
local function restore(turn)
  local list = vim.tbl_map(function(file)
    return file.path
  end, turn.files)
  -- Put into words now: a turn that is undone is listed no more.
  local values = { agent = turn.agent, time = review.time(turn.messageId), files = named(list) }
  host.request('ChangesService.Restore', { messageId = turn.messageId }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    vim.tbl_map(marks.expect_undo, list)
    tell_restored(list, values, result.refused)
  end)
end

--- The turn meant: the one named, the one of the message at the cursor, the last of the conversation, the last of all.
---@param id string
---@param at_cursor? string
---@param channel? string
---@return sidekicks.ChangedTurn?
local function turn_meant(id, at_cursor, channel)
  if id ~= '' then
    return review.turn(id)
  end
  local turns = review.turns()
  local here = at_cursor and review.turn(at_cursor)
  for index = #turns, 1, -1 do
    here = here or (turns[index].channel == channel and turns[index] or nil)
  end
  return here or turns[#turns]
end

--- Undoes a turn over all its files.
---@param id string of the turn's message, "" for the one meant here
function M.restore(id)
  if not host.running() then
    return notify.info(t('review.nothing'))
  end
  local list = require('sidekicks.review.list')
  local at_cursor = list.message_here() or require('sidekicks.navigate').message_here()
  local channel = require('sidekicks.send').current()
  review.refresh(function(err)
    local turn = turn_meant(id, at_cursor, channel)
    if err then
      return notify.error(err.message)
    elseif not turn then
      return notify.info(t(id == '' and 'review.nothing' or 'changes.unknownTurn'))
    elseif #turn.files == 1 then
      return restore(turn)
    end
    local files = review.counted('review.files', #turn.files)
    local values = { agent = turn.agent, time = review.time(turn.messageId), files = files }
    confirm(t('review.ask.restore', values), function()
      restore(turn)
    end)
  end)
end

return M
