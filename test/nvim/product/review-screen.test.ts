// Review of what agents changed (SPEC 9): in place, in the quickfix list, accepted, rejected, restored, as a person does it.
import { unlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { goToTranscript, startWith, type Setting } from './person.ts';

const NUMBERS = '1\n2\n3\n4\n5\n6\n7\n8\n';
const CHANGED = '1\nTWO\n3\n4\n6\n7\n8\nnine\n';
const BOB = { bob: {} };

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');

/** Bob carries out these steps and ends his turn. */
async function does({ sidekicks }: Setting, ...steps: Step[]): Promise<string> {
  const { id } = await sidekicks.direct('bob');
  await sidekicks.ask(id, script(...steps));
  return id;
}

const wrote = (path: string, content: string): Step => ({ op: 'disk_write', path, content });

const told = (nvim: Nvim, words: string) =>
  nvim.waitForLua(words, `return vim.fn.execute('messages'):gsub('\\n', ''):find(..., 1, true) ~= nil`, words);

/** What is drawn in the current buffer: row (from 1), sign, the lines that are gone. */
const drawn = (nvim: Nvim) =>
  nvim.lua<[number, string, string[]][]>(`
    local space = vim.api.nvim_get_namespaces()['sidekicks.review']
    if not space then return {} end
    return vim.tbl_map(function(mark)
      local gone = vim.tbl_map(function(row)
        return vim.trim(row[1][1])
      end, mark[4].virt_lines or {})
      return { mark[2] + 1, vim.trim(mark[4].sign_text or ''), gone }
    end, vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }))`);

async function waitForDrawn(nvim: Nvim, expected: readonly (readonly [number, string, string[]])[]): Promise<void> {
  const wanted = JSON.stringify(expected);
  await nvim.waitFor(`the marks ${wanted}`, async () => JSON.stringify(await drawn(nvim)) === wanted);
}

/** The text of the quickfix window. */
const listed = (nvim: Nvim) =>
  nvim.lua<string[]>(`return vim.api.nvim_buf_get_lines(vim.fn.getqflist({ qfbufnr = 0 }).qfbufnr, 0, -1, false)`);

const time = /\d\d:\d\d/;

async function openList(nvim: Nvim): Promise<string[]> {
  await nvim.command('Sidekicks changes');
  await nvim.waitForLua('the list', `return vim.bo.buftype == 'quickfix'`);
  return (await listed(nvim)).map((line) => line.replace(time, 'HH:MM'));
}

describeNvim('what an agent changed', (ground) => {
  it('is shown in place: signs, changed lines, and above them those that are gone', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': 'b\n' }, args: ['a.txt'] });
    const { nvim } = setting;
    await does(setting, wrote('a.txt', CHANGED));
    await waitForDrawn(nvim, [
      [2, '~', ['2']],
      [5, '-', ['5']],
      [8, '+', []],
    ]);
    await nvim.waitForScreen(/~ TWO/);
    expect(nvim.screen.text()).toMatch(/^ *1 *\n *2 *\n~ TWO *\n *3 *\n *4 *\n *5 *\n- 6 *\n *7 *\n *8 *\n\+ nine/m);
    const group = `return vim.api.nvim_get_hl(0, { name = ... }).link`;
    expect(await nvim.lua(group, 'SidekicksAddedLine')).toBe('DiffAdd');
    expect(await nvim.lua(group, 'SidekicksRemovedLine')).toBe('DiffDelete');

    // The marks follow what is typed, outlive :edit and splits, and are in no other buffer.
    await nvim.feed('ggOabove<Esc>');
    await waitForDrawn(nvim, [
      [3, '~', ['2']],
      [6, '-', ['5']],
      [9, '+', []],
    ]);
    await nvim.command('write | edit | split');
    expect(await drawn(nvim)).toHaveLength(3);
    await nvim.command('edit b.txt');
    expect(await drawn(nvim)).toEqual([]);
    // Undone by hand, a hunk is gone by itself.
    await nvim.command('buffer a.txt | call setline(3, "2")');
    await waitForDrawn(nvim, [
      [6, '-', ['5']],
      [9, '+', []],
    ]);
  });

  it('is gone through, accepted and rejected at the cursor, by maps of one’s own', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, sidekicks } = setting;
    for (const [key, name] of [
      [']h', 'next'],
      ['[h', 'prev'],
      ['ga', 'accept'],
      ['gr', 'reject'],
    ]) {
      await nvim.command(`map ${key} <Plug>(sidekicks-change-${name})`);
    }
    await does(setting, wrote('a.txt', CHANGED));
    await nvim.waitFor('the marks', async () => (await drawn(nvim)).length === 3);
    const line = () => nvim.lua<number>(`return vim.fn.line('.')`);
    await nvim.feed('gg]h');
    expect(await line()).toBe(2);
    await nvim.feed('2]h');
    expect(await line()).toBe(8);
    await nvim.feed(']h');
    await told(nvim, 'no further change below');
    await nvim.feed('[h');
    expect(await line()).toBe(5);
    // Lines that are gone are meant from the line above them too.
    await nvim.feed('kgr');
    await told(nvim, 'rejected: 1 change in a.txt (not saved yet)');
    expect(await lines(nvim)).toEqual(['1', 'TWO', '3', '4', '5', '6', '7', '8', 'nine']);
    await waitForDrawn(nvim, [
      [2, '~', ['2']],
      [9, '+', []],
    ]);
    await nvim.feed('2Gga');
    await told(nvim, 'accepted: 1 change in a.txt');
    await waitForDrawn(nvim, [[9, '+', []]]);
    await nvim.feed('3Ggr');
    await told(nvim, 'no agent changed anything here');
    await nvim.feed('GVgr');
    await waitForDrawn(nvim, []);
    expect(await lines(nvim)).toEqual(['1', 'TWO', '3', '4', '5', '6', '7', '8']);
    expect((await sidekicks.call('ChangesService.List', {})).turns).toEqual([]);
    await nvim.command('Sidekicks changes');
    await told(nvim, 'there is nothing to review');
    // One undo step each.
    await nvim.feed('u');
    expect(await lines(nvim)).toHaveLength(9);
  });

  it('is taken by a range, and with ! all of the file; another file stays', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': 'b\n' }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await does(setting, wrote('a.txt', CHANGED), { op: 'write', path: own.path('b.txt'), content: 'B\n' });
    await nvim.waitFor('the marks', async () => (await drawn(nvim)).length === 3);
    await nvim.command('1,5Sidekicks accept');
    await waitForDrawn(nvim, [[8, '+', []]]);
    expect(await lines(nvim)).toEqual(['1', 'TWO', '3', '4', '6', '7', '8', 'nine']);
    await nvim.command('Sidekicks! reject');
    await waitForDrawn(nvim, []);
    expect(await lines(nvim)).toEqual(['1', 'TWO', '3', '4', '6', '7', '8']);
    const { turns } = await sidekicks.call('ChangesService.List', {});
    expect(turns.flatMap(({ files }) => files.map(({ path }) => path))).toEqual([own.path('b.txt')]);
  });

  it('is listed by turn, file and hunk in the quickfix list, where keys accept, reject and open', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await does(setting, wrote('a.txt', CHANGED), { op: 'write', path: own.path('new.txt'), content: 'hi\nyou\n' });
    expect(await openList(nvim)).toEqual([
      '‣ bob · HH:MM · 2 files +4 −2',
      '  a.txt +2 −2',
      '       2  +1 −1  TWO',
      '       5  −1  5',
      '       8  +1  nine',
      '  new.txt · new +2',
      '       1  +2  hi',
    ]);
    expect(await nvim.lua(`return vim.fn.line('.')`)).toBe(3);
    await nvim.feed(']c<CR>');
    expect(await nvim.lua(`return { vim.fn.bufname(), vim.fn.line('.') }`)).toEqual(['a.txt', 5]);
    await nvim.command('cnext');
    expect(await nvim.lua(`return vim.fn.line('.')`)).toBe(8);

    await nvim.command('copen');
    await nvim.feed('4Gr');
    await told(nvim, 'rejected: 1 change in a.txt');
    await nvim.waitFor('the shorter list', async () => (await listed(nvim)).length === 6);
    expect(await nvim.bufferLines('a.txt')).toEqual(['1', 'TWO', '3', '4', '5', '6', '7', '8', 'nine']);
    // A heading stands for all below it.
    await nvim.feed('2Ga');
    await told(nvim, 'accepted: 2 changes in a.txt');
    await nvim.waitFor('the shorter list', async () => (await listed(nvim)).length === 3);
    await nvim.feed('2Gr');
    await told(nvim, 'rejected: 1 change in new.txt (on disk, as it is open nowhere)');
    await nvim.waitFor('the empty list', async () => (await listed(nvim))[0] === 'there is nothing to review');
    expect((await sidekicks.call('ChangesService.List', {})).turns).toEqual([]);
    expect(await nvim.lua(`return vim.fn.filereadable('new.txt')`)).toBe(0);

    // The keys belong to this list alone.
    const keys = `return vim.tbl_map(function(map) return map.lhs end, vim.api.nvim_buf_get_keymap(0, 'n'))`;
    expect(await nvim.lua(keys)).toContain('R');
    await nvim.command(`call setqflist([], ' ', {'title': 'other', 'items': [{'filename': 'a.txt', 'lnum': 1}]})`);
    expect(await nvim.lua(keys)).not.toContain('R');
    await nvim.feed('<CR>');
    expect(await nvim.lua(`return vim.fn.bufname()`)).toBe('a.txt');
  });

  it('of several turns in one place is shown and rejected from the newest on, and accepted as a whole', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim } = setting;
    await does(setting, wrote('a.txt', NUMBERS.replace('2', 'two')));
    await does(setting, wrote('a.txt', NUMBERS.replace('2', 'TWO')));
    await waitForDrawn(nvim, [[2, '~', ['two']]]);
    await nvim.command('2Sidekicks reject');
    await waitForDrawn(nvim, [[2, '~', ['2']]]);
    expect((await lines(nvim))[1]).toBe('two');
    await nvim.command('2Sidekicks accept');
    await waitForDrawn(nvim, []);
    expect((await lines(nvim))[1]).toBe('two');
  });

  it('is undone by turn, but for what was changed since, which is listed', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own } = setting;
    await does(setting, wrote('a.txt', CHANGED), { op: 'write', path: own.path('new.txt'), content: 'hi\n' });
    await nvim.command('call setline(2, "mine")');
    await nvim.command('Sidekicks restore');
    await nvim.waitForScreen(/Undo what bob did at \d\d:\d\d in 2 files\?/);
    await nvim.feed('2<CR>');
    await told(nvim, 'except for 1 change; see the quickfix list');
    expect(await nvim.bufferLines('a.txt')).toEqual(['1', 'mine', '3', '4', '5', '6', '7', '8']);
    expect(await nvim.lua(`return vim.fn.filereadable('new.txt')`)).toBe(0);
    expect(await nvim.lua(`return vim.fn.bufname()`)).toBe('a.txt');
    const refused = await nvim.lua(
      `return vim.tbl_map(function(item) return { vim.fn.bufname(item.bufnr), item.lnum, item.text } end, vim.fn.getqflist())`,
    );
    expect(refused).toEqual([['a.txt', 2, 'the lines were changed since']]);
  });

  it('is reviewed from the conversation, which says that something waits', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, sidekicks } = setting;
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, script({ op: 'text', text: 'first' }, wrote('a.txt', CHANGED)));
    await nvim.waitForScreen(/1 file to review: gr/);
    await goToTranscript(nvim);
    await nvim.feed('Ggr');
    await nvim.waitForLua('the list', `return vim.bo.buftype == 'quickfix'`);
    expect((await listed(nvim))[0]).toMatch(/^‣ bob · \d\d:\d\d · 1 file \+2 −2$/);
    await nvim.feed('<C-w>p');
    await nvim.command('Sidekicks restore');
    await told(nvim, 'undone: what bob did at');
    expect(await nvim.bufferLines('a.txt')).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    await nvim.waitFor('no notice', () => !nvim.screen.text().includes('file to review'));
  });

  it('is refused by a read-only buffer, and rejected on disk where the buffer was wiped', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': 'b\n' }, args: ['a.txt'] });
    const { nvim, own } = setting;
    nvim.allowErrors(/read-only/);
    await does(setting, wrote('a.txt', CHANGED));
    await nvim.waitFor('the marks', async () => (await drawn(nvim)).length === 3);
    await nvim.command('set readonly | 2Sidekicks reject');
    await told(nvim, 'a.txt is read-only');
    expect((await lines(nvim))[1]).toBe('TWO');
    await nvim.command('edit b.txt | bwipeout! a.txt');
    await openList(nvim);
    await nvim.feed('2Gr');
    await told(nvim, 'rejected: 3 changes in a.txt (on disk, as it is open nowhere)');
    expect(own.read('a.txt')).toBe(NUMBERS);
  });

  it('is drawn whole where there are thousands of hunks; long removed text is cut, with its true size', async () => {
    const before = Array.from({ length: 8000 }, (_, index) => `line ${index}`);
    const after = before.map((line, index) => (index % 2 === 0 ? `${line} changed` : line));
    const gone = Array.from({ length: 500 }, (_, index) => `gone ${index}\t${'x'.repeat(1000)}`);
    const setting = await startWith(ground, BOB, {
      files: { 'a.txt': `${before.join('\n')}\n`, 'b.txt': `${gone.join('\n')}\nkept\n` },
      args: ['a.txt'],
    });
    const { nvim } = setting;
    await nvim.command('set hidden | edit b.txt | buffer a.txt');
    await does(setting, wrote('a.txt', `${after.join('\n')}\n`), wrote('b.txt', 'kept\n'));
    await nvim.waitFor('all marks', async () => (await drawn(nvim)).length === 4000);
    await nvim.command('buffer b.txt');
    const [[row, sign, removed] = []] = await drawn(nvim);
    expect([row, sign, removed?.length]).toEqual([1, '-', 24]);
    expect(removed?.at(-1)).toBe('… 477 more lines removed');
    expect(removed?.[0]?.length).toBeLessThan(500);
    await nvim.waitForScreen('gone 0');
    await nvim.command('buffer a.txt | Sidekicks! accept');
    await told(nvim, 'accepted: 4000 changes in a.txt');
    await waitForDrawn(nvim, []);
  });

  it('is drawn in a file that is opened later, and rejected there also once the file is gone from disk', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': 'a\n', 'b.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own } = setting;
    await does(setting, { op: 'write', path: own.path('b.txt'), content: CHANGED });
    await nvim.command('edit b.txt');
    await waitForDrawn(nvim, [
      [2, '~', ['2']],
      [5, '-', ['5']],
      [8, '+', []],
    ]);
    unlinkSync(own.path('b.txt'));
    await nvim.command('Sidekicks! reject');
    await told(nvim, 'rejected: 3 changes in b.txt');
    expect(await lines(nvim)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  });
});
