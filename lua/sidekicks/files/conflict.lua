-- A file that changed since it was read, when it is to be written: a person says which text stays. Writes nothing by itself.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

---@param buf integer
---@param path string
---@param result { content: string, version: string }
---@return integer
local function scratch(buf, path, result)
  local theirs = vim.api.nvim_create_buf(false, true)
  local parsed = require('sidekicks.files.text').parse(result.content)
  vim.api.nvim_buf_set_lines(theirs, 0, -1, false, parsed.lines)
  vim.bo[theirs].bufhidden = 'wipe'
  vim.bo[theirs].modifiable = false
  vim.bo[theirs].filetype = vim.bo[buf].filetype
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = theirs,
    once = true,
    desc = 'Compare no longer with a text that is gone',
    callback = function()
      for _, win in ipairs(vim.fn.win_findbuf(buf)) do
        vim.api.nvim_win_call(win, vim.cmd.diffoff)
      end
    end,
  })
  return theirs
end

--- Shows both texts side by side; the next `:w` writes over the one that was shown.
---@param buf integer
---@param path string
---@param result { content: string, version: string }
local function compare(buf, path, result)
  local win = vim.fn.win_findbuf(buf)[1]
  if not win then
    return
  end
  local theirs = scratch(buf, path, result)
  local their_win = vim.api.nvim_open_win(theirs, false, { split = 'right', win = win })
  vim.wo[their_win][0].winbar = ' '
    .. t('files.theirs', { path = require('sidekicks.files.rows').plain(path) }):gsub('%%', '%%%%')
  for _, one in ipairs({ their_win, win }) do
    vim.api.nvim_win_call(one, vim.cmd.diffthis)
  end
  vim.api.nvim_set_current_win(win)
  require('sidekicks.files.file').compared(buf, result.version, theirs)
end

---@param buf integer
---@param address sidekicks.FilesAddress
local function diff(buf, address)
  host.request('WorkspaceService.Read', { agent = address.agent, path = address.path }, function(err, result)
    if err or not result then
      notify.error(err and err.message or '')
    elseif vim.api.nvim_buf_is_loaded(buf) then
      compare(buf, address.path, result)
    end
  end)
end

--- Asks which text stays.
---@param buf integer
---@param address sidekicks.FilesAddress
function M.ask(buf, address)
  local file = require('sidekicks.files.file')
  local ways = {
    overwrite = require('sidekicks.files.write').overwrite,
    reload = file.reload,
    diff = function()
      diff(buf, address)
    end,
  }
  vim.ui.select({ 'overwrite', 'reload', 'diff' }, {
    prompt = t('files.conflict', { path = address.path }),
    format_item = function(way)
      return t('files.' .. way)
    end,
  }, function(way)
    if way and vim.api.nvim_buf_is_loaded(buf) then
      ways[way](buf)
    end
  end)
end

return M
