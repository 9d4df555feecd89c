-- Which loaded buffer holds which file, however either is named. Reads no text and changes nothing.
local M = {}

--- A path with every link resolved; of a file that is not there, with those of its folder.
---@param path string
---@return string
function M.resolved(path)
  local real = vim.uv.fs_realpath(path)
  if real then
    return real
  end
  local parent = vim.uv.fs_realpath(vim.fs.dirname(path))
  return parent and (parent == '/' and '' or parent) .. '/' .. vim.fs.basename(path) or path
end

---@param buf integer
---@return boolean
function M.is_file(buf)
  return vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == '' and vim.api.nvim_buf_get_name(buf) ~= ''
end

--- The path of the file in a loaded buffer; nil if it holds none.
---@param buf integer
---@return string?
function M.of(buf)
  return M.is_file(buf) and M.resolved(vim.api.nvim_buf_get_name(buf)) or nil
end

--- The loaded buffer of a file; one with unsaved text before any other.
---@param path string
---@return integer?
function M.find(path)
  local wanted, found = M.resolved(path), nil
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if M.of(buf) == wanted then
      found = (vim.bo[buf].modified or not found) and buf or found
    end
  end
  return found
end

return M
