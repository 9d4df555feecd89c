-- What `#selection` and its like mean: lines, diagnostics and the quickfix list, as they are now, of the last window that is
-- not ours. The host asks for them; it decides what becomes of them.
local window = require('sidekicks.window')

local M = {}

---@class (exact) sidekicks.context.Lines
---@field path string
---@field filetype string
---@field first integer from 1
---@field last integer
---@field text string
---@field cut boolean there is more

---@class (exact) sidekicks.context.Finding
---@field path string
---@field line integer from 1, 0 for none
---@field column integer
---@field severity string
---@field message string

--- So many bytes are taken of one thing; nothing larger goes to an agent.
local most_bytes = 1024 * 1024
local most_findings = 1000

---@param buf integer
---@return string
local function path_of(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  return name == '' and require('sidekicks.language').t('command.unnamed') or vim.fn.fnamemodify(name, ':.')
end

--- As many whole lines as may be taken.
---@param lines string[]
---@return string[]
---@return boolean cut
local function bounded(lines)
  local size = 0
  for index, line in ipairs(lines) do
    size = size + #line + 1
    if size > most_bytes then
      return vim.list_slice(lines, 1, index - 1), true
    end
  end
  return lines, false
end

---@param buf integer
---@param first integer
---@param lines string[]
---@return sidekicks.context.Lines
local function as_lines(buf, first, lines)
  local taken, cut = bounded(lines)
  return {
    path = path_of(buf),
    filetype = vim.bo[buf].filetype,
    first = first,
    last = first + math.max(#taken - 1, 0),
    text = table.concat(taken, '\n'),
    cut = cut,
  }
end

--- What was selected last in a buffer; nil if nothing was, or if it is gone.
---@param buf integer
---@return sidekicks.context.Lines?
local function selection(buf)
  return vim.api.nvim_buf_call(buf, function()
    local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
    local mode = vim.fn.visualmode()
    if from[2] == 0 or mode == '' then
      return nil
    end
    local found, lines = pcall(vim.fn.getregion, from, to, { type = mode })
    return found and as_lines(buf, from[2], lines) or nil
  end)
end

---@param buf integer
---@return sidekicks.context.Lines
local function whole(buf)
  return as_lines(buf, 1, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
end

local severities = { 'error: ', 'warning: ', 'info: ', 'hint: ' }

---@param buf integer
---@return { path: string, found: sidekicks.context.Finding[] }
local function diagnostics(buf)
  local path = path_of(buf)
  local all = vim.diagnostic.get(buf)
  table.sort(all, function(a, b)
    return a.lnum < b.lnum or (a.lnum == b.lnum and a.col < b.col)
  end)
  local found = vim.tbl_map(function(diagnostic)
    local source = diagnostic.source and (' [%s]'):format(diagnostic.source) or ''
    return {
      path = path,
      line = diagnostic.lnum + 1,
      column = diagnostic.col + 1,
      severity = severities[diagnostic.severity] or '',
      message = diagnostic.message .. source,
    }
  end, vim.list_slice(all, 1, most_findings))
  return { path = path, found = found }
end

local kinds = { E = 'error: ', W = 'warning: ', I = 'info: ', N = 'note: ' }

---@return { title: string, found: sidekicks.context.Finding[] }
local function quickfix()
  local list = vim.fn.getqflist({ title = true, items = true })
  local found = vim.tbl_map(function(item)
    return {
      path = item.bufnr > 0 and path_of(item.bufnr) or '',
      line = item.lnum,
      column = item.col,
      severity = kinds[(item.type or ''):upper()] or '',
      message = item.text,
    }
  end, vim.list_slice(list.items, 1, most_findings))
  return { title = list.title, found = found }
end

--- What is there of each of these words; what is not stays away.
---@param words string[]
---@return table<string, table>
function M.gather(words)
  local win = window.of_person()
  local buf = win and vim.api.nvim_win_get_buf(win)
  -- An object also where nothing was found.
  local found = vim.empty_dict()
  for _, word in ipairs(words) do
    if word == 'quickfix' then
      found.quickfix = quickfix()
    elseif buf and word == 'diagnostics' then
      found.diagnostics = diagnostics(buf)
    elseif buf then
      found.buffer = found.buffer or whole(buf)
      found.selection = word == 'selection' and selection(buf) or found.selection
    end
  end
  return found
end

return M
