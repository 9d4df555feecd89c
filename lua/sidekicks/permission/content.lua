-- What the permission window says of a request: rows, their roles, and which row is which option. Pure but for a diff.
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.permission.Content
---@field rows string[]
---@field roles table<integer, string> by row, from 1
---@field options table<integer, sidekicks.permission.Step|string> what a row stands for, by row from 1
---@field title string
---@field keys string
---@field page string the cursor goes to its place where this changes
---@field revision integer the rows are written again where this changes
---@field cursor? integer row

-- More is never read in a window of this size; `K` on the tool call in the transcript shows the whole.
local most_rows = 2000

---@diagnostic disable-next-line: undefined-field
local diff = vim.text and vim.text.diff or vim.diff

--- One row, line breaks shown as a mark.
---@param text string
---@return string
function M.one_row(text)
  return (text:gsub('\r\n', '\n'):gsub('%s*[\r\n]%s*', ' ↵ '))
end

---@param text string
---@return string[]
local function split(text)
  local lines = vim.split(text:gsub('\r\n', '\n'):gsub('\r', '\n'), '\n', { plain = true })
  if lines[#lines] == '' then
    table.remove(lines)
  end
  return lines
end

---@param content sidekicks.permission.Content
---@param row string
---@param role? string
local function add(content, row, role)
  if #content.rows < most_rows then
    table.insert(content.rows, M.one_row(row))
    content.roles[#content.rows] = role
  end
end

---@param content sidekicks.permission.Content
---@param rows string[]
---@param role? string
local function add_all(content, rows, role)
  for _, row in ipairs(rows) do
    add(content, row, role)
  end
end

---@param value any
---@return string
local function plain(value)
  if type(value) == 'string' then
    return value
  elseif vim.islist(value) and vim.iter(value):all(function(part)
    return type(part) == 'string'
  end) then
    return table.concat(value, ' ')
  end
  return vim.json.encode(value)
end

--- A field of the input: the command stands alone, anything else after its name.
---@param content sidekicks.permission.Content
---@param name string
---@param value any
local function add_field(content, name, value)
  local lines = split(plain(value))
  if name == 'command' then
    return add_all(content, lines)
  end
  for index, line in ipairs(lines) do
    add(content, (index == 1 and name .. ': ' or '  ') .. line)
  end
end

---@param content sidekicks.permission.Content
---@param input string
local function add_input(content, input)
  local fine, fields = pcall(vim.json.decode, input, { luanil = { object = true, array = true } })
  if not fine or type(fields) ~= 'table' or vim.islist(fields) then
    return add_all(content, split(input))
  end
  if fields.command ~= nil then
    add_field(content, 'command', fields.command)
  end
  for name, value in vim.spairs(fields) do
    if name ~= 'command' then
      add_field(content, tostring(name), value)
    end
  end
end

---@type table<string, string>
local roles_of_diff = { ['+'] = 'added', ['-'] = 'removed', ['@'] = 'toolKind' }

---@param content sidekicks.permission.Content
---@param change sidekicks.Diff
local function add_diff(content, change)
  add(content, change.path .. (change.newFile and ' ' .. ('(%s)'):format(t('transcript.newFile')) or ''), 'tool')
  for _, line in
    ipairs(split(diff(change.oldText, change.newText, { ctxlen = 1 }) --[[@as string]]))
  do
    if not vim.startswith(line, '\\') then
      add(content, line, roles_of_diff[line:sub(1, 1)])
    end
  end
end

--- Whether the command says what the title says, line by line.
---@param tool sidekicks.Tool
---@return boolean
local function is_repeated(tool)
  local fine, fields = pcall(vim.json.decode, tool.input, { luanil = { object = true, array = true } })
  local command = fine and type(fields) == 'table' and fields.command
  return command and vim.deep_equal(split(plain(command)), split(tool.title)) or false
end

---@param content sidekicks.permission.Content
---@param tool sidekicks.Tool
local function add_details(content, tool)
  if tool.title:find('[\r\n]') and not is_repeated(tool) then
    add_all(content, split(tool.title))
  end
  for _, change in ipairs(tool.diffs) do
    add_diff(content, change)
  end
  if #tool.diffs == 0 and tool.input ~= '' then
    add_input(content, tool.input)
  end
  add_all(content, split(tool.output))
end

---@param content sidekicks.permission.Content
---@param options sidekicks.PermissionOption[]
local function add_options(content, options)
  for index, option in ipairs(options) do
    add(content, (' %d  %s'):format(index, M.one_row(option.name)), 'permission.option')
    content.options[#content.rows] = option.optionId
  end
end

---@param permission sidekicks.Permission
---@return string
local function head_of(permission)
  local words = { t('tool.' .. permission.toolCall.kind) }
  if permission.rejections == 1 then
    table.insert(words, t('permission.rejectedOnce'))
  elseif permission.rejections > 1 then
    table.insert(words, t('permission.rejected', { count = permission.rejections }))
  end
  return table.concat(words, ' · ')
end

--- Everything the window says of a request. The options stand above what can be long.
---@param permission sidekicks.Permission
---@param agent string its name on screen
---@return sidekicks.permission.Content
function M.of(permission, agent)
  ---@type sidekicks.permission.Content
  local content = {
    rows = {},
    roles = {},
    options = {},
    title = t('permission.title', { agent = agent }),
    keys = t('permission.keys'),
    page = permission.id,
    revision = 0,
  }
  if permission.toolCall.title ~= '' then
    add(content, M.one_row(permission.toolCall.title), 'tool')
  end
  add(content, head_of(permission), 'toolKind')
  add_options(content, permission.options)
  local before = #content.rows
  add(content, '')
  add_details(content, permission.toolCall)
  if #content.rows == before + 1 then
    table.remove(content.rows)
  end
  return content
end

return M
