-- The runtime path of the clean profile: this plugin and Neovim's own files; it sets no option a user would notice.
local root = assert(vim.env.SIDEKICKS_ROOT, 'scripts/nvim names the project')
vim.env.SIDEKICKS_ROOT = nil

--- What Neovim itself brought, without the system's own sites and settings.
---@param dir string
---@return boolean
local function of_neovim(dir)
  return vim.startswith(dir, vim.env.VIMRUNTIME) or dir:match('/lib%d*/nvim$') ~= nil
end

-- A private Neovim would prefer the parsers of an installed one in /usr/lib/nvim, made for another version.
local own = vim.fs.normalize(vim.env.VIMRUNTIME .. '/../../../lib/nvim')
local dirs = { root }
if vim.uv.fs_stat(own) then
  table.insert(dirs, own)
end
for _, dir in ipairs(vim.opt.runtimepath:get()) do
  if of_neovim(dir) and not vim.list_contains(dirs, dir) then
    table.insert(dirs, dir)
  end
end
vim.opt.runtimepath = dirs
vim.opt.packpath = { vim.env.VIMRUNTIME }
