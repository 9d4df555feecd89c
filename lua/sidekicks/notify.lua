-- Tells the person something, once and without ever taking a key from them. Decides nothing about when.
local M = {}

-- What goes wrong for several requests by one cause is told once.
local same_within_ms = 1000
-- An error stands in the message line in Insert mode too: after so long it has been seen.
local seen_after_ms = 2000

---@type table<string, number>
local told = {}

---@type table<integer, string>
local groups = { [vim.log.levels.WARN] = 'WarningMsg', [vim.log.levels.ERROR] = 'ErrorMsg' }

--- Whatever goes wrong now goes wrong for what the person has just done, and is told even if it was told before.
function M.begin_action()
  told = {}
end

---@param text string
---@return boolean
local function just_told(text)
  local now = vim.uv.now()
  local before = told[text]
  told[text] = now
  for other, time in pairs(told) do
    told[other] = now - time < same_within_ms and time or nil
  end
  return before ~= nil and now - before < same_within_ms
end

--- Whose vim.notify it is. That of a plugin has room for any text; Neovim's own shows it in the message line, and so may
--- one that somebody wrapped around it by hand. Some builds leave no trace of where their own came from.
---@return 'neovim'|'plugin'|'by hand'
local function whose_notify()
  local source = debug.getinfo(vim.notify, 'S').source
  if source == '?' or vim.startswith(source, '@vim/') then
    return 'neovim'
  end
  return vim.startswith(source, '@') and 'plugin' or 'by hand'
end

--- A name or an answer may hold what no terminal should get, and Neovim itself takes no text with a NUL.
---@param text string
---@return string
local function harmless(text)
  return (text:gsub('[%z\1-\8\11-\31\127]', '\u{fffd}'))
end

---@param text string
---@return boolean
local function fits(text)
  return text:find('\n', 1, true) == nil and vim.fn.strdisplaywidth(text) <= vim.v.echospace
end

--- The text in pieces that fit into the message line.
---@param text string
---@return string[]
local function pieces(text)
  local room = math.max(vim.v.echospace, 20)
  local list = {}
  for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
    local piece, width = '', 0
    for _, character in ipairs(vim.fn.split(line, '\\zs')) do
      local cells = vim.fn.strdisplaywidth(character)
      if width + cells > room then
        table.insert(list, piece)
        piece, width = '', 0
      end
      piece, width = piece .. character, width + cells
    end
    table.insert(list, piece)
  end
  return list
end

--- A text too long for the message line would make Neovim ask for a key, and take it from whoever types: :messages
--- keeps all of it, piece by piece, and the line shows its beginning.
---@param text string
---@param level integer
---@return string line
local function keep_whole(text, level)
  local list = pieces(text)
  for _, piece in ipairs(list) do
    vim.api.nvim_echo({ { piece, groups[level] } }, true, {})
    vim.cmd.redraw()
  end
  local first = list[1]
  local is_full = vim.fn.strdisplaywidth(first) + 2 > vim.v.echospace
  return (is_full and vim.fn.strcharpart(first, 0, vim.fn.strcharlen(first) - 2) or first) .. ' …'
end

---@return boolean
local function is_inserting()
  return vim.api.nvim_get_mode().mode:find('^[iRt]') ~= nil
end

--- Shows the line again when Insert or Terminal mode is left, which clears it.
---@param line string
---@param level integer
local function show_after_inserting(line, level)
  local told_at = vim.uv.now()
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'TermLeave' }, {
    group = vim.api.nvim_create_augroup('sidekicks.notify', { clear = true }),
    once = true,
    desc = 'Tell what could not be seen in Insert or Terminal mode',
    callback = vim.schedule_wrap(function()
      if level < vim.log.levels.ERROR or vim.uv.now() - told_at < seen_after_ms then
        vim.api.nvim_echo({ { line, groups[level] } }, false, {})
      end
    end),
  })
end

--- In these modes the name of the mode takes the line back from everything but an error.
---@param line string
local function show_error_when_inserting(line)
  vim.cmd.redraw()
  if vim.fn.has('nvim-0.11') == 1 then
    vim.api.nvim_echo({ { line } }, true, { err = true })
  else
    vim.api.nvim_err_writeln(line)
  end
end

---@param text string
---@param level integer
local function tell_in_line(text, level)
  -- A second message below the first would ask for a key as well.
  vim.cmd.redraw()
  local line = text
  if fits(text) then
    vim.notify(text, level)
  else
    line = keep_whole(text, level)
    vim.api.nvim_echo({ { line, groups[level] } }, false, {})
  end
  if is_inserting() then
    if level == vim.log.levels.ERROR and line ~= text then
      show_error_when_inserting(line)
    end
    show_after_inserting(line, level)
  end
end

---@type fun()?
local handing_over

--- Gives a text to vim.notify, as `hand_over_unseen` set it up.
function M.hand_over()
  if handing_over then
    handing_over()
  end
end

--- A long text goes whole to a vim.notify that may show it in the message line, without Neovim asking for a key.
---@param text string
---@param level integer
local function hand_over_unseen(text, level)
  local fine, problem = true, nil
  handing_over = function()
    fine, problem = pcall(vim.notify, text, level)
  end
  vim.fn.execute("call v:lua.require'sidekicks.notify'.hand_over()", 'silent!')
  handing_over = nil
  if not fine then
    error(problem, 0)
  end
end

---@param text string
---@param level integer
local function tell(text, level)
  local whose = #vim.api.nvim_list_uis() > 0 and whose_notify() or 'plugin'
  if whose == 'plugin' then
    return vim.notify(text, level, { title = 'Sidekicks' })
  elseif whose == 'by hand' and not fits(text) then
    hand_over_unseen(text, level)
  end
  tell_in_line(text, level)
end

---@param text string
---@param level? integer of vim.log.levels
function M.show(text, level)
  text, level = 'Sidekicks: ' .. harmless(text), level or vim.log.levels.INFO
  vim.schedule(function()
    if level < vim.log.levels.WARN or not just_told(text) then
      tell(text, level)
    end
  end)
end

--- Prints a text as it is: all of it stands in :messages, and its beginning where messages are shown.
---@param text string
function M.print(text)
  text = harmless(text)
  if #vim.api.nvim_list_uis() == 0 or (fits(text) and not is_inserting()) then
    vim.api.nvim_echo({ { text } }, true, {})
  else
    tell_in_line(text, vim.log.levels.INFO)
  end
end

---@param text string
function M.info(text)
  M.show(text, vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  M.show(text, vim.log.levels.WARN)
end

---@param text string
function M.error(text)
  M.show(text, vim.log.levels.ERROR)
end

return setmetatable(M, {
  ---@param text string
  ---@param level? integer
  __call = function(_, text, level)
    M.show(text, level)
  end,
})
