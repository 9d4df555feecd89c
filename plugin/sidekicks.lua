-- The commands, maps and autocommands of Sidekicks, as definitions only: nothing of it is loaded before first use.
if vim.g.loaded_sidekicks then
  return
end
vim.g.loaded_sidekicks = 1

local command = vim.api.nvim_create_user_command

if vim.fn.has('nvim-0.10.4') == 0 then
  for _, name in ipairs({ 'Sidekicks', 'SidekicksChannel' }) do
    command(name, function()
      vim.notify('Sidekicks needs Neovim 0.10.4 or newer: install one, then try again', vim.log.levels.ERROR)
    end, { nargs = '*', bang = true, range = true, desc = 'Sidekicks needs a newer Neovim' })
  end
  return
end

command('Sidekicks', function(invocation)
  require('sidekicks.command').run(invocation)
end, {
  nargs = '*',
  bang = true,
  range = true,
  desc = 'Talk to coding agents',
  complete = function(...)
    return require('sidekicks.command').complete(...)
  end,
})

command('SidekicksChannel', function(invocation)
  require('sidekicks.channel').run(invocation)
end, {
  nargs = '*',
  bang = true,
  desc = 'Show a channel, where several coding agents listen',
  complete = function(...)
    return require('sidekicks.channel').complete(...)
  end,
})

-- No key is bound to these: a person does so for files, where agents' changes are reviewed in place.
local map = vim.keymap.set
map('n', '<Plug>(sidekicks-change-next)', function()
  require('sidekicks.review.marks').go(1)
end, { desc = 'Sidekicks: the next change of an agent' })
map('n', '<Plug>(sidekicks-change-prev)', function()
  require('sidekicks.review.marks').go(-1)
end, { desc = 'Sidekicks: the change of an agent before' })
for _, verb in ipairs({ 'accept', 'reject' }) do
  local plug = ('<Plug>(sidekicks-change-%s)'):format(verb)
  map('n', plug, ('<Cmd>Sidekicks %s<CR>'):format(verb), { desc = ('Sidekicks: %s the change here'):format(verb) })
  map('x', plug, (':Sidekicks %s<CR>'):format(verb), { silent = true, desc = ('Sidekicks: %s the lines'):format(verb) })
end

local group = vim.api.nvim_create_augroup('sidekicks', { clear = true })

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'sidekicks://*',
  nested = true,
  desc = 'Fill a buffer of Sidekicks',
  callback = function(event)
    require('sidekicks.buffer').read(event.buf)
  end,
})

vim.api.nvim_create_autocmd({ 'BufWriteCmd', 'FileWriteCmd', 'FileAppendCmd' }, {
  group = group,
  pattern = 'sidekicks://file/*',
  nested = true,
  desc = 'Write a file that is reached through a container or sandbox',
  callback = function(event)
    require('sidekicks.files.write').run(event)
  end,
})

--- Whether a file is the configuration by its name, or is the one the environment or an option names.
---@param path string
---@return boolean
local function may_be_configuration(path)
  local given = vim.g.sidekicks
  local named = { vim.env.SIDEKICKS_CONFIG or '', type(given) == 'table' and given.config or '' }
  return path:match('sidekicks%.yaml$') ~= nil
    or vim.iter(named):any(function(one)
      return type(one) == 'string' and one ~= '' and vim.fn.fnamemodify(vim.fs.normalize(one), ':p') == path
    end)
end

-- The only file that may start the host by being opened: its mistakes are shown while they are made.
vim.api.nvim_create_autocmd('BufReadPost', {
  group = group,
  desc = 'Check the configuration of Sidekicks while it is open',
  callback = function(event)
    if may_be_configuration(vim.fn.fnamemodify(event.file, ':p')) then
      require('sidekicks.config.live').start()
    end
  end,
})

-- A session file names such buffers without reading them.
vim.api.nvim_create_autocmd('SessionLoadPost', {
  group = group,
  desc = 'Fill the buffers of Sidekicks that a session brought back',
  callback = function()
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      if vim.startswith(vim.api.nvim_buf_get_name(buf), 'sidekicks://') then
        require('sidekicks.buffer').read(buf)
      end
    end
  end,
})
