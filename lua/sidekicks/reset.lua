-- `:Sidekicks reset`: asks first, then has the host begin anew. What is reset, and how it is kept, is the host's matter.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

--- What can be reset, from the least to the most.
M.choices = { 'settings', 'history', 'allHistory', 'everything' }

---@param copies string[]
local function tell(copies)
  local paths = vim.tbl_map(function(path)
    return vim.fn.fnamemodify(path, ':~')
  end, copies)
  notify.info(#paths > 0 and t('reset.done', { paths = table.concat(paths, ', ') }) or t('reset.doneEmpty'))
end

---@param choice string
local function reset(choice)
  host.request('ConfigService.Reset', { choice = choice }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    tell(result.copies)
  end)
end

--- Runs `:Sidekicks reset {choice}`.
---@param choice string
function M.run(choice)
  if not vim.list_contains(M.choices, choice) then
    return notify.error(t('reset.which', { known = table.concat(M.choices, ', ') }))
  end
  vim.ui.select({ 'no', 'yes' }, {
    prompt = t('reset.ask.' .. choice),
    format_item = function(answer)
      return t('reset.' .. answer)
    end,
  }, function(answer)
    if answer == 'yes' then
      reset(choice)
    end
  end)
end

return M
