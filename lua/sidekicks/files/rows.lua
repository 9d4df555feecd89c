-- What the buffer of a folder shows, as rows with marks: a function of what is known. Touches no buffer and asks nobody.
local group = require('sidekicks.highlight').group
local t = require('sidekicks.language').t

local M = {}

---@class (exact) sidekicks.files.Target what a row is about
---@field path? string in the workspace
---@field entry? sidekicks.WorkspaceEntry
---@field up? boolean the folder above

---@class (exact) sidekicks.files.Mark
---@field row integer from 0
---@field opts vim.api.keyset.set_extmark

---@class (exact) sidekicks.files.Drawing
---@field rows string[]
---@field marks sidekicks.files.Mark[]
---@field targets sidekicks.files.Target[]

--- Names longer than this do not move what stands beside the others.
local most_cells = 48

---@param size integer
---@return string
function M.size(size)
  local units = { 'bytes', 'kilobytes', 'megabytes', 'gigabytes' }
  local unit, count = 1, size
  while count >= 1024 and unit < #units do
    unit, count = unit + 1, count / 1024
  end
  local digits = (unit == 1 or count >= 10) and '%.0f' or '%.1f'
  local written = digits:format(count)
  if require('sidekicks.language').current() == 'fr' then
    written = written:gsub('%.', ',')
  end
  return t('files.' .. units[unit], { count = written })
end

--- A name or a path on one line, whatever is in it.
---@param name string
---@return string
function M.plain(name)
  if not name:find('[^ -~]') then
    return name -- most are so, and folders may hold thousands
  end
  -- Neovim would show a line feed as the NUL it stands for in a line.
  return vim.fn.strtrans((name:gsub('\n', '^J')))
end

---@param entry sidekicks.WorkspaceEntry
---@return string
local function shown_name(entry)
  return M.plain(entry.name) .. (entry.dir and '/' or '')
end

---@param text string
---@return integer
local function cells_of(text)
  return text:find('[^ -~]') and vim.api.nvim_strwidth(text) or #text
end

---@param drawing sidekicks.files.Drawing
---@param text string
---@param target sidekicks.files.Target
---@param role? string highlight group
local function add(drawing, text, target, role)
  table.insert(drawing.rows, text)
  table.insert(drawing.targets, target)
  if role then
    local opts = { end_col = #text, hl_group = role }
    table.insert(drawing.marks, { row = #drawing.rows - 1, opts = opts })
  end
end

---@param entries sidekicks.WorkspaceEntry[]
---@return integer
local function name_cells(entries)
  local cells = 0
  for _, entry in ipairs(entries) do
    cells = math.max(cells, cells_of(shown_name(entry)))
  end
  return math.min(cells, most_cells)
end

--- Size and time stand beside the name without being text, so that what is copied is the name.
---@param entry sidekicks.WorkspaceEntry
---@param name string
---@param cells integer
---@return string
local function beside(entry, name, cells)
  local size = entry.dir and '' or M.size(entry.size)
  local space = (' '):rep(math.max(cells - cells_of(name), 0) + 1)
  local missing = (' '):rep(math.max(8 - cells_of(size), 0))
  return ('%s%s%s  %s'):format(space, missing, size, os.date('%Y-%m-%d %H:%M', math.floor(entry.modTime / 1000)))
end

---@param drawing sidekicks.files.Drawing
---@param entries sidekicks.WorkspaceEntry[]
local function add_entries(drawing, entries)
  local cells = name_cells(entries)
  for _, entry in ipairs(entries) do
    local name = shown_name(entry)
    add(drawing, name, { path = entry.path, entry = entry }, entry.dir and 'Directory' or nil)
    local text = { beside(entry, name, cells), group('notice') }
    local opts = { virt_text = { text }, virt_text_pos = 'eol', hl_mode = 'combine' }
    table.insert(drawing.marks, { row = #drawing.rows - 1, opts = opts })
  end
end

---@param drawing sidekicks.files.Drawing
---@param known sidekicks.files.Shown
local function add_nothing(drawing, known)
  if known.failure then
    for _, line in ipairs(vim.split(known.failure, '\n', { plain = true })) do
      add(drawing, vim.fn.strtrans(line), {}, group('error'))
    end
  elseif not known.entries then
    add(drawing, t('files.asking'), {}, group('notice'))
  else
    add(drawing, t('files.empty'), {})
    add(drawing, t('files.emptyHow'), {}, group('notice'))
  end
end

--- The whole of a folder.
---@param known sidekicks.files.Shown
---@return sidekicks.files.Drawing
function M.draw(known)
  ---@type sidekicks.files.Drawing
  local drawing = { rows = {}, marks = {}, targets = {} }
  if known.dir ~= '' then
    add(drawing, '../', { up = true }, 'Directory')
  end
  if known.entries and #known.entries > 0 then
    add_entries(drawing, known.entries)
  else
    add_nothing(drawing, known)
  end
  return drawing
end

return M
