// Conflicts between a person and an agent (SPEC 9): a three-way diff, resolved by choosing or by editing, as a person does it.
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { startWith, type Setting } from './person.ts';

const NUMBERS = '1\n2\n3\n4\n5\n';
const MINE = ['1', 'mine', '3', '4', '5'];
const BOB = { bob: {} };

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
const tabs = (nvim: Nvim) => nvim.lua<number>('return #vim.api.nvim_list_tabpages()');
const wrote = (path: string, content: string): Step => ({ op: 'disk_write', path, content });

const told = (nvim: Nvim, words: string) =>
  nvim.waitForLua(words, `return vim.fn.execute('messages'):gsub('\\n', ''):find(..., 1, true) ~= nil`, words);

async function does({ sidekicks }: Setting, ...steps: Step[]): Promise<void> {
  const { id } = await sidekicks.direct('bob');
  await sidekicks.ask(id, script(...steps));
}

/** A file whose second line both have changed; the agent has changed the last one too. */
async function inConflict(ground: Parameters<typeof startWith>[0], files: readonly string[] = ['a.txt']) {
  const setting = await startWith(ground, BOB, {
    files: Object.fromEntries(files.map((file) => [file, NUMBERS])),
    args: [...files],
  });
  const { nvim } = setting;
  await nvim.command('set hidden');
  for (const file of files) await nvim.command(`edit ${file} | call setline(2, "mine")`);
  await nvim.command(`buffer ${files[0] ?? ''}`);
  await does(setting, ...files.map((file) => wrote(file, '1\nTWO\n3\n4\n5, five\n')));
  return setting;
}

/** From the list of changes, with <CR> on its first line. */
async function openFirst(nvim: Nvim): Promise<void> {
  await nvim.command('Sidekicks changes');
  await nvim.waitForLua('the list', `return vim.bo.buftype == 'quickfix'`);
  await nvim.feed('gg<CR>');
  await nvim.waitFor('the tab page', async () => (await tabs(nvim)) === 2);
  await nvim.waitForScreen('your text: a.txt');
}

/** What the windows of the tab page show, from left to right. */
const sides = (nvim: Nvim) =>
  nvim.lua<{ lines: string[]; diff: boolean; name: string }[]>(`
    return vim.tbl_map(function(win)
      local buf = vim.api.nvim_win_get_buf(win)
      return { lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false), diff = vim.wo[win].diff,
        name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t') }
    end, vim.api.nvim_tabpage_list_wins(0))`);

const conflicts = async ({ sidekicks }: Setting) => (await sidekicks.call('ChangesService.List', {})).conflicts.length;

describeNvim('a conflict', (ground) => {
  it('is listed first and opens as a three-way diff, whose sides are named; closing it leaves it listed', async () => {
    const setting = await inConflict(ground);
    const { nvim } = setting;
    await openFirst(nvim);
    expect(await sides(nvim)).toEqual([
      { lines: ['1', '2', '3', '4', '5'], diff: true, name: '' },
      { lines: MINE, diff: true, name: 'a.txt' },
      { lines: ['1', 'TWO', '3', '4', '5, five'], diff: true, name: '' },
    ]);
    await nvim.waitForScreen('before: what bob started from');
    await nvim.waitForScreen('what bob wants to write');
    await told(nvim, 'gm keep your text · ga take the agent’s · gs done: as edited');
    // Neovim's own ways of a diff.
    expect(await nvim.lua(`return { vim.fn.bufname(), vim.fn.line('.') }`)).toEqual(['a.txt', 2]);
    await nvim.feed(']c');
    expect(await nvim.lua(`return vim.fn.line('.')`)).toBe(5);

    await nvim.command('tabclose');
    expect(await conflicts(setting)).toBe(1);
    expect(await nvim.lua(`return { vim.wo.diff, vim.fn.maparg('gm', 'n') }`)).toEqual([false, '']);
    await nvim.command('wincmd k');
    expect(await nvim.lua(`return { vim.fn.bufname(), vim.wo.diff, vim.wo.winbar }`)).toEqual(['a.txt', false, '']);
    expect(await lines(nvim)).toEqual(MINE);
  });

  it('is resolved by keeping one’s text, which takes back what was tried meanwhile', async () => {
    const setting = await inConflict(ground);
    const { nvim } = setting;
    await openFirst(nvim);
    await nvim.command('call setline(1, "tried")');
    await nvim.feed('gm');
    await told(nvim, 'resolved; no conflict is left');
    expect([await tabs(nvim), await nvim.bufferLines('a.txt'), await conflicts(setting)]).toEqual([1, MINE, 0]);
    await nvim.command('buffer a.txt | redo');
    expect((await lines(nvim))[0]).toBe('tried');
  });

  it('is resolved by taking the agent’s text, which an undo takes back', async () => {
    const setting = await inConflict(ground);
    const { nvim } = setting;
    await openFirst(nvim);
    await nvim.command('wincmd l');
    await nvim.feed('ga');
    await told(nvim, 'resolved; no conflict is left');
    expect(await nvim.bufferLines('a.txt')).toEqual(['1', 'TWO', '3', '4', '5, five']);
    expect(await conflicts(setting)).toBe(0);
    await nvim.command('buffer a.txt | undo');
    expect(await lines(nvim)).toEqual(MINE);
  });

  it('is resolved by editing, with do and dp, and saying so', async () => {
    const setting = await inConflict(ground);
    const { nvim } = setting;
    await openFirst(nvim);
    await nvim.command('call setline(2, "both")');
    await nvim.feed('Gdo');
    expect((await lines(nvim))[4]).toBe('5, five');
    await nvim.command('wincmd h');
    await nvim.feed('Gdp');
    expect((await sides(nvim))[1]?.lines[4]).toBe('5');
    await nvim.command('wincmd l | wincmd l');
    await nvim.feed('Gdp');
    await nvim.command('wincmd h');
    await nvim.feed('gs');
    await told(nvim, 'resolved; no conflict is left');
    expect(await nvim.bufferLines('a.txt')).toEqual(['1', 'both', '3', '4', '5, five']);
    expect(await nvim.lua(`return vim.fn.getbufvar('a.txt', '&modified')`)).toBe(1);
    expect(await conflicts(setting)).toBe(0);
    await nvim.feed('gm');
    expect(await tabs(nvim)).toBe(1);
  });

  it('is followed by the next one, and maps of one’s own come back', async () => {
    const setting = await inConflict(ground, ['a.txt', 'b.txt']);
    const { nvim } = setting;
    await nvim.command('nnoremap <buffer> ga :echo "own"<CR>');
    await openFirst(nvim);
    await nvim.feed('ga');
    await nvim.waitForScreen('your text: b.txt');
    expect(await nvim.lua(`return vim.fn.maparg('ga', 'n', false, true).desc`)).toContain('Sidekicks');
    await nvim.feed('gm');
    await told(nvim, 'resolved; no conflict is left');
    await nvim.command('buffer a.txt');
    expect(await nvim.lua(`return vim.fn.maparg('ga', 'n')`)).toBe(':echo "own"<CR>');
    expect(await nvim.bufferLines('b.txt')).toEqual(MINE);
  });

  it('keeps the text of a buffer that was thrown away: it is there again when the conflict is opened', async () => {
    const setting = await inConflict(ground);
    const { nvim } = setting;
    await nvim.command('enew | bwipeout! a.txt');
    await openFirst(nvim);
    expect((await sides(nvim))[1]?.lines).toEqual(MINE);
    await told(nvim, 'your text of then is back in its buffer, not saved');
    await nvim.feed('gs');
    await told(nvim, 'resolved; no conflict is left');
    expect(await nvim.bufferLines('a.txt')).toEqual(MINE);
  });

  it('shows what the agent wants to write now, when it writes again', async () => {
    const setting = await inConflict(ground);
    const { nvim } = setting;
    await openFirst(nvim);
    await does(setting, wrote('a.txt', '1\nZWEI\n3\n4\n5, five\n'));
    await nvim.waitFor('the new text', async () => (await sides(nvim))[2]?.lines[1] === 'ZWEI');
  });
});
