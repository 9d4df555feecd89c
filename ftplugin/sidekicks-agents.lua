-- The keys of the Agents panel; its text comes from lua/sidekicks/panel.lua.
require('sidekicks.keys').map(0, 'agents')
