-- What the Agents panel shows, as rows with marks: a function of what is known. Touches no buffer and asks nobody.
local group = require('sidekicks.highlight').group
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.panel.View
---@field agents sidekicks.AgentSummary[] in configuration order
---@field configuration? sidekicks.Configuration nil until the host has told of both
---@field failure? string why it could not be asked
---@field lost boolean the host has ended, so that what is known may be old

---@class (exact) sidekicks.panel.Target what a row is about
---@field agent? string
---@field problem? sidekicks.Problem

---@class (exact) sidekicks.panel.Drawing
---@field rows string[]
---@field marks [integer, integer, integer, string][] row from 0, first byte, byte after the last, highlight group
---@field targets table<integer, sidekicks.panel.Target> by row from 1; an empty row is about nothing

---@alias sidekicks.panel.Piece [string, string?] text and role

---@param text string
---@return string on one line
local function plain(text)
  return vim.trim((text:gsub('%c+', ' ')))
end

---@param drawing sidekicks.panel.Drawing
---@param target sidekicks.panel.Target
---@param pieces sidekicks.panel.Piece[]
local function add(drawing, target, pieces)
  local row, text = #drawing.rows, ''
  for _, piece in ipairs(pieces) do
    if piece[2] and piece[1] ~= '' then
      table.insert(drawing.marks, { row, #text, #text + #piece[1], group(piece[2]) })
    end
    text = text .. piece[1]
  end
  drawing.rows[row + 1] = text
  drawing.targets[row + 1] = target
end

---@param text string
---@param width integer cells
---@return string
local function pad(text, width)
  return text .. (' '):rep(width - vim.api.nvim_strwidth(text))
end

---@param texts string[]
---@return integer cells of the widest
local function width_of(texts)
  local width = 0
  for _, text in ipairs(texts) do
    width = math.max(width, vim.api.nvim_strwidth(text))
  end
  return width
end

---@param agent sidekicks.AgentSummary
---@return string the title, and the name that commands take where it is another
local function called(agent)
  local title = plain(agent.title)
  return (title == '' or title == agent.name) and agent.name or ('%s (%s)'):format(title, agent.name)
end

---@param drawing sidekicks.panel.Drawing
---@param agent sidekicks.AgentSummary
---@param widths { icon: integer, called: integer }
local function add_agent(drawing, agent, widths)
  local target, name = { agent = agent.name }, called(agent)
  local indent = (' '):rep(widths.icon > 0 and widths.icon + 1 or 0)
  local head = {
    { widths.icon > 0 and pad(plain(agent.icon), widths.icon) .. ' ' or '' },
    { name, 'speaker' },
    { (' '):rep(widths.called - vim.api.nvim_strwidth(name) + 2) },
    { t('agent.' .. agent.state), 'agent.' .. agent.state },
  }
  if agent.outdated then
    vim.list_extend(head, { { ' · ' }, { t('agent.outdated'), 'warning' } })
  end
  vim.list_extend(head, { { ' · ' .. t('panel.runtime.' .. agent.runtime), 'notice' } })
  add(drawing, target, head)
  if plain(agent.description) ~= '' then
    add(drawing, target, { { indent .. '  ' .. plain(agent.description), 'notice' } })
  end
  for _, line in ipairs(agent.error ~= '' and vim.split(agent.error, '\n', { plain = true }) or {}) do
    add(drawing, target, { { indent .. '  ' }, { plain(line), 'error' } })
  end
end

---@param drawing sidekicks.panel.Drawing
---@param configuration sidekicks.Configuration
local function add_problems(drawing, configuration)
  local problems = vim.list_extend(vim.list_slice(configuration.problems), configuration.warnings)
  if #problems == 0 then
    return
  end
  local path = vim.fn.fnamemodify(configuration.path, ':~')
  add(drawing, {}, { { t('panel.problems', { path = path }), 'heading' } })
  for _, problem in ipairs(problems) do
    add(drawing, { problem = problem }, {
      { ('  %d:%d '):format(problem.line, problem.column), 'notice' },
      { plain(problem.message), problem.warning and 'warning' or 'error' },
    })
  end
  if not configuration.valid then
    add(drawing, {}, { { '  ' .. t('panel.lastGood'), 'notice' } })
  end
  add(drawing, {}, {})
end

---@param agents sidekicks.AgentSummary[]
---@return { icon: integer, called: integer }
local function widths_of(agents)
  local icons = vim.tbl_map(function(agent)
    return plain(agent.icon)
  end, agents)
  return { icon = width_of(icons), called = width_of(vim.tbl_map(called, agents)) }
end

---@param drawing sidekicks.panel.Drawing
---@param view sidekicks.panel.View
local function add_nothing(drawing, view)
  if view.failure or not view.configuration then
    return add(drawing, {}, { { plain(view.failure or t('panel.asking')), view.failure and 'error' or 'notice' } })
  end
  local path = vim.fn.fnamemodify(view.configuration.path, ':~')
  add(drawing, {}, { { t('panel.empty') } })
  add(drawing, {}, { { t('panel.emptyHow', { path = path }), 'notice' } })
end

--- The whole panel.
---@param view sidekicks.panel.View
---@return sidekicks.panel.Drawing
function M.draw(view)
  ---@type sidekicks.panel.Drawing
  local drawing = { rows = {}, marks = {}, targets = {} }
  if view.lost then
    add(drawing, {}, { { t('panel.lost'), 'error' } })
    add(drawing, {}, {})
  end
  if view.configuration then
    add_problems(drawing, view.configuration)
  end
  local widths = widths_of(view.agents)
  for _, agent in ipairs(view.agents) do
    add_agent(drawing, agent, widths)
  end
  if #view.agents == 0 then
    add_nothing(drawing, view)
  end
  return drawing
end

return M
