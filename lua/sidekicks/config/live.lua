-- The problems of the configuration as diagnostics while its file is being written. The host checks; what is wrong is
-- never decided here.
local host = require('sidekicks.host')
local state = require('sidekicks.state')

local M = {}

-- A pause in typing after which the text is checked.
local pause_ms = 150
-- A larger text is checked only once it is saved: sending it would be felt.
local largest = 1024 * 1024

local namespace = vim.api.nvim_create_namespace('sidekicks.config')

---@class sidekicks.config.Watch
---@field timer uv.uv_timer_t
---@field number integer of the last check; the answers to earlier ones are old

---@type table<integer, sidekicks.config.Watch> by buffer
local watched = {}
---@type string? the configuration that was in force when buffers were last looked for
local followed

---@param path string
---@return string
local function real(path)
  return vim.uv.fs_realpath(path) or vim.fs.normalize(path)
end

---@param buf integer
---@return boolean
local function is_configuration(buf)
  local configuration, name = state.configuration(), vim.api.nvim_buf_get_name(buf)
  return configuration ~= nil and name ~= '' and vim.bo[buf].buftype == '' and real(name) == real(configuration.path)
end

--- The loaded buffer that holds the configuration in force.
---@return integer?
function M.buffer()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and is_configuration(buf) then
      return buf
    end
  end
end

---@param buf integer
---@return string
function M.text(buf)
  local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
  return vim.bo[buf].endofline and text .. '\n' or text
end

--- From the character a problem is about to the end of its word.
---@param buf integer
---@param problem sidekicks.Problem
---@return vim.Diagnostic.Set
local function diagnostic(buf, problem)
  local row = math.min(problem.line, vim.api.nvim_buf_line_count(buf)) - 1
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
  local column = math.min(problem.column - 1, #line)
  local rest = line:sub(column + 1)
  local word = rest:match('^%${[^}]*}') or rest:match('^[^%s,:%[%]{}]+') or rest:sub(1, 1)
  return {
    lnum = row,
    col = column,
    end_lnum = row,
    end_col = column + #word,
    severity = problem.warning and vim.diagnostic.severity.WARN or vim.diagnostic.severity.ERROR,
    source = 'sidekicks',
    message = problem.message,
  }
end

---@param buf integer
---@param problems sidekicks.Problem[]
local function show(buf, problems)
  local diagnostics = vim.tbl_map(function(problem)
    return diagnostic(buf, problem)
  end, problems)
  vim.diagnostic.set(namespace, buf, diagnostics)
end

---@param buf integer
---@return integer bytes
local function size_of(buf)
  return vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf))
end

---@param buf integer
local function check(buf)
  local watch = watched[buf]
  if not watch or not vim.api.nvim_buf_is_loaded(buf) or size_of(buf) > largest then
    return
  end
  watch.number = watch.number + 1
  local number, tick = watch.number, vim.api.nvim_buf_get_changedtick(buf)
  host.request('ConfigService.Validate', { text = M.text(buf) }, function(err, result)
    local is_old = watched[buf] ~= watch or watch.number ~= number or vim.api.nvim_buf_get_changedtick(buf) ~= tick
    if not err and result and not is_old then
      show(buf, result.problems)
    end
  end)
end

---@param buf integer
local function check_soon(buf)
  watched[buf].timer:start(
    pause_ms,
    0,
    vim.schedule_wrap(function()
      check(buf)
    end)
  )
end

---@param buf integer
local function unwatch(buf)
  local watch = watched[buf]
  watched[buf] = nil
  if watch then
    watch.timer:close()
    if vim.api.nvim_buf_is_valid(buf) then
      vim.diagnostic.reset(namespace, buf)
    end
  end
end

---@param buf integer
local function watch(buf)
  if watched[buf] then
    return
  end
  local mine = { timer = assert(vim.uv.new_timer()), number = 0 }
  watched[buf] = mine
  local function changed()
    if watched[buf] ~= mine then
      return true -- detach
    end
    check_soon(buf)
  end
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = changed,
    on_reload = changed,
    on_detach = vim.schedule_wrap(function()
      if watched[buf] == mine then
        unwatch(buf)
      end
    end),
  })
  check(buf)
end

--- Watches the buffer of the configuration in force, and no other one.
function M.follow()
  local current = M.buffer()
  for buf in pairs(watched) do
    if buf ~= current then
      unwatch(buf)
    end
  end
  if current then
    watch(current)
  end
end

--- A file that may be the configuration was opened: the host can tell.
function M.start()
  require('sidekicks.buffer')
  host.start()
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufFilePost' }, {
  group = vim.api.nvim_create_augroup('sidekicks.config', { clear = true }),
  desc = 'Check the configuration while it is open',
  callback = function(event)
    if is_configuration(event.buf) then
      M.follow()
    end
  end,
})

state.on_change(function()
  local configuration = state.configuration()
  if configuration and configuration.path ~= followed then
    followed = configuration.path
    M.follow()
  end
end)

-- What a save has brought; a buffer that has moved on since is checked itself.
host.on('config:changed', function(change)
  local buf = M.buffer()
  local watch_of = buf and watched[buf]
  if not buf or not watch_of then
    return
  elseif vim.bo[buf].modified then
    return check_soon(buf)
  end
  watch_of.number = watch_of.number + 1
  show(buf, change.problems)
end)

return M
