-- Gives buffers the maps of their kind, with the keys a person chose, and words for them. What they do stands in keys/actions.lua.
local actions = require('sidekicks.keys.actions')
local options = require('sidekicks.options')
local t = require('sidekicks.language').t

local M = {}

---@param action string
---@return string
local function plug(action)
  return ('<Plug>(sidekicks-%s)'):format(action)
end

---@param action sidekicks.Action
---@return string
local function describe(action)
  return t('keys.' .. action.name)
end

--- The names of all actions.
---@return string[]
function M.actions()
  return vim.tbl_map(function(action)
    return action.name
  end, actions)
end

---@param action sidekicks.Action
---@return string[]
local function keys_of(action)
  local chosen = options.get().keys[action.name]
  if chosen == false then
    return {}
  end
  return type(chosen) == 'table' and chosen or chosen and { chosen } or action.keys
end

---@param buf integer
---@param action sidekicks.Action
local function map_action(buf, action)
  local desc = 'Sidekicks: ' .. describe(action)
  vim.keymap.set(action.modes, plug(action.name), action.run, { buffer = buf, desc = desc })
  for _, key in ipairs(keys_of(action)) do
    vim.keymap.set(action.modes, key, plug(action.name), { buffer = buf, remap = true, nowait = true, desc = desc })
  end
end

--- Gives a buffer the maps of its kind.
---@param buf integer
---@param kind sidekicks.Kind
function M.map(buf, kind)
  for _, action in ipairs(actions) do
    if vim.list_contains(action.kinds, kind) then
      map_action(buf, action)
    end
  end
end

--- Kinds of buffers that are not ours, and have our keys for a while.
---@type table<integer, sidekicks.Kind>
local lent = {}

--- What a key does in a buffer by itself, to be put back; nil if nothing.
---@param buf integer
---@param mode string
---@param key string
---@return table?
local function own_map(buf, mode, key)
  return vim.api.nvim_buf_call(buf, function()
    local map = vim.fn.maparg(key, mode, false, true)
    return map.buffer == 1 and map or nil
  end)
end

--- Lends a buffer that is not ours the maps of a kind.
---@param buf integer
---@param kind sidekicks.Kind
---@return fun() give_back
function M.lend(buf, kind)
  local maps = {}
  for _, action in ipairs(actions) do
    if vim.list_contains(action.kinds, kind) then
      for _, mode in ipairs(action.modes) do
        for _, key in ipairs(vim.list_extend({ plug(action.name) }, keys_of(action))) do
          table.insert(maps, { mode = mode, key = key, before = own_map(buf, mode, key) })
        end
      end
    end
  end
  M.map(buf, kind)
  lent[buf] = kind
  return function()
    lent[buf] = nil
    if not vim.api.nvim_buf_is_valid(buf) then
      return
    end
    for _, map in ipairs(maps) do
      pcall(vim.keymap.del, map.mode, map.key, { buffer = buf })
      if map.before then
        vim.api.nvim_buf_call(buf, function()
          vim.fn.mapset(map.mode, false, map.before)
        end)
      end
    end
  end
end

--- Some keys in one line.
---@param names string[] of the actions
---@return string
function M.hint(names)
  local words = {}
  for _, action in ipairs(actions) do
    local key = keys_of(action)[1]
    if key and vim.list_contains(names, action.name) then
      table.insert(words, key .. ' ' .. describe(action))
    end
  end
  return table.concat(words, ' · ')
end

--- The lines that tell the keys of a buffer.
---@param buf integer
---@return string[]
function M.lines(buf)
  local kind = lent[buf] or select(2, require('sidekicks.buffer').conversation_of(buf)) or 'transcript'
  local lines = {}
  for _, action in ipairs(actions) do
    local keys = keys_of(action)
    if vim.list_contains(action.kinds, kind) and #keys > 0 then
      table.insert(lines, ('  %-14s %s'):format(table.concat(keys, ' '), describe(action)))
    end
  end
  return lines
end

return M
