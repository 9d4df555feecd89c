-- Run by plugin managers once they fetched or updated the plugin: builds the Node side and passes on what that says.
-- It needs nothing of the plugin itself, which is not on 'runtimepath' yet.
local root = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p'))
local thread, is_main = coroutine.running()

local printed = ''
---@type vim.SystemCompleted?
local outcome

--- A manager runs this in a coroutine and shows what is yielded; elsewhere it is printed and waited for.
---@param text? string
local function tell(text)
  if thread and not is_main then
    return coroutine.yield(text)
  end
  if text then
    vim.api.nvim_echo({ { text } }, true, {})
  end
  vim.wait(20)
end

---@return string? lines
local function take_whole_lines()
  local whole, rest = printed:match('^(.*)\n(.*)$')
  printed = rest or printed
  return whole
end

local started, problem = pcall(vim.system, { 'node', root .. '/scripts/run.mjs', 'setup', '--plugin' }, {
  cwd = root,
  text = true,
  stdout = function(_, text)
    printed = printed .. (text or '')
  end,
}, function(completed)
  outcome = completed
end)
if not started then
  error('sidekicks: install Node 20 or newer with npm, then build again (' .. tostring(problem) .. ')', 0)
end
repeat
  tell(take_whole_lines())
until outcome
tell(take_whole_lines())
if outcome.code ~= 0 then
  error('sidekicks: ' .. vim.trim(outcome.stderr or ''), 0)
end
