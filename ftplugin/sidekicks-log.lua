-- The keys of an agent's log; its text comes from lua/sidekicks/log.lua.
require('sidekicks.keys').map(0, 'log')
