-- The address of one message, `sidekicks://message/<conversation>/<message>`: a window that shows such a buffer is given
-- back what it showed, and the transcript is gone to at that message. Lists of hits hold such names.
local addresses = require('sidekicks.address')
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local window = require('sidekicks.window')

local M = {}

-- Whoever hurries through a list ends at the last message asked for.
local journeys = 0

---@param conversation string its id
---@param message string its id
---@return string name of a buffer
function M.name(conversation, message)
  return ('sidekicks://message/%s/%s'):format(addresses.encode(conversation), addresses.encode(message))
end

--- The window has been taken for the jump: it shows again what it showed.
---@param win integer
---@param buf integer
local function give_back(win, buf)
  local before = vim.api.nvim_win_call(win, function()
    return vim.fn.bufnr('#')
  end)
  if before > 0 and before ~= buf and vim.api.nvim_buf_is_loaded(before) then
    vim.api.nvim_win_set_buf(win, before)
  elseif #vim.api.nvim_tabpage_list_wins(0) > 1 then
    vim.api.nvim_win_close(win, true)
  else
    vim.api.nvim_win_call(win, vim.cmd.enew)
  end
end

--- The cursor to the first of the words that were found, with the head of the message in sight where there is room.
---@param transcript integer
---@param first integer
---@param last integer
local function go_to(transcript, first, last)
  local win = window.of(transcript)
  if not win then
    return
  end
  vim.api.nvim_set_current_win(win)
  vim.cmd("normal! m'")
  local row = require('sidekicks.search').highlight(transcript, first, last) or first
  vim.api.nvim_win_set_cursor(win, { row, 0 })
  vim.cmd('normal! zvzz')
  if row - first < vim.api.nvim_win_get_height(win) / 2 then
    vim.fn.winrestview({ topline = first })
  end
end

--- Goes to a message in the transcript of its conversation, which is shown if it is not.
---@param conversation string its id
---@param message string its id
function M.go(conversation, message)
  journeys = journeys + 1
  local journey = journeys
  host.request('ViewService.Locate', { id = conversation }, function(err, result)
    if journey ~= journeys then
      return
    elseif err or not result then
      return notify.error(err and err.message or '')
    end
    local place = buffer.show(result.channel, result.here)
    local transcript = assert(place.transcript)
    local win = window.of(transcript)
    if win then
      vim.api.nvim_set_current_win(win)
    end
    require('sidekicks.transcript').reveal(transcript, message, function(first, last)
      if journey ~= journeys then
        return
      elseif first and last then
        go_to(transcript, first, last)
      else
        notify.error(t('error.unknownMessage'))
      end
    end)
  end)
end

--- Fills a buffer of such a name: with nothing. Where a window shows it, the message is gone to in place of it.
---@param buf integer
---@param ids string the part of its name behind `message/`
function M.read(buf, ids)
  local bo = vim.bo[buf]
  bo.buftype, bo.swapfile, bo.buflisted, bo.modifiable = 'nofile', false, false, false
  bo.bufhidden = 'unload'
  local conversation, message = ids:match('^([^/]+)/([^/]+)$')
  vim.schedule(function()
    local wins = vim.api.nvim_buf_is_valid(buf) and vim.fn.win_findbuf(buf) or {}
    if #wins == 0 then
      return
    end
    vim.iter(wins):each(function(win)
      give_back(win, buf)
    end)
    M.go(addresses.decode(conversation), addresses.decode(message))
  end)
end

return M
