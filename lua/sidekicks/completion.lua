-- The list that opens in the input after `/`, `@`, `$` and `#`, where they are typed. It is Neovim's own completion list, so the
-- keys of that are its keys. What it holds is found elsewhere.
local entries = require('sidekicks.completion.entries')
local words = require('sidekicks.completion.word')

local M = {}

local options = 'menu,menuone,noinsert'
local has_local_options = vim.fn.has('nvim-0.11') == 1

---@type table<integer, string> conversation by input buffer
local conversations = {}
--- What the list shows now.
---@type sidekicks.completion.Entry[]
local shown = {}
--- The word a list was left at: by a choice, or because nothing in it was wanted. It opens again when the word changes.
---@type sidekicks.completion.Word?
local settled
local is_showing = false
--- A completion plugin has our source and shows the lists itself.
local has_other_view = false

---@return boolean
local function is_inserting()
  return vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
end

---@param buf integer
---@return sidekicks.completion.Word?
local function word_at_cursor(buf)
  local conversation = conversations[buf]
  if not conversation or vim.api.nvim_get_current_buf() ~= buf then
    return nil
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local rows = vim.api.nvim_buf_get_lines(buf, 0, row, false)
  local line = table.remove(rows):sub(1, column)
  return words.find(line, rows, entries.has_mentions(conversation))
end

---@param buf integer
---@return string
local function text_of(buf)
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
end

--- Nothing is left to complete: the word is one of the list, and none goes on from it.
---@param list sidekicks.completion.Entry[]
---@param text string
---@return boolean
local function is_complete(list, text)
  local found = false
  for _, entry in ipairs(list) do
    if entry.word == text then
      found = true
    elseif vim.startswith(entry.word, text) then
      return false
    end
  end
  return found
end

--- Whether our list is on the screen.
---@return boolean
function M.is_open()
  return #shown > 0 and vim.fn.pumvisible() == 1 and is_inserting()
end

--- Neovim ends the list it shows when it is given another one, which nobody has asked for.
---@param column integer
---@param list sidekicks.completion.Entry[]
local function show(column, list)
  is_showing = true
  vim.fn.complete(column, list)
  is_showing = false
end

--- Closes the list, if it is ours and open.
---@param buf integer
function M.close(buf)
  if M.is_open() and vim.api.nvim_get_current_buf() == buf then
    show(vim.fn.col('.'), {})
  end
  shown = {}
end

---@return integer from 0; -1 for none
local function selected()
  return vim.fn.complete_info({ 'selected' }).selected
end

--- Shows the list that belongs to the word at the cursor, or closes it. Somebody who went to another entry keeps it.
---@param buf integer
local function update(buf)
  if has_other_view or not is_inserting() or (M.is_open() and selected() ~= 0) then
    return
  end
  local word = word_at_cursor(buf)
  if word and vim.deep_equal(word, settled) then
    return
  end
  settled = nil
  local list = word and entries.now(conversations[buf], word, text_of(buf)) or {}
  if not word or #list == 0 or is_complete(list, word.text) then
    return M.close(buf)
  end
  shown = list
  show(word.start + 1, list)
end

---@param buf integer
local function on_done(buf)
  if #shown > 0 and not is_showing then
    settled, shown = word_at_cursor(buf), {}
  end
end

entries.on_news(vim.schedule_wrap(function()
  local buf = vim.api.nvim_get_current_buf()
  if conversations[buf] then
    update(buf)
  end
end))

--- What the list would insert in place of a word: nothing where the word reads like an entry already, unless somebody
--- went to another one.
---@param word sidekicks.completion.Word
---@return string?
local function entry_for(word)
  local index = selected()
  local entry = shown[index + 1]
  if not entry or entry.word == word.text then
    return nil
  end
  local is_finished = vim.iter(shown):any(function(other)
    return other.word == word.text
  end)
  return not (is_finished and index == 0) and entry.word or nil
end

--- Completes the word at the cursor if a list is open for it and it is not finished.
---@param buf integer
---@return boolean completed
function M.finish_word(buf)
  local word = M.is_open() and word_at_cursor(buf)
  local entry = word and entry_for(word)
  if not word or not entry then
    return false
  end
  M.close(buf)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  vim.api.nvim_buf_set_text(buf, row - 1, word.start, row - 1, column, { entry })
  vim.api.nvim_win_set_cursor(0, { row, word.start + #entry })
  return true
end

--- 'omnifunc' of the input: opens the same list by hand. The second call comes with the word taken out of the line.
---@param findstart 0|1
---@return integer|table
function M.omnifunc(findstart)
  local buf = vim.api.nvim_get_current_buf()
  if findstart == 1 then
    local word = word_at_cursor(buf)
    shown = word and entries.now(conversations[buf], word, text_of(buf)) or {}
    return word and word.start or -3
  end
  return { words = shown }
end

---@param word sidekicks.completion.Word
---@param list sidekicks.completion.Entry[]
---@param row integer from 1
---@param column integer of the cursor, in bytes from 0
---@return lsp.CompletionItem[]
local function as_lsp(word, list, row, column)
  local kinds = vim.lsp.protocol.CompletionItemKind
  local range = { start = { line = row - 1, character = word.start }, ['end'] = { line = row - 1, character = column } }
  return vim.tbl_map(function(entry)
    return {
      label = entry.abbr or entry.word,
      labelDetails = { description = entry.menu },
      -- Plugins put brackets behind what they take for a function.
      kind = word.kind == 'file' and kinds.File or kinds.Keyword,
      filterText = entry.word,
      textEdit = { newText = entry.word, range = range },
    }
  end, list)
end

--- The entries for the word at the cursor, for completion plugins, in the shape of the language server protocol.
---@param buf integer
---@param callback fun(items: lsp.CompletionItem[]) called once
function M.items(buf, callback)
  local word = word_at_cursor(buf)
  if not word then
    return callback({})
  end
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  entries.later(conversations[buf], word, text_of(buf), function(list)
    callback(as_lsp(word, list, row, column))
  end)
end

--- A completion plugin with our source shows the lists; ours stays closed.
function M.leave_to_plugin()
  has_other_view = true
end

--- Whether blink.cmp was given our source in its own settings.
---@return boolean
local function blink_has_source()
  local config = package.loaded['blink.cmp.config']
  local providers = type(config) == 'table' and config.sources and config.sources.providers or {}
  return vim.iter(vim.tbl_values(providers)):any(function(provider)
    return provider.module == 'sidekicks.integrations.blink'
  end)
end

--- Other lists would open over ours in a buffer that is ours alone.
---@param buf integer
local function quiet_others(buf)
  has_other_view = has_other_view or blink_has_source()
  if has_other_view then
    return
  end
  vim.b[buf].completion = false
  vim.b[buf].minicompletion_disable = true
  local cmp = package.loaded['cmp']
  if type(cmp) == 'table' and cmp.setup then
    vim.api.nvim_buf_call(buf, function()
      cmp.setup.buffer({ enabled = false })
    end)
  end
end

---@alias sidekicks.completion.On fun(event: string|string[], desc: string, callback: fun())

--- 0.10 has 'completeopt' for all buffers together: it is ours only while somebody types here.
---@param buf integer
---@param on sidekicks.completion.On
local function borrow_options(buf, on)
  ---@type string?
  local before
  local function take()
    before = before or vim.o.completeopt
    vim.o.completeopt = options
  end
  local function give_back()
    if before then
      vim.o.completeopt, before = before, nil
    end
  end
  on('InsertEnter', 'Have the list insert nothing by itself', take)
  on({ 'InsertLeave', 'BufLeave', 'BufUnload' }, "Give 'completeopt' back", give_back)
  if vim.api.nvim_get_current_buf() == buf and is_inserting() then
    take()
  end
end

---@param buf integer
---@param on sidekicks.completion.On
local function set_options(buf, on)
  if has_local_options then
    vim.bo[buf].completeopt = options
  else
    borrow_options(buf, on)
  end
  if vim.fn.exists('+autocomplete') == 1 then
    vim.bo[buf].autocomplete = false
  end
end

--- Has the lists open in an input.
---@param buf integer
---@param conversation string its id
function M.attach(buf, conversation)
  conversations[buf] = conversation
  local group = vim.api.nvim_create_augroup('sidekicks.completion.' .. buf, { clear = true })
  local function on(event, desc, callback)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buf, desc = desc, callback = callback })
  end
  on({ 'TextChangedI', 'TextChangedP' }, 'Open the list, or have it fit what is written', function()
    update(buf)
  end)
  on('CompleteDone', 'Leave a list closed that somebody is done with', function()
    on_done(buf)
  end)
  on('BufUnload', 'Forget the input', function()
    conversations[buf] = nil
  end)
  set_options(buf, on)
  quiet_others(buf)
end

return M
