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

--- Neovim's own vim.notify shows a text in the message line; anybody else's has room for any. Some builds leave no
--- trace of where their own came from.
---@return boolean
local function in_message_line()
  local source = debug.getinfo(vim.notify, 'S').source
  return source == '?' or vim.startswith(source, '@vim/')
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

---@param text string
---@param level integer
local function tell(text, level)
  if #vim.api.nvim_list_uis() > 0 and in_message_line() then
    tell_in_line(text, level)
  else
    vim.notify(text, level, { title = 'Sidekicks' })
  end
end

---@param text string
---@param level? integer of vim.log.levels
function M.show(text, level)
  text, level = 'Sidekicks: ' .. text, level or vim.log.levels.INFO
  vim.schedule(function()
    if level < vim.log.levels.WARN or not just_told(text) then
      tell(text, level)
    end
  end)
end

--- Prints a text as it is: all of it stands in :messages, and its beginning where messages are shown.
---@param text string
function M.print(text)
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
