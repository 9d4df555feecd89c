// What an agent writes to disk after it has answered, and what is left of the following when the host or the agent is gone (SPEC 9).
import { expect, it } from 'vitest';
import { script } from '../support/agents.ts';
import { describeNvim, type Ground } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { hostPid } from '../support/sidekicks.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';

const NUMBERS = '1\n2\n3\n4\n5\n';

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
const isModified = (nvim: Nvim) => nvim.lua<boolean>('return vim.bo.modified');
const isChecked = (nvim: Nvim) => nvim.command('checktime | doautocmd FocusGained');

async function expectNoQuestion(nvim: Nvim): Promise<void> {
  expect(await nvim.isBlocked()).toBe(false);
  expect(await nvim.messages()).not.toMatch(/W1[126]|changed since/);
}

/** Bob answers, and writes `content` once the gate is open. */
async function answered(ground: Ground, content: string): Promise<Setting & { readonly id: string }> {
  const files = { 'a.txt': NUMBERS, 'b.txt': NUMBERS };
  const setting = await startWith(ground, { bob: {} }, { files, args: ['a.txt'] });
  await setting.nvim.command('set noautoread hidden');
  const { id } = await setting.sidekicks.direct('bob');
  const late = { op: 'disk_write', path: 'a.txt', content };
  await setting.sidekicks.ask(id, script({ op: 'end' }, gate(setting.own, 'late'), late));
  return { ...setting, id };
}

describeNvim('an agent that writes to disk after it has answered', (ground) => {
  it('is followed by a clean buffer, and can be reviewed with its turn', async () => {
    const { nvim, own, sidekicks, id } = await answered(ground, '1\n2\n3\n4\nFIVE\n');
    openGate(own, 'late');
    await nvim.waitFor('what bob wrote', async () => (await lines(nvim))[4] === 'FIVE');
    expect(await isModified(nvim)).toBe(false);
    const hunks = () => sidekicks.call('ChangesService.List', { channel: id }).then(({ turns }) => turns[0]?.files);
    expect(await nvim.waitFor('the hunk', hunks)).toMatchObject([
      { path: own.path('a.txt'), hunks: [{ line: 5, oldLines: ['5'], newLines: ['FIVE'] }] },
    ]);
    await isChecked(nvim);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['1', '2', '3', '4', '5']);
    await expectNoQuestion(nvim);
  });

  it('is merged with unsaved text, also of a buffer opened since', async () => {
    const { nvim, own } = await answered(ground, '1\n2\n3\n4\nFIVE\n');
    await nvim.command('call setline(1, "mine") | edit b.txt | call setline(1, "mine")');
    own.write('b.txt', '1\n2\n3\n4\nfive\n');
    openGate(own, 'late');
    await nvim.waitFor('what was written to b', async () => (await nvim.bufferLines('b.txt'))[4] === 'five');
    await nvim.waitFor('what bob wrote', async () => (await nvim.bufferLines('a.txt'))[4] === 'FIVE');
    await isChecked(nvim);
    expect(await nvim.bufferLines('a.txt')).toEqual(['mine', '2', '3', '4', 'FIVE']);
    expect(await isModified(nvim)).toBe(true);
    await nvim.command('wall');
    expect([own.read('a.txt'), own.read('b.txt')]).toEqual(['mine\n2\n3\n4\nFIVE\n', 'mine\n2\n3\n4\nfive\n']);
    await expectNoQuestion(nvim);
  });

  it('lists a conflict with unsaved text', async () => {
    const { nvim, own, sidekicks, id } = await answered(ground, 'ONE\n2\n3\n4\n5\n');
    await nvim.command('call setline(1, "mine")');
    openGate(own, 'late');
    const conflicts = async () => (await sidekicks.call('ChangesService.List', { channel: id })).conflicts[0];
    expect(await nvim.waitFor('the conflict', conflicts)).toMatchObject({ agent: 'bob', path: own.path('a.txt') });
    expect((await lines(nvim))[0]).toBe('mine');
    await isChecked(nvim);
    await expectNoQuestion(nvim);
  });

  it('is followed no more once it is stopped: then Neovim asks as ever', async () => {
    const { nvim, own, sidekicks } = await answered(ground, '');
    await sidekicks.call('AgentService.Stop', { name: 'bob' });
    await nvim.waitForLua('the end of it', `return #vim.api.nvim_get_autocmds({ event = 'FileChangedShell' }) == 0`);
    own.write('a.txt', '1\n2\n3\n4\nFIVE\n');
    await nvim.feed(':checktime<CR>');
    await nvim.waitForScreen('W11');
    await nvim.feed('<CR>');
  });
});

describeNvim('while an agent works', (ground) => {
  it('files outside its workspace are left to Neovim, which asks as ever', async () => {
    const own = ground.place({ 'a.txt': NUMBERS });
    const setting = await startWith(ground, { bob: {} }, { place: own, args: ['a.txt'] });
    const { nvim, sidekicks } = setting;
    const outside = `${own.root}/outside.txt`;
    await nvim.lua('vim.fn.writefile({ "out" }, ...)', outside);
    await nvim.command(`set noautoread hidden | edit ${outside}`);
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    await nvim.lua('vim.fn.writefile({ "out", "and more" }, ...)', outside);
    await nvim.feed(':checktime<CR>');
    await nvim.waitForScreen('W11');
    await nvim.feed('<CR>');
    openGate(own, 'end');
    await sidekicks.waitUntilIdle(id);
  });

  it('and the host dies, Neovim asks about changed files again', async () => {
    const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    nvim.allowErrors(/ended/);
    await nvim.command('set noautoread');
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, script({ op: 'text', text: 'begun' }, gate(own, 'end')));
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'begun');
    process.kill(await hostPid(nvim), 'SIGKILL');
    await nvim.waitFor('the end of the host', async () => (await hostPid(nvim)) === 0);
    own.write('a.txt', '1\n2\n3\n4\nFIVE\n');
    await nvim.feed(':checktime<CR>');
    await nvim.waitForScreen('W11');
    await nvim.feed('<CR>');
  });
});
