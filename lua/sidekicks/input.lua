-- The buffer a person writes in: sends, keeps the draft, brings earlier prompts back. Nothing typed is ever lost: what
-- could not be sent comes back. It never waits for the host.
local Draft = require('sidekicks.input.draft')
local Prompts = require('sidekicks.input.prompts')
local recall = require('sidekicks.input.recall')
local completion = require('sidekicks.completion')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local undo = require('sidekicks.undo')

local M = {}

---@class (exact) sidekicks.input.Box
---@field buf integer
---@field conversation string
---@field draft sidekicks.input.Draft
---@field prompts sidekicks.input.Prompts
---@field wants_earlier boolean an earlier prompt was asked for, and none is there yet

---@type table<integer, sidekicks.input.Box>
local boxes = {}
--- Sent before the host told which conversation the buffer belongs to, in order.
---@type table<integer, string[]>
local early = {}
--- Drafts that came before their buffer.
---@type table<string, string>
local drafts = {}

---@param buf integer
---@return string
local function text_of(buf)
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
end

---@param win integer
local function go_to_end(win)
  local buf = vim.api.nvim_win_get_buf(win)
  local last = vim.api.nvim_buf_line_count(buf)
  vim.api.nvim_win_set_cursor(win, { last, #vim.api.nvim_buf_get_lines(buf, last - 1, last, false)[1] })
end

--- Replaces what is written, so that undo brings it back; the cursor goes to the end.
---@param buf integer
---@param text string
function M.set(buf, text)
  completion.close(buf)
  undo.close_step(buf)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\n', { plain = true }))
  vim.bo[buf].modified = false
  vim.iter(vim.fn.win_findbuf(buf)):each(go_to_end)
end

--- Adds lines at the end of what is written, apart from it; the cursor goes behind them.
---@param buf integer
---@param text string
function M.append(buf, text)
  local written = text_of(buf)
  M.set(buf, written == '' and text or written:gsub('%s*$', '') .. '\n\n' .. text)
end

---@param box sidekicks.input.Box
---@param draft string
local function take_draft(box, draft)
  if box.draft:take(draft) and text_of(box.buf) == '' then
    M.set(box.buf, draft)
  end
end

--- Takes the draft the host kept for a conversation. What is written already is worth more.
---@param conversation string
---@param draft string
function M.restore(conversation, draft)
  for _, box in pairs(boxes) do
    if box.conversation == conversation then
      return take_draft(box, draft)
    end
  end
  drafts[conversation] = draft
end

---@param box sidekicks.input.Box
---@param text string
local function deliver(box, text)
  host.request('ChannelService.Send', { id = box.conversation, text = text }, function(err)
    if not err then
      return
    end
    notify.error(err.message)
    if vim.api.nvim_buf_is_loaded(box.buf) and text_of(box.buf) == '' then
      M.set(box.buf, text)
    end
  end)
end

---@param box sidekicks.input.Box
---@param text string
local function send_text(box, text)
  box.prompts:add(text)
  deliver(box, text)
end

--- Puts what is written into the unnamed register, for an input whose conversation is gone.
---@param buf? integer
---@return boolean kept there was something
function M.keep_in_register(buf)
  local text = buf and vim.api.nvim_buf_is_loaded(buf) and text_of(buf) or ''
  if vim.trim(text) == '' then
    return false
  end
  vim.fn.setreg('"', text)
  return true
end

--- Sends what is written, unless a word is still to be completed: then it completes that.
---@param buf integer
function M.send(buf)
  local box = boxes[buf]
  local text = text_of(buf)
  if (box and completion.finish_word(buf)) or vim.trim(text) == '' then
    return
  end
  M.set(buf, '')
  if not box then
    early[buf] = vim.list_extend(early[buf] or {}, { text })
    return
  end
  send_text(box, text)
  box.draft:keep()
end

--- The conversation cannot be had: what was sent early is what is being written again.
---@param buf integer
function M.give_back(buf)
  local texts = early[buf]
  early[buf] = nil
  if texts then
    M.set(buf, vim.trim(table.concat(vim.list_extend(texts, { text_of(buf) }), '\n\n')))
  end
end

--- Begins a new line, where `<CR>` would send.
---@param buf integer
function M.newline(buf)
  completion.close(buf)
  vim.api.nvim_put({ '', '' }, 'c', false, true)
end

--- Has Neovim do what the key does without us, before any key that was typed after it.
---@param key string
local function type_key(key)
  vim.api.nvim_feedkeys(vim.keycode(key), 'in', false)
end

--- Brings an earlier prompt back into an empty input; moves the cursor in any other.
---@param buf integer
function M.previous_prompt(buf)
  local box = boxes[buf]
  if not box or not recall.previous(box, M.set) then
    type_key('<Up>')
  end
end

--- Goes back towards the newest prompt, and from it to an empty input.
---@param buf integer
function M.next_prompt(buf)
  local box = boxes[buf]
  if not box or not recall.next(box, M.set) then
    type_key('<Down>')
  end
end

--- Cancels the answer in progress; without one it does what the key does in Neovim.
---@param buf integer
function M.cancel(buf)
  local box = boxes[buf]
  local known = box and require('sidekicks.state').conversation(box.conversation)
  if known and known.busy then
    require('sidekicks.command').cancel()
  else
    type_key('<C-c>')
  end
end

---@param box sidekicks.input.Box
local function forget(box)
  box.draft:close()
  boxes[box.buf], early[box.buf] = nil, nil
end

---@param box sidekicks.input.Box
local function watch(box)
  local group = vim.api.nvim_create_augroup('sidekicks.input.' .. box.buf, { clear = true })
  local function on(event, desc, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = box.buf, desc = desc, callback = callback })
  end
  on({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, 'Keep the draft', function()
    vim.bo[box.buf].modified = false
    box.draft:keep_soon()
  end)
  on('BufModifiedSet', 'What is written here never keeps Neovim from leaving', function()
    vim.bo[box.buf].modified = false
  end)
  on('BufWriteCmd', 'Writing sends', function()
    M.send(box.buf)
    vim.bo[box.buf].modified = false
  end)
  on('BufUnload', 'Keep the draft of an input that goes', function()
    if boxes[box.buf] == box then
      forget(box)
    end
  end)
end

--- Makes a buffer the input of a conversation.
---@param buf integer
---@param conversation string its id
function M.attach(buf, conversation)
  if boxes[buf] and boxes[buf].conversation == conversation then
    return
  end
  ---@type sidekicks.input.Box
  local box = {
    buf = buf,
    conversation = conversation,
    draft = Draft.new(conversation, function()
      return vim.api.nvim_buf_is_loaded(buf) and text_of(buf) or nil
    end),
    prompts = Prompts.new(),
    wants_earlier = false,
  }
  boxes[buf] = box
  watch(box)
  completion.attach(buf, conversation)
  require('sidekicks.attach.drop').watch()
  vim.bo[buf].modified = false
  if drafts[conversation] then
    take_draft(box, drafts[conversation])
    drafts[conversation] = nil
  end
  for _, text in ipairs(early[buf] or {}) do
    send_text(box, text)
  end
  early[buf] = nil
end

return M
