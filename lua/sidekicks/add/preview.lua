-- Shows what would be written into a file, in a window that takes no focus. Writes nothing.
local M = {}

local margin = 4

local namespace = vim.api.nvim_create_namespace('sidekicks.add')

---@type integer?
local shown

--- Takes it away.
function M.close()
  if shown and vim.api.nvim_win_is_valid(shown) then
    vim.api.nvim_win_close(shown, true)
  end
  shown = nil
end

---@param lines string[]
---@param remarks string[]
---@return integer buf
local function new_buffer(lines, remarks)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = 'yaml'
  local below = vim.tbl_map(function(remark)
    return { { remark, 'SidekicksWarning' } }
  end, remarks)
  vim.api.nvim_buf_set_extmark(buf, namespace, #lines - 1, 0, { virt_lines = below })
  return buf
end

--- Shows the lines at the top of the screen: a list of answers may be asked for at its bottom.
---@param path string
---@param draft { line: integer, lines: string[], warnings: string[] } the warnings stand below the lines
function M.show(path, draft)
  M.close()
  local title = (' %s:%d '):format(path, draft.line)
  local all = vim.list_extend({ title }, vim.list_extend(vim.deepcopy(draft.warnings), draft.lines))
  local width = math.min(require('sidekicks.float').width_of(all), vim.o.columns - margin)
  shown = vim.api.nvim_open_win(new_buffer(draft.lines, draft.warnings), false, {
    relative = 'editor',
    row = 1,
    col = math.max(math.floor((vim.o.columns - width) / 2) - 1, 0),
    width = width,
    height = math.min(#draft.lines + #draft.warnings, math.floor(vim.o.lines / 2)),
    style = 'minimal',
    border = 'rounded',
    title = title,
    title_pos = 'left',
    zindex = 40,
  })
  vim.wo[shown].wrap = true
  vim.wo[shown].linebreak = true
  vim.cmd.redraw()
end

return M
