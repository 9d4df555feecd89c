-- `:Sidekicks config`: goes to the configuration, checks it, chooses another. The host reads and decides.
local host = require('sidekicks.host')
local live = require('sidekicks.config.live')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

--- Goes to the configuration, to a place in it if one is given.
---@param place? { line: integer, column: integer }
function M.edit(place)
  host.request('ConfigService.Current', {}, function(err, configuration)
    if err or not configuration then
      return notify.error(err and err.message or '')
    end
    vim.api.nvim_set_current_win(window.for_file())
    vim.cmd.edit({ args = { vim.fn.fnameescape(configuration.path) } })
    if place then
      local row = math.min(place.line, vim.api.nvim_buf_line_count(0))
      vim.api.nvim_win_set_cursor(0, { row, place.column - 1 })
      vim.cmd.normal({ 'zz', bang = true })
    end
  end)
end

---@param path string
---@param problems sidekicks.Problem[]
local function tell_problems(path, problems)
  local shown = vim.fn.fnamemodify(path, ':~')
  if #problems == 0 then
    vim.fn.setqflist({}, 'r', { title = t('panel.problems', { path = shown }), items = {} })
    return notify.info(t('settings.fine', { path = shown }))
  end
  local items = vim.tbl_map(function(problem)
    local kind = problem.warning and 'W' or 'E'
    return { filename = path, lnum = problem.line, col = problem.column, text = problem.message, type = kind }
  end, problems)
  vim.fn.setqflist({}, ' ', { title = t('panel.problems', { path = shown }), items = items })
  vim.cmd.copen({ mods = { split = 'botright' } })
end

---@param path string
---@param text string
local function validate_text(path, text)
  host.request('ConfigService.Validate', { text = text }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    tell_problems(path, result.problems)
  end)
end

--- Checks the text of the buffer, where the file is open, else of the file, and lists what is wrong.
local function validate()
  host.request('ConfigService.Current', {}, function(err, configuration)
    if err or not configuration then
      return notify.error(err and err.message or '')
    end
    local buf = live.buffer()
    if buf then
      return validate_text(configuration.path, live.text(buf))
    end
    host.request('ConfigService.Content', {}, function(problem, content)
      if problem or not content then
        return notify.error(problem and problem.message or '')
      end
      validate_text(configuration.path, content.text)
    end)
  end)
end

---@param err? sidekicks.Failure
---@param configuration? sidekicks.Configuration
local function tell_opened(err, configuration)
  if err or not configuration then
    return notify.error(err and err.message or '')
  end
  local path = vim.fn.fnamemodify(configuration.path, ':~')
  if configuration.valid then
    notify.info(t('settings.opened', { path = path }))
  else
    notify.warn(t('settings.openedWrong', { path = path }))
  end
end

---@param path string
local function open(path)
  if path == '' then
    return host.request('ConfigService.Choose', {}, function(err)
      if err then
        notify.error(err.message)
      end
    end)
  end
  local absolute = vim.fn.fnamemodify(vim.fs.normalize(path, { expand_env = false }), ':p')
  host.request('ConfigService.Open', { path = absolute }, tell_opened)
end

local function recent()
  host.request('ConfigService.Recent', {}, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    elseif #result.paths == 0 then
      return notify.info(t('settings.noRecent'))
    end
    vim.ui.select(result.paths, {
      prompt = t('settings.whichRecent'),
      format_item = function(path)
        return vim.fn.fnamemodify(path, ':~')
      end,
    }, function(path)
      if path then
        open(path)
      end
    end)
  end)
end

---@type table<string, fun(argument: string)>
local actions = {
  edit = function()
    M.edit()
  end,
  open = open,
  recent = recent,
  validate = validate,
}

--- Runs `:Sidekicks config`.
---@param text string what was typed after it
function M.run(text)
  local word, argument = text:match('^(%S*)%s*(.-)$')
  local action = actions[word == '' and 'edit' or word]
  if action then
    action(argument)
  else
    notify.error(t('settings.unknown', { word = word, known = table.concat(M.complete({}, ''), ', ') }))
  end
end

---@param words string[]
---@param lead string
---@return string[]
function M.complete(words, lead)
  if #words == 0 then
    local names = vim.tbl_keys(actions)
    table.sort(names)
    return names
  end
  return #words == 1 and words[1] == 'open' and vim.fn.getcompletion(lead, 'file') or {}
end

return M
