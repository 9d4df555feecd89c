-- Tells the person something, once and without taking a key from them. Decides nothing about when.
local M = {}

-- What several requests report of one cause is told once.
local same_within_ms = 1000

---@type table<string, number>
local told = {}

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

--- Neovim's own vim.notify shows a text in the message line, where one too long for it asks for a key.
---@return boolean
local function in_message_line()
  return debug.getinfo(vim.notify, 'S').source:find('vim/_', 1, true) ~= nil
end

---@param text string
---@return boolean
local function asks_for_a_key(text)
  return text:find('\n', 1, true) ~= nil or vim.fn.strdisplaywidth(text) > vim.v.echospace
end

---@param text string
---@return string
local function shortened(text)
  local line = text:gsub('%s*\n%s*', ' ')
  local room = math.max(vim.v.echospace - 2, 10)
  return vim.fn.strdisplaywidth(line) > room and vim.fn.strcharpart(line, 0, room - 1) .. '…' or line
end

---@param text string
---@param level integer
local function tell(text, level)
  local typing = vim.api.nvim_get_mode().mode:find('^[iRct]') ~= nil
  if typing and in_message_line() and asks_for_a_key(text) then
    -- The whole of it stays readable in :messages.
    vim.cmd.echomsg({ args = { vim.fn.string(text) }, mods = { silent = true } })
    text = shortened(text)
  end
  vim.notify(text, level, { title = 'Sidekicks' })
end

---@param text string
---@param level? integer of vim.log.levels
function M.show(text, level)
  text = 'Sidekicks: ' .. text
  vim.schedule(function()
    if not just_told(text) then
      tell(text, level or vim.log.levels.INFO)
    end
  end)
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
