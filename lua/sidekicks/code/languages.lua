-- What a language named by an agent is here: a filetype with a syntax file, a treesitter language. A name is data: it is
-- compared and looked up, never run, and nothing but a plain word of letters is looked up.
local M = {}

---@class (exact) sidekicks.code.Language
---@field filetype? string one that has a syntax file
---@field parser? string an installed treesitter language that has colours

-- Names in use for code blocks that are neither a filetype nor the ending of a file.
local aliases = {
  ts = 'typescript',
  h = 'c',
  golang = 'go',
  shell = 'sh',
  python3 = 'python',
  docker = 'dockerfile',
  makefile = 'make',
  csharp = 'cs',
  ['c#'] = 'cs',
  fsharp = 'fsharp',
  ['f#'] = 'fsharp',
  ['objective-c'] = 'objc',
  powershell = 'ps1',
  viml = 'vim',
  vimscript = 'vim',
  ini = 'dosini',
  patch = 'diff',
}

-- Filetypes whose parser has another name, where nobody has told Neovim so.
local parsers = {
  sh = 'bash',
  bash = 'bash',
  cs = 'c_sharp',
  jsonc = 'json',
  typescriptreact = 'tsx',
  javascriptreact = 'javascript',
}

local longest_name = 40
local gives_result = vim.fn.has('nvim-0.11') == 1

---@type table<string, sidekicks.code.Language>
local known = {}

---@param name string
---@return boolean
local function has_syntax(name)
  return name:find('^[%w_-]+$') ~= nil and #vim.api.nvim_get_runtime_file('syntax/' .. name .. '.vim', false) > 0
end

--- 0.10 raises an error where a parser is missing and gives nothing where there is one; later ones give nil or true.
---@param name string
---@return boolean
local function has_parser(name)
  if not name:find('^[%w_]+$') then
    return false
  end
  local fine, added = pcall(vim.treesitter.language.add, name)
  return fine and (added or not gives_result) and #vim.treesitter.query.get_files(name, 'highlights') > 0
end

---@param filetype string
---@return string?
local function parser_of(filetype)
  for _, name in ipairs({ vim.treesitter.language.get_lang(filetype) or filetype, parsers[filetype] }) do
    if has_parser(name) then
      return name
    end
  end
end

---@param name string
---@return string?
local function filetype_of(name)
  if aliases[name] then
    return aliases[name]
  elseif has_syntax(name) or has_parser(name) then
    return name
  end
  -- Some endings are told apart by what a file holds; such a function may fail on nothing.
  local fine, filetype = pcall(vim.filetype.match, { filename = 'block.' .. name, contents = { '' } })
  return fine and filetype or nil
end

---@param name string
---@return sidekicks.code.Language
local function look_up(name)
  local filetype = #name <= longest_name and name:find('^[%w_+#.-]+$') and filetype_of(name)
  if not filetype then
    return {}
  end
  return { filetype = has_syntax(filetype) and filetype or nil, parser = parser_of(filetype) }
end

--- Looks a name up, once.
---@param name string as the agent wrote it
---@return sidekicks.code.Language
function M.find(name)
  local key = name:lower()
  known[key] = known[key] or look_up(key)
  return known[key]
end

return M
