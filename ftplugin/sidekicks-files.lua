-- The keys of the files of a workspace; their text comes from lua/sidekicks/files.lua.
require('sidekicks.keys').map(0, 'files')
