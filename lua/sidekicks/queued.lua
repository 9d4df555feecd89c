-- The message under the cursor of a transcript, while it waits or when it was not sent: edited, removed, sent again.
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

---@param message sidekicks.Message
---@return string
local function text_of(message)
  return table.concat(vim.tbl_map(function(part)
    return part.text or ''
  end, message.parts))
end

--- Calls back with a person's message under the cursor that is as wanted; says so where there is none.
---@param fits fun(message: sidekicks.Message): boolean
---@param otherwise string text key
---@param callback fun(conversation: string, message: sidekicks.Message)
local function with_message(fits, otherwise, callback)
  local buf = vim.api.nvim_get_current_buf()
  local block = require('sidekicks.transcript').block_at(buf, vim.api.nvim_win_get_cursor(0)[1] - 1)
  local id = require('sidekicks.buffer').conversation_of(buf)
  if not block or not block.message or not id then
    return notify.info(t(otherwise))
  end
  host.request('ViewService.Message', { id = id, messageId = block.message }, function(err, result)
    local message = result and result.message
    if not err and message.role == 'user' and fits(message) then
      callback(id, message)
    else
      notify.info(t(otherwise))
    end
  end)
end

---@param message sidekicks.Message
---@return boolean
local function waits(message)
  return message.queued
end

---@param message sidekicks.Message
---@return boolean
local function was_not_sent(message)
  return not message.queued and message.error ~= ''
end

---@param err? sidekicks.Failure
local function tell_failure(err)
  if err then
    notify.error(err.message)
  end
end

--- Takes the message under the cursor out of those that wait.
function M.remove()
  with_message(waits, 'queued.none', function(id, message)
    host.request('ChannelService.RemoveQueued', { id = id, messageId = message.id }, tell_failure)
  end)
end

--- Sends a message again that was cancelled or could not be sent.
function M.resend()
  with_message(was_not_sent, 'queued.noneUnsent', function(id, message)
    host.request('ChannelService.Resend', { id = id, messageId = message.id }, tell_failure)
  end)
end

---@param lines string[]
---@return integer buf
---@return integer win
local function open_editor(lines)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  local width = math.max(math.floor(vim.o.columns * 0.6), math.min(vim.o.columns - 4, 40))
  local height = math.max(math.min(#lines + 2, math.floor(vim.o.lines * 0.5)), 3)
  local win = require('sidekicks.float').open(buf, { width = width, height = height, title = t('queued.title') })
  return buf, win
end

--- Edits the message under the cursor in a window of its own, for as long as it waits.
function M.edit()
  with_message(waits, 'queued.none', function(id, message)
    local buf, win = open_editor(vim.split(text_of(message), '\n', { plain = true }))
    vim.api.nvim_buf_set_name(buf, ('sidekicks://queued/%s'):format(message.id))
    vim.bo[buf].buftype, vim.bo[buf].bufhidden = 'acwrite', 'wipe'
    vim.bo[buf].modified = false
    local function save()
      local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
      host.request('ChannelService.EditQueued', { id = id, messageId = message.id, text = text }, function(err)
        if err then
          -- What was written stays where it can be copied.
          return notify.error(err.message)
        elseif vim.api.nvim_win_is_valid(win) then
          vim.cmd.stopinsert()
          vim.bo[buf].modified = false
          vim.api.nvim_win_close(win, true)
        end
      end)
    end
    local function leave()
      vim.api.nvim_win_close(win, true)
    end
    vim.api.nvim_create_autocmd('BufWriteCmd', { buffer = buf, desc = 'Writing keeps the message', callback = save })
    for mode, keys in pairs({ n = { '<CR>', '<C-s>' }, i = { '<C-s>' } }) do
      for _, key in ipairs(keys) do
        vim.keymap.set(mode, key, save, { buffer = buf, nowait = true, desc = t('queued.save') })
      end
    end
    vim.keymap.set('n', 'q', leave, { buffer = buf, nowait = true, desc = t('queued.leave') })
    vim.bo[buf].filetype = 'markdown'
  end)
end

return M
