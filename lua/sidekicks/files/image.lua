-- Shows images of a workspace with the program of this computer for them. Knows no buffer.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')

local M = {}

local endings = { 'avif', 'bmp', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'tif', 'tiff', 'webp' }

--- Whether a file is an image by its name.
---@param path string
---@return boolean
function M.is_image(path)
  local ending = path:match('%.([^./]+)$')
  return ending ~= nil and vim.list_contains(endings, ending:lower())
end

--- Opens a file of this computer.
---@param path string
function M.open(path)
  local _, err = vim.ui.open(path)
  if err then
    notify.error(err)
  end
end

--- The program gets a copy, under the name of the image; it is gone when Neovim is left.
---@param path string
---@param url string
local function open_copy(path, url)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p', '0700')
  local copy = ('%s/%s'):format(folder, (vim.fs.basename(path):gsub('%c', '-')))
  local file, err = io.open(copy, 'wb')
  if not file then
    return notify.error(err or copy)
  end
  local written, problem = file:write(vim.base64.decode(url:match('^data:[^,]*,(.*)$')))
  file:close()
  if not written then
    return notify.error(problem or copy)
  end
  M.open(copy)
end

--- Opens an image that is reached through a container or sandbox.
---@param agent string
---@param path string
function M.fetch(agent, path)
  host.request('WorkspaceService.Image', { agent = agent, path = path }, function(err, result)
    if err or not result then
      return notify.error(err and err.message or '')
    end
    open_copy(path, result.url)
  end)
end

return M
