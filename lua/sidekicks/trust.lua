-- Asks Neovim's trust database (`vim.secure`) about a file, for the host. Keeps no answer itself.
local M = {}

---@class (exact) sidekicks.trust.Answer
---@field sha256? string of the content that is trusted; nil when none is
---@field database string where Neovim keeps its answers
---@field error? string why the person's own word could not be kept

---@return string
local function database()
  return vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'trust')
end

-- More than a configuration may hold. A pipe would be waited for, and a folder is trusted for whatever it holds.
local max_bytes = 1048576

---@param path string
---@return boolean
local function is_readable(path)
  local stat = vim.uv.fs_stat(path)
  return stat ~= nil and stat.type == 'file' and stat.size <= max_bytes
end

--- Reads a file as `vim.secure.read` does, but asks nobody: its question is answered with "ignore".
---@param path string
---@return string?
local function read_quietly(path)
  local ask = rawget(vim.fn, 'confirm')
  rawset(vim.fn, 'confirm', function()
    return 1
  end)
  local fine, contents = pcall(vim.secure.read, path)
  rawset(vim.fn, 'confirm', ask)
  return fine and type(contents) == 'string' and contents or nil
end

--- A key that was meant for a text must not become the answer.
---@return boolean
local function can_ask()
  return #vim.api.nvim_list_uis() > 0 and vim.api.nvim_get_mode().mode == 'n'
end

---@param path string
---@return string?
local function read_asking(path)
  local contents = read_quietly(path)
  if contents or not can_ask() then
    return contents
  end
  local answer = vim.secure.read(path)
  return type(answer) == 'string' and answer or nil
end

--- Neovim before 0.11 takes only a buffer, whose text must be that of the file.
---@param path string
---@return string? error
local function allow(path)
  local fine, done, message = pcall(vim.secure.trust, { action = 'allow', path = path })
  if fine then
    return not done and message or nil
  end
  local known = vim.fn.bufexists(path) == 1
  local buf = vim.fn.bufadd(path)
  vim.cmd(('noautocmd call bufload(%d)'):format(buf))
  done, message = vim.secure.trust({ action = 'allow', bufnr = buf })
  if not known then
    vim.api.nvim_buf_delete(buf, { force = true })
  end
  return not done and message or nil
end

--- What is trusted of a file. `look` asks nobody; `ask` asks where that disturbs nobody; `allow` says yes for the person.
---@param path string absolute
---@param how 'look'|'ask'|'allow'
---@return sidekicks.trust.Answer
function M.of(path, how)
  if not is_readable(path) then
    return { database = database() }
  end
  local problem = how == 'allow' and allow(path) or nil
  local contents = how == 'ask' and read_asking(path) or read_quietly(path)
  return { sha256 = contents and vim.fn.sha256(contents), database = database(), error = problem }
end

return M
