-- The keys of a transcript; its text and options come from lua/sidekicks/buffer.lua.
require('sidekicks.keys').map(0, 'transcript')
