-- Hides conversations and brings them back, tab page by tab page. Hiding ends nothing but the view.
local buffer = require('sidekicks.buffer')
local places = require('sidekicks.place')
local state = require('sidekicks.state')
local window = require('sidekicks.window')

local M = {}

---@type table<integer, sidekicks.Place[]> what a tab page showed when it was hidden
local hidden = {}

---@return sidekicks.Place[] those this tab page shows
local function visible()
  return vim.tbl_filter(function(place)
    return (place.transcript and window.of(place.transcript) or place.input and window.of(place.input)) ~= nil
  end, places.all())
end

--- Hides the conversations of this tab page; nothing ends.
function M.close()
  local shown = visible()
  if #shown == 0 then
    return
  end
  hidden[vim.api.nvim_get_current_tabpage()] = shown
  for _, place in ipairs(shown) do
    window.hide({ place.input, place.transcript })
  end
end

--- Hides one buffer, a conversation with both of its own.
---@param buf integer
function M.hide(buf)
  for _, place in ipairs(places.all()) do
    if place.transcript == buf or place.input == buf then
      window.hide({ place.input, place.transcript })
      return
    end
  end
  window.hide({ buf })
end

---@return sidekicks.Place[] what toggle brings back, as far as it still exists
local function to_bring_back()
  local last = state.last_used()
  local wanted = hidden[vim.api.nvim_get_current_tabpage()] or { last and places.by_id(last) }
  local all = places.all()
  return vim.tbl_filter(function(place)
    return vim.list_contains(all, place)
  end, wanted)
end

--- Hides the conversations of this tab page, or shows those it hid, or the one used last.
function M.toggle()
  if #visible() > 0 then
    return M.close()
  end
  local wanted = to_bring_back()
  if #wanted == 0 then
    return buffer.open_direct()
  end
  for _, place in ipairs(wanted) do
    buffer.show_place(place)
  end
end

vim.api.nvim_create_autocmd('TabClosed', {
  group = vim.api.nvim_create_augroup('sidekicks.hiding', { clear = true }),
  desc = 'Forget what closed tab pages hid',
  callback = function()
    for tab in pairs(hidden) do
      hidden[tab] = vim.api.nvim_tabpage_is_valid(tab) and hidden[tab] or nil
    end
  end,
})

return M
