// What a person sees of a conversation while patches arrive: text, colours, folds, and a view that does not move.
import { expect, it } from 'vitest';
import type { Block, PatchOperation } from '../../src/core/contract/shapes.ts';
import { block, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const prose = (id: string, count: number, word = 'row'): Block =>
  block(
    id,
    'prose',
    Array.from({ length: count }, (_, index) => `${id} ${word} ${index + 1}`),
  );

const splice = (at: number, remove: number, ...blocks: Block[]): PatchOperation => ({
  op: 'splice',
  at,
  remove,
  blocks,
});

const grow = (at: number, row: number, rows: string[]): PatchOperation => ({ op: 'grow', at, row, rows, marks: [] });

/** Goes to the transcript's window, as `<C-w>k` from the input does. */
async function enterTranscript(nvim: Nvim): Promise<void> {
  await nvim.feed('<Esc><C-w>k');
  await nvim.waitForLua('the transcript', `return vim.b.sidekicks and vim.b.sidekicks.kind == 'transcript'`);
}

/** The text rows of the transcript's window on the screen. */
const shown = (nvim: Nvim, pattern: RegExp): string[] =>
  nvim.screen
    .text()
    .split('\n')
    .flatMap((row) => pattern.exec(row)?.[0] ?? []);

describeNvim('transcript', ({ start }) => {
  it('draws blocks with their colours, the time at the right border, and nothing a person could change', async () => {
    const nvim = await start();
    const header = block('h', 'header', ['Bob'], { marks: [[0, 0, -1, 'speaker']], right: '12:30' });
    const body = block('p', 'prose', ['some strong words'], { marks: [[0, 5, 11, 'strong']] });
    const host = await StandIn.open(nvim, [header, body]);
    await nvim.waitForScreen('some strong words');
    expect(nvim.screen.groupsOf('12:30')).toContain('Comment');
    expect(nvim.screen.attrOf('strong words')).toMatchObject({ bold: true });
    expect(nvim.screen.attrOf('some strong')).not.toMatchObject({ bold: true });
    expect(nvim.screen.row(nvim.screen.find('12:30')?.row ?? 0)).toMatch(/12:30$/);
    await enterTranscript(nvim);
    nvim.allowErrors(/E21/);
    await nvim.feed('ddu');
    expect(await host.rows()).toEqual(['Bob', 'some strong words']);
  });

  it('is at its end, with the window full, when its tab page comes back after it has grown', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 3)]);
    await nvim.waitForScreen('a row 3');
    await nvim.feed('<Esc>');
    await nvim.command('tabnew');
    await host.patch([splice(1, 0, prose('b', 80))]);
    await nvim.command('tabprevious');
    await nvim.waitForScreen('b row 80');
    const rows = shown(nvim, /b row \d+/);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.at(-1)).toBe('b row 80');
  });

  it('carries splices and growth to the right rows, also in the middle', async () => {
    const nvim = await start();
    const open = block('b', 'prose', ['first'], { open: true });
    const host = await StandIn.open(nvim, [prose('a', 2), open, prose('c', 1)]);
    await host.patch([grow(1, 0, ['first longer', 'second'])]);
    await host.patch([splice(0, 1, prose('x', 1)), grow(1, 1, ['second too', 'third'])]);
    expect(await host.rows()).toEqual(['x row 1', 'first longer', 'second too', 'third', 'c row 1']);
    await host.patch([splice(0, 3)]);
    expect(await host.rows()).toEqual(['']);
    await host.patch([splice(0, 0, prose('n', 2))]);
    expect(await host.rows()).toEqual(['n row 1', 'n row 2']);
  });

  it('takes the colours of replaced rows away', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [block('a', 'prose', ['strong'], { marks: [[0, 0, -1, 'strong']] })]);
    await nvim.waitForScreen('strong');
    await host.patch([splice(0, 1, block('a', 'prose', ['plain now']))]);
    await nvim.waitForScreen('plain now');
    expect(nvim.screen.attrOf('plain now')).not.toMatchObject({ bold: true });
  });

  it('follows the end while somebody types elsewhere, and nothing of what they write moves', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [block('s', 'prose', ['line 0'], { open: true })]);
    await nvim.feed('my next');
    for (let row = 1; row <= 100; row += 1) await host.patch([grow(0, row, [`line ${row}`])]);
    await nvim.feed(' question');
    await nvim.waitForScreen('line 100');
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['my next question']);
    expect(await nvim.mode()).toBe('i');
    expect(nvim.screen.find('line 99')).toBeDefined();
  });

  it('shows the end of a last row that is wrapped over many screen rows', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 60), block('s', 'prose', [''], { open: true })]);
    await host.patch([grow(1, 0, [`${'word '.repeat(120)}the very end`])]);
    await nvim.waitForScreen('very end');
    expect(nvim.screen.text()).toContain('a row 60');
  });

  it('moves nothing for somebody who has scrolled up, whatever grows below or comes in above', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 200), block('s', 'prose', ['end'], { open: true })]);
    await enterTranscript(nvim);
    await nvim.feed('80Gzt5j');
    await nvim.waitFor('the cursor', () => nvim.screen.row(nvim.screen.cursor.row).includes('a row 85'));
    const before = shown(nvim, /a row \d+/);
    const cursor = nvim.screen.cursor;
    await host.patch([grow(1, 1, ['more', 'and more'])]);
    await host.patch([splice(0, 0, prose('older', 70))]);
    await host.patch([splice(1, 1, prose('a', 200))]);
    await nvim.waitFor('the cursor', () => nvim.screen.row(nvim.screen.cursor.row).includes('a row 85'));
    expect(shown(nvim, /a row \d+/)).toEqual(before);
    expect(nvim.screen.cursor).toEqual(cursor);
    await nvim.feed('G');
    await host.patch([grow(2, 3, ['the last row'])]);
    await nvim.waitForScreen('the last row');
  });

  it('moves nothing in another window on the same conversation either', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 200), block('s', 'prose', ['end'], { open: true })]);
    await enterTranscript(nvim);
    await nvim.feed(':aboveleft split<CR>50Gzt<C-w>b');
    await nvim.waitForScreen('a row 50');
    const before = shown(nvim, /a row 5\d/);
    await host.patch([grow(1, 1, ['more']), splice(0, 0, prose('older', 30))]);
    await nvim.waitForScreen('more');
    expect(shown(nvim, /a row 5\d/)).toEqual(before);
  });

  it('leaves a selection alone that reaches the end', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 5), block('s', 'prose', ['end'], { open: true })]);
    await enterTranscript(nvim);
    await nvim.feed('GkV');
    await nvim.feed('j');
    await host.patch([grow(1, 1, ['more', 'rows'])]);
    expect(await nvim.lua(`return { vim.fn.line('v'), vim.fn.line('.') }`)).toEqual([5, 6]);
    expect(await nvim.mode()).toBe('V');
  });

  it('asks for older messages when the top is reached, once', async () => {
    const nvim = await start();
    const host = await StandIn.install(nvim);
    await host.hold('ViewService.Older');
    await nvim.command('Sidekicks open bob');
    await host.waitForAsked('ViewService.Open');
    await host.patch([splice(0, 0, prose('a', 200))], { first: true, more: true });
    await enterTranscript(nvim);
    expect(await host.asked('ViewService.Older')).toEqual([]);
    await nvim.feed('gg');
    await host.waitForAsked('ViewService.Older');
    await nvim.feed('<C-e><C-y>');
    await host.patch([splice(0, 0, prose('older', 200))], { more: true });
    await host.release('ViewService.Older', { more: true });
    await nvim.waitForScreen(/a row 1$/m);
    expect(await host.asked('ViewService.Older')).toHaveLength(1);
    await nvim.feed('gg');
    expect(await host.waitForAsked('ViewService.Older', 2)).toHaveLength(2);
  });

  it('fills a window that shows less than there is', async () => {
    const nvim = await start();
    const host = await StandIn.install(nvim, { 'ViewService.Older': { more: false } });
    await nvim.command('Sidekicks open bob');
    await host.waitForAsked('ViewService.Open');
    await host.patch([splice(0, 0, prose('a', 3))], { first: true, more: true });
    await host.waitForAsked('ViewService.Older');
  });

  it('draws all of it anew when a patch is missing', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 3)]);
    await host.patch([splice(1, 0, prose('lost', 1))], { number: 7 });
    await host.waitForAsked('ViewService.Open', 2);
    await host.patch([splice(1, 0, prose('late', 1))]);
    expect(await host.rows()).toEqual(['a row 1', 'a row 2', 'a row 3']);
    await host.patch([splice(0, 0, prose('a', 3), prose('b', 1))], { first: true, number: 1 });
    expect(await host.rows()).toEqual(['a row 1', 'a row 2', 'a row 3', 'b row 1']);
    await host.patch([splice(2, 0, prose('c', 1))]);
    expect(await host.rows()).toHaveLength(5);
  });

  it('is drawn anew where it stands when the host was started again', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 100)]);
    await nvim.lua(`require('sidekicks.host').receive({ { name = 'host:exited', payload = {} } })`);
    expect(await host.rows()).toHaveLength(100);
    await enterTranscript(nvim);
    await nvim.feed('50Gzt');
    await nvim.waitForScreen('a row 50');
    await nvim.lua(`require('sidekicks.host').receive({ { name = 'host:started', payload = {} } })`);
    await host.waitForAsked('ViewService.Open', 2);
    await host.patch([splice(0, 0, prose('a', 100), prose('b', 1))], { first: true, number: 1 });
    expect(await host.rows()).toHaveLength(101);
    expect(await nvim.lua(`return { vim.fn.line('w0'), vim.fn.line('.') }`)).toEqual([50, 50]);
  });

  it('draws what arrives while Neovim lets nobody change text, as soon as it may', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 1)]);
    await nvim.lua(
      `local patch = { channel = 'c1', number = 2, first = false, more = false, operations = ... }
      vim.keymap.set('i', '<F5>', function()
        require('sidekicks.host').receive({ { name = 'view:patch', payload = patch } })
        return ''
      end, { expr = true, buffer = true })`,
      [splice(1, 0, prose('b', 1))],
    );
    await nvim.feed('typed<F5>');
    await nvim.waitFor('the second block', async () => (await host.rows()).length === 2);
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['typed']);
  });

  it('survives a buffer wiped in mid-stream, and shows everything when it is opened again (B23)', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [block('s', 'prose', ['one'], { open: true })]);
    await host.patch([grow(0, 1, ['two'])]);
    await nvim.command('bwipeout! sidekicks://agent/bob');
    await host.waitForAsked('ViewService.Close');
    await host.patch([grow(0, 2, ['three'])]);
    await nvim.command('Sidekicks open bob');
    await host.waitForAsked('ViewService.Open', 2);
    await host.patch([splice(0, 0, prose('s', 20))], { first: true });
    expect(await host.rows()).toHaveLength(20);
    await nvim.waitForScreen('s row 20');
  });
});

describeNvim('folds of a transcript', ({ start }) => {
  const thought = (count: number, rest: Partial<Block> = {}): Block =>
    block('t', 'thought', ['Thought', ...Array.from({ length: count }, (_, index) => `idea ${index + 1}`)], {
      fold: true,
      ...rest,
    });

  it('closes thoughts and leaves them as the person set them while they grow', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 2), thought(3, { open: true }), prose('b', 2)]);
    await nvim.waitForScreen('Thought (4 lines)');
    expect(nvim.screen.text()).not.toContain('idea 1');
    await host.patch([grow(1, 4, ['idea 4', 'idea 5'])]);
    await nvim.waitForScreen('Thought (6 lines)');
    await enterTranscript(nvim);
    await nvim.feed('3Gza');
    await nvim.waitForScreen('idea 5');
    await host.patch([grow(1, 6, ['idea 6'])]);
    await nvim.waitForScreen('idea 6');
    await host.patch([splice(1, 1, thought(7))]);
    await nvim.waitForScreen('idea 7');
    await nvim.feed('za');
    await nvim.waitForScreen('Thought (8 lines)');
    expect(nvim.screen.text()).toContain('b row 1');
  });

  it('folds them in every window, one that opens later too', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [thought(3), prose('b', 2)]);
    await nvim.waitForScreen('Thought (4 lines)');
    await nvim.command('Sidekicks close');
    await host.patch([splice(2, 0, block('u', 'output', ['out 1', 'out 2', 'out 3'], { fold: true }))]);
    await nvim.command('Sidekicks toggle');
    await nvim.waitForScreen('out 1 (3 lines)');
    expect(nvim.screen.text()).toContain('Thought (4 lines)');
    await nvim.command('tab split sidekicks://agent/bob');
    await nvim.waitForLua('folds in the tab page', `return vim.fn.foldclosedend(1)`);
    expect(await nvim.lua(`return { vim.fn.foldclosedend(1), vim.fn.foldclosedend(7) }`)).toEqual([4, 9]);
  });
});

describeNvim('a long transcript', ({ start }) => {
  it('costs no more to add to than a short one', async () => {
    const nvim = await start();
    const host = await StandIn.open(nvim, [prose('a', 3)]);
    const median = await nvim.lua<number[]>(
      `local number = 1
      local host = require('sidekicks.host')
      local function patch(operations)
        number = number + 1
        local payload = { channel = 'c1', number = number, first = false, more = false, operations = operations }
        local start = vim.uv.hrtime()
        host.receive({ { name = 'view:patch', payload = payload } })
        return (vim.uv.hrtime() - start) / 1e6
      end
      local function blocks(count)
        local list = {}
        for index = 1, count do
          list[index] = { id = 'x' .. index, kind = 'prose', rows = { 'a', 'b', '' }, marks = {}, open = false }
        end
        return list
      end
      local function measure(at)
        patch({ { op = 'splice', at = at, remove = 0, blocks = { { id = 's', kind = 'prose', rows = { '' }, marks = {}, open = true } } } })
        local times = {}
        for row = 0, 99 do
          times[row + 1] = patch({ { op = 'grow', at = at, row = row, rows = { ('word '):rep(20), '' }, marks = {} } })
          vim.cmd.redraw()
        end
        table.sort(times)
        return times[50]
      end
      local short = measure(1)
      patch({ { op = 'splice', at = 2, remove = 0, blocks = blocks(10000) } })
      return { short, measure(10002) }`,
    );
    expect(median[1]).toBeLessThan((median[0] ?? 0) * 2 + 1);
    expect(await host.rows()).toHaveLength(3 + 101 + 30_000 + 101);
  });
});
