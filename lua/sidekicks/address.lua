-- The names of the buffers of conversations and of workspaces' files: what they mean and how they are written. Pure: it opens and asks nothing.
local M = {}

--- What the name of a conversation's buffer says.
---@class (exact) sidekicks.Address
---@field kind 'agent'|'channel'
---@field name string of the agent or the channel
---@field project string folder of another project, "" for the present one

--- A name as it stands in a buffer's name: no slash, per cent sign, blank or control character is left.
---@param name string
---@return string
function M.encode(name)
  return (name:gsub('[%%/%s%c]', function(character)
    return ('%%%02X'):format(character:byte())
  end))
end

---@param encoded string
---@return string
function M.decode(encoded)
  return (encoded:gsub('%%(%x%x)', function(digits)
    return string.char(tonumber(digits, 16))
  end))
end

--- The name of the transcript's buffer; that of the input has `/input` behind it.
---@param address sidekicks.Address
---@return string
function M.format(address)
  local name = ('sidekicks://%s/%s'):format(address.kind, M.encode(address.name))
  return address.project == '' and name or ('%s/in/%s'):format(name, M.encode(address.project))
end

--- What the name of a transcript or an input means; nil for any other buffer.
---@param name string
---@return sidekicks.Address?
---@return boolean is_input
function M.parse(name)
  local kind, encoded, rest = name:match('^sidekicks://(%a+)/([^/]+)(.*)$')
  if kind ~= 'agent' and kind ~= 'channel' then
    return nil, false
  end
  local before_input = rest:match('^(.*)/input$')
  rest = before_input or rest
  local project = rest == '' and '' or rest:match('^/in/([^/]+)$')
  if not project then
    return nil, false
  end
  return { kind = kind, name = M.decode(encoded), project = M.decode(project) }, before_input ~= nil
end

--- Where a conversation is found.
---@param conversation sidekicks.Conversation
---@param here boolean it is one of the present project
---@return sidekicks.Address
function M.of(conversation, here)
  return {
    kind = conversation.direct ~= '' and 'agent' or 'channel',
    name = conversation.direct ~= '' and conversation.direct or conversation.name,
    project = here and '' or conversation.project,
  }
end

--- What the name of a buffer of a workspace's files says.
---@class (exact) sidekicks.FilesAddress
---@field kind 'files'|'file' a folder, or a file reached through a container or sandbox
---@field agent string
---@field path string in the workspace, "" for the workspace itself

--- The name of the buffer that shows a folder or a file of a workspace. The slashes between the names of a path stay.
---@param address sidekicks.FilesAddress
---@return string
function M.format_files(address)
  local names = vim.tbl_map(M.encode, vim.split(address.path, '/', { plain = true }))
  return ('sidekicks://%s/%s/%s'):format(address.kind, M.encode(address.agent), table.concat(names, '/'))
end

--- What the name of such a buffer means; nil for any other.
---@param name string
---@return sidekicks.FilesAddress?
function M.parse_files(name)
  local kind, agent, path = name:match('^sidekicks://(files?)/([^/]+)/?(.*)$')
  if not kind or (kind == 'file' and path == '') then
    return nil
  end
  return { kind = kind, agent = M.decode(agent), path = (M.decode(path):gsub('/+$', '')) }
end

return M
