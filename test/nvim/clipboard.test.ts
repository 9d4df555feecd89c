// Copying from a transcript: what stands in the register, and what reaches the terminal (SPEC 16, CASES B24).
import { expect, it } from 'vitest';
import type { Block } from '../../src/core/contract/shapes.ts';
import { block, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { NvimTerminal } from './support/terminal.ts';

const fenced = (id: string, lines: readonly string[], rest: Partial<Block> = {}): Block =>
  block(id, 'code', ['```text', ...lines, '```'], { lang: 'text', copy: [1, lines.length + 1], ...rest });

async function copyAt(nvim: Nvim, row: number, keys = 'Y'): Promise<void> {
  await nvim.feed('<Esc><C-w>k');
  await nvim.waitForLua('the transcript', `return vim.b.sidekicks and vim.b.sidekicks.kind == 'transcript'`);
  await nvim.feed(`${row}G0${keys}`);
}

const register = (nvim: Nvim) => nvim.lua(`return { vim.fn.getreg('"', 1, true), vim.fn.getregtype('"') }`);

describeNvim('copying', ({ start, place, version }) => {
  it('takes exactly the lines of a code block, into the register and by one sequence to the terminal (B24)', async () => {
    const nvim = await start();
    const lines = ['naïve 日本 😀', '', '\ttab'];
    await StandIn.open(nvim, [block('h', 'header', ['‣ Bob']), fenced('c', lines)]);
    await copyAt(nvim, 3);
    await nvim.waitForScreen('3 lines copied');
    expect(await register(nvim)).toEqual([lines, 'V']);
    const writes = await nvim.waitFor(
      'the sequence',
      () => nvim.clipboardWrites().length > 0 && nvim.clipboardWrites(),
    );
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatchObject({ selection: 'c', text: lines.join('\n') });
    expect(writes[0]?.payload).toBe(Buffer.from(lines.join('\n')).toString('base64'));
  });

  it('leaves the indent of a list out, and takes a fence line for its block', async () => {
    const nvim = await start();
    const rows = ['  ```text', '  first', '    second', '', '  ```'];
    const indented = block('c', 'code', rows, { lang: 'text', copy: [1, 4], offsets: [2, 2, 2, 0, 2] });
    await StandIn.open(nvim, [block('p', 'prose', ['- item']), indented]);
    await copyAt(nvim, 2);
    await nvim.waitForScreen('3 lines copied');
    expect(await register(nvim)).toEqual([['first', '  second', ''], 'V']);
  });

  it('takes a label alone, prose alone, and nothing between', async () => {
    const nvim = await start();
    const gap = block('g', 'gap', ['']);
    await StandIn.open(nvim, [block('h', 'header', ['‣ Bob']), gap, block('p', 'prose', ['one', 'two'])]);
    await copyAt(nvim, 1);
    await nvim.waitForScreen('1 line copied');
    expect(await register(nvim)).toEqual([['‣ Bob'], 'V']);
    await nvim.feed('4GY');
    await nvim.waitForScreen('2 lines copied');
    expect(await register(nvim)).toEqual([['one', 'two'], 'V']);
    await nvim.feed('2GY');
    await nvim.waitForScreen('nothing to copy');
    expect(await register(nvim)).toEqual([['one', 'two'], 'V']);
  });

  it('takes what has come of a block that is still growing', async () => {
    const nvim = await start();
    const open = block('c', 'code', ['```text', 'one'], { lang: 'text', copy: [1, 1_000_000], open: true });
    const host = await StandIn.open(nvim, [open]);
    await host.patch([{ op: 'grow', at: 0, row: 1, rows: ['one', 'two'], marks: [] }]);
    await copyAt(nvim, 2);
    await nvim.waitForScreen('2 lines copied');
    expect(await register(nvim)).toEqual([['one', 'two'], 'V']);
  });

  it('takes a selection as it is', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [block('p', 'prose', ['one two', 'three four'])]);
    await copyAt(nvim, 1, 'wvjY');
    await nvim.waitForScreen('2 lines copied');
    expect(await register(nvim)).toEqual([['two', 'three'], 'V']);
    expect(await nvim.mode()).toBe('n');
  });

  it('says that a text is too long for the terminal, and keeps it in the register', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [
      fenced(
        'c',
        Array.from({ length: 200 }, () => 'x'.repeat(999)),
      ),
    ]);
    await copyAt(nvim, 2);
    await nvim.waitForScreen('too long');
    expect(nvim.clipboardWrites()).toEqual([]);
    expect(await nvim.lua(`return #vim.fn.getreg('"')`)).toBe(200_000);
  });

  it('sends a text of the last length that fits whole', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [fenced('c', ['y'.repeat(74_994)])]);
    await copyAt(nvim, 2);
    const [write] = await nvim.waitFor(
      'the sequence',
      () => nvim.clipboardWrites().length > 0 && nvim.clipboardWrites(),
    );
    expect(write?.text).toBe('y'.repeat(74_994));
  });

  it('keeps NUL characters', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [fenced('c', ['a\0b', 'c'])]);
    await copyAt(nvim, 2);
    const [write] = await nvim.waitFor(
      'the sequence',
      () => nvim.clipboardWrites().length > 0 && nvim.clipboardWrites(),
    );
    expect(write?.text).toBe('a\0b\nc');
    expect(await register(nvim)).toEqual([['a\nb', 'c'], 'V']);
  });

  it('sends one sequence also where every yank goes to the clipboard, and what is pasted is what was copied', async () => {
    const nvim = await start();
    await nvim.lua(`
      vim.o.clipboard = 'unnamedplus'
      local kept = {}
      local function copy(lines, type) kept = { lines, type } end
      local function paste() return kept end
      vim.g.clipboard = { name = 'kept', copy = { ['+'] = copy, ['*'] = copy }, paste = { ['+'] = paste, ['*'] = paste } }`);
    await StandIn.open(nvim, [fenced('c', ['one', 'two'])]);
    await copyAt(nvim, 2);
    await nvim.waitFor('the sequence', () => nvim.clipboardWrites().length > 0);
    await nvim.waitForScreen('2 lines copied');
    expect(nvim.clipboardWrites()).toHaveLength(1);
    await nvim.command('enew | normal! p');
    expect(await nvim.lua(`return vim.api.nvim_buf_get_lines(0, 0, -1, false)`)).toEqual(['', 'one', 'two']);
  });

  it('takes the last code block, or the n-th last, from anywhere', async () => {
    const nvim = await start();
    await StandIn.open(nvim, [fenced('a', ['first']), block('p', 'prose', ['text']), fenced('b', ['second', 'too'])]);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks copy');
    await nvim.waitForScreen('2 lines copied');
    expect(await register(nvim)).toEqual([['second', 'too'], 'V']);
    await nvim.command('Sidekicks copy 2');
    await nvim.waitForScreen('1 line copied');
    expect(await register(nvim)).toEqual([['first'], 'V']);
    await nvim.command('Sidekicks copy 3');
    await nvim.waitForScreen('nothing to copy');
  });

  it('reaches a real terminal', async () => {
    const terminal = await NvimTerminal.start({ version, place: place() });
    await terminal.lua(`require('sidekicks.clipboard').copy_lines({ 'naïve 日本 😀', '' })`);
    const writes = await terminal.waitFor(
      'the sequence',
      () => terminal.clipboardWrites().length > 0 && terminal.clipboardWrites(),
    );
    expect(writes.map(({ selection, text }) => [selection, text])).toEqual([['c', 'naïve 日本 😀\n']]);
    await terminal.dispose();
  });

  it('goes to the provider where there is no terminal', async () => {
    const nvim = await start();
    await nvim.lua(`
      vim.g.clipboard = {
        name = 'kept',
        copy = { ['+'] = function(lines) kept = lines end, ['*'] = function() end },
        paste = { ['+'] = function() return kept end, ['*'] = function() return {} end },
      }
      vim.api.nvim_list_uis = function() return {} end
      require('sidekicks.clipboard').copy_lines({ 'one', 'two' })`);
    expect(await nvim.lua('return kept')).toEqual(['one', 'two', '']);
    expect(nvim.clipboardWrites()).toEqual([]);
  });
});
