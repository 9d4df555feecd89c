-- Files dropped on a terminal: it pastes their paths, each terminal in a way of its own. A paste into an input that is nothing
-- but paths of files attaches them; any other paste, and every paste elsewhere, goes its usual way.
local attach = require('sidekicks.attach')

local M = {}

--- No terminal pastes more than this for what was dropped.
local longest = 65536

---@param path string
---@return boolean
local function is_file(path)
  local stat = vim.startswith(path, '/') and not path:find('%z') and vim.uv.fs_stat(path)
  return stat and stat.type == 'file' or false
end

---@param token string
---@return string
local function path_of(token)
  local uri = token:gsub('^file://localhost/', 'file:///')
  return vim.startswith(uri, 'file:///') and vim.uri_to_fname(uri) or token
end

--- The words of a line as a shell would read them: quotes and backslashes are taken off.
---@param line string
---@return string[]? words nil if a quote is never closed
local function shell_words(line)
  local words, word, quote, i = {}, nil, nil, 1
  while i <= #line do
    local character = line:sub(i, i)
    if quote and character == quote then
      quote = nil
    elseif not quote and (character == '"' or character == "'") then
      quote, word = character, word or ''
    elseif character == '\\' and quote ~= "'" and i < #line then
      i = i + 1
      word = (word or '') .. line:sub(i, i)
    elseif not quote and character:find('%s') then
      table.insert(words, word)
      word = nil
    else
      word = (word or '') .. character
    end
    i = i + 1
  end
  table.insert(words, word)
  return not quote and words or nil
end

--- The files of one line: the line as it stands, or its words.
---@param line string
---@return string[]? paths nil if anything in it is no file
local function files_of(line)
  local whole = path_of(line)
  if is_file(whole) then
    return { whole }
  end
  local paths = vim.tbl_map(path_of, shell_words(line) or { '' })
  return vim.iter(paths):all(is_file) and paths or nil
end

--- The files a pasted text names; nil if it is anything but absolute paths of files.
---@param text string
---@return string[]?
function M.paths(text)
  if #text > longest then
    return nil
  end
  local paths = {}
  for line in vim.gsplit(text, '[\r\n]+') do
    local trimmed = vim.trim(line)
    local found = trimmed == '' and {} or files_of(trimmed)
    if not found then
      return nil
    end
    vim.list_extend(paths, found)
  end
  return #paths > 0 and paths or nil
end

--- What came of a paste so far while it still may be paths.
---@type string?
local held

---@param text string
---@return boolean
local function may_be_paths(text)
  return #text <= longest and text:find('^%s*["\']?/') ~= nil or text:find('^%s*["\']?file:') ~= nil
end

--- Attaches what was pasted, if that is what it means.
---@param text string
---@return boolean
local function take(text)
  local paths = M.paths(text)
  if paths then
    attach.files(attach.spot(vim.api.nvim_get_current_buf()), paths, { dropped = true })
  end
  return paths ~= nil
end

---@alias sidekicks.Paste fun(lines: string[], phase: -1|1|2|3): boolean

--- A long paste comes in parts: 1 the first, 2 those between, 3 the last; -1 all at once.
---@param paste sidekicks.Paste what Neovim does
---@param lines string[]
---@param phase -1|1|2|3
---@return boolean
local function on_paste(paste, lines, phase)
  local text = (held or '') .. table.concat(lines, '\n')
  local is_first, is_last = phase == -1 or phase == 1, phase == -1 or phase == 3
  if not (is_first or held) or not may_be_paths(text) then
    local begins = held and 1 or phase
    held = nil
    return paste(vim.split(text, '\n', { plain = true }), is_last and begins == 1 and -1 or begins)
  end
  held = not is_last and text or nil
  return not is_last or take(text) or paste(vim.split(text, '\n', { plain = true }), -1)
end

local is_watching = false

--- Has the pastes into inputs looked at from now on.
function M.watch()
  if is_watching then
    return
  end
  is_watching = true
  local paste = vim.paste
  ---@diagnostic disable-next-line: duplicate-set-field
  vim.paste = function(lines, phase)
    if vim.fn.mode():find('^[in]') and attach.is_input(vim.api.nvim_get_current_buf()) then
      return on_paste(paste, lines, phase)
    end
    held = nil
    return paste(lines, phase)
  end
end

return M
