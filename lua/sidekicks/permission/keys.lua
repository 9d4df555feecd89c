-- The keys of the permission window, each with what it says in `:map`. What they do is done elsewhere.
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.permission.KeyActions
---@field choose fun(digit: integer)
---@field choose_row fun()
---@field mark_row fun()
---@field back fun()
---@field answer fun(action: 'decline'|'cancel') of a question
---@field put_off fun()
---@field show_other fun(step: 1|-1)

---@param buf integer
---@param actions sidekicks.permission.KeyActions
function M.map(buf, actions)
  local function map(key, text, run, values)
    vim.keymap.set('n', key, run, { buffer = buf, nowait = true, desc = t(text, values) })
  end
  ---@param action fun(argument: any)
  local function with(action, argument)
    return function()
      action(argument)
    end
  end
  for digit = 1, 9 do
    map(tostring(digit), 'permission.key.choose', with(actions.choose, digit), { number = digit })
  end
  map('0', 'question.key.skip', with(actions.choose, 0))
  map('<CR>', 'permission.key.chooseRow', actions.choose_row)
  map('<Space>', 'question.key.toggle', actions.mark_row)
  map('<BS>', 'question.key.back', actions.back)
  map('d', 'question.key.decline', with(actions.answer, 'decline'))
  map('c', 'question.key.cancel', with(actions.answer, 'cancel'))
  map('q', 'permission.key.later', actions.put_off)
  map('<Esc>', 'permission.key.later', actions.put_off)
  map('<Tab>', 'permission.key.next', with(actions.show_other, 1))
  map('<S-Tab>', 'permission.key.previous', with(actions.show_other, -1))
end

return M
