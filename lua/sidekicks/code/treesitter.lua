-- Colours lines by the parser of their language, a little at a time. Knows no buffer.
local M = {}

-- Languages within a language are looked for in short texts only; they cost several times the text itself.
local longest_with_injections = 16 * 1024
-- Before 0.11 a text is parsed in one go, which may not take longer than a key press.
local longest_in_one_go = 12 * 1024

local has_slices = vim.fn.has('nvim-0.11') == 1

--- Whether a text of so many bytes can be parsed without keeping anybody waiting.
---@param bytes integer
---@return boolean
function M.can_take(bytes)
  return has_slices or bytes <= longest_in_one_go
end

---@param parser vim.treesitter.LanguageTree
---@param bytes integer
---@param on_done fun(fine: boolean)
local function parse(parser, bytes, on_done)
  if not has_slices then
    parser:parse()
    return on_done(true)
  end
  local injections = bytes <= longest_with_injections
  ---@diagnostic disable-next-line: redundant-parameter
  parser:parse(injections or nil, function(_, trees)
    on_done(trees ~= nil)
  end)
end

--- Every capture of a text, one a call.
---@param parser vim.treesitter.LanguageTree
---@param text string
---@return fun(): Range6?, string?
local function captures(parser, text)
  return coroutine.wrap(function()
    parser:for_each_tree(function(tree, language_tree)
      local lang = language_tree:lang()
      local query = vim.treesitter.query.get(lang, 'highlights')
      if not query then
        return
      end
      for id, node, metadata in query:iter_captures(tree:root(), text) do
        local name = query.captures[id]
        if not name:find('^_') and name ~= 'spell' and name ~= 'nospell' and name ~= 'conceal' then
          coroutine.yield(vim.treesitter.get_range(node, text, metadata[id]), '@' .. name .. '.' .. lang)
        end
      end
    end)
  end)
end

---@param lang string an installed one
---@param lines string[]
---@return sidekicks.code.Painter
function M.painter(lang, lines)
  local text = table.concat(lines, '\n')
  local parser = vim.treesitter.get_string_parser(text, lang)
  local parsed, next_capture = false, nil
  parse(parser, #text, function(fine)
    parsed = true
    next_capture = fine and captures(parser, text) or function() end
  end)
  return function(deadline, mark)
    while parsed and next_capture do
      local range, group = next_capture()
      if not range then
        return true
      end
      mark(range[1], range[2], range[4], range[5], group)
      if vim.uv.hrtime() > deadline then
        break
      end
    end
    return false
  end
end

return M
