// Everything agents changed can be listed, accepted, rejected and restored, whichever way it was written (SPEC 9).
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';
import { answerTo } from './wire.ts';

const NUMBERS = '1\n2\n3\n4\n5\n';
const BOB = { bob: {} };

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');

async function does({ sidekicks }: Setting, agent: string, ...steps: Step[]): Promise<string> {
  const { id } = await sidekicks.direct(agent);
  await sidekicks.ask(id, script(...steps));
  return id;
}

const listOf = ({ sidekicks }: Setting) => sidekicks.call('ChangesService.List', {});

describeNvim('what agents changed', (ground) => {
  it('is listed by turn, with hunks; accepted and rejected one by one; rejecting is one undo step', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    const path = own.path('a.txt');
    const channel = await does(setting, 'bob', { op: 'write', path, content: 'ONE\n2\n3\n4\nFIVE\n' });
    await sidekicks.waitForEvent('changes:changed', (event) => event.channel === channel);
    const [turn] = (await listOf(setting)).turns;
    expect(turn).toMatchObject({ channel, agent: 'bob', files: [{ path, status: 'modified' }] });
    expect(turn?.files[0]?.hunks).toEqual([
      { line: 1, oldLines: ['1'], newLines: ['ONE'] },
      { line: 5, oldLines: ['5'], newLines: ['FIVE'] },
    ]);
    const messageId = turn?.messageId ?? '';
    const { messages } = await sidekicks.conversation(channel);
    expect(messages.find(({ id }) => id === messageId)?.agent).toBe('bob');

    await nvim.command('call append(0, "mine")');
    await sidekicks.call('ChangesService.Reject', { messageId, path, hunk: 1 });
    expect(await lines(nvim)).toEqual(['mine', 'ONE', '2', '3', '4', '5']);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['mine', 'ONE', '2', '3', '4', 'FIVE']);
    await nvim.command('redo');
    expect((await listOf(setting)).turns[0]?.files[0]?.hunks).toEqual([
      { line: 2, oldLines: ['1'], newLines: ['ONE'] },
    ]);
    await sidekicks.call('ChangesService.Accept', { messageId, path, hunk: 0 });
    expect(await listOf(setting)).toEqual({ turns: [], conflicts: [] });
    await expect(sidekicks.call('ChangesService.Accept', { messageId })).rejects.toThrow(/nothing is known/);
  });

  it('of one hunk an index means what was listed, or nothing: what else was decided and drawn meanwhile changes nothing', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    const path = own.path('a.txt');
    await does(setting, 'bob', { op: 'write', path, content: 'ONE\n2\nTHREE\n4\nFIVE\n' });
    const [turn] = (await listOf(setting)).turns;
    expect(turn?.files[0]?.hunks).toHaveLength(3);
    await nvim.command('1Sidekicks accept');
    await nvim.waitFor('it accepted', async () => (await nvim.messages()).includes('accepted: 1 change'));
    const messageId = turn?.messageId ?? '';
    await expect(sidekicks.request('ChangesService.Accept', { messageId, path, hunk: 0 })).rejects.toThrow('conflict:');
    await listOf(setting);
    await sidekicks.call('ChangesService.Reject', { messageId, path, hunk: 0 });
    expect(await lines(nvim)).toEqual(['ONE', '2', '3', '4', 'FIVE']);
  });

  it('is listed again when a reject, or a restore, is undone', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.command('set hidden | badd b.txt | call bufload("b.txt")');
    const write = (name: string) => ({ op: 'write', path: own.path(name), content: 'ONE\n2\n3\n4\nFIVE\n' });
    await does(setting, 'bob', write('a.txt'), write('b.txt'));
    const signs = `return vim.tbl_map(function(mark)
      return mark[2]
    end, vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace('sidekicks.review'), 0, -1, {}))`;
    const drawn = (...rows: number[]) =>
      nvim.waitFor(`signs in ${rows.join()}`, async () => (await nvim.lua<number[]>(signs)).join() === rows.join());
    await drawn(0, 4);
    await nvim.feed(':Sidekicks reject<CR>');
    await drawn(4);
    await nvim.feed('G:Sidekicks reject<CR>');
    await drawn();
    await nvim.feed('u');
    await drawn(4);
    await nvim.feed('u');
    await drawn(0, 4);
    const [turn] = (await listOf(setting)).turns;
    await sidekicks.call('ChangesService.Restore', { messageId: turn?.messageId ?? '' });
    await drawn();
    await nvim.command('undo | buffer b.txt | undo');
    await nvim.waitFor('both files', async () => (await listOf(setting)).turns[0]?.files.length === 2);
  });

  it('that made files in new folders leaves none of them when it is restored, but those that were there', async () => {
    const own = ground.place({ 'kept/other/there.txt': 'there\n' });
    const setting = await startWith(ground, BOB, { place: own });
    const { sidekicks } = setting;
    mkdirSync(own.path('kept/empty'));
    const fresh = own.path('fresh/deep/c.txt');
    await does(
      setting,
      'bob',
      { op: 'write', path: own.path('new/deep/a.txt'), content: 'a\n' },
      { op: 'write', path: own.path('new/deep/b.txt'), content: 'b\n' },
      { op: 'write', path: own.path('kept/empty/d.txt'), content: 'd\n' },
      { op: 'write', path: own.path('kept/other/made/e.txt'), content: 'e\n' },
      { op: 'tool_call', toolCallId: 'c', title: 'Write', status: 'pending', locations: [{ path: fresh }] },
      { op: 'read', path: own.path('kept/other/there.txt') },
      { op: 'disk_write', path: 'fresh/deep/c.txt', content: 'c\n' },
      { op: 'tool_call_update', toolCallId: 'c', status: 'completed' },
    );
    const [turn] = (await listOf(setting)).turns;
    expect(turn?.files).toHaveLength(5);
    await sidekicks.call('ChangesService.Restore', { messageId: turn?.messageId ?? '' });
    const left = readdirSync(own.project, { recursive: true, encoding: 'utf8' }).filter((name) => !/^\.git/.test(name));
    expect(left.sort()).toEqual(['kept', 'kept/empty', 'kept/other', 'kept/other/there.txt']);
  });

  it('of files nobody opened is undone on disk: a new one is removed, a deleted one comes back', async () => {
    const setting = await startWith(ground, BOB, { files: { 'b.txt': NUMBERS, 'c.txt': 'c\n', 'd.txt': 'd\n' } });
    const { own, sidekicks } = setting;
    const file = (name: string) => own.path(name);
    await does(
      setting,
      'bob',
      { op: 'write', path: file('new/deep.txt'), content: 'hi\n' },
      { op: 'write', path: file('b.txt'), content: '1\n2\n3\n4\nFIVE\n' },
      { op: 'tool_call', toolCallId: 'c', title: 'Delete', status: 'pending', locations: [{ path: file('c.txt') }] },
      { op: 'read', path: file('b.txt') },
      { op: 'disk_delete', path: 'c.txt' },
      { op: 'tool_call_update', toolCallId: 'c', status: 'completed' },
      // An agent that tells of an edit only when it is done.
      { op: 'disk_write', path: 'd.txt', content: 'D\n' },
      {
        op: 'tool_call',
        toolCallId: 'd',
        title: 'Edit',
        status: 'completed',
        content: [{ type: 'diff', path: file('d.txt'), oldText: 'd\n', newText: 'D\n' }],
      },
    );
    const [turn] = (await listOf(setting)).turns;
    expect(turn?.files.map(({ path, status }) => [path, status]).sort()).toEqual([
      [file('b.txt'), 'modified'],
      [file('c.txt'), 'deleted'],
      [file('d.txt'), 'modified'],
      [file('new/deep.txt'), 'added'],
    ]);
    const messageId = turn?.messageId ?? '';
    expect(await sidekicks.call('ChangesService.Restore', { messageId })).toEqual({ refused: [] });
    expect(existsSync(file('new/deep.txt'))).toBe(false);
    expect([own.read('b.txt'), own.read('c.txt'), own.read('d.txt')]).toEqual([NUMBERS, 'c\n', 'd\n']);
    expect((await listOf(setting)).turns).toEqual([]);
  });

  it('and by the person since is not restored but named', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': 'b\n' }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await does(
      setting,
      'bob',
      { op: 'disk_write', path: 'a.txt', content: 'ONE\n2\n3\n4\nFIVE\n' },
      { op: 'write', path: own.path('b.txt'), content: 'B\n' },
    );
    await nvim.command('call setline(5, "FIVE, mine")');
    const messageId = (await listOf(setting)).turns[0]?.messageId ?? '';
    expect(await sidekicks.call('ChangesService.Restore', { messageId })).toEqual({
      refused: [{ path: own.path('a.txt'), line: 5, reason: 'the lines were changed since' }],
    });
    expect(await lines(nvim)).toEqual(['1', '2', '3', '4', 'FIVE, mine']);
    expect(own.read('b.txt')).toBe('b\n');
  });

  it('two agents on one file: lines apart are merged, the same lines refused, and everybody is told', async () => {
    const setting = await startWith(ground, { bob: {}, ann: {} }, { files: { 'a.txt': NUMBERS } });
    const { nvim, own, sidekicks } = setting;
    const path = own.path('a.txt');
    const ann = await sidekicks.direct('ann');
    await sidekicks.send(
      ann.id,
      script(
        { op: 'read', path },
        { op: 'text', text: 'read' },
        gate(own, 'bob'),
        { op: 'write', path, content: 'ann\n2\n3\n4\n5\n', id: 91 },
        { op: 'write', path, content: 'ann\n2\n3\n4\nann\n', id: 92 },
      ),
    );
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'read');
    await does(setting, 'bob', { op: 'write', path, content: '1\n2\n3\n4\nbob\n' });
    openGate(own, 'bob');
    await sidekicks.waitUntilIdle(ann.id);
    expect(answerTo(own, 'ann', 91)).toEqual({});
    expect(answerTo(own, 'ann', 92)).toMatchObject({ message: expect.stringContaining('5: bob') as unknown });
    expect(own.read('a.txt')).toBe('ann\n2\n3\n4\nbob\n');
    const { turns, conflicts } = await listOf(setting);
    expect(turns.map(({ agent, files }) => [agent, files[0]?.hunks.map(({ newLines }) => newLines)])).toEqual([
      ['bob', [['bob']]],
      ['ann', [['ann']]],
    ]);
    expect(conflicts).toMatchObject([{ agent: 'ann', path }]);
    await nvim.waitForLua('the person told', `return vim.fn.execute('messages'):find('changed the same lines') ~= nil`);
  });

  it('edits.save writes what held no text of the person; edits.unopened loads files unseen', async () => {
    const config = { edits: { save: 'turn', unopened: 'buffer' } };
    const setting = await startWith(ground, BOB, {
      config,
      files: { 'a.txt': NUMBERS, 'b.txt': NUMBERS },
      args: ['a.txt'],
    });
    const { nvim, own } = setting;
    await nvim.command('set hidden | call setline(1, "mine")');
    mkdirSync(own.path('sub'));
    await does(
      setting,
      'bob',
      { op: 'write', path: own.path('a.txt'), content: '1\n2\n3\n4\nFIVE\n' },
      { op: 'write', path: own.path('b.txt'), content: '1\n2\n3\n4\nFIVE\n' },
      { op: 'write', path: own.path('sub/new.txt'), content: 'new\n' },
    );
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', 'FIVE']);
    expect(own.read('a.txt')).toBe(NUMBERS);
    expect(own.read('b.txt')).toBe('1\n2\n3\n4\nFIVE\n');
    expect(own.read('sub/new.txt')).toBe('new\n');
    expect(await nvim.lua(`return { vim.fn.bufloaded('b.txt'), vim.fn.bufname() }`)).toEqual([1, 'a.txt']);
  });
});

describeNvim('an agent gets an answer', (ground) => {
  it.each([
    ['a read-only buffer', 'setlocal readonly', '', /read-only/],
    ['one that cannot be modified', 'setlocal nomodifiable', '', /cannot be modified/],
    ['a buffer in diff mode', 'diffthis | vnew | diffthis | wincmd p', '', undefined],
    ['the command-line window', 'echo', 'q:', undefined],
    ['Insert mode', 'echo', 'A', undefined],
    ['an operator that waits for a motion', 'echo', 'd', undefined],
    ['a "Press ENTER"', 'echo', ':echo "one\\ntwo"<CR>', /did not answer in time/],
  ])('within a second, no key pressed: %s', async (_name, command, keys, refused) => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.command(command);
    const { id } = await sidekicks.direct('bob');
    const path = own.path('a.txt');
    await sidekicks.send(
      id,
      script({ op: 'text', text: 'begun' }, gate(own, 'keys'), {
        op: 'write',
        path,
        content: '1\n2\n3\n4\nFIVE\n',
        id: 93,
      }),
    );
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    if (keys !== '') await nvim.feed(keys);
    const since = performance.now();
    openGate(own, 'keys');
    const answer = await nvim.waitFor('an answer', () => answerTo(own, 'bob', 93));
    expect(performance.now() - since).toBeLessThan(2_000);
    if (refused === undefined) expect(answer).toEqual({});
    else expect(answer).toMatchObject({ message: expect.stringMatching(refused) as unknown });
    await nvim.feed('<Esc><Esc>');
  });
});
