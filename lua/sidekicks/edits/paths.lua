-- Which loaded buffer holds which file, however either is named. Reads no text and changes nothing.
local M = {}

local most_links = 40

--- The file a path leads to, also where it does not exist yet.
---@param path string
---@param links? integer followed already
---@return string
function M.resolved(path, links)
  local real = vim.uv.fs_realpath(path)
  if real then
    return real
  end
  local target = vim.uv.fs_readlink(path)
  if target and (links or 0) < most_links then
    local is_absolute = vim.startswith(target, '/')
    return M.resolved(is_absolute and target or vim.fs.dirname(path) .. '/' .. target, (links or 0) + 1)
  end
  local parent = vim.uv.fs_realpath(vim.fs.dirname(path))
  return parent and (parent == '/' and '' or parent) .. '/' .. vim.fs.basename(path) or path
end

---@param buf integer
---@return boolean
function M.is_file(buf)
  return vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == '' and vim.api.nvim_buf_get_name(buf) ~= ''
end

local path_lives_ms = 100
---@type table<string, { path: string, at: integer }> by the name of a buffer
local known = {}

--- Remembered for a moment: many files may be asked for at once, and each asks for the paths of all buffers.
---@param name string
---@return string
local function path_of(name)
  local now = vim.uv.now()
  local one = known[name]
  if not one or now - one.at > path_lives_ms then
    one = { path = M.resolved(name), at = now }
    known[name] = one
  end
  return one.path
end

--- The path of the file in a loaded buffer; nil if it holds none.
---@param buf integer
---@return string?
function M.of(buf)
  return M.is_file(buf) and path_of(vim.api.nvim_buf_get_name(buf)) or nil
end

--- Loaded buffers by the files they hold; one with unsaved text before any other.
---@return table<string, integer>
function M.loaded()
  local loaded = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local path = M.of(buf)
    if path then
      loaded[path] = (vim.bo[buf].modified or not loaded[path]) and buf or loaded[path]
    end
  end
  return loaded
end

--- The loaded buffer of a file.
---@param path string
---@return integer?
function M.find(path)
  return M.loaded()[M.resolved(path)]
end

return M
