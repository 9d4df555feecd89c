-- A file that is reached through a container or sandbox, as an ordinary buffer: read by the host, and again when it changed
-- there. Writing stands in files/write.lua.
local follow = require('sidekicks.files.follow')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local text = require('sidekicks.files.text')
local undo = require('sidekicks.undo')

local M = {}

---@class sidekicks.files.File
---@field address sidekicks.FilesAddress
---@field version? string what the buffer came from; nil for a file that is not there yet
---@field content string
---@field asking boolean
---@field saving boolean
---@field diff? integer the buffer it is compared with

local namespace = vim.api.nvim_create_namespace('sidekicks.files.file')
local group = vim.api.nvim_create_augroup('sidekicks.files.file', { clear = true })

---@type table<integer, sidekicks.files.File>
local open = {}

--- The file in a buffer, for as long as it is loaded.
---@param buf integer
---@return sidekicks.files.File?
function M.of(buf)
  return open[buf]
end

---@param buf integer
---@return boolean
local function is_loaded(buf)
  return vim.api.nvim_buf_is_valid(buf) and vim.api.nvim_buf_is_loaded(buf)
end

--- Says something where the text will be.
---@param buf integer
---@param words? string
---@param role? string
local function say(buf, words, role)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  if words then
    local line = vim.fn.strtrans((words:gsub('\n', ' ')))
    local virtual = { { line, require('sidekicks.highlight').group(role or 'notice') } }
    vim.api.nvim_buf_set_extmark(buf, namespace, 0, 0, { virt_text = virtual, virt_text_pos = 'overlay' })
  end
end

---@param buf integer
---@param parsed sidekicks.files.Text
local function set_form(buf, parsed)
  local bo = vim.bo[buf]
  bo.fileformat = parsed.format
  bo.endofline = parsed.ended
  bo.fixendofline = false
  bo.bomb = parsed.bom
  bo.modified = false
end

--- Windows keep what they look at.
---@param buf integer
---@param lines string[]
local function set_lines(buf, lines)
  local views = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    views[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  end
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  for win, view in pairs(views) do
    vim.api.nvim_win_call(win, function()
      vim.fn.winrestview(view)
    end)
  end
end

--- What stood there before comes back by one undo.
---@param buf integer
---@param lines string[]
local function replace_lines(buf, lines)
  undo.close_step(buf)
  set_lines(buf, lines)
  undo.close_step(buf)
end

--- The first text of a buffer cannot be undone.
---@param buf integer
---@param lines string[]
local function set_first_lines(buf, lines)
  local levels = vim.bo[buf].undolevels
  vim.bo[buf].undolevels = -1
  set_lines(buf, lines)
  vim.bo[buf].undolevels = levels
end

---@param buf integer
---@param file sidekicks.files.File
---@param result { content: string, version: string }
---@param set fun(buf: integer, lines: string[])
local function take(buf, file, result, set)
  local parsed = text.parse(result.content)
  set(buf, parsed.lines)
  set_form(buf, parsed)
  file.content, file.version = result.content, result.version
end

---@param buf integer
---@param file sidekicks.files.File
local function set_filetype(buf, file)
  local filetype, finish = vim.filetype.match({ buf = buf, filename = file.address.path })
  if finish then
    finish(buf)
  end
  vim.bo[buf].filetype = filetype or ''
end

---@param file sidekicks.files.File
---@param callback sidekicks.Callback
local function request_text(file, callback)
  host.request('WorkspaceService.Read', { agent = file.address.agent, path = file.address.path }, callback)
end

--- Reads the file again into its buffer; what stood there comes back by undo.
---@param buf integer
function M.reload(buf)
  local file = open[buf]
  request_text(file, function(err, result)
    if err or not result then
      notify.error(err and err.message or '')
    elseif open[buf] == file and is_loaded(buf) then
      take(buf, file, result, replace_lines)
    end
  end)
end

---@param buf integer
---@param file sidekicks.files.File
---@param err? sidekicks.Failure
---@param result? { content: string, version: string }
local function fill(buf, file, err, result)
  if open[buf] ~= file or not is_loaded(buf) then
    return
  end
  say(buf)
  if result then
    take(buf, file, result, set_first_lines)
  elseif err and err.code == 'not-found' then
    vim.bo[buf].modifiable = true
    notify.info(t('files.new', { path = file.address.path }))
  else
    return say(buf, err and err.message or '', 'error')
  end
  set_filetype(buf, file)
end

---@param buf integer
---@param file sidekicks.files.File
local function ask(buf, file)
  if file.asking then
    return
  end
  file.asking = true
  request_text(file, function(err, result)
    file.asking = false
    fill(buf, file, err, result)
  end)
end

--- What changed there is shown here, unless something is not saved here.
---@param buf integer
local function follow_change(buf)
  local file = open[buf]
  if not file or vim.bo[buf].modified then
    return
  elseif not file.version and not vim.bo[buf].modifiable then
    return ask(buf, file)
  end
  request_text(file, function(_, result)
    local is_news = result and open[buf] == file and is_loaded(buf) and result.version ~= file.version
    if result and is_news and not vim.bo[buf].modified then
      take(buf, file, result, replace_lines)
    end
  end)
end

--- Fills the buffer of a file; the text comes a moment later, and nothing can be typed before it is there.
---@param buf integer
---@param address sidekicks.FilesAddress
function M.read(buf, address)
  if not is_loaded(buf) then
    return
  end
  local file = { address = address, content = '', asking = false, saving = false }
  open[buf] = file
  vim.bo[buf].modifiable = false
  say(buf, t('files.asking'))
  local unfollow = follow.attach(buf, address.agent, function()
    follow_change(buf)
  end)
  vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = buf,
    once = true,
    desc = 'Let go of a file whose buffer is gone',
    callback = function()
      unfollow()
      open[buf] = nil
    end,
  })
  ask(buf, file)
end

--- The text that was compared is what the next `:w` writes over.
---@param buf integer
---@param version string
---@param diff integer
function M.compared(buf, version, diff)
  local file = open[buf]
  if file then
    file.version, file.diff = version, diff
  end
end

--- A buffer that got the name of a file is that file from now on, one that is not there yet.
---@param buf integer
---@param address sidekicks.FilesAddress
---@return sidekicks.files.File
function M.begin(buf, address)
  open[buf] = { address = address, content = '', asking = false, saving = false }
  return open[buf]
end

return M
