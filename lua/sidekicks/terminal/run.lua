-- Runs words in a terminal of Neovim's own, in the current buffer. Knows neither agents nor why.
local M = {}

---@param words string[]
---@param opts table
---@return integer job
local function start(words, opts)
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.fn.jobstart(words, vim.tbl_extend('error', { term = true }, opts))
  end
  return vim.fn.termopen(words, opts)
end

--- A list of words that no shell reads.
---@param words string[]
---@param opts table as for `jobstart()`
---@return integer? job
---@return string? problem
function M.run(words, opts)
  local fine, job = pcall(start, words, opts)
  if fine and job > 0 then
    return job
  end
  return nil, fine and words[1] or tostring(job)
end

return M
