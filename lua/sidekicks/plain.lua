-- Makes what agents say harmless where nothing stands between it and a terminal. It words nothing.
local M = {}

---@param character string
---@return string
local function sign(character)
  return character == '\127' and '␡' or vim.fn.nr2char(0x2400 + character:byte())
end

--- Control characters become signs of themselves; tabs and line ends stay.
---@param text string
---@return string
function M.visible(text)
  local shown = text:gsub('\r\n', '\n'):gsub('[%z\1-\8\11-\31\127]', sign):gsub('\194([\128-\159])', function(byte)
    return ('<%x>'):format(byte:byte())
  end)
  return shown
end

--- The same in one row.
---@param text string
---@return string
function M.row(text)
  return (M.visible(text):gsub('%s*\n%s*', ' ↵ '))
end

return M
