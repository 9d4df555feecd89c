-- Asks the person for the path of a file, for the host. It opens and reads nothing.
local host = require('sidekicks.host')

local M = {}

--- What is offered to begin with: files are completed from the home folder.
local start = '~/'

--- The path a person typed, absolute: completion puts a backslash before a blank, which need not be part of the name.
---@param typed string
---@return string
function M.absolute(typed)
  local path = vim.fn.fnamemodify(vim.fs.normalize(typed, { expand_env = false }), ':p')
  local plain = path:gsub('\\(.)', '%1')
  return not vim.uv.fs_stat(path) and vim.uv.fs_stat(plain) and plain or path
end

---@param answer? string
---@return string path absolute, "" when given up
function M.path_of(answer)
  local typed = vim.trim(answer or '')
  return typed ~= '' and typed ~= start and M.absolute(typed) or ''
end

--- Asks, and tells the host the answer with this id. Nothing waits meanwhile.
---@param id integer
---@param prompt string
---@return { asked: boolean } asked false where there is no screen to ask on
function M.ask(id, prompt)
  if #vim.api.nvim_list_uis() == 0 then
    return { asked = false }
  end
  vim.schedule(function()
    vim.ui.input({ prompt = prompt .. ' ', default = start, completion = 'file' }, function(answer)
      host.request('ViewService.Answer', { id = id, path = M.path_of(answer) })
    end)
  end)
  return { asked = true }
end

return M
