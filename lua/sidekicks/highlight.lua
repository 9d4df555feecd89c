-- The highlight groups of Sidekicks: which role is drawn in which group, and their default links. Draws nothing.
local M = {}

--- Every role of the transcript and of our own windows, with the group it links to unless somebody says otherwise.
---@type table<string, string>
local links = {
  speaker = 'Keyword',
  user = 'Keyword',
  time = 'Comment',
  queued = 'Comment',
  ['speaker.2'] = 'Function',
  ['speaker.3'] = 'Constant',
  ['speaker.4'] = 'Type',
  ['speaker.5'] = 'Special',
  heading = 'Title',
  inlineCode = 'String',
  link = 'Underlined',
  listMarker = 'Special',
  quote = 'Comment',
  mention = 'Identifier',
  command = 'Function',
  fence = 'Comment',
  thought = 'Comment',
  tool = 'Type',
  toolKind = 'Comment',
  ['status.pending'] = 'Comment',
  ['status.in_progress'] = 'DiagnosticInfo',
  ['status.completed'] = 'DiagnosticOk',
  ['status.failed'] = 'DiagnosticError',
  added = 'Added',
  removed = 'Removed',
  changed = 'Changed',
  ['added.line'] = 'DiffAdd',
  ['removed.line'] = 'DiffDelete',
  ['plan.pending'] = 'Comment',
  ['plan.in_progress'] = 'DiagnosticInfo',
  ['plan.completed'] = 'DiagnosticOk',
  notice = 'Comment',
  error = 'DiagnosticError',
  warning = 'DiagnosticWarn',
  found = 'Search',
  member = 'Comment',
  ['agent.stopped'] = 'Comment',
  ['agent.starting'] = 'DiagnosticInfo',
  ['agent.ready'] = 'DiagnosticOk',
  ['agent.busy'] = 'DiagnosticInfo',
  ['agent.error'] = 'DiagnosticError',
  fold = 'Folded',
  activity = 'Special',
  usage = 'Comment',
  permission = 'NormalFloat',
  ['permission.border'] = 'FloatBorder',
  ['permission.title'] = 'DiagnosticWarn',
  ['permission.option'] = 'Keyword',
}

--- Roles whose look has no group of its own in every colour scheme.
---@type table<string, vim.api.keyset.highlight>
local styles = {
  strong = { bold = true },
  emphasis = { italic = true },
}

---@type table<string, string>
local names = {}
---@type table<string, string>
local theme = {}

--- The group of a role: `status.in_progress` is drawn in `SidekicksStatusInProgress`.
---@param role string
---@return string
function M.group(role)
  if not names[role] then
    local words = role:gsub('[^%w]+', ' '):gsub('%f[%w]%l', string.upper)
    names[role] = 'Sidekicks' .. words:gsub(' ', '')
  end
  return names[role]
end

--- Every role, in alphabetical order.
---@return string[]
function M.roles()
  local roles = vim.list_extend(vim.tbl_keys(links), vim.tbl_keys(styles))
  table.sort(roles)
  return roles
end

local function define()
  for role, style in pairs(styles) do
    vim.api.nvim_set_hl(0, M.group(role), vim.tbl_extend('force', style, { default = true }))
  end
  for role, group in pairs(links) do
    vim.api.nvim_set_hl(0, M.group(role), { link = group, default = true })
  end
  for role, group in pairs(theme) do
    vim.api.nvim_set_hl(0, M.group(role), { link = group })
  end
end

--- Defines the groups, now and after each change of the colour scheme, which forgets them.
function M.setup()
  define()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = vim.api.nvim_create_augroup('sidekicks.highlight', { clear = true }),
    desc = 'Define the highlight groups of Sidekicks again',
    callback = define,
  })
end

--- Takes the theme of the configuration: role to highlight group. A role no longer in it gets its default back.
---@param groups table<string, string>
function M.set_theme(groups)
  for role in pairs(theme) do
    -- A cleared group would count as one the person has set, and take no default any more.
    vim.api.nvim_set_hl(0, M.group(role), styles[role] or { link = links[role] })
  end
  theme = groups
  define()
end

return M
