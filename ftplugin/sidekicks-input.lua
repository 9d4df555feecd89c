-- The keys and the completion of an input; its text and options come from lua/sidekicks/buffer.lua.
vim.bo.omnifunc = "v:lua.require'sidekicks.completion'.omnifunc"
require('sidekicks.keys').map(0, 'input')
