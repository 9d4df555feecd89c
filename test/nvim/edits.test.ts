// Buffers as the files an agent reads and writes: exact text, the smallest change, and nobody is asked or disturbed (SPEC 9).
import { readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

interface Snapshot {
  readonly found?: boolean;
  readonly text?: string;
  readonly modified?: boolean;
  readonly tick: number;
  readonly error?: string;
}
interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

const read = (nvim: Nvim, path: string) =>
  nvim.lua<Snapshot>(`return require('sidekicks.edits').read(...)`, nvim.place.path(path));

const change = (nvim: Nvim, path: string, tick: number, changes: readonly Change[], ended?: boolean) =>
  nvim.lua(
    `return require('sidekicks.edits').change(...)`,
    ...[nvim.place.path(path), tick, changes, ...(ended === undefined ? [] : [ended])],
  );

async function changeNow(nvim: Nvim, path: string, changes: readonly Change[], ended?: boolean): Promise<void> {
  const { tick } = await read(nvim, path);
  expect(await change(nvim, path, tick, changes, ended)).toEqual({ done: true });
}

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');

describeNvim('reading a buffer', ({ start, place }) => {
  it('finds nothing where no buffer is loaded, also one that is only listed (B16)', async () => {
    const nvim = await start({ files: { 'a.txt': 'one\n' } });
    expect(await read(nvim, 'a.txt')).toEqual({ found: false });
    await nvim.command('badd a.txt');
    expect(await read(nvim, 'a.txt')).toEqual({ found: false });
    expect(await nvim.lua(`return vim.fn.bufloaded('a.txt')`)).toBe(0);
  });

  it('gives unsaved text, also of a new file, a hidden buffer and a renamed one (B16)', async () => {
    const nvim = await start({ files: { 'a.txt': 'old\n' } });
    await nvim.command('edit a.txt | call setline(1, "new")');
    expect(await read(nvim, 'a.txt')).toMatchObject({ found: true, text: 'new\n', modified: true });
    await nvim.command('set hidden | edit b.txt | call setline(1, "never written") | enew');
    expect(await read(nvim, 'b.txt')).toMatchObject({ text: 'never written\n', modified: true });
    await nvim.command('buffer a.txt | file c.txt');
    expect(await read(nvim, 'c.txt')).toMatchObject({ text: 'new\n' });
    expect(nvim.place.read('a.txt')).toBe('old\n');
  });

  it('finds a buffer by the file it is, whatever links lead there', async () => {
    const own = place({ 'real/a.txt': 'one\n' });
    symlinkSync(own.path('real'), own.path('link'));
    symlinkSync(own.path('real/a.txt'), own.path('b.txt'));
    const nvim = await start({ place: own });
    await nvim.command('edit link/a.txt | call setline(1, "two")');
    for (const path of ['real/a.txt', 'link/a.txt', 'b.txt', 'link/../real/./a.txt']) {
      expect(await read(nvim, path)).toMatchObject({ text: 'two\n' });
    }
    await nvim.command('edit! link/new.txt | call setline(1, "x")');
    expect(await read(nvim, 'real/new.txt')).toMatchObject({ text: 'x\n' });
  });

  it.each([
    ['unix', 'a\nb\n'],
    ['dos', 'a\r\nb\r\n'],
    ['mac', 'a\rb\r'],
    ['no last line end', 'a\nb'],
    ['dos without the last', 'a\r\nb'],
    ['mixed', 'a\r\nb\nc\r\n'],
    ['byte-order mark', '\ufeffa\nb\n'],
    ['byte-order mark and dos', '\ufeffa\r\nb'],
    ['empty', ''],
    ['one empty line', '\n'],
    ['empty lines at the end', 'a\n\n\n'],
    ['not ASCII', 'naïve 日本 😀 e\u0301\n'],
    ['control characters', 'a\x1b[31m\tb\x07\n'],
  ])('gives exactly what is on disk: %s (B20)', async (_name, text) => {
    const nvim = await start({ files: { 'a.txt': text } });
    await nvim.command(text.includes('\n') ? 'edit a.txt' : 'set fileformats=mac,unix | edit a.txt');
    expect(await read(nvim, 'a.txt')).toMatchObject({ found: true, text, modified: false });
    await nvim.command('setlocal nofixendofline | write!');
    expect(nvim.place.read('a.txt')).toBe(text);
  });

  it('refuses what it cannot give exactly', async () => {
    const own = place();
    own.write('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    own.write('nul.txt', 'a\0b\n');
    own.write('utf16.txt', Buffer.from('\ufeffhi\n', 'utf16le'));
    own.write('ascii.txt', 'plain\n');
    const nvim = await start({ place: own });
    await nvim.command('edit latin.txt | edit nul.txt | edit utf16.txt | edit ++enc=latin1 ascii.txt');
    expect(await read(nvim, 'latin.txt')).toEqual({ error: 'edits.encoding' });
    expect(await read(nvim, 'utf16.txt')).toEqual({ error: 'edits.encoding' });
    expect(await read(nvim, 'nul.txt')).toEqual({ error: 'edits.binary' });
    expect(await read(nvim, 'ascii.txt')).toMatchObject({ text: 'plain\n' });
    await nvim.command('buffer ascii.txt | call setline(1, "é")');
    expect(await read(nvim, 'ascii.txt')).toEqual({ error: 'edits.encoding' });
  });

  it('reads a clean buffer anew when its file changed, asking nothing (B17)', async () => {
    const nvim = await start({ files: { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' } });
    await nvim.command('set noautoread | autocmd FileChangedShell * echoerr "asked"');
    await nvim.command('set hidden | edit +3 a.txt | split b.txt');
    nvim.place.write('a.txt', 'ONE\ntwo\nthree\n');
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'ONE\ntwo\nthree\n', modified: false });
    await nvim.command('wincmd j');
    expect(await nvim.lua('return vim.api.nvim_win_get_cursor(0)[1]')).toBe(3);
    expect(await nvim.lua('return vim.o.autoread')).toBe(false);
    await nvim.command('hide');
    nvim.place.write('a.txt', 'hidden\n');
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'hidden\n', modified: false });
    await nvim.command('checktime | buffer a.txt');
    expect(await lines(nvim)).toEqual(['hidden']);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['ONE', 'two', 'three']);
  });

  it('notices a change of the same size in the same moment (B17)', async () => {
    const nvim = await start({ files: { 'a.txt': 'one\nx\n' } });
    const path = nvim.place.path('a.txt');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    await nvim.command('edit a.txt');
    nvim.place.write('a.txt', 'two\nx\n');
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'two\nx\n', modified: false });
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['one', 'x']);
  });

  it('does not read a buffer with unsaved text anew, and gives that of a file that is gone', async () => {
    const nvim = await start({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
    await nvim.command('edit a.txt | call setline(1, "mine") | set hidden | edit b.txt');
    nvim.place.write('a.txt', 'theirs\n');
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'mine\n', modified: true });
    await nvim.lua('vim.uv.fs_unlink(...)', nvim.place.path('b.txt'));
    expect(await read(nvim, 'b.txt')).toMatchObject({ text: 'two\n', modified: false });
  });

  it('neither reads nor replaces a buffer that shows its file in another form', async () => {
    const nvim = await start({ files: { 'a.bin': 'packed' } });
    await nvim.command(`autocmd BufReadPost a.bin call setline(1, ['unpacked', 'text']) | setlocal nomodified`);
    await nvim.command('edit a.bin');
    expect(await read(nvim, 'a.bin')).toEqual({ error: 'edits.unlike' });
    expect(await lines(nvim)).toEqual(['unpacked', 'text']);
  });
});

describeNvim('changing a buffer', ({ start }) => {
  const files = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' };

  it('is one undo step, unsaved, and nothing on disk changes', async () => {
    const nvim = await start({ files });
    await nvim.command('edit a.txt');
    await changeNow(nvim, 'a.txt', [
      { from: 0, to: 1, lines: ['ONE', 'and more'] },
      { from: 2, to: 3, lines: [] },
      { from: 4, to: 5, lines: ['five!'] },
    ]);
    expect(await lines(nvim)).toEqual(['ONE', 'and more', 'two', 'four', 'five!']);
    expect(await nvim.lua('return vim.bo.modified')).toBe(true);
    expect(nvim.place.read('a.txt')).toBe(files['a.txt']);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('does nothing when the buffer has moved on, is gone, or may not be changed', async () => {
    const nvim = await start({ files });
    await nvim.command('edit a.txt');
    const { tick } = await read(nvim, 'a.txt');
    await nvim.command('normal! x');
    const edit = [{ from: 0, to: 1, lines: ['X'] }];
    expect(await change(nvim, 'a.txt', tick, edit)).toEqual({ done: false });
    expect(await change(nvim, 'b.txt', 1, edit)).toEqual({ done: false });
    await nvim.command('setlocal readonly');
    expect(await change(nvim, 'a.txt', (await read(nvim, 'a.txt')).tick, edit)).toEqual({ error: 'edits.readonly' });
    await nvim.command('setlocal noreadonly nomodifiable');
    expect(await change(nvim, 'a.txt', (await read(nvim, 'a.txt')).tick, edit)).toEqual({
      error: 'edits.notModifiable',
    });
    await nvim.command('setlocal modifiable fileformat=mac');
    expect(await change(nvim, 'a.txt', (await read(nvim, 'a.txt')).tick, edit)).toEqual({ error: 'edits.lineEnds' });
    expect(await lines(nvim)).toEqual(['ne', 'two', 'three', 'four', 'five']);
  });

  it('is a step apart from what somebody is typing meanwhile, and moves neither mode nor cursor', async () => {
    const nvim = await start({ files });
    await nvim.command('edit a.txt');
    await nvim.feed('2GA and');
    await changeNow(nvim, 'a.txt', [
      { from: 0, to: 1, lines: ['zero', 'ONE'] },
      { from: 4, to: 5, lines: ['FIVE'] },
    ]);
    await nvim.feed(' more');
    expect(await nvim.mode()).toBe('i');
    expect(await lines(nvim)).toEqual(['zero', 'ONE', 'two and more', 'three', 'four', 'FIVE']);
    await nvim.feed('<Esc>u');
    expect(await lines(nvim)).toEqual(['zero', 'ONE', 'two and', 'three', 'four', 'FIVE']);
    await nvim.feed('u');
    expect(await lines(nvim)).toEqual(['one', 'two and', 'three', 'four', 'five']);
    await nvim.feed('u');
    expect(await lines(nvim)).toEqual(['one', 'two', 'three', 'four', 'five']);
    await nvim.feed('<C-r><C-r><C-r>');
    expect(await lines(nvim)).toEqual(['zero', 'ONE', 'two and more', 'three', 'four', 'FIVE']);
  });

  it('leaves the text around the cursor of somebody typing in the very line', async () => {
    const nvim = await start({ files });
    await nvim.command('edit a.txt');
    await nvim.feed('2GA x');
    await changeNow(nvim, 'a.txt', [{ from: 1, to: 2, lines: ['TWO x'] }]);
    await nvim.feed('y<Esc>');
    expect(await lines(nvim)).toEqual(['one', 'TWO xy', 'three', 'four', 'five']);
  });

  it('keeps cursor, first row, folds, marks and extmarks of every window', async () => {
    const text = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
    const nvim = await start({ files: { 'a.txt': `${text.join('\n')}\n` } });
    await nvim.command('edit a.txt | set foldmethod=manual | 120,130fold');
    await nvim.feed('100Gzt5j4lma:99mark b<CR>:split<CR>150G0zt');
    await nvim.lua(`
      extmark = vim.api.nvim_buf_set_extmark(0, vim.api.nvim_create_namespace('t'), 104, 5, { end_col = 8 })`);
    const views = `return vim.tbl_map(function(win)
      return vim.api.nvim_win_call(win, function()
        local view = vim.fn.winsaveview()
        return { view.topline, view.lnum, view.col }
      end)
    end, vim.api.nvim_tabpage_list_wins(0))`;
    const [upper, [top] = []] = await nvim.lua<number[][]>(views);
    expect(upper).toEqual([150, 150, 0]);
    await changeNow(nvim, 'a.txt', [
      { from: 10, to: 12, lines: ['a', 'b', 'c', 'd', 'e'] },
      { from: 98, to: 99, lines: ['line 99 changed'] },
      { from: 104, to: 105, lines: ['LINE 105'] },
      { from: 140, to: 143, lines: [] },
    ]);
    expect(await nvim.lua(views)).toEqual([
      [150, 150, 0],
      [(top ?? 0) + 3, 108, 4],
    ]);
    expect(await nvim.lua(`return { vim.fn.line("'a"), vim.fn.line("'b") }`)).toEqual([108, 102]);
    expect(
      await nvim.lua(
        `return vim.api.nvim_buf_get_extmark_by_id(0, vim.api.nvim_get_namespaces().t, extmark, { details = false })`,
      ),
    ).toEqual([107, 5]);
    await nvim.command('wincmd j');
    expect(await nvim.lua('return { vim.fn.foldclosed(124), vim.fn.foldclosedend(124) }')).toEqual([123, 133]);
  });

  it('works in a hidden buffer, and opens nothing', async () => {
    const nvim = await start({ files });
    await nvim.command('set hidden | edit a.txt | enew');
    await changeNow(nvim, 'a.txt', [{ from: 1, to: 1, lines: ['new'] }]);
    expect(await nvim.lua('return { #vim.api.nvim_list_wins(), vim.fn.bufname() }')).toEqual([1, '']);
    expect(await nvim.bufferLines('a.txt')).toEqual(['one', 'new', 'two', 'three', 'four', 'five']);
    await nvim.command('buffer a.txt | undo');
    expect(await lines(nvim)).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('keeps the line ends of the file (B20)', async () => {
    const nvim = await start({ files: { 'a.txt': 'a\r\nb\r\n', 'b.txt': 'a\r\nb\r\n' } });
    await nvim.command('edit a.txt');
    await changeNow(nvim, 'a.txt', [{ from: 1, to: 2, lines: ['c', 'd\r'] }]);
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'a\r\nc\r\nd\r\n' });
    await nvim.command('write');
    expect(nvim.place.read('a.txt')).toBe('a\r\nc\r\nd\r\n');
    await nvim.command('edit ++ff=unix b.txt');
    await changeNow(nvim, 'b.txt', [{ from: 1, to: 2, lines: ['c'] }]);
    expect(await read(nvim, 'b.txt')).toMatchObject({ text: 'a\r\nc\r\n' });
  });

  it('gives the last line its end, or takes it, and writing keeps that', async () => {
    const nvim = await start({ files: { 'a.txt': 'a\nb', 'b.txt': 'a\nb\n', 'c.txt': '' } });
    await nvim.command('edit a.txt');
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'a\nb' });
    await changeNow(nvim, 'a.txt', [], true);
    expect(await nvim.lua('return vim.bo.modified')).toBe(true);
    expect(await read(nvim, 'a.txt')).toMatchObject({ text: 'a\nb\n' });
    await nvim.command('edit! b.txt');
    await changeNow(nvim, 'b.txt', [{ from: 1, to: 2, lines: ['c'] }], false);
    await nvim.command('write');
    expect(nvim.place.read('b.txt')).toBe('a\nc');
    await nvim.command('edit c.txt');
    await changeNow(nvim, 'c.txt', [{ from: 0, to: 1, lines: ['x', 'y'] }], true);
    await nvim.command('write');
    expect(readFileSync(nvim.place.path('c.txt'), 'utf8')).toBe('x\ny\n');
    expect(statSync(nvim.place.path('c.txt')).size).toBe(4);
  });
});
