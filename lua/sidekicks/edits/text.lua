-- What writing a buffer would put on disk, as UTF-8 text, and what a text would be as lines of that buffer. Changes nothing.
local M = {}

local line_ends = { unix = '\n', dos = '\r\n', mac = '\r' }
local byte_order_mark = '\239\187\191'
local ascii_alike = { '^latin', '^iso%-8859', '^cp%d', '^koi8', '^macroman$', '^euc', '^8bit%-', '^ascii$' }

--- Whether it holds not even one line: written, such a buffer is an empty file.
---@param buf integer
---@return boolean
local function is_empty(buf)
  return vim.api.nvim_buf_line_count(buf) == 1
    and vim.api.nvim_buf_call(buf, function()
      return vim.fn.line2byte(2) == -1
    end)
end

--- Bytes of the largest text that is given, as the host has it for files.
M.most = 20 * 1024 * 1024

---@param buf integer
---@return integer bytes, about
function M.size(buf)
  return vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf))
end

---@param path string
---@return integer bytes, 0 for no file
function M.size_on_disk(path)
  local stat = vim.uv.fs_stat(path)
  return stat and stat.size or 0
end

--- The text of rows, with their line ends and the byte-order mark. The last line of a buffer has its end where the file has
--- one: what 'fixendofline' adds on writing is not yet there.
---@param buf integer
---@param from integer
---@param to integer row behind the last
---@return string
function M.rows(buf, from, to)
  local bo = vim.bo[buf]
  local line_end = line_ends[bo.fileformat]
  local mark = from == 0 and bo.bomb and byte_order_mark or ''
  local is_ended = to < vim.api.nvim_buf_line_count(buf) or bo.endofline
  local text = table.concat(vim.api.nvim_buf_get_lines(buf, from, to, false), line_end)
  return mark .. text .. (is_ended and line_end or '')
end

---@param buf integer
---@return string
function M.of(buf)
  if is_empty(buf) then
    return vim.bo[buf].bomb and byte_order_mark or ''
  end
  return M.rows(buf, 0, vim.api.nvim_buf_line_count(buf))
end

-- So much is asked for at once: packing, and checking, more would hold the editor up.
local slice_bytes = 1024 * 1024

---@param buf integer
---@return boolean
function M.is_long(buf)
  return M.size(buf) > slice_bytes
end

--- The row behind a slice that begins in a row.
---@param buf integer
---@param from integer
---@return integer
function M.slice_end(buf, from)
  local last = vim.api.nvim_buf_line_count(buf)
  local most = vim.api.nvim_buf_get_offset(buf, from) + slice_bytes
  local low, high = from + 1, last
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if vim.api.nvim_buf_get_offset(buf, middle) <= most then
      low = middle
    else
      high = middle - 1
    end
  end
  return low
end

-- Patterns of Lua take seconds for the largest texts; these run through them at once.
local R, P = vim.lpeg.R, vim.lpeg.P
local ascii = R('\1\127') ^ 0 * -P(1)
local tail = R('\128\191')
local utf8 = (R('\1\127') ^ 1 + R('\194\223') * tail + P('\224') * R('\160\191') * tail + (R('\225\236') + R(
      '\238\239'
    )) * tail * tail + P('\237') * R('\128\159') * tail + P('\240') * R('\144\191') * tail * tail + R('\241\243') * tail * tail * tail + P(
      '\244'
    ) * R('\128\143') * tail * tail)
    ^ 0
  * -P(1)

---@param pattern table
---@param text string
---@return boolean
local function is(pattern, text)
  return vim.lpeg.match(pattern, text) ~= nil
end

--- Whether a text of ASCII characters alone is the same bytes.
---@param encoding string
---@return boolean
local function keeps_ascii(encoding)
  return vim.iter(ascii_alike):any(function(pattern)
    return encoding:find(pattern) ~= nil
  end)
end

--- Why the text of a buffer cannot be given exactly, as the key of a text.
---@param buf integer
---@param text string
---@return string?
function M.problem(buf, text)
  if text:find('\0', 1, true) then
    return 'edits.binary'
  end
  local encoding = vim.bo[buf].fileencoding
  if encoding == '' or encoding == 'utf-8' then
    return not is(utf8, text) and 'edits.encoding' or nil
  end
  return not (keeps_ascii(encoding) and is(ascii, text)) and 'edits.encoding' or nil
end

-- Shorter strings reach the host as they are.
local long_string = 100

--- The host's decoder takes a byte-order mark away from the beginning of a long string: a blank goes before it.
---@param text? string
---@return string? text
---@return boolean guarded
function M.guarded(text)
  local is_at_risk = text ~= nil and #text > long_string and vim.startswith(text, byte_order_mark)
  return is_at_risk and ' ' .. text or text, is_at_risk
end

---@param buf integer
---@return boolean
function M.is_too_large(buf)
  return M.size(buf) > M.most
end

--- The bytes of a regular file.
---@param path string
---@return string?
function M.on_disk(path)
  local stat = vim.uv.fs_stat(path)
  local file = stat and stat.type == 'file' and io.open(path, 'rb')
  if not file then
    return nil
  end
  local text = file:read('*a')
  file:close()
  return text
end

--- Whether the text of a file cannot be given, as the host finds it.
---@param path string
---@return boolean
local function is_file_opaque(path)
  if M.size_on_disk(path) > M.most then
    return true
  end
  local text = M.on_disk(path)
  return text ~= nil and (text:find('\0', 1, true) ~= nil or not is(utf8, text))
end

--- Whether nothing can be merged of this buffer and its file, as one of the two cannot be given.
---@param buf integer
---@return boolean
function M.is_opaque(buf)
  return M.is_too_large(buf) or M.problem(buf, M.of(buf)) ~= nil or is_file_opaque(vim.api.nvim_buf_get_name(buf))
end

--- The lines of a text as this buffer would hold them; nil if it cannot hold them exactly.
---@param buf integer
---@param text string
---@return string[]?
function M.lines_for(buf, text)
  local has_mark = vim.startswith(text, byte_order_mark)
  local body = has_mark and text:sub(#byte_order_mark + 1) or text
  local lines = vim.split(body, line_ends[vim.bo[buf].fileformat], { plain = true })
  local ended = #lines > 1 and lines[#lines] == ''
  if ended then
    table.remove(lines)
  end
  local fits = has_mark == vim.bo[buf].bomb and ended == vim.bo[buf].endofline
  return fits and not table.concat(lines):find('\n', 1, true) and lines or nil
end

return M
