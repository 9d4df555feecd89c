-- The options a person gave, checked, and those in force. Wrong ones are named and left out; nothing ever stops for them.
local t = require('sidekicks.language').t

local M = {}

---@alias sidekicks.Position 'right'|'left'|'bottom'|'tab'|'float'|'current'

---@class (exact) sidekicks.UserOptions
---@field config? string the configuration file to use
---@field node? string the Node program to use
---@field window? sidekicks.UserWindowOptions
---@field keys? table<string, string|string[]|false> action to key
---@field notify? boolean tell when an agent waits or is done and its window is not visible

---@class (exact) sidekicks.UserWindowOptions
---@field position? sidekicks.Position
---@field size? number columns or lines; a part of the screen when below 1

---@class (exact) sidekicks.Options
---@field config? string
---@field node? string
---@field window { position: sidekicks.Position, size: number }
---@field keys table<string, string|string[]|false>
---@field notify boolean

local positions = { 'right', 'left', 'bottom', 'tab', 'float', 'current' }

---@type sidekicks.UserOptions?
local given
---@type sidekicks.Options?
local resolved
---@type string[]
local problems = {}

---@return sidekicks.Options
local function defaults()
  return { window = { position = 'right', size = 0.45 }, keys = {}, notify = true }
end

---@param name string
---@param wanted string
---@param value any
local function reject(name, wanted, value)
  table.insert(problems, t('options.wrong', { name = name, wanted = wanted, value = vim.inspect(value) }))
end

---@param prefix string
---@param values table
---@param known string[]
local function reject_unknown(prefix, values, known)
  for name, _ in vim.spairs(values) do
    if not vim.list_contains(known, name) then
      local list = table.concat(known, ', ')
      table.insert(problems, t('options.unknown', { name = prefix .. tostring(name), known = list }))
    end
  end
end

---@param key any
---@return boolean
local function is_key(key)
  return key == false
    or (type(key) == 'string' and key ~= '')
    or (
      vim.islist(key)
      and #key > 0
      and vim.iter(key):all(function(one)
        return type(one) == 'string' and one ~= ''
      end)
    )
end

---@type table<string, fun(into: sidekicks.Options, value: any)>
local take = {}

function take.config(into, value)
  if type(value) ~= 'string' then
    return reject('config', t('options.path'), value)
  end
  into.config = vim.fs.normalize(value)
end

function take.node(into, value)
  if type(value) ~= 'string' then
    return reject('node', t('options.path'), value)
  end
  into.node = vim.fs.normalize(value)
end

function take.notify(into, value)
  if type(value) ~= 'boolean' then
    return reject('notify', 'true, false', value)
  end
  into.notify = value
end

function take.window(into, value)
  if type(value) ~= 'table' then
    return reject('window', t('options.table'), value)
  end
  reject_unknown('window.', value, { 'position', 'size' })
  if vim.list_contains(positions, value.position) then
    into.window.position = value.position
  elseif value.position ~= nil then
    reject('window.position', table.concat(positions, ', '), value.position)
  end
  if type(value.size) == 'number' and value.size > 0 then
    into.window.size = value.size
  elseif value.size ~= nil then
    reject('window.size', t('options.size'), value.size)
  end
end

function take.keys(into, value)
  if type(value) ~= 'table' then
    return reject('keys', t('options.table'), value)
  end
  reject_unknown('keys.', value, require('sidekicks.keys').actions())
  for action, key in vim.spairs(value) do
    if is_key(key) then
      into.keys[action] = key
    else
      reject('keys.' .. tostring(action), t('options.key'), key)
    end
  end
end

---@return sidekicks.Options
local function resolve()
  local options = defaults()
  problems = {}
  local globals = vim.g.sidekicks
  if globals ~= nil and type(globals) ~= 'table' then
    reject('vim.g.sidekicks', t('options.table'), globals)
    globals = nil
  end
  local wanted = vim.tbl_deep_extend('force', globals or {}, given or {})
  reject_unknown('', wanted, { 'config', 'keys', 'node', 'notify', 'window' })
  for name, check in vim.spairs(take) do
    if wanted[name] ~= nil then
      check(options, wanted[name])
    end
  end
  return options
end

--- The options in force; the first call checks them and names the wrong ones in one warning.
---@return sidekicks.Options
function M.get()
  if not resolved then
    resolved = resolve()
    if #problems > 0 then
      require('sidekicks.notify').warn(table.concat(problems, '\n'))
    end
  end
  return resolved
end

--- What is wrong with the options given, one text each, in the language of now: they are read before it is known.
---@return string[]
function M.problems()
  M.get()
  resolve()
  return problems
end

--- Overrides those of `vim.g.sidekicks`.
---@param opts? sidekicks.UserOptions
function M.set(opts)
  if opts ~= nil and type(opts) ~= 'table' then
    opts = { [vim.inspect(opts)] = true }
  end
  given, resolved = opts, nil
end

return M
