-- How far a person is with the questions of agents: which field is asked now, what was answered before it. Every value is
-- checked by the host before the next field comes; nothing goes to an agent before the last one.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local requests = require('sidekicks.permission.requests')
local t = require('sidekicks.language').t

local M = {}

--- What a row or a digit does: a choice by its number, or one of these.
---@alias sidekicks.permission.Step integer|'skip'|'type'|'lines'|'done'|'open'|'opened'|'agree'

---@class (exact) sidekicks.permission.Progress
---@field fields? sidekicks.QuestionField[] nil until the host has told
---@field index integer of the field that is asked, from 1
---@field values table<string, any> by field, what the host took
---@field typed table<string, string> by field
---@field marks table<string, table<integer, true>> by field, choices that are marked
---@field problem string what was wrong with the last answer
---@field checking boolean the host looks at a value
---@field revision integer counts what changes the picture

---@type table<string, sidekicks.permission.Progress>
local progresses = {}

---@param progress sidekicks.permission.Progress
---@param redraw fun()
local function changed(progress, redraw)
  progress.revision = progress.revision + 1
  redraw()
end

---@param field sidekicks.QuestionField
---@return table<integer, true>
local function preset_marks(field)
  local preset = type(field.preset) == 'table' and field.preset or {}
  ---@cast preset any[]
  local marks = {}
  for index, choice in ipairs(field.choices) do
    marks[index] = vim.list_contains(preset, choice.value) or nil
  end
  return marks
end

---@param progress sidekicks.permission.Progress
---@param fields sidekicks.QuestionField[]
local function take_fields(progress, fields)
  progress.fields = fields
  for _, field in ipairs(fields) do
    progress.marks[field.name] = preset_marks(field)
  end
end

--- How far a question is; asks the host for its fields the first time.
---@param question sidekicks.Question
---@param redraw fun()
---@return sidekicks.permission.Progress
function M.progress(question, redraw)
  local known = progresses[question.id]
  if known then
    return known
  end
  ---@type sidekicks.permission.Progress
  local progress = { index = 1, values = {}, typed = {}, marks = {}, problem = '', checking = false, revision = 0 }
  progresses[question.id] = progress
  host.request('ViewService.Question', { id = question.id }, function(err, result)
    if err or not result then
      progresses[question.id] = nil
    else
      take_fields(progress, result.fields)
      changed(progress, redraw)
    end
  end)
  return progress
end

--- Forgets what waits no longer.
---@param waiting sidekicks.permission.Request[]
function M.keep(waiting)
  for id in pairs(progresses) do
    if not requests.find(waiting, id) then
      progresses[id] = nil
    end
  end
end

---@param progress sidekicks.permission.Progress
---@return sidekicks.QuestionField?
function M.field(progress)
  return progress.fields and progress.fields[progress.index]
end

--- What the digits from 1 on do now.
---@param question sidekicks.Question
---@param progress sidekicks.permission.Progress
---@return sidekicks.permission.Step[]
function M.steps(question, progress)
  local field = M.field(progress)
  if not progress.fields then
    return {}
  elseif question.url then
    return { 'open', 'opened' }
  elseif not field then
    return { 'agree' }
  elseif #field.choices == 0 then
    return field.lines and { 'type', 'lines' } or { 'type' }
  end
  local steps = {}
  for index in ipairs(field.choices) do
    table.insert(steps, index)
  end
  if field.kind == 'many' then
    table.insert(steps, 'done')
  end
  return steps
end

---@param question sidekicks.Question
---@param action 'accept'|'decline'|'cancel'
---@param redraw fun()
function M.answer(question, action, redraw)
  local progress = progresses[question.id]
  local content = action == 'accept' and progress and next(progress.values) and progress.values or nil
  requests.answer_question(question, action, content, function()
    if progress then
      progress.index, progress.values = 1, {}
      changed(progress, redraw)
    end
  end)
  redraw()
end

--- Gives the host the value of the field that is asked, nil to leave it out; then comes the next one.
---@param question sidekicks.Question
---@param value any
---@param redraw fun()
local function submit(question, value, redraw)
  local progress = progresses[question.id]
  local field = progress and M.field(progress)
  if not progress or not field or progress.checking then
    return
  end
  progress.checking = true
  local params = { id = question.id, field = field.name, value = value }
  host.request('ViewService.CheckField', params, function(err, result)
    progress.checking = false
    if err or not result then
      return notify.error(err and err.message or '')
    elseif progresses[question.id] ~= progress then
      return
    end
    progress.problem = result.problem
    if result.problem == '' then
      progress.values[field.name] = result.value
      progress.index = progress.index + 1
    end
    if progress.index > #progress.fields then
      return M.answer(question, 'accept', redraw)
    end
    changed(progress, redraw)
  end)
end

--- What was typed before, else what the agent presets.
---@param progress sidekicks.permission.Progress
---@param field sidekicks.QuestionField
---@return string?
function M.typed(progress, field)
  return progress.typed[field.name] or field.preset --[[@as string?]]
end

---@param question sidekicks.Question
---@param field sidekicks.QuestionField
---@param redraw fun()
local function write_lines(question, field, redraw)
  local progress = progresses[question.id]
  require('sidekicks.permission.lines').write(field.title, M.typed(progress, field) or '', function(text, is_given)
    progress.typed[field.name] = text ~= '' and text or nil
    changed(progress, redraw)
    if is_given then
      submit(question, text, redraw)
    end
  end)
end

---@param question sidekicks.Question
---@param field sidekicks.QuestionField
---@param redraw fun()
local function type_answer(question, field, redraw)
  local progress = progresses[question.id]
  local before = M.typed(progress, field)
  if before and before:find('\n', 1, true) then
    return write_lines(question, field, redraw)
  end
  local prompt = field.title .. (field.title:find('[?!:.]$') and ' ' or ': ')
  vim.ui.input({ prompt = prompt, default = before }, function(typed)
    if typed then
      progress.typed[field.name] = typed
      submit(question, typed, redraw)
    end
  end)
end

---@param question sidekicks.Question
---@param redraw fun()
local function open_page(question, redraw)
  local url = question.url or ''
  if not url:match('^https?://') then
    return notify.error(t('question.badUrl'))
  end
  local _, problem = vim.ui.open(url)
  if problem then
    notify.error(t('question.cannotOpen', { what = problem }))
  else
    M.answer(question, 'accept', redraw)
  end
end

---@param progress sidekicks.permission.Progress
---@param field sidekicks.QuestionField
---@return any[]
local function marked(progress, field)
  local values = {}
  for index, choice in ipairs(field.choices) do
    if progress.marks[field.name][index] then
      table.insert(values, choice.value)
    end
  end
  return values
end

--- Does what a row or a digit stands for.
---@param question sidekicks.Question
---@param step sidekicks.permission.Step
---@param redraw fun()
function M.take(question, step, redraw)
  local progress = progresses[question.id]
  local field = progress and M.field(progress)
  if step == 'open' then
    open_page(question, redraw)
  elseif step == 'opened' or step == 'agree' then
    M.answer(question, 'accept', redraw)
  elseif not progress or not field then
    return
  elseif step == 'type' then
    type_answer(question, field, redraw)
  elseif step == 'lines' then
    write_lines(question, field, redraw)
  elseif step == 'skip' then
    progress.typed[field.name] = nil
    submit(question, nil, redraw)
  elseif step == 'done' then
    submit(question, marked(progress, field), redraw)
  elseif field.kind == 'many' then
    local marks = progress.marks[field.name]
    marks[step] = not marks[step] or nil
    changed(progress, redraw)
  else
    submit(question, field.choices[step].value, redraw)
  end
end

--- Goes back to the field before.
---@param question sidekicks.Question
---@param redraw fun()
function M.back(question, redraw)
  local progress = progresses[question.id]
  if progress and progress.index > 1 and not progress.checking then
    progress.index, progress.problem = progress.index - 1, ''
    changed(progress, redraw)
  end
end

--- The step somebody means by a number or by the value of a choice.
---@param question sidekicks.Question
---@param progress sidekicks.permission.Progress
---@param word string
---@return sidekicks.permission.Step?
function M.step_meant(question, progress, word)
  local field = M.field(progress)
  for index, choice in ipairs(field and field.choices or {}) do
    if choice.value == word then
      return index
    end
  end
  if word == '0' and field and not field.required then
    return 'skip'
  end
  return M.steps(question, progress)[tonumber(word) or 0]
end

return M
