// A person who writes a file that an agent has just changed on disk, and one who opens a file an agent is just making (SPEC 9).
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { script } from '../support/agents.ts';
import { describeNvim, type Ground } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';

const NUMBERS = '1\n2\n3\n4\n5\n';

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');

interface AtWork extends Setting {
  readonly id: string;
}

/** Bob answers until `end`; "mine" stands unsaved in the first line. */
async function atWork(ground: Ground): Promise<AtWork> {
  const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
  const { nvim, own, sidekicks } = setting;
  await nvim.command('set hidden | call setline(1, "mine")');
  const { id } = await sidekicks.direct('bob');
  await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
  await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
  return { ...setting, id };
}

/** Both at once: nothing can have looked at the file in between. */
const changedAndWritten = ({ nvim, own }: Setting, text: string, command: string): Promise<unknown> =>
  nvim.lua(
    `local path, lines, command = ...
    vim.fn.writefile(lines, path)
    local fine, said = pcall(vim.cmd, command)
    return fine and '' or said`,
    own.path('a.txt'),
    text.split('\n').slice(0, -1),
    command,
  );

async function end({ own, sidekicks, id }: AtWork): Promise<void> {
  openGate(own, 'end');
  await sidekicks.waitUntilIdle(id);
}

describeNvim('writing a file that was just changed on disk', (ground) => {
  it.each(['write', 'write!'])('merges first, and writes both: %s', async (command) => {
    const setting = await atWork(ground);
    const { nvim, own, sidekicks } = setting;
    expect(await changedAndWritten(setting, '1\n2\n3\n4\nFIVE\n', command)).toBe('');
    expect(own.read('a.txt')).toBe('mine\n2\n3\n4\nFIVE\n');
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', 'FIVE']);
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
    const { turns } = await sidekicks.call('ChangesService.List', {});
    expect(turns[0]?.files[0]?.hunks).toEqual([{ line: 5, oldLines: ['5'], newLines: ['FIVE'] }]);
    await end(setting);
    expect(await nvim.isBlocked()).toBe(false);
  });

  it('leaves the file alone where both changed the same lines, says so and lists it; written again, it is', async () => {
    const setting = await atWork(ground);
    const { nvim, own, sidekicks } = setting;
    const said = await changedAndWritten(setting, 'ONE\n2\n3\n4\n5\n', 'write');
    expect(said).toMatch(/not written: bob changed/);
    expect(own.read('a.txt')).toBe('ONE\n2\n3\n4\n5\n');
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', '5']);
    expect((await sidekicks.call('ChangesService.List', {})).conflicts).toMatchObject([{ agent: 'bob' }]);
    await nvim.command('write');
    expect(own.read('a.txt')).toBe('mine\n2\n3\n4\n5\n');
    await end(setting);
    expect(await nvim.isBlocked()).toBe(false);
  });

  it('leaves writing to another file, or a part, as it is', async () => {
    const setting = await atWork(ground);
    const { own } = setting;
    expect(await changedAndWritten(setting, 'ONE\n2\n3\n4\n5\n', 'write other.txt')).toBe('');
    expect([own.read('other.txt'), own.read('a.txt')]).toEqual(['mine\n2\n3\n4\n5\n', 'ONE\n2\n3\n4\n5\n']);
    await end(setting);
  });
});

describeNvim('opening a file that an agent is just making', (ground) => {
  it('does not take its text for what the buffer began with', async () => {
    const setting = await atWork(ground);
    const { nvim, own, sidekicks } = setting;
    // The host hears of the buffer when the file is there already.
    await nvim.lua(
      `vim.cmd('edit new.txt')
      vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'mine' })
      vim.fn.writefile({ 'bob' }, ...)`,
      own.path('new.txt'),
    );
    await end(setting);
    const { conflicts } = await sidekicks.call('ChangesService.List', {});
    expect(conflicts).toMatchObject([{ agent: 'bob', path: own.path('new.txt') }]);
    const id = conflicts[0]?.id ?? '';
    expect(await sidekicks.call('ViewService.Conflict', { id })).toMatchObject({ base: '', theirs: 'bob\n' });
    expect(await lines(nvim)).toEqual(['mine']);
  });

  it('that changes right after it was read is merged on what was read', async () => {
    const setting = await atWork(ground);
    const { nvim, own } = setting;
    writeFileSync(own.path('b.txt'), NUMBERS);
    await nvim.lua(
      `vim.cmd('edit b.txt')
      vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'mine' })
      vim.fn.writefile({ '1', '2', '3', '4', 'FIVE' }, ...)`,
      own.path('b.txt'),
    );
    await end(setting);
    expect(await lines(nvim)).toEqual(['mine', '2', '3', '4', 'FIVE']);
  });
});
