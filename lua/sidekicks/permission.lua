-- Shows waiting permission requests and questions, and takes the answers. The window is only a picture of the host's state: it can be
-- closed and drawn again, and never takes the focus or a key from somebody who is typing. Closing it answers nothing.
local content = require('sidekicks.permission.content')
local keys = require('sidekicks.permission.keys')
local notify = require('sidekicks.notify')
local question = require('sidekicks.permission.question')
local question_content = require('sidekicks.permission.question_content')
local requests = require('sidekicks.permission.requests')
local state = require('sidekicks.state')
local t = require('sidekicks.language').t
local window = require('sidekicks.permission.window')

local M = {}

local group = vim.api.nvim_create_augroup('sidekicks.permission', { clear = true })
local locked_retry_ms = 50

--- The request chosen with a key, in place of the oldest.
---@type string?
local chosen
local following = false
local scheduled = false

---@return sidekicks.permission.Request?
local function shown()
  return (requests.find(requests.waiting(), window.request()))
end

---@param permission sidekicks.Permission
---@param option string id
local function answer(permission, option)
  chosen = nil
  requests.answer(permission, option, M.show)
  M.show()
end

--- Leaves the request waiting; it stays reachable.
local function put_off_shown()
  local id = window.request()
  if id then
    requests.put_off(id)
    chosen = nil
    M.show()
  end
end

---@param step 1|-1
local function show_other(step)
  local list = requests.waiting()
  local _, index = requests.find(list, window.request())
  local other = list[(index - 1 + step) % math.max(#list, 1) + 1]
  if other then
    chosen = other.id
    M.show()
  end
end

--- Takes what a digit or a row stands for; a key in a window that is old by now does nothing.
---@param request? sidekicks.permission.Request
---@param option? sidekicks.permission.Step|string
local function take(request, option)
  if not request or not option then
    return
  elseif requests.is_question(request) then
    question.take(request --[[@as sidekicks.Question]], option, M.show)
  else
    answer(request --[[@as sidekicks.Permission]], option --[[@as string]])
  end
end

---@param digit integer
local function choose(digit)
  local request = shown()
  if request and requests.is_question(request) then
    take(request, question.step_meant(request, question.progress(request, M.show), tostring(digit)))
  elseif request and request.options[digit] then
    take(request, request.options[digit].optionId)
  end
end

--- Several choices are gone on from with <CR>, wherever the cursor is.
local function choose_row()
  local request, option = shown(), window.option_at_cursor()
  if request and requests.is_question(request) then
    local progress = question.progress(request, M.show)
    local field = question.field(progress)
    local whole = field and (field.kind == 'many' and 'done' or #field.choices == 0 and 'type')
    local stands_alone = option == 'skip' or option == 'lines'
    option = not stands_alone and whole or option
  end
  take(request, option)
end

local function mark_row()
  local request, option = shown(), window.option_at_cursor()
  local field = request and requests.is_question(request) and question.field(question.progress(request, M.show))
  if field and field.kind == 'many' and type(option) == 'number' then
    take(request, option)
  end
end

--- Does something to the question that is shown.
---@param run fun(asked: sidekicks.Question)
---@return fun()
local function on_question(run)
  return function()
    local request = shown()
    if request and requests.is_question(request) then
      run(request --[[@as sidekicks.Question]])
    end
  end
end

---@type sidekicks.permission.KeyActions
local key_actions = {
  choose = choose,
  choose_row = choose_row,
  mark_row = mark_row,
  back = on_question(function(asked)
    question.back(asked, M.show)
  end),
  answer = function(action)
    on_question(function(asked)
      chosen = nil
      question.answer(asked, action, M.show)
    end)()
  end,
  put_off = put_off_shown,
  show_other = show_other,
}

---@param buf integer
local function map_keys(buf)
  keys.map(buf, key_actions)
end

local function show_soon()
  if not scheduled then
    scheduled = true
    vim.schedule(function()
      scheduled = false
      M.show()
    end)
  end
end

--- A window that went with its tab page was not closed by anybody; its request is shown in the next one.
---@param event { match: string }
local function on_closed(event)
  local win, id = tonumber(event.match), window.request()
  if not win or not id or not window.is(win) then
    return show_soon()
  end
  local tab = vim.api.nvim_win_get_tabpage(win)
  vim.schedule(function()
    if vim.api.nvim_tabpage_is_valid(tab) then
      requests.put_off(id)
      chosen = nil
    end
    M.show()
  end)
end

--- Watches, while something waits, all that could put the window over the cursor's line or out of sight.
local function follow()
  if following then
    return
  end
  following = true
  local moves = { 'CursorMoved', 'CursorMovedI', 'WinScrolled', 'WinEnter', 'BufWinEnter' }
  local sizes = { 'VimResized', 'WinResized', 'TabEnter' }
  vim.api.nvim_create_autocmd(vim.list_extend(moves, sizes), {
    group = group,
    desc = 'Keep the permission request in sight and off the line of the cursor',
    callback = show_soon,
  })
  vim.api.nvim_create_autocmd('WinClosed', {
    group = group,
    desc = 'A permission window that is closed leaves its request waiting',
    callback = on_closed,
  })
end

local function stop()
  if not following then
    return
  end
  following, chosen = false, nil
  vim.api.nvim_clear_autocmds({ group = group })
  window.close()
end

---@param request sidekicks.permission.Request
---@return sidekicks.permission.Content
local function content_of(request)
  local agent = state.agent(request.agent)
  local name = content.one_row(agent and agent.title ~= '' and agent.title or request.agent)
  if not requests.is_question(request) then
    return content.of(request --[[@as sidekicks.Permission]], name)
  end
  return question_content.of(request --[[@as sidekicks.Question]], question.progress(request, M.show), name)
end

--- Draws the window anew from the state, or closes it where nothing is to be shown.
function M.show()
  local list = requests.waiting()
  question.keep(list)
  local permission, index = requests.find(list, chosen)
  if not permission then
    permission, index = requests.oldest_to_show(list)
  end
  if not permission then
    return stop()
  end
  follow()
  local fine, problem = pcall(window.draw, permission, content_of(permission), index, #list, map_keys)
  if not fine and tostring(problem):find('E565', 1, true) then
    -- Neovim evaluates an expression; it allows no window until that is over.
    vim.defer_fn(M.show, locked_retry_ms)
  elseif not fine then
    error(problem, 0)
  end
end

--- Goes to the window of the request that is shown, else of the oldest one.
function M.focus()
  local list = requests.waiting()
  if #list == 0 then
    return notify.info(t('permission.none'))
  end
  if not window.is_open() then
    chosen = list[1].id
    M.show()
  end
  window.enter()
end

---@param asked sidekicks.Question
---@param word string number, value of a choice, `decline`, `reject` or `cancel`
local function answer_question(asked, word)
  local action = ({ decline = 'decline', reject = 'decline', cancel = 'cancel' })[word]
  local step = question.step_meant(asked, question.progress(asked, M.show), word)
  if step then
    take(asked, step)
  elseif action then
    question.answer(asked, action, M.show)
  else
    notify.error(t('question.noWord'))
  end
end

--- The words that may answer the oldest request, for completion.
---@return string[]
function M.words()
  local request, words = requests.waiting()[1], {}
  if not request or not requests.is_question(request) then
    words = { 'allow', 'reject' }
    for _, option in ipairs(request and request.options or {}) do
      table.insert(words, option.optionId)
    end
    return words
  end
  local field = question.field(question.progress(request --[[@as sidekicks.Question]], M.show))
  for _, choice in ipairs(field and field.choices or {}) do
    if type(choice.value) == 'string' then
      table.insert(words, choice.value)
    end
  end
  return vim.list_extend(words, { 'decline', 'cancel' })
end

--- Answers the oldest request; without an option, goes to it.
---@param word? string number, option id, `allow` or `reject`; of a question also `decline` and `cancel`
function M.answer(word)
  if not word or word == '' then
    return M.focus()
  end
  local permission = requests.waiting()[1]
  if not permission then
    return notify.info(t('permission.none'))
  elseif requests.is_question(permission) then
    return answer_question(permission --[[@as sidekicks.Question]], word)
  end
  local option = requests.option_meant(permission, word)
  if not option then
    return notify.error(t('error.unknownOption', { option = word }))
  end
  answer(permission, option)
end

state.on_change(M.show)

return M
