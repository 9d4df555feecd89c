-- The window in which an answer of several lines is written. It knows no question, and checks nothing.
local float = require('sidekicks.float')
local highlight = require('sidekicks.highlight')
local t = require('sidekicks.language').t

local M = {}

local widest = 72
local rows = 8
local z_index = 70 -- above the question

---@param buf integer
---@param title string
---@return integer win
local function open(buf, title)
  local win = float.open(buf, {
    width = math.max(math.min(widest, vim.o.columns - 4), 1),
    height = math.max(math.min(rows, vim.o.lines - 4), 1),
    title = title,
  })
  local footer = { { (' %s '):format(t('question.linesKeys')), highlight.group('permission.border') } }
  vim.api.nvim_win_set_config(win, { footer = footer, zindex = z_index })
  return win
end

--- Calls back once: with the text that is given as the answer, or with what stands there when the window is left.
---@param title string
---@param before string
---@param callback fun(text: string, is_given: boolean)
function M.write(title, before, callback)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(before, '\n', { plain = true }))
  local win, is_given = open(buf, title), false
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buf,
    once = true,
    desc = 'Take an answer of several lines',
    callback = function()
      local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
      vim.schedule(function()
        callback(text, is_given)
      end)
    end,
  })
  local function map(modes, key, desc, given)
    vim.keymap.set(modes, key, function()
      is_given = given
      vim.cmd.stopinsert()
      vim.api.nvim_win_close(win, true)
    end, { buffer = buf, nowait = true, desc = desc })
  end
  map({ 'n', 'i' }, '<C-s>', t('question.key.give'), true)
  map('n', '<CR>', t('question.key.give'), true)
  map('n', 'q', t('question.key.leave'), false)
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buf), 0 })
  vim.cmd.startinsert({ bang = true })
end

return M
