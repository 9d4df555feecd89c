-- What the window says of a question of an agent: rows, their roles, and which row does what. Pure.
local one_row = require('sidekicks.permission.content').one_row
local question = require('sidekicks.permission.question')
local t = require('sidekicks.language').t

local M = {}

--- More of the question than this stands below what can be chosen.
local rows_above = 4

---@param content sidekicks.permission.Content
---@param row string
---@param role? string
---@param step? sidekicks.permission.Step
local function add(content, row, role, step)
  table.insert(content.rows, one_row(row))
  content.roles[#content.rows] = role
  content.options[#content.rows] = step
end

---@type table<string, string>
local words = {
  open = 'question.open',
  opened = 'question.opened',
  agree = 'question.agree',
  type = 'question.type',
  lines = 'question.lines',
  done = 'question.oneDone',
}

---@param progress sidekicks.permission.Progress
---@param step sidekicks.permission.Step
---@return string
local function label(progress, step)
  local field = question.field(progress)
  if type(step) ~= 'number' or not field then
    local typed = step == 'type' and field and question.typed(progress, field)
    return typed and t('question.answer', { text = one_row(typed) }) or t(words[step])
  end
  local choice = field.choices[step]
  local text = choice.description == '' and choice.title or ('%s — %s'):format(choice.title, choice.description)
  if field.kind ~= 'many' then
    return text
  end
  return (progress.marks[field.name][step] and '[x] ' or '[ ] ') .. text
end

--- Whether a choice is the answer given before, else the one the agent presets.
---@param progress sidekicks.permission.Progress
---@param field sidekicks.QuestionField
---@param step sidekicks.permission.Step
---@return boolean
local function is_chosen(progress, field, step)
  local value = progress.values[field.name]
  if value == nil then
    value = field.preset
  end
  return value ~= nil and type(step) == 'number' and field.choices[step].value == value
end

---@param content sidekicks.permission.Content
---@param asked sidekicks.Question
---@param progress sidekicks.permission.Progress
local function add_steps(content, asked, progress)
  local field = question.field(progress)
  for index, step in ipairs(question.steps(asked, progress)) do
    add(content, (' %d  %s'):format(index, label(progress, step)), 'permission.option', step)
    if not content.cursor or (field and is_chosen(progress, field, step)) then
      content.cursor = #content.rows
    end
  end
  if field and not field.required then
    add(content, (' 0  %s'):format(t('question.skip')), 'permission.option', 'skip')
  end
end

---@param content sidekicks.permission.Content
---@param progress sidekicks.permission.Progress
local function add_field(content, progress)
  local field = question.field(progress)
  if not field then
    return
  end
  local parts = { field.title, t(field.required and 'question.needed' or 'question.optional') }
  if field.hint ~= '' then
    table.insert(parts, field.hint)
  end
  local number = #progress.fields > 1
      and ('(%s) '):format(t('question.progress', { index = progress.index, count = #progress.fields }))
    or ''
  add(content, number .. table.concat(parts, ' · '), 'toolKind')
  if progress.problem ~= '' then
    add(content, progress.problem, 'error')
  end
end

---@param progress sidekicks.permission.Progress
---@return string
local function keys(progress)
  local field = question.field(progress)
  local kind = field and (field.kind == 'many' and 'toggle' or #field.choices == 0 and 'text')
  return t('question.keys.' .. (kind or 'choose'))
end

--- Everything the window says of a question.
---@param asked sidekicks.Question
---@param progress sidekicks.permission.Progress
---@param agent string its name on screen
---@return sidekicks.permission.Content
function M.of(asked, progress, agent)
  ---@type sidekicks.permission.Content
  local content = {
    rows = {},
    roles = {},
    options = {},
    title = t('question.title', { agent = agent }),
    keys = keys(progress),
    page = ('%s:%d'):format(asked.id, progress.fields and progress.index or 0),
    revision = progress.revision,
  }
  local field = question.field(progress)
  local lines = vim.split(asked.message, '\n', { plain = true })
  for index = 1, math.min(#lines, rows_above) do
    add(content, lines[index], 'tool')
  end
  if asked.url then
    add(content, asked.url, 'link')
  end
  add_field(content, progress)
  add_steps(content, asked, progress)
  for _, line in ipairs(field and field.description ~= '' and vim.split(field.description, '\n') or {}) do
    add(content, line)
  end
  for index = rows_above + 1, #lines do
    add(content, lines[index])
  end
  return content
end

return M
