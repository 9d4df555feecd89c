-- A file's text as lines of a buffer and back, byte for byte: ends of lines, the last one, a mark in front. Asks nobody.
local M = {}

local mark = '\239\187\191'

---@class (exact) sidekicks.files.Text
---@field lines string[]
---@field format 'unix'|'dos'
---@field ended boolean the last line has its end
---@field bom boolean

--- Lines end as one and all do; where they differ, a carriage return stays in its line.
---@param content string
---@return sidekicks.files.Text
function M.parse(content)
  local bom = vim.startswith(content, mark)
  content = bom and content:sub(#mark + 1) or content
  local _, line_feeds = content:gsub('\n', '')
  local _, pairs_of_both = content:gsub('\r\n', '')
  local format = (line_feeds > 0 and pairs_of_both == line_feeds) and 'dos' or 'unix'
  local ended = content == '' or content:sub(-1) == '\n'
  local text = format == 'dos' and content:gsub('\r\n', '\n') or content
  local lines = vim.split(ended and text:sub(1, -2) or text, '\n', { plain = true })
  return { lines = lines, format = format, ended = ended, bom = bom }
end

local ends = { unix = '\n', dos = '\r\n', mac = '\r' }

--- What the buffer would be as a file.
---@param buf integer
---@param read string what the file was when it was read: one empty line is an empty file, or one line end
---@return string
function M.content(buf, read)
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local bo = vim.bo[buf]
  local line_end = ends[bo.fileformat]
  local start = bo.bomb and mark or ''
  if #lines == 1 and lines[1] == '' then
    return start .. ((read == '' or read == mark) and '' or bo.endofline and line_end or '')
  end
  -- A line feed in a line of a buffer stands for NUL.
  local written = vim.tbl_map(function(line)
    return (line:gsub('\n', '\0'))
  end, lines)
  local text = table.concat(written, line_end)
  return start .. text .. (bo.endofline and line_end or '')
end

--- Whether it is UTF-8, as far as its bytes tell: anything else would not come through as it is.
---@param content string
---@return boolean
function M.is_utf8(content)
  local rest = content
    :gsub('[\194-\223][\128-\191]', '')
    :gsub('[\224-\239][\128-\191][\128-\191]', '')
    :gsub('[\240-\244][\128-\191][\128-\191][\128-\191]', '')
  return not rest:find('[\128-\255]')
end

return M
