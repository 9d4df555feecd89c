-- The folds of a transcript: manual ones, a range command each, closed until somebody opens them. Knows no conversation.
local t = require('sidekicks.language').t

local M = {}

--- Rows of a fold, from 0, end excluded.
---@class (exact) sidekicks.Fold
---@field first integer
---@field last integer
---@field open boolean

---@param name string
---@param value any
---@param win integer
local function set_local(name, value, win)
  vim.api.nvim_set_option_value(name, value, { scope = 'local', win = win })
end

---@param win integer
local function prepare(win)
  set_local('foldmethod', 'manual', win)
  set_local('foldenable', true, win)
  set_local('foldlevel', 0, win)
  set_local('foldtext', "v:lua.require'sidekicks.folds'.text()", win)
  vim.api.nvim_win_call(win, function()
    vim.opt_local.fillchars:append({ fold = ' ' })
  end)
end

---@param fold sidekicks.Fold
local function remove_at(fold)
  while vim.fn.foldlevel(fold.first + 1) > 0 do
    vim.api.nvim_win_set_cursor(0, { fold.first + 1, 0 })
    vim.cmd('normal! zD')
  end
end

---@param fold sidekicks.Fold
local function create(fold)
  if fold.last - fold.first < 2 then
    return
  end
  vim.cmd(('%d,%dfold'):format(fold.first + 1, fold.last))
  if fold.open then
    vim.cmd(('%dfoldopen'):format(fold.first + 1))
  end
end

--- Makes these folds of the window anew. The caller puts the window's view back.
---@param win integer
---@param folds sidekicks.Fold[]
function M.set(win, folds)
  vim.api.nvim_win_call(win, function()
    for _, fold in ipairs(folds) do
      remove_at(fold)
      create(fold)
    end
  end)
end

--- Makes all folds of the window anew, as a window that begins to show the buffer has none or old ones.
---@param win integer
---@param folds sidekicks.Fold[]
function M.reset(win, folds)
  prepare(win)
  vim.api.nvim_win_call(win, function()
    local view = vim.fn.winsaveview()
    vim.cmd('normal! zE')
    vim.iter(folds):each(create)
    vim.fn.winrestview(view)
  end)
end

--- Whether the fold that holds the row stands open in the window.
---@param win integer
---@param row integer
---@return boolean
function M.is_open(win, row)
  return vim.api.nvim_win_call(win, function()
    return vim.fn.foldlevel(row + 1) > 0 and vim.fn.foldclosed(row + 1) == -1
  end)
end

--- 'foldtext': the first row and how many there are.
---@return [string, string][]
function M.text()
  local first = vim.fn.getline(vim.v.foldstart)
  local count = vim.v.foldend - vim.v.foldstart + 1
  return { { first, 'SidekicksFold' }, { ' ' .. t('transcript.folded', { count = count }), 'SidekicksTime' } }
end

return M
