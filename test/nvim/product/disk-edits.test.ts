// Agents that write straight to disk, as most do: what they write is in the buffer, and no text and no undo is lost (SPEC 9).
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';

const NUMBERS = '1\n2\n3\n4\n5\n';
const BOB = { bob: {} };

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
const isModified = (nvim: Nvim) => nvim.lua<boolean>('return vim.bo.modified');

/** Nothing Neovim says of changed files was said, and it waits for no key. */
async function expectNoQuestion(nvim: Nvim): Promise<void> {
  const messages = await nvim.lua<string>(`return vim.fn.execute('messages')`);
  expect(messages).not.toMatch(/W1[126]|E37|E211|E325|WARNING|changed since/);
  expect((await nvim.lua<{ blocking: boolean }>('return vim.api.nvim_get_mode()')).blocking).toBe(false);
}

/** Bob carries out these steps and ends his turn. */
async function does({ sidekicks }: Setting, ...steps: Step[]): Promise<string> {
  const { id } = await sidekicks.direct('bob');
  await sidekicks.ask(id, script(...steps));
  return id;
}

describeNvim('an agent that writes straight to disk', (ground) => {
  it('is followed by a clean buffer, in one undo step; it stays unmodified', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim } = setting;
    await nvim.feed('4Gl');
    await does(setting, { op: 'disk_write', path: 'a.txt', content: 'new\n1\n2\n3\nFOUR\n5\n' });
    expect(await lines(nvim)).toEqual(['new', '1', '2', '3', 'FOUR', '5']);
    expect(await isModified(nvim)).toBe(false);
    await nvim.command('checktime');
    await expectNoQuestion(nvim);
    await nvim.command('write');
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['1', '2', '3', '4', '5']);
    expect(await isModified(nvim)).toBe(true);
    await expectNoQuestion(nvim);
  });

  it('is merged with unsaved text, which stays unsaved; looking and writing ask nothing', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own } = setting;
    await nvim.command('call setline(1, "mine")');
    await does(setting, { op: 'disk_write', path: 'a.txt', content: '1\n2\n3\n4\nFIVE\n' });
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', 'FIVE']);
    expect(await isModified(nvim)).toBe(true);
    await nvim.command('checktime | doautocmd FocusGained');
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', '5']);
    await nvim.command('redo | write');
    expect(own.read('a.txt')).toBe('mine\n2\n3\n4\nFIVE\n');
    await expectNoQuestion(nvim);
  });

  it('to lines with unsaved text leaves the buffer as it is and is listed; the person is told once', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.command('call setline(2, "mine")');
    const channel = await does(
      setting,
      { op: 'disk_write', path: 'a.txt', content: '1\nTWO\n3\n4\n5\n' },
      {
        op: 'tool_call',
        toolCallId: 'a',
        title: 'Edit',
        status: 'completed',
        locations: [{ path: own.path('a.txt') }],
      },
      { op: 'disk_write', path: 'a.txt', content: '1\nTWO\n3\n4\n5\n6\n' },
    );
    expect(await lines(nvim)).toEqual(['1', 'mine', '3', '4', '5']);
    expect(await isModified(nvim)).toBe(true);
    const { conflicts } = await sidekicks.call('ChangesService.List', { channel });
    expect(conflicts).toMatchObject([{ channel, agent: 'bob', path: own.path('a.txt') }]);
    const id = conflicts[0]?.id ?? '';
    expect(await sidekicks.call('ViewService.Conflict', { id })).toMatchObject({
      base: NUMBERS,
      theirs: '1\nTWO\n3\n4\n5\n6\n',
    });
    const messages = await nvim.lua<string>(`return vim.fn.execute('messages')`);
    expect(messages.match(/changed the same lines/g)).toHaveLength(1);
    await nvim.command('checktime');
    await expectNoQuestion(nvim);
    await sidekicks.call('ViewService.ResolveConflict', { id, choice: 'theirs' });
    expect(await lines(nvim)).toEqual(['1', 'TWO', '3', '4', '5', '6']);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['1', 'mine', '3', '4', '5']);
    await nvim.command('write');
    await expectNoQuestion(nvim);
  });

  it('while the person writes and types on, and nothing of either is lost', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(
      id,
      script({ op: 'text', text: 'begun' }, gate(own, 'one'), {
        op: 'disk_write',
        path: 'a.txt',
        content: 'saved\n2\n3\n4\nFIVE\n',
      }),
    );
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    await nvim.command('call setline(1, "saved") | write | call setline(1, "saved, and on")');
    openGate(own, 'one');
    await sidekicks.waitUntilIdle(id);
    expect(await lines(nvim)).toEqual(['saved, and on', '2', '3', '4', 'FIVE']);
    const { turns, conflicts } = await sidekicks.call('ChangesService.List', {});
    expect(conflicts).toEqual([]);
    expect(turns[0]?.files[0]?.hunks).toEqual([{ line: 5, oldLines: ['5'], newLines: ['FIVE'] }]);
    await nvim.command('write');
    await expectNoQuestion(nvim);
  });

  it('by emptying the file first, as most programs do, is one step', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own } = setting;
    await nvim.command('call setline(1, "mine")');
    await does(
      setting,
      { op: 'text', text: 'begun' },
      { op: 'disk_write', path: 'a.txt', content: '' },
      { op: 'wait', ms: 50 },
      { op: 'disk_write', path: 'a.txt', content: '1\n2\n3\n4\nFIVE\n' },
    );
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', 'FIVE']);
    expect(await nvim.messages()).not.toMatch(/changed the same lines/);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', '5']);
    expect(own.read('a.txt')).toBe('1\n2\n3\n4\nFIVE\n');
  });

  it('by rename, twice in the same second with the same size, and again after deleting', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': 'one\n' }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    const same = 1_700_000_000;
    for (const text of ['two', 'six', 'ten']) {
      writeFileSync(own.path('b.tmp'), `${text}\n`);
      utimesSync(own.path('b.tmp'), same, same);
      renameSync(own.path('b.tmp'), own.path('a.txt'));
      await nvim.waitFor(`${text} in the buffer`, async () => (await lines(nvim))[0] === text);
    }
    for (const text of ['TWO', 'SIX']) {
      writeFileSync(own.path('a.txt'), `${text}\n`);
      utimesSync(own.path('a.txt'), same, same);
      await nvim.waitFor(`${text} in the buffer`, async () => (await lines(nvim))[0] === text);
    }
    await nvim.lua('vim.uv.fs_unlink(...)', own.path('a.txt'));
    await nvim.command('checktime');
    expect(await lines(nvim)).toEqual(['SIX']);
    writeFileSync(own.path('a.txt'), 'back\n');
    await nvim.waitFor('what came back', async () => (await lines(nvim))[0] === 'back');
    openGate(own, 'end');
    await sidekicks.waitUntilIdle(id);
    expect(await isModified(nvim)).toBe(false);
    for (const text of ['SIX', 'TWO', 'ten', 'six', 'two', 'one']) {
      await nvim.command('undo');
      expect(await lines(nvim)).toEqual([text]);
    }
    await expectNoQuestion(nvim);
  });

  it('and Neovim looks first, with "autoread" off', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.command('set noautoread hidden | call setline(1, "mine") | edit b.txt | buffer a.txt');
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    await nvim.lua(
      `for _, name in ipairs({ ... }) do
        vim.fn.writefile({ '1', '2', '3', '4', 'FIVE' }, name)
      end
      vim.cmd('checktime')`,
      own.path('a.txt'),
      own.path('b.txt'),
    );
    openGate(own, 'end');
    await sidekicks.waitUntilIdle(id);
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', 'FIVE']);
    expect(await nvim.bufferLines('b.txt')).toEqual(['1', '2', '3', '4', 'FIVE']);
    await nvim.command('write | buffer b.txt');
    expect(await isModified(nvim)).toBe(false);
    await expectNoQuestion(nvim);
  });

  it('makes a file whose buffer was opened before: without a question, beside unsaved text or not', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    await nvim.command('set hidden | edit clean.lua | edit mine.txt | call setline(1, "mine")');
    await sidekicks.call('ChangesService.List', {}); // the host has heard of both buffers before
    for (const file of ['clean.lua', 'mine.txt']) own.write(file, 'bob\n');
    openGate(own, 'end');
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.bufferLines('clean.lua')).toEqual(['bob']);
    expect(await lines(nvim)).toEqual(['mine']);
    expect(await isModified(nvim)).toBe(true);
    const { conflicts } = await sidekicks.call('ChangesService.List', {});
    expect(conflicts).toMatchObject([{ path: own.path('mine.txt') }]);
    await nvim.command('checktime | write');
    expect(own.read('mine.txt')).toBe('mine\n');
    await nvim.command('buffer clean.lua | checktime');
    expect(await nvim.lua('return { vim.bo.filetype, vim.bo.modified }')).toEqual(['lua', false]);
    await expectNoQuestion(nvim);
  });

  it('leaves marks of plugins and the way back through the undo as they were beside unsaved text', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim } = setting;
    await nvim.command('call setline(1, "mine") | let &undolevels = &undolevels | call setline(2, "and mine")');
    await nvim.lua(
      `local space = vim.api.nvim_create_namespace('another.plugin')
      vim.api.nvim_buf_set_extmark(0, space, 2, 0, { end_col = 1, hl_group = 'Search' })
      vim.api.nvim_buf_set_mark(0, 'a', 4, 0, {})`,
    );
    const marks = `
      local space = vim.api.nvim_create_namespace('another.plugin')
      local found = vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })
      return { found[1][2], found[1][3], found[1][4].end_col, vim.fn.line("'a") }`;
    await does(setting, { op: 'disk_write', path: 'a.txt', content: '1\n2\n3\n4\nFIVE\n' });
    expect(await lines(nvim)).toEqual(['mine', 'and mine', '3', '4', 'FIVE']);
    expect(await nvim.lua(marks)).toEqual([2, 0, 1, 4]);
    for (const first of [
      ['mine', 'and mine', '5'],
      ['mine', '2', '5'],
      ['1', '2', '5'],
    ]) {
      await nvim.command('undo');
      const now = await lines(nvim);
      expect([now[0], now[1], now[4]]).toEqual(first);
    }
    await nvim.command('redo | redo | redo | write');
    await expectNoQuestion(nvim);
  });
});
