-- Files of this computer that come into the message being written: chosen by a command, dropped on the input, or an image of
-- the clipboard. The host says where they lie and how they are named; here the names are put where the cursor was.
local buffer = require('sidekicks.buffer')
local host = require('sidekicks.host')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t
local undo = require('sidekicks.undo')

local M = {}

local space = vim.api.nvim_create_namespace('sidekicks.attach')

--- A place in an input that moves with the text around it.
---@class (exact) sidekicks.attach.Spot
---@field buf integer
---@field mark integer

---@param buf integer
---@return boolean
function M.is_input(buf)
  local id, kind = buffer.conversation_of(buf)
  return kind == 'input' and id ~= ''
end

--- Where somebody writes now: at the cursor while they type, else at the end.
---@param buf integer an input
---@return sidekicks.attach.Spot
function M.spot(buf)
  local row = vim.api.nvim_buf_line_count(buf) - 1
  local column = #vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
  if vim.api.nvim_get_current_buf() == buf and vim.api.nvim_get_mode().mode:find('^i') then
    row, column = unpack(vim.api.nvim_win_get_cursor(0))
    row = row - 1
  end
  local mark = vim.api.nvim_buf_set_extmark(buf, space, row, column, { right_gravity = false })
  return { buf = buf, mark = mark }
end

--- Blanks around it, so that it is a word of its own.
---@param words string
---@param before string
---@param after string
---@return string
local function apart(words, before, after)
  local left = (before == '' or before:find('%s$')) and '' or ' '
  return left .. words .. (after:find('^%s') and '' or ' ')
end

--- Puts words at a spot; a cursor there goes behind them.
---@param spot sidekicks.attach.Spot
---@param words string
local function put(spot, words)
  local buf = spot.buf
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  local row, column = unpack(vim.api.nvim_buf_get_extmark_by_id(buf, space, spot.mark, {}))
  vim.api.nvim_buf_del_extmark(buf, space, spot.mark)
  local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1]
  local text = apart(words, line:sub(1, column), line:sub(column + 1))
  local cursors = {}
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    cursors[win] = vim.api.nvim_win_get_cursor(win)
  end
  undo.close_step(buf)
  vim.api.nvim_buf_set_text(buf, row, column, row, column, { text })
  for win, cursor in pairs(cursors) do
    local is_behind = cursor[1] == row + 1 and cursor[2] >= column
    vim.api.nvim_win_set_cursor(win, { cursor[1], cursor[2] + (is_behind and #text or 0) })
  end
end

---@class (exact) sidekicks.attach.Options
---@field dropped? boolean
---@field name? string what the file is called where it is told of, its path otherwise
---@field done? fun() called when the host has the files

---@class (exact) sidekicks.attach.Attached
---@field path string
---@field word string
---@field problem string

--- What is written for the files. A dropped path that is no attachment stays what it was: text.
---@param files sidekicks.attach.Attached[]
---@param dropped boolean
---@return string[]
local function words_for(files, dropped)
  local words = {}
  for _, file in ipairs(files) do
    if file.word ~= '' or dropped then
      table.insert(words, file.word ~= '' and file.word or file.path)
    end
  end
  return words
end

---@param err? sidekicks.Failure
---@param files sidekicks.attach.Attached[]
---@param name? string
local function tell(err, files, name)
  if err then
    notify.error(err.message)
  end
  for _, file in ipairs(files) do
    if file.problem ~= '' then
      notify.error(t('attach.failed', { path = name or file.path, what = file.problem }))
    end
  end
end

--- Drawing a change of the text wipes out what is told: it is told when that has happened.
local until_drawn_ms = 50

---@param buf integer
---@return string
local function text_of(buf)
  return table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), '\n')
end

--- Attaches files to the message in an input.
---@param spot sidekicks.attach.Spot
---@param paths string[] absolute
---@param opts? sidekicks.attach.Options
function M.files(spot, paths, opts)
  opts = opts or {}
  local dropped = opts.dropped == true
  local id = buffer.conversation_of(spot.buf)
  local params = { id = id, text = text_of(spot.buf), paths = paths, dropped = dropped }
  host.request('ViewService.Attach', params, function(err, result)
    local words = result and words_for(result.files, dropped) or dropped and paths or {}
    if #words > 0 then
      put(spot, table.concat(words, ' '))
    end
    vim.defer_fn(function()
      tell(err, result and result.files or {}, opts.name)
    end, until_drawn_ms)
    if opts.done then
      opts.done()
    end
  end)
end

--- Names a file of a workspace, which is there already, in the message of an input.
---@param spot sidekicks.attach.Spot
---@param agent string
---@param path string in its workspace
function M.name(spot, agent, path)
  local params = { id = buffer.conversation_of(spot.buf), text = text_of(spot.buf), agent = agent, path = path }
  host.request('ViewService.NameFile', params, function(err, result)
    if result then
      put(spot, result.word)
    end
    vim.defer_fn(function()
      tell(err, {})
    end, until_drawn_ms)
  end)
end

---@param path string absolute
local function attach_to_current(path)
  require('sidekicks.send').with_input(function(buf)
    M.files(M.spot(buf), { path })
  end)
end

--- `:Sidekicks attach`: without a path it is asked for.
---@param typed string
function M.run(typed)
  if typed ~= '' then
    return attach_to_current(require('sidekicks.ask_path').absolute(typed))
  end
  host.request('WorkspaceService.ChooseAttachment', {}, function(err, result)
    if err then
      notify.error(err.message)
    elseif result and result.path ~= '' then
      attach_to_current(result.path)
    end
  end)
end

--- Files for the command line, blanks escaped.
---@param words string[]
---@param lead string
---@return string[]
function M.complete(words, lead)
  return #words == 0 and vim.tbl_map(vim.fn.fnameescape, vim.fn.getcompletion(lead, 'file')) or {}
end

return M
