-- An image of the clipboard as an attachment, by the programs that know the clipboard. Where it holds none the key does what it
-- does in Neovim.
local attach = require('sidekicks.attach')
local notify = require('sidekicks.notify')
local t = require('sidekicks.language').t

local M = {}

--- How a clipboard is asked: for what it holds, then for the image itself.
---@class (exact) sidekicks.attach.Source
---@field is_here fun(): boolean
---@field list string[]
---@field patience integer milliseconds that a key may be held up by `list`
---@field type fun(listed: string): string? the type of image it holds
---@field fetch fun(type: string): string[]
---@field decode? fun(output: string): string

-- The next keys must not overtake this one, so it is held up while the clipboard says what it holds; the image comes later.
local patience = 300
local powershell_patience = 2000
local fetch_limit_ms = 10000

local types = { 'image/png', 'image/jpeg', 'image/webp', 'image/gif' }

---@param listed string one type a line
---@return string?
local function offered(listed)
  local lines = vim.split(listed, '%s+', { trimempty = true })
  return vim.iter(types):find(function(type)
    return vim.list_contains(lines, type)
  end)
end

---@param program string
---@param variable string
---@return fun(): boolean
local function has(program, variable)
  return function()
    return (vim.env[variable] or '') ~= '' and vim.fn.executable(program) == 1
  end
end

---@param script string
---@return string[]
local function powershell(script)
  local forms = 'Add-Type -AssemblyName System.Windows.Forms; '
  return { 'powershell.exe', '-NoProfile', '-NonInteractive', '-STA', '-Command', forms .. script }
end

--- Prints the hexadecimal digits of the image, as AppleScript shows data.
local read_png = 'get the clipboard as «class PNGf»'

---@param output string
---@return string
local function from_hex(output)
  local digits = output:match('PNGf(%x+)') or ''
  return (digits:gsub('%x%x', function(pair)
    return string.char(tonumber(pair, 16))
  end))
end

---@type sidekicks.attach.Source[]
local sources = {
  {
    is_here = has('wl-paste', 'WAYLAND_DISPLAY'),
    list = { 'wl-paste', '--list-types' },
    patience = patience,
    type = offered,
    fetch = function(type)
      return { 'wl-paste', '--no-newline', '--type', type }
    end,
  },
  {
    is_here = has('xclip', 'DISPLAY'),
    list = { 'xclip', '-selection', 'clipboard', '-target', 'TARGETS', '-out' },
    patience = patience,
    type = offered,
    fetch = function(type)
      return { 'xclip', '-selection', 'clipboard', '-target', type, '-out' }
    end,
  },
  {
    is_here = function()
      return vim.fn.has('mac') == 1 and vim.fn.executable('osascript') == 1
    end,
    list = { 'osascript', '-e', 'clipboard info' },
    patience = patience,
    type = function(listed)
      return (listed:find('PNGf', 1, true) or listed:find('TIFF', 1, true)) and 'image/png' or nil
    end,
    fetch = function()
      return vim.fn.executable('pngpaste') == 1 and { 'pngpaste', '-' } or { 'osascript', '-e', read_png }
    end,
    decode = function(output)
      return vim.startswith(output, '\137PNG') and output or from_hex(output)
    end,
  },
  {
    is_here = function()
      return vim.fn.has('wsl') == 1 and vim.fn.executable('powershell.exe') == 1
    end,
    list = powershell('[System.Windows.Forms.Clipboard]::ContainsImage()'),
    patience = powershell_patience,
    type = function(listed)
      return vim.trim(listed) == 'True' and 'image/png' or nil
    end,
    fetch = function()
      return powershell(
        '$m = New-Object System.IO.MemoryStream; '
          .. '[System.Windows.Forms.Clipboard]::GetImage().Save($m, [System.Drawing.Imaging.ImageFormat]::Png); '
          .. '[Convert]::ToBase64String($m.ToArray())'
      )
    end,
    decode = function(output)
      return vim.base64.decode((output:gsub('%s', '')))
    end,
  },
}

---@param command string[]
---@param timeout integer
---@param on_exit? fun(out: vim.SystemCompleted)
---@return vim.SystemObj?
local function run(command, timeout, on_exit)
  local started, process = pcall(vim.system, command, { timeout = timeout }, on_exit)
  return started and process or nil
end

---@return sidekicks.attach.Source?
---@return string? type
local function image()
  local source = vim.iter(sources):find(function(source)
    return source.is_here()
  end)
  local process = source and run(source.list, source.patience)
  local out = process and process:wait()
  if source and out and out.code == 0 then
    local type = source.type(out.stdout or '')
    return type and source, type
  end
end

--- Keeps the image as a file for as long as it takes to attach it.
---@param bytes string
---@param type string
---@return string? path
---@return string? err
local function keep(bytes, type)
  local folder = vim.fn.tempname()
  local path = ('%s/image-%s.%s'):format(folder, os.date('%Y%m%d-%H%M%S'), type:match('/(.*)'))
  local made, err = vim.uv.fs_mkdir(folder, 448)
  local file = made and io.open(path, 'wb')
  if not file then
    return nil, err or path
  end
  local written, problem = file:write(bytes)
  local closed, late = file:close()
  if not (written and closed) then
    return nil, problem or late
  end
  return path
end

---@param out vim.SystemCompleted
---@param source sidekicks.attach.Source
---@return string? bytes
---@return string? err
local function bytes_of(out, source)
  if out.code ~= 0 then
    return nil, vim.trim(out.stderr or '') ~= '' and vim.trim(out.stderr) or ('%d'):format(out.code)
  end
  local decoded, bytes = pcall(source.decode or tostring, out.stdout or '')
  if not decoded or bytes == '' then
    return nil, decoded and '0' or bytes
  end
  return bytes
end

---@param spot sidekicks.attach.Spot
---@param source sidekicks.attach.Source
---@param type string
---@param out vim.SystemCompleted
local function on_fetched(spot, source, type, out)
  local bytes, err = bytes_of(out, source)
  local path
  if bytes then
    path, err = keep(bytes, type)
  end
  if not path then
    return notify.error(t('attach.noClipboard', { what = err }))
  end
  if vim.api.nvim_buf_is_loaded(spot.buf) then
    local function done()
      vim.fn.delete(vim.fs.dirname(path), 'rf')
    end
    attach.files(spot, { path }, { name = t('attach.clipboardImage'), done = done })
  end
end

--- Attaches the image in the clipboard; where there is none, types the key it is called by.
---@param key string
function M.paste(key)
  local buf = vim.api.nvim_get_current_buf()
  local source, type
  if attach.is_input(buf) then
    source, type = image()
  end
  if not source or not type then
    return vim.api.nvim_feedkeys(vim.keycode(key), 'in', false)
  end
  local spot = attach.spot(buf)
  run(
    source.fetch(type),
    fetch_limit_ms,
    vim.schedule_wrap(function(out)
      on_fetched(spot, source, type, out)
    end)
  )
end

return M
