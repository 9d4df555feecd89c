-- `:Sidekicks export`: the current conversation as Markdown, into a file or a new buffer. The host writes the text.
local channel = require('sidekicks.channel')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local send = require('sidekicks.send')
local t = require('sidekicks.language').t

local M = {}

---@param text string
---@return string[]
local function lines_of(text)
  return vim.split(text:gsub('\n$', ''), '\n', { plain = true })
end

--- A buffer of its own beside, which belongs to nobody and asks for nothing when Neovim is left.
---@param text string
local function show(text)
  local win = require('sidekicks.window').for_file()
  local buf = vim.api.nvim_create_buf(true, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines_of(text))
  vim.api.nvim_set_current_win(win)
  vim.api.nvim_win_set_buf(win, buf)
  vim.bo[buf].filetype = 'markdown'
end

---@param path string
---@param text string
local function write(path, text)
  local fine, problem = pcall(vim.fn.writefile, vim.split(text, '\n', { plain = true }), path, 'b')
  local shown = vim.fn.fnamemodify(path, ':~:.')
  if fine and problem == 0 then
    notify.info(t('export.done', { path = shown }))
  else
    notify.error(t('file.failed', { path = shown, what = tostring(problem):gsub('^.-(E%d+: )', '%1') }))
  end
end

---@param path string
---@param force boolean
---@param text string
local function write_after_question(path, force, text)
  local found = vim.uv.fs_stat(path)
  local shown = vim.fn.fnamemodify(path, ':~:.')
  if found and found.type == 'directory' then
    notify.error(t('export.folder', { path = shown }))
  elseif not found or force then
    write(path, text)
  else
    local answers = { yes = t('export.overwrite'), no = t('export.keep') }
    channel.confirm(t('export.exists', { path = shown }), answers, function()
      write(path, text)
    end)
  end
end

--- Writes the conversation to a file; without a path, shows it in a new buffer.
---@param path string
---@param force boolean replace a file that is there without a question
function M.run(path, force)
  send.with_open_conversation(function(id)
    host.request('ChannelService.Export', { id = id }, function(err, result)
      if err or not result then
        notify.error(err and err.message or '')
      elseif path == '' then
        show(result.text)
      else
        local whole = vim.fn.fnamemodify(vim.fs.normalize(path, { expand_env = false }), ':p')
        write_after_question(whole, force, result.text)
      end
    end)
  end)
end

return M
