-- Colours lines by the parser of their language, a little at a time, in a hidden buffer that no window ever shows.
local M = {}

-- Languages within a language are looked for in short texts only; they cost several times the text itself.
local longest_with_injections = 16 * 1024
-- Before 0.11 a text is parsed in one go, which may not take longer than a key press.
local longest_in_one_go = 12 * 1024

local has_slices = vim.fn.has('nvim-0.11') == 1

---@type table<string, integer>
local buffers = {}

--- Whether a text of so many bytes can be parsed without keeping anybody waiting.
---@param bytes integer
---@return boolean
function M.can_take(bytes)
  return has_slices or bytes <= longest_in_one_go
end

--- A buffer and not a string, since only the parsing of a buffer comes in slices.
---@param lang string
---@param lines string[]
---@return integer
local function buffer_with(lang, lines)
  local buf = buffers[lang]
  if not buf or not vim.api.nvim_buf_is_valid(buf) then
    buf = vim.api.nvim_create_buf(false, true)
    vim.bo[buf].bufhidden = 'hide'
    vim.bo[buf].undolevels = -1
    buffers[lang] = buf
  end
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  return buf
end

---@param parser vim.treesitter.LanguageTree
---@param bytes integer
---@param on_done fun(fine: boolean)
local function parse(parser, bytes, on_done)
  if not has_slices then
    parser:parse()
    return on_done(true)
  end
  ---@diagnostic disable-next-line: redundant-parameter
  parser:parse(bytes <= longest_with_injections, function(_, trees)
    on_done(trees ~= nil)
  end)
end

---@param name string of a capture
---@return boolean
local function is_colour(name)
  return not vim.startswith(name, '_') and name ~= 'spell' and name ~= 'nospell' and name ~= 'conceal'
end

--- Every capture of a parsed buffer, one a call.
---@param parser vim.treesitter.LanguageTree
---@param buf integer
---@return fun(): Range6?, string?
local function captures(parser, buf)
  return coroutine.wrap(function()
    parser:for_each_tree(function(tree, language_tree)
      local lang = language_tree:lang()
      local query = vim.treesitter.query.get(lang, 'highlights')
      if not query then
        return
      end
      for id, node, metadata in query:iter_captures(tree:root(), buf) do
        local name = query.captures[id]
        if is_colour(name) then
          coroutine.yield(vim.treesitter.get_range(node, buf, metadata[id]), '@' .. name .. '.' .. lang)
        end
      end
    end)
  end)
end

---@param lang string an installed one
---@param lines string[]
---@return sidekicks.code.Painter
function M.painter(lang, lines)
  local buf = buffer_with(lang, lines)
  local parser = assert(vim.treesitter.get_parser(buf, lang))
  ---@type fun(): Range6?, string?
  local next_capture
  parse(parser, vim.api.nvim_buf_get_offset(buf, #lines), function(fine)
    next_capture = fine and captures(parser, buf) or function() end
  end)
  return function(deadline, mark)
    while next_capture and vim.uv.hrtime() < deadline do
      local range, group = next_capture()
      if not range then
        vim.api.nvim_buf_set_lines(buf, 0, -1, false, {})
        return true
      end
      mark(range[1], range[2], range[4], range[5], group)
    end
    return false
  end
end

return M
