-- How the windows of each kind of buffer of ours look. Opens none.
local M = {}

---@param own table<string, any>
---@return table<string, any> what every window of ours has, and its own
local function look(own)
  return vim.tbl_extend('keep', own, {
    foldcolumn = '0',
    list = false,
    number = false,
    relativenumber = false,
    signcolumn = 'no',
    wrap = true,
  })
end

--- For prose: long lines break between words, and no column of the person's own stands beside them.
---@param own table<string, any>
---@return table<string, any>
local function prose_look(own)
  return look(vim.tbl_extend('error', { colorcolumn = '', linebreak = true, statuscolumn = '' }, own))
end

---@type table<string, table<string, any>>
local looks = {
  transcript = prose_look({
    breakindent = true,
    cursorline = false,
    spell = false,
    winbar = "%{%v:lua.require'sidekicks.winbar'.draw()%}",
  }),
  input = prose_look({
    winbar = "%{%v:lua.require'sidekicks.winbar'.draw_input()%}",
    winfixheight = true,
  }),
  agents = prose_look({
    breakindent = true,
    cursorline = true,
    spell = false,
    winbar = "%{%v:lua.require'sidekicks.panel'.draw_winbar()%}",
  }),
  files = look({
    cursorline = true,
    spell = false,
    winbar = "%{%v:lua.require'sidekicks.files'.draw_winbar()%}",
    wrap = false,
  }),
  terminal = prose_look({ spell = false, winbar = "%{%v:lua.require'sidekicks.terminal'.draw_winbar()%}" }),
  log = look({ spell = false, winbar = "%{%v:lua.require'sidekicks.log.memory'.draw()%}" }),
}

--- Gives a window the look of a kind of buffer, for as long as it shows that buffer.
---@param win integer
---@param kind string
function M.dress(win, kind)
  for option, value in pairs(looks[kind] or {}) do
    vim.wo[win][0][option] = value
  end
  vim.api.nvim_win_call(win, function()
    vim.opt_local.fillchars:append({ eob = ' ' })
  end)
end

return M
