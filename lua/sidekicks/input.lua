-- The buffer a person writes in: sends, keeps the draft, brings earlier prompts back. Nothing typed is ever lost: what
-- could not be sent comes back. It never waits for the host.
local completion = require('sidekicks.completion')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local undo = require('sidekicks.undo')

local M = {}

---@class (exact) sidekicks.input.Box
---@field buf integer
---@field conversation string
---@field timer uv.uv_timer_t runs while a draft is not kept yet
---@field kept string the draft the host has
---@field restored boolean the draft of the host was taken, or refused
---@field prompts string[] sent before, oldest first
---@field at? integer which of them is shown
---@field asked boolean the conversation was asked for those of earlier days

local draft_after_ms = 500

---@type table<integer, sidekicks.input.Box>
local boxes = {}
--- Sent before the host told which conversation the buffer belongs to.
---@type table<integer, true>
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

---@param box sidekicks.input.Box
local function keep_draft(box)
  box.timer:stop()
  local text = vim.api.nvim_buf_is_loaded(box.buf) and text_of(box.buf) or box.kept
  if text ~= box.kept then
    box.kept = text
    host.request('ViewService.Draft', { id = box.conversation, text = text })
  end
end

---@param box sidekicks.input.Box
---@param draft string
local function take_draft(box, draft)
  if box.restored then
    return
  end
  box.restored, box.kept = true, draft
  if draft ~= '' and text_of(box.buf) == '' then
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

--- Sends what is written, unless a word is still to be completed: then it completes that.
---@param buf integer
function M.send(buf)
  local box = boxes[buf]
  if not box then
    early[buf] = true
    return
  end
  local text = text_of(buf)
  if completion.finish_word(buf) or vim.trim(text) == '' then
    return
  end
  M.set(buf, '')
  table.insert(box.prompts, text)
  box.at = nil
  deliver(box, text)
  keep_draft(box)
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

---@param box sidekicks.input.Box
---@param index integer
local function show_prompt(box, index)
  box.at = index
  M.set(box.buf, box.prompts[index])
end

--- What is written is a prompt brought back and not changed, or nothing.
---@param box sidekicks.input.Box
---@return boolean
local function is_browsing(box)
  local text = text_of(box.buf)
  if box.at and text ~= box.prompts[box.at] then
    box.at = nil
  end
  return box.at ~= nil or text == ''
end

---@param message sidekicks.Message
---@return string
local function words_of(message)
  local texts = vim.tbl_map(function(part)
    return part.text or ''
  end, message.parts)
  return table.concat(texts)
end

--- Puts the prompts of the conversation in front of those sent from here.
---@param box sidekicks.input.Box
---@param messages sidekicks.Message[]
local function take_prompts(box, messages)
  local prompts = {}
  for _, message in ipairs(messages) do
    if message.role == 'user' then
      table.insert(prompts, words_of(message))
    end
  end
  for _, prompt in ipairs(box.prompts) do
    if not vim.list_contains(prompts, prompt) then
      table.insert(prompts, prompt)
    end
  end
  local moved = #prompts - #box.prompts
  box.at = box.at and box.at + moved
  box.prompts = prompts
end

---@param box sidekicks.input.Box
local function ask_prompts(box)
  box.asked = true
  host.request('ChannelService.Conversation', { id = box.conversation }, function(err, snapshot)
    if err or not snapshot then
      box.asked = false
    elseif vim.api.nvim_buf_is_loaded(box.buf) then
      take_prompts(box, snapshot.messages)
      if is_browsing(box) and not box.at and #box.prompts > 0 then
        show_prompt(box, #box.prompts)
      end
    end
  end)
end

--- Brings an earlier prompt back into an empty input; moves the cursor in any other.
---@param buf integer
function M.previous_prompt(buf)
  local box = boxes[buf]
  if not box or completion.is_open() or not is_browsing(box) then
    return type_key('<Up>')
  end
  local index = (box.at or #box.prompts + 1) - 1
  if index >= 1 then
    show_prompt(box, index)
  end
  if not box.asked then
    ask_prompts(box)
  end
end

--- Goes back towards the newest prompt, and from it to an empty input.
---@param buf integer
function M.next_prompt(buf)
  local box = boxes[buf]
  if not box or completion.is_open() or not is_browsing(box) or not box.at then
    return type_key('<Down>')
  end
  if box.prompts[box.at + 1] then
    return show_prompt(box, box.at + 1)
  end
  box.at = nil
  M.set(buf, '')
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
  keep_draft(box)
  box.timer:close()
  boxes[box.buf], early[box.buf] = nil, nil
end

---@param box sidekicks.input.Box
local function watch(box)
  local group = vim.api.nvim_create_augroup('sidekicks.input.' .. box.buf, { clear = true })
  local function on(event, desc, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = box.buf, desc = desc, callback = callback })
  end
  on({ 'TextChanged', 'TextChangedI', 'TextChangedP' }, 'Keep the draft', function()
    box.timer:start(
      draft_after_ms,
      0,
      vim.schedule_wrap(function()
        if boxes[box.buf] == box then
          keep_draft(box)
        end
      end)
    )
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
    timer = assert(vim.uv.new_timer()),
    kept = '',
    restored = false,
    prompts = {},
    asked = false,
  }
  boxes[buf] = box
  watch(box)
  completion.attach(buf, conversation)
  vim.bo[buf].modified = false
  if drafts[conversation] then
    take_draft(box, drafts[conversation])
    drafts[conversation] = nil
  end
  if early[buf] then
    early[buf] = nil
    M.send(buf)
  end
end

return M
