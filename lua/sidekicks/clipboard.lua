-- Copies parts of a transcript: to the unnamed register, and by one OSC 52 sequence to the clipboard of the person's own
-- computer. It knows what to copy from the blocks that are drawn, and changes nothing in them.
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

-- Terminals that take no more than 100,000 bytes of a sequence are common; this is what fits into them.
local longest = 74994

---@return boolean
local function has_terminal()
  return vim.iter(vim.api.nvim_list_uis()):any(function(ui)
    return ui.stdout_tty == true
  end)
end

--- 0.10 has no way to a terminal but its own standard error, which is one.
---@param sequence string
local function send_to_terminal(sequence)
  if vim.api.nvim_ui_send then
    vim.api.nvim_ui_send(sequence)
  else
    vim.api.nvim_chan_send(vim.v.stderr, sequence)
  end
end

--- Registers hold NUL as the line break they never contain.
---@param lines string[]
---@return string[]
local function for_register(lines)
  return vim.tbl_map(function(line)
    return (line:gsub('%z', '\n'))
  end, lines)
end

---@return boolean
local function provider_is_terminal()
  local provider = vim.fn.has('clipboard') == 1 and vim.fn['provider#clipboard#Executable']() or ''
  return provider:lower():gsub('%s', '') == 'osc52'
end

--- With 'clipboard' set, what is pasted comes from the provider and not from the unnamed register.
---@return boolean
local function pastes_from_provider()
  return vim.o.clipboard:find('unnamed', 1, true) ~= nil and vim.fn.has('clipboard') == 1 and not provider_is_terminal()
end

---@param lines string[]
local function fill_registers(lines)
  local values = for_register(lines)
  vim.fn.setreg('"', values, 'l')
  if pastes_from_provider() or (not has_terminal() and vim.fn.has('clipboard') == 1) then
    vim.fn.setreg('+', values, 'l')
  end
end

--- Whether the text went on its way to the terminal, or there is none it could not reach.
---@param text string
---@return boolean
local function fill_terminal(text)
  if not has_terminal() then
    return true
  elseif #text > longest then
    return false
  end
  send_to_terminal(('\27]52;c;%s\7'):format(vim.base64.encode(text)))
  return true
end

---@param count integer
---@return string
local function counted(count)
  return count == 1 and t('copy.line') or t('copy.lines', { count = count })
end

--- Copies lines, and says only what is certain: how many there were.
---@param lines string[]
function M.copy_lines(lines)
  fill_registers(lines)
  if fill_terminal(table.concat(lines, '\n')) then
    notify.info(counted(#lines))
  else
    notify.warn(t('copy.tooLong', { lines = counted(#lines) }))
  end
end

--- The lines a copy of the block takes: without fences, label and indent.
---@param buf integer
---@param block sidekicks.transcript.Block
---@param first_row integer
---@return string[]
local function lines_of(buf, block, first_row)
  local copy = block.copy or { 0, block.count }
  local last = math.min(copy[2], block.count)
  local lines = vim.api.nvim_buf_get_lines(buf, first_row + copy[1], first_row + last, false)
  for index, line in ipairs(lines) do
    local offset = block.offsets and block.offsets[copy[1] + index] or 0
    lines[index] = line:sub(offset + 1)
  end
  return lines
end

---@param buf integer
---@param block? sidekicks.transcript.Block
---@param first_row? integer
local function copy(buf, block, first_row)
  local lines = block and first_row and block.kind ~= 'gap' and lines_of(buf, block, first_row) or {}
  if #lines == 0 then
    return notify.info(t('copy.nothing'))
  end
  M.copy_lines(lines)
end

--- Copies the region a row belongs to.
---@param buf integer a transcript
---@param row integer from 0
function M.copy_region(buf, row)
  copy(buf, require('sidekicks.transcript').block_at(buf, row))
end

--- The transcript meant: that of the current buffer's conversation, else of the one used last.
---@return integer?
local function transcript_buffer()
  local id = require('sidekicks.buffer').conversation_of(0)
  local state = require('sidekicks.state')
  local known = state.conversation(id or state.last_used() or '')
  return known and known.buf
end

--- Copies the last code block of the conversation, or the n-th last.
---@param n integer from 1
function M.copy_block(n)
  local buf = transcript_buffer()
  if not buf then
    return notify.error(t('copy.noConversation'))
  end
  local found = {}
  for block, first_row in require('sidekicks.transcript').blocks(buf) do
    if block.kind == 'code' then
      table.insert(found, { block, first_row })
    end
  end
  copy(buf, unpack(found[#found - n + 1] or {}))
end

return M
