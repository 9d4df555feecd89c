-- Owns: a sampling profile of the Lua side of the measured Neovim; `BenchProfile()` ends it and gives it as text.
-- Must not: run when times are taken, and it sees nothing outside Lua, such as drawing the screen.
local profiler = require('jit.profile')

local sample_ms = 1
local shown = 30

---@type table<string, integer>
local own, within, states = {}, {}, {}
local total = 0

---@param counts table<string, integer>
---@param key string
---@param samples integer
local function add(counts, key, samples)
  counts[key] = (counts[key] or 0) + samples
end

profiler.start('fi' .. sample_ms, function(thread, samples, state)
  total = total + samples
  add(states, state, samples)
  add(own, profiler.dumpstack(thread, 'pF', 1), samples)
  local counted = {}
  for frame in profiler.dumpstack(thread, 'pF;', 40):gmatch('[^;]+') do
    if not counted[frame] then
      counted[frame] = true
      add(within, frame, samples)
    end
  end
end)

---@param title string
---@param counts table<string, integer>
---@return string
local function top(title, counts)
  local names = vim.tbl_keys(counts)
  table.sort(names, function(a, b)
    return counts[a] > counts[b]
  end)
  local lines = { title }
  for index = 1, math.min(shown, #names) do
    lines[#lines + 1] = ('%5.1f%% %s'):format(100 * counts[names[index]] / total, names[index])
  end
  return table.concat(lines, '\n')
end

---@return string
function BenchProfile()
  profiler.stop()
  local head = ('%d samples of %d ms of processor time in Lua'):format(total, sample_ms)
  local parts = { head, top('by state of the machine (N: compiled, I: interpreted, C: C code, G: collector)', states) }
  return table.concat(vim.list_extend(parts, { top('own', own), top('with what is called', within) }), '\n\n') .. '\n'
end
