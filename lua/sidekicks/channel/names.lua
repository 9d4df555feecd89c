-- How channels are named on the command line, and the channels of the project for completion there. It changes none.
local host = require('sidekicks.host')

local M = {}

-- Completion on the command line cannot come later, so its first use may wait this long for the host.
local patience_ms = 1000

---@type sidekicks.Conversation[]?
local known
local asking, more_news = false, false

local function ask()
  if asking then
    more_news = true
    return
  end
  asking = true
  host.request('ChannelService.List', {}, function(err, result)
    asking = false
    if not err and result then
      known = vim.tbl_filter(function(conversation)
        return conversation.direct == ''
      end, result.channels)
    end
    if more_news then
      more_news = false
      ask()
    end
  end)
end

--- The channels of the project as far as they are known; the first call waits a moment for them.
---@return sidekicks.Conversation[]
function M.list()
  if not known and host.start() then
    ask()
    vim.wait(patience_ms, function()
      return known ~= nil
    end, 10)
  end
  return known or {}
end

---@param name string
---@return sidekicks.Conversation?
function M.find(name)
  for _, channel in ipairs(M.list()) do
    if vim.fn.tolower(channel.name) == vim.fn.tolower(name) then
      return channel
    end
  end
end

--- A name as an argument beside others: `#review`, `#"code review"`.
---@param name string
---@return string
function M.quote(name)
  if not name:find('[%s"\\]') then
    return '#' .. name
  end
  return ('#"%s"'):format((name:gsub('["\\]', '\\%0')))
end

---@param text string after the first quotation mark
---@return string? name nil while the closing one is missing
---@return string rest
local function quoted(text)
  local name, at = {}, 1
  while at <= #text do
    local character = text:sub(at, at)
    if character == '"' then
      return table.concat(name), text:sub(at + 1)
    elseif character == '\\' then
      at = at + 1
      character = text:sub(at, at)
    end
    table.insert(name, character)
    at = at + 1
  end
  return nil, ''
end

--- Takes the name of a channel from the front of a text: `#name`, `#"name with blanks"` or `"#name with blanks"`.
---@param text string
---@return string? name nil where the text begins with none
---@return string rest
function M.take(text)
  local after_quote = text:match('^#"(.*)$') or text:match('^"#(.*)$')
  if after_quote then
    local name, rest = quoted(after_quote)
    if name and name ~= '' and (rest == '' or rest:find('^%s')) then
      return name, vim.trim(rest)
    end
    return nil, text
  end
  local name, rest = text:match('^#(%S+)%s*(.*)$')
  return name, name and rest or text
end

--- Those of the candidates that go on from what is typed, each without what stands before its last word: that is all
--- Neovim replaces.
---@param candidates string[]
---@param typed string
---@param lead string the last word of it
---@return string[]
function M.tails(candidates, typed, lead)
  local found = {}
  for _, candidate in ipairs(candidates) do
    if vim.startswith(vim.fn.tolower(candidate), vim.fn.tolower(typed)) then
      table.insert(found, candidate:sub(#typed - #lead + 1))
    end
  end
  return found
end

--- The channels of the project as arguments.
---@return string[]
function M.arguments()
  return vim.tbl_map(function(channel)
    return M.quote(channel.name)
  end, M.list())
end

host.on('channels:changed', function()
  if known then
    ask()
  end
end)

local function forget()
  known = nil
end

host.on('host:exited', forget)
host.on('history:opened', forget)
-- Declared channels may be others, and the project too.
host.on('config:changed', forget)

vim.api.nvim_create_autocmd('DirChanged', {
  group = vim.api.nvim_create_augroup('sidekicks.channel.names', { clear = true }),
  desc = 'The project may be another one now, with other channels',
  callback = forget,
})

return M
