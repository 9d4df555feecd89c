// Tests of the test ground itself: what the other tests see through it must be what a person would see.
import { describe, expect, it } from 'vitest';
import { describeNvim } from './support/describe-nvim.ts';
import { Nvim } from './support/nvim.ts';
import { clipboardWrites } from './support/osc52.ts';
import { describeProcess } from './support/processes.ts';
import { Screen } from './support/screen.ts';
import { Place } from './support/place.ts';

const COPY = ['\x1b]52;c;', Buffer.from('naïve 日本 😀\nsecond').toString('base64'), '\x07'].join('');

describe('screen', () => {
  const drawn = (...events: unknown[]): Screen => {
    const screen = new Screen();
    screen.apply([['grid_resize', [1, 6, 4]], ...events]);
    return screen;
  };

  it('draws lines with repeats, and highlights that stay on until the next one', () => {
    const cells = [['a', 3], ['b'], ['c', 0, 3]];
    const screen = drawn(['hl_attr_define', [3, { bold: true }, {}, []]], ['grid_line', [1, 0, 1, cells, false]]);
    expect(screen.row(0)).toBe(' abccc');
    expect([1, 2, 3].map((column) => screen.attrAt(0, column))).toEqual([{ bold: true }, { bold: true }, {}]);
  });

  it('finds a text behind wide characters at its own cell', () => {
    const cells = [['日', 0], [''], ['x', 0], ['y']];
    const screen = drawn(['grid_line', [1, 2, 0, cells, false]]);
    expect(screen.row(2)).toBe('日xy');
    expect(screen.find('y')).toEqual({ row: 2, column: 3 });
  });

  it('scrolls only the region, in both directions', () => {
    const lines = ['1', '2', '3', '4'].map((text, row) => [
      1,
      row,
      0,
      [[text.repeat(6), 0]].map(() => [text, 0, 6]),
      false,
    ]);
    const up = drawn(['grid_line', ...lines], ['grid_scroll', [1, 0, 3, 0, 3, 1, 0]]);
    expect(up.text().split('\n')).toEqual(['222111', '333222', '333333', '444444']);
    const down = drawn(['grid_line', ...lines], ['grid_scroll', [1, 1, 4, 0, 6, -1, 0]]);
    expect(down.text().split('\n')).toEqual(['111111', '222222', '222222', '333333']);
  });
});

describe('clipboard writes', () => {
  it('reads complete sequences with either end, and leaves out questions and text around them', () => {
    const output = `\x1b[2J\x1b]52;c;?\x07${COPY}\x1b]52;p;eA==\x1b\\\x1b]52;c;bm90IGVuZGVk`;
    expect(clipboardWrites(output).map(({ selection, text }) => [selection, text])).toEqual([
      ['c', 'naïve 日本 😀\nsecond'],
      ['p', 'x'],
    ]);
  });
});

describeNvim('child Neovim', ({ start, startTerminal, place, version }) => {
  it('is the version asked for, with this plugin and a project of its own', async () => {
    const nvim = await start({ files: { 'src/a.txt': 'one\n' } });
    expect(await nvim.lua('local v = vim.version() return v.major .. "." .. v.minor')).toBe(version);
    expect(await nvim.lua('return vim.fn.getcwd()')).toBe(nvim.place.project);
    expect(await nvim.lua('return #vim.api.nvim_get_runtime_file("plugin/sidekicks.lua", false)')).toBe(1);
    expect(await nvim.lua('return vim.env.SIDEKICKS_CONFIG')).toBe(nvim.place.config);
    expect(nvim.place.read('src/a.txt')).toBe('one\n');
  });

  it('shows what is typed, where the cursor is and in which mode', async () => {
    const nvim = await start();
    await nvim.feed('ihello 日本<CR>second line');
    await nvim.waitForScreen('second line');
    expect(nvim.screen.row(0)).toBe('hello 日本');
    expect(nvim.screen.cursor).toEqual({ row: 1, column: 'second line'.length });
    expect(nvim.screen.mode).toBe('insert');
    expect(nvim.screen.rows).toBe(40);
    expect(await nvim.bufferLines('')).toEqual(['hello 日本', 'second line']);
  });

  it('knows the colours and the highlight groups of what stands on the screen', async () => {
    const nvim = await start();
    await nvim.command('highlight SupportTest guifg=#102030 gui=bold,italic');
    await nvim.lua(`
      vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'plain coloured' })
      vim.api.nvim_buf_set_extmark(0, vim.api.nvim_create_namespace('t'), 0, 6, { end_col = 14, hl_group = 'SupportTest' })
    `);
    await nvim.waitForScreen('plain coloured');
    expect(nvim.screen.attrOf('coloured')).toMatchObject({ foreground: 0x102030, bold: true, italic: true });
    expect(nvim.screen.groupsOf('coloured')).toContain('SupportTest');
    expect(nvim.screen.attrOf('plain')).toEqual({});
  });

  it('follows scrolling and floating windows', async () => {
    const nvim = await start();
    await nvim.lua(`
      local lines = {}
      for number = 1, 200 do lines[number] = 'line ' .. number end
      vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
    `);
    await nvim.feed('30<C-e>');
    await nvim.waitForScreen('line 60');
    expect(nvim.screen.row(0)).toBe('line 31');
    await nvim.lua(`
      local buf = vim.api.nvim_create_buf(false, true)
      vim.api.nvim_buf_set_lines(buf, 0, -1, false, { 'in a float' })
      vim.api.nvim_open_win(buf, false, { relative = 'editor', row = 5, col = 20, width = 12, height = 1 })
    `);
    await nvim.waitForScreen('in a float');
    expect(nvim.screen.find('in a float')).toEqual({ row: 5, column: 20 });
  });

  it('catches what is written for the terminal', async () => {
    const nvim = await start();
    await nvim.lua(
      `local data = ...
      if vim.api.nvim_ui_send then vim.api.nvim_ui_send(data) else vim.fn.chansend(vim.v.stderr, data) end`,
      COPY,
    );
    const [write] = await nvim.waitFor('the copy', () => nvim.clipboardWrites().length > 0 && nvim.clipboardWrites());
    expect(write).toMatchObject({ selection: 'c', text: 'naïve 日本 😀\nsecond' });
  });

  it('names an error that a person would have seen, unless the test allows it', async () => {
    const nvim = await start();
    await nvim.lua(`vim.schedule(function() error('something broke') end)`);
    const errors = await nvim.waitFor('the error', async () => {
      const seen = await nvim.errors();
      return seen.length > 0 && seen;
    });
    expect(errors.join('\n')).toContain('something broke');
    nvim.allowErrors(/./);
    expect(await nvim.errors()).toEqual([]);
  });

  it('says what is on the screen when a wait is in vain', async () => {
    const nvim = await start();
    await nvim.feed('iwhat is there');
    const wait = nvim.waitForScreen('what is not there', 100);
    await expect(wait).rejects.toThrow(/what is not there on the screen[\s\S]*what is there/);
  });

  it('gives what Neovim says of a request that fails', async () => {
    const nvim = await start();
    await expect(nvim.lua('error("no good")')).rejects.toThrow('no good');
    await expect(nvim.bufferLines('nowhere')).rejects.toThrow('no loaded buffer is called nowhere');
  });

  it('leaves nothing running, and names what outlives Neovim in a group of its own', async () => {
    const survivor = await start();
    await survivor.lua(`vim.system({ 'sh', '-c', 'setsid sleep 61 & sleep 62 & wait' }, { detach = true })`);
    await survivor.waitFor('both sleepers', () => {
      return survivor.processes().filter(({ command }) => command.startsWith('sleep 6')).length === 2;
    });
    await survivor.crash();
    const left = survivor.processes().map(describeProcess).join('\n');
    expect(left).toMatch(/sleep 61/);
    expect(left).toMatch(/sleep 62/);
    await expect(survivor.dispose(300)).rejects.toThrow(/still running[\s\S]*sleep 61/);
    expect(survivor.processes()).toEqual([]);
  });

  it('can be started twice in one place', async () => {
    const shared = place({ 'a.txt': 'shared\n' });
    const [first, second] = await Promise.all([start({ place: shared }), start({ place: shared, args: ['a.txt'] })]);
    expect(second.pid).not.toBe(first.pid);
    expect(await second.bufferLines('a.txt')).toEqual(['shared']);
  });

  it('runs in a real terminal too, where the bytes that reach it are kept', async () => {
    const terminal = await startTerminal();
    await terminal.type('ityped in a terminal\x1b');
    await terminal.waitFor(
      'the text',
      async () => (await terminal.lua('return vim.fn.getline(1)')) === 'typed in a terminal',
    );
    await terminal.lua(
      `local data = ...
      if vim.api.nvim_ui_send then vim.api.nvim_ui_send(data) else vim.fn.chansend(vim.v.stderr, data) end`,
      COPY,
    );
    const writes = await terminal.waitFor(
      'the copy',
      () => terminal.clipboardWrites().length > 0 && terminal.clipboardWrites(),
    );
    expect(writes.map(({ text }) => text)).toEqual(['naïve 日本 😀\nsecond']);
  });
});

it('a Neovim that cannot start says why', async () => {
  const place = new Place();
  const start = Nvim.start({ version: '0.12', place, args: ['--no-such-flag'] });
  await expect(start).rejects.toThrow(/no-such-flag/);
  place.remove();
});
