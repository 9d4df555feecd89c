-- Where the Node side lies and what runs it; says in words why it cannot run. Starts nothing that lasts.
local options = require('sidekicks.options')
local t = require('sidekicks.language').t

local M = {}

---@type integer[]
local oldest_node = { 22, 22, 0 }

local root = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))))

--- The folder this plugin is in.
---@return string
function M.root()
  return root
end

--- The folder of the remote plugin, by which Neovim's host machinery knows it.
---@return string
function M.plugin()
  return root .. '/rplugin/node/sidekicks'
end

---@return string
function M.entry()
  return M.plugin() .. '/index.cjs'
end

--- The Node to use: the one of the options, else the one beside the plugin, else whatever PATH has.
---@return string
function M.node()
  local beside = root .. '/node_modules/.bin/node'
  return options.get().node or (vim.fn.executable(beside) == 1 and beside or 'node')
end

---@return boolean
function M.built()
  return vim.uv.fs_stat(M.entry()) ~= nil and vim.uv.fs_stat(M.plugin() .. '/dist/host.cjs') ~= nil
end

--- The command line of the host, or why there is none.
---@return string[]? command
---@return string? problem
function M.command()
  local node = M.node()
  if not M.built() then
    return nil, t('host.notBuilt')
  elseif vim.fn.executable(node) == 0 then
    return nil, t('host.noNode', { node = node })
  end
  -- A long answer makes much that lives shortly: room for 16 MB of it by default is filled before any of it is thrown away.
  return { node, '--max-semi-space-size=8', M.entry() }
end

--- The version Node gives of itself, "" where it gives none. Waits for it: some 30 ms.
---@return string
function M.node_version()
  if vim.fn.executable(M.node()) == 0 then
    return ''
  end
  local outcome = vim.system({ M.node(), '--version' }, { text = true, timeout = 3000 }):wait()
  return outcome.code == 0 and vim.trim(outcome.stdout or ''):gsub('^v', '') or ''
end

--- What is wrong with Node, if anything is. Waits for it, so it is asked only when a start has failed.
---@return string?
function M.node_problem()
  local version = M.node_version()
  if vim.fn.executable(M.node()) == 0 then
    return t('host.noNode', { node = M.node() })
  elseif version == '' then
    return t('host.notNode', { node = M.node() })
  elseif vim.version.lt(version, oldest_node) then
    return t('host.oldNode', { version = version, node = M.node() })
  end
end

return M
