// Buffers whose text no agent can be given (another encoding, too large) and whose file an agent changes on disk: the person's
// text stays, the person is told, and both texts can be had (SPEC 9).
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { script } from '../support/agents.ts';
import { describeNvim, type Ground } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

const lines = (nvim: Nvim, count = -1) =>
  nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, ..., false)', count);

const timesTold = async (nvim: Nvim): Promise<number> =>
  (await nvim.messages()).match(/bob changed \S*a\.txt on disk/g)?.length ?? 0;

interface Opaque extends Setting {
  readonly id: string;
}

/** Bob is at work, the file is open with unsaved text, and has changed on disk. */
async function meeting(ground: Ground, before: Buffer, after: Buffer, mine = 'mine é'): Promise<Opaque> {
  const own = ground.place();
  own.write('a.txt', before);
  const setting = await startWith(ground, { bob: {} }, { place: own });
  const { nvim, sidekicks } = setting;
  await nvim.command(`set noautoread fileencodings=ucs-bom,utf-8,latin1 | edit a.txt | call setline(1, "${mine}")`);
  const { id } = await sidekicks.direct('bob');
  await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
  await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
  own.write('a.txt', after);
  await nvim.waitFor('the person told', () => timesTold(nvim));
  return { ...setting, id };
}

async function end({ own, sidekicks, id }: Opaque): Promise<void> {
  openGate(own, 'end');
  await sidekicks.waitUntilIdle(id);
}

const conflicts = async ({ sidekicks }: Setting) => (await sidekicks.call('ChangesService.List', {})).conflicts;

const openConflict = async ({ nvim }: Setting): Promise<void> => {
  await nvim.command('Sidekicks changes');
  await nvim.waitForLua('the list', `return vim.bo.buftype == 'quickfix'`);
  await nvim.feed('gg<CR>');
  await nvim.waitFor('the keys said', async () => (await nvim.messages()).includes('gm keep your text'));
  const compared =
    'return vim.tbl_filter(function(win) return vim.wo[win].diff end, vim.api.nvim_tabpage_list_wins(0))';
  expect(await nvim.lua(compared)).toHaveLength(2);
};

describeNvim('a file in another encoding that changes on disk under unsaved text', (ground) => {
  const start = () => meeting(ground, latin('caf\xe9\ntwo\n3\n'), latin('caf\xe9\ntwo\n3 \xe9\n'));

  it('is told once and listed; the text stays, and is not written over the file unasked', async () => {
    const setting = await start();
    const { nvim, own } = setting;
    own.write('a.txt', latin('caf\xe9\ntwo\n3 \xe9\n4\n'));
    await end(setting);
    expect(await timesTold(nvim)).toBe(1);
    expect(await lines(nvim)).toEqual(['mine é', 'two', '3']);
    expect(await conflicts(setting)).toMatchObject([{ agent: 'bob', path: own.path('a.txt') }]);
    await nvim.command('checktime | doautocmd FocusGained');
    expect(await nvim.isBlocked()).toBe(false);
    await expect(nvim.command('write')).rejects.toThrow(/not written: bob changed/);
    expect(readFileSync(own.path('a.txt'))).toEqual(latin('caf\xe9\ntwo\n3 \xe9\n4\n'));
    await nvim.command('write!');
    expect(readFileSync(own.path('a.txt'))).toEqual(latin('mine \xe9\ntwo\n3\n'));
    await nvim.waitFor('the conflict settled', async () => (await conflicts(setting)).length === 0);
  });

  it('is the same where what the buffer holds now is ASCII', async () => {
    const setting = await meeting(ground, latin('caf\xe9\ntwo\n3\n'), latin('caf\xe9\ntwo\n3 \xe9\n'), 'mine');
    const { nvim, own, sidekicks } = setting;
    await end(setting);
    await nvim.command('checktime');
    await sidekicks.call('ChangesService.List', {});
    await expect(nvim.command('write')).rejects.toThrow(/not written: bob changed/);
    expect(readFileSync(own.path('a.txt'))).toEqual(latin('caf\xe9\ntwo\n3 \xe9\n'));
    expect(await timesTold(nvim)).toBe(1);
  });

  it('opens beside the text of the buffer, and one of the two is taken', async () => {
    const setting = await start();
    const { nvim, own } = setting;
    await end(setting);
    await openConflict(setting);
    await nvim.command('wincmd l');
    expect(await lines(nvim)).toEqual(['café', 'two', '3 é']);
    await nvim.feed('ga');
    await nvim.waitFor('the conflict settled', async () => (await conflicts(setting)).length === 0);
    expect(await nvim.bufferLines('a.txt')).toEqual(['café', 'two', '3 é']);
    await nvim.command('buffer a.txt | undo');
    expect(await lines(nvim)).toEqual(['mine é', 'two', '3']);
    await nvim.command('write');
    expect(readFileSync(own.path('a.txt'))).toEqual(latin('mine \xe9\ntwo\n3\n'));
    expect(await nvim.isBlocked()).toBe(false);
  });

  it('opens beside the text of the buffer, which is kept or put together, and written without a question', async () => {
    const setting = await start();
    const { nvim, own } = setting;
    await end(setting);
    await openConflict(setting);
    await nvim.feed('Gdo');
    expect(await lines(nvim)).toEqual(['mine é', 'two', '3 é']);
    await nvim.feed('gs');
    await nvim.waitFor('the conflict settled', async () => (await conflicts(setting)).length === 0);
    await nvim.command('buffer a.txt | write');
    expect(readFileSync(own.path('a.txt'))).toEqual(latin('mine \xe9\ntwo\n3 \xe9\n'));
    expect(await nvim.isBlocked()).toBe(false);
  });

  it('is settled by reading the file again', async () => {
    const setting = await start();
    const { nvim } = setting;
    await nvim.command('edit!');
    await nvim.waitFor('the conflict settled', async () => (await conflicts(setting)).length === 0);
    expect(await lines(nvim)).toEqual(['café', 'two', '3 é']);
    await end(setting);
  });
});

describeNvim('a file over 20 MB that changes on disk', (ground) => {
  const big = (first: string): Buffer =>
    Buffer.from(`${first}\n${`${'0123456789abcdef'.repeat(64)}\n`.repeat(20_480)}`);

  it('under unsaved text is told once and listed; the text stays', async () => {
    const setting = await meeting(ground, big('one'), big('ONE'));
    const { nvim, own } = setting;
    await end(setting);
    expect([await timesTold(nvim), await lines(nvim, 1)]).toEqual([1, ['mine é']]);
    expect(await conflicts(setting)).toMatchObject([{ agent: 'bob', path: own.path('a.txt') }]);
    await expect(nvim.command('write')).rejects.toThrow(/not written: bob changed/);
    expect(await nvim.isBlocked()).toBe(false);
  });

  it('under a buffer without unsaved text is read into it', async () => {
    const own = ground.place();
    own.write('a.txt', big('one'));
    const setting = await startWith(ground, { bob: {} }, { place: own, args: ['a.txt'] });
    const { nvim, sidekicks } = setting;
    await nvim.command('set noautoread');
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    own.write('a.txt', big('ONE'));
    await end({ ...setting, id });
    expect(await lines(nvim, 1)).toEqual(['ONE']);
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
  });
});
