-- The blocks of one drawn transcript and the rows they take. Pure: it knows no buffer. Rows and indexes count from 0.
---@class sidekicks.transcript.Blocks
---@field list sidekicks.transcript.Block[]
---@field rows integer of all blocks together
local Blocks = {}
Blocks.__index = Blocks

--- A block without its rows and marks, which only the buffer keeps.
---@class (exact) sidekicks.transcript.Block
---@field id string
---@field kind string
---@field count integer its rows
---@field open boolean
---@field gone? true no longer drawn
---@field lang? string
---@field copy? [integer, integer]
---@field offsets? integer[]
---@field fold? boolean
---@field location? sidekicks.Location
---@field message? string
---@field tool? string

---@return sidekicks.transcript.Blocks
function Blocks.new()
  return setmetatable({ list = {}, rows = 0 }, Blocks)
end

---@param block sidekicks.Block
---@return sidekicks.transcript.Block
function Blocks.kept(block)
  return {
    id = block.id,
    kind = block.kind,
    count = #block.rows,
    open = block.open,
    lang = block.lang,
    copy = block.copy,
    offsets = block.offsets,
    fold = block.fold,
    location = block.location,
    message = block.message,
    tool = block.tool,
  }
end

---@param list sidekicks.transcript.Block[]
---@param first integer index in the list, from 1
---@param last integer
---@return integer
local function rows_between(list, first, last)
  local rows = 0
  for index = first, last do
    rows = rows + list[index].count
  end
  return rows
end

--- The first row of block `at`, counted from the nearer end: what grows is nearly always the last one.
---@param at integer
---@return integer
function Blocks:row_of(at)
  local size = #self.list
  if at * 2 < size then
    return rows_between(self.list, 1, at)
  end
  return self.rows - rows_between(self.list, at + 1, size)
end

---@param list table
---@param at integer index before the first moved element
---@param remove integer
---@param insert table
local function replace(list, at, remove, insert)
  local size, shift = #list, #insert - remove
  if shift > 0 then
    for index = size, at + remove + 1, -1 do
      list[index + shift] = list[index]
    end
  elseif shift < 0 then
    for index = at + remove + 1, size - shift do
      list[index + shift] = list[index]
    end
  end
  for index, element in ipairs(insert) do
    list[at + index] = element
  end
end

--- Replaces `remove` blocks from `at` on.
---@param at integer
---@param remove integer
---@param blocks sidekicks.transcript.Block[]
---@return sidekicks.transcript.Block[] removed
function Blocks:splice(at, remove, blocks)
  local removed = vim.list_slice(self.list, at + 1, at + remove)
  for _, block in ipairs(removed) do
    block.gone = true
    self.rows = self.rows - block.count
  end
  replace(self.list, at, remove, blocks)
  self.rows = self.rows + rows_between(blocks, 1, #blocks)
  return removed
end

--- The rows of an open block from `row` on are now `count` others.
---@param at integer
---@param row integer
---@param count integer
---@param offsets? integer[]
function Blocks:grow(at, row, count, offsets)
  local block = self.list[at + 1]
  self.rows = self.rows + row + count - block.count
  block.count = row + count
  if offsets then
    block.offsets = vim.list_extend(vim.list_slice(block.offsets or {}, 1, row), offsets)
  end
end

--- The block a row belongs to, and its first row.
---@param row integer
---@return sidekicks.transcript.Block? block
---@return integer? first_row
function Blocks:at_row(row)
  if row < 0 or row >= self.rows then
    return nil
  end
  local first = self.rows
  for index = #self.list, 1, -1 do
    first = first - self.list[index].count
    if first <= row then
      return self.list[index], first
    end
  end
end

--- The first row of each of these blocks that is still drawn; cheap for those near the end.
---@param wanted table<sidekicks.transcript.Block, any>
---@return table<sidekicks.transcript.Block, integer>
function Blocks:rows_of(wanted)
  local found, missing = {}, vim.tbl_count(wanted)
  local first = self.rows
  for index = #self.list, 1, -1 do
    local block = self.list[index]
    first = first - block.count
    if wanted[block] then
      found[block], missing = first, missing - 1
    end
    if missing == 0 then
      break
    end
  end
  return found
end

--- The blocks that have a row between these two, end excluded; cheap near the end.
---@param from integer
---@param to integer
---@return table<sidekicks.transcript.Block, true>
function Blocks:between(from, to)
  local found = {}
  local last = self.rows
  for index = #self.list, 1, -1 do
    if last <= from then
      break
    end
    local block = self.list[index]
    local first = last - block.count
    if first < to then
      found[block] = true
    end
    last = first
  end
  return found
end

--- Every block with its first row, from the first on.
---@return fun(): sidekicks.transcript.Block?, integer?
function Blocks:each()
  local index, row = 0, 0
  return function()
    local before = self.list[index]
    row = row + (before and before.count or 0)
    index = index + 1
    return self.list[index], row
  end
end

return Blocks
