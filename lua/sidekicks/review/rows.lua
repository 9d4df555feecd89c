-- The rows of the list of changes: conflicts, turns, their files and hunks in words and colours. It shows nothing.
local t = require('sidekicks.language').t

local M = {}

--- What an entry stands for: all of a turn, of a file of it, or a hunk; or a conflict.
---@class (exact) sidekicks.review.Entry
---@field conflict? string
---@field message? string
---@field path? string
---@field hunk? sidekicks.Hunk
---@field text string as shown
---@field marks table[] start, end and role of its stretches

---@class (exact) sidekicks.review.Filter
---@field message? string
---@field channel? string

local most_text = 200

---@param parts table[] text and role of each stretch
---@return string text
---@return table[] marks
local function joined(parts)
  local text, marks = '', {}
  for _, part in ipairs(parts) do
    local from = #text
    text = text .. part[1]
    if part[2] then
      table.insert(marks, { from, #text, part[2] })
    end
  end
  return text, marks
end

---@param path string
---@return string
local function short(path)
  return (vim.fn.fnamemodify(path, ':~:.'):gsub('%c', '?'))
end

---@param added integer
---@param removed integer
---@return table[]
local function counts(added, removed)
  local parts = {}
  if added > 0 then
    table.insert(parts, { ' +' .. added, 'added' })
  end
  if removed > 0 then
    table.insert(parts, { ' −' .. removed, 'removed' })
  end
  return parts
end

---@param hunks_of sidekicks.Hunk[]
---@return integer added
---@return integer removed
local function size(hunks_of)
  local added, removed = 0, 0
  for _, hunk in ipairs(hunks_of) do
    added, removed = added + #hunk.newLines, removed + #hunk.oldLines
  end
  return added, removed
end

--- The first line that says something.
---@param hunk sidekicks.Hunk
---@return string
local function gist(hunk)
  for _, lines in ipairs({ hunk.newLines, hunk.oldLines }) do
    for index = 1, math.min(#lines, most_text) do
      local text = vim.trim(vim.fn.strcharpart(lines[index], 0, most_text))
      if text ~= '' then
        return (text:gsub('%c', ' '))
      end
    end
  end
  return ''
end

---@param values sidekicks.review.Entry the rest of it
---@param parts table[]
---@return sidekicks.review.Entry
local function entry(values, parts)
  values.text, values.marks = joined(parts)
  return values
end

---@class (exact) sidekicks.review.Rows
---@field entries sidekicks.review.Entry[]
---@field items table[] of the quickfix list

---@param rows sidekicks.review.Rows
---@param one sidekicks.review.Entry
---@param item? table nil for a heading
local function add(rows, one, item)
  table.insert(rows.entries, one)
  table.insert(rows.items, vim.tbl_extend('force', { valid = item and 1 or 0, text = one.text }, item or {}))
end

---@param rows sidekicks.review.Rows
---@param turn sidekicks.ChangedTurn
---@param file sidekicks.ChangedFile
local function add_file(rows, turn, file)
  local message, path = turn.messageId, file.path
  local heading = { { '  ' .. short(path), 'mention' } }
  if file.status ~= 'modified' then
    table.insert(heading, { ' · ' .. t('review.' .. file.status), 'notice' })
  end
  vim.list_extend(heading, counts(size(file.hunks)))
  local one = entry({ message = message, path = path, text = '', marks = {} }, heading)
  add(rows, one, #file.hunks == 0 and { filename = path, lnum = 1 } or nil)
  for _, hunk in ipairs(file.hunks) do
    local parts = { { ('%8d '):format(hunk.line), 'notice' } }
    vim.list_extend(parts, counts(size({ hunk })))
    table.insert(parts, { '  ' .. gist(hunk) })
    local of = entry({ message = message, path = path, hunk = hunk, text = '', marks = {} }, parts)
    local told = vim.trim(('%s %s%s'):format(turn.agent, joined(counts(size({ hunk }))), '  ' .. gist(hunk)))
    add(rows, of, { filename = path, lnum = hunk.line, text = told })
  end
end

---@param turn sidekicks.ChangedTurn
---@return table[]
local function heading_of(turn)
  local review = require('sidekicks.review')
  local known = require('sidekicks.state').conversation(turn.channel)
  local name = known and known.conversation and known.conversation.name or ''
  local added, removed = 0, 0
  for _, file in ipairs(turn.files) do
    local more, less = size(file.hunks)
    added, removed = added + more, removed + less
  end
  local parts = { { '‣ ' .. turn.agent, 'speaker' } }
  if name ~= '' then
    table.insert(parts, { ' #' .. name, 'notice' })
  end
  local said = (' · %s · %s'):format(review.time(turn.messageId), review.counted('review.files', #turn.files))
  table.insert(parts, { said, 'notice' })
  return vim.list_extend(parts, counts(added, removed))
end

--- Conflicts first, then the newest turn, as far as they fit.
---@param filter sidekicks.review.Filter
---@return sidekicks.review.Rows
function M.listed(filter)
  local review = require('sidekicks.review')
  local rows = { entries = {}, items = {} }
  local function fits(one)
    return (not filter.message or one.messageId == filter.message)
      and (not filter.channel or one.channel == filter.channel)
  end
  for _, conflict in ipairs(vim.tbl_filter(fits, review.conflicts())) do
    local said = t('review.conflictWith', { agent = conflict.agent })
    local one = entry({ conflict = conflict.id, text = '', marks = {} }, {
      { '! ' .. said, 'warning' },
      { '  ' .. short(conflict.path), 'mention' },
      { '  ' .. t('review.openConflict'), 'notice' },
    })
    add(rows, one, { filename = conflict.path, lnum = 1, type = 'W', text = said })
  end
  local turns = vim.tbl_filter(fits, review.turns())
  for index = #turns, 1, -1 do
    local turn = turns[index]
    add(rows, entry({ message = turn.messageId, text = '', marks = {} }, heading_of(turn)))
    for _, file in ipairs(turn.files) do
      add_file(rows, turn, file)
    end
  end
  return rows
end

--- What stands in a list whose last change was decided.
---@return sidekicks.review.Rows
function M.nothing()
  local rows = { entries = {}, items = {} }
  add(rows, entry({ text = '', marks = {} }, { { t('review.nothing'), 'notice' } }))
  return rows
end

return M
