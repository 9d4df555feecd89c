// The end of a terminal (SPEC 12): the shell and everything it launched is hung up, and killed a second later, however it ends.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeNvim, type Ground } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { kill } from './support/processes.ts';
import { hostPid, type Sidekicks } from './support/sidekicks.ts';
import { startWith } from './product/person.ts';

/** SIGHUP at once, SIGKILL a second later, and the looking on a busy machine. */
const LIMIT_MS = 4000;

/** What a person leaves running in a shell, well and badly behaved. */
const leftBehind = [
  'sleep 7001 &',
  'setsid sleep 7002 &',
  'nohup sleep 7003 >/dev/null 2>&1 &',
  `sh -c 'trap "" HUP TERM INT; echo x; while :; do sleep 7004; done' &`,
  `sh -c 'trap "echo hung up >heard; exit" HUP; echo y; while :; do sleep 0.1; done' &`,
  `(setsid sh -c 'trap "" HUP; sleep 7005 & wait; sleep 7005' & )`,
  'sh -c "kill -STOP \\$\\$; sleep 7006" &',
  'disown -a 2>/dev/null; echo all""running',
].join('\n');

const shells = (nvim: Nvim): string[] =>
  nvim
    .processes()
    .map(({ command }) => command)
    .filter((command) => /sleep|trap|bash|kill -STOP/.test(command));

async function startBusy(ground: Ground): Promise<{ own: Place; nvim: Nvim; sidekicks: Sidekicks }> {
  const own = ground.place({ 'work.sh': leftBehind });
  const setting = await startWith(ground, { bob: {} }, { place: own, env: { SHELL: '/bin/bash' } });
  const { nvim } = setting;
  await nvim.command('Sidekicks terminal');
  await nvim.waitForLua('the terminal', 'return vim.api.nvim_get_mode().mode == "t"');
  await nvim.feed('. ./work.sh<CR>');
  await nvim.waitForScreen('allrunning');
  await nvim.waitFor('all of it', () => {
    const running = shells(nvim).join('\n');
    return ['7001', '7002', '7003', '7004', '7005', 'heard', 'STOP'].every((one) => running.includes(one));
  });
  return setting;
}

const waitUntilGone = (nvim: Nvim) => nvim.waitFor('the end of all', () => shells(nvim).length === 0, LIMIT_MS);
const heard = (own: Place): string => (existsSync(own.path('heard')) ? readFileSync(own.path('heard'), 'utf8') : '');

describeNvim('nothing is left of a terminal', (ground) => {
  it('that is wiped out', async () => {
    const { own, nvim } = await startBusy(ground);
    await nvim.feed('<C-\\><C-n>:bwipeout!<CR>');
    await waitUntilGone(nvim);
    expect(heard(own)).toBe('hung up\n');
  });

  it('that is closed by the method, which answers when it is gone', async () => {
    const { own, nvim, sidekicks } = await startBusy(ground);
    const { id } = await sidekicks.request('TerminalService.Open', { agent: 'bob', cols: 80, rows: 24 });
    await sidekicks.request('TerminalService.Write', { id, data: 'cd /; setsid sleep 7010 & exec sleep 7011\n' });
    await nvim.waitFor('both', () => shells(nvim).filter((one) => /701[01]/.test(one)).length === 2);
    await sidekicks.request('TerminalService.Close', { id });
    const left = shells(nvim);
    expect(left.filter((one) => /701/.test(one))).toEqual([]);
    // The other one goes on.
    expect(left.some((one) => one.includes('7002'))).toBe(true);
    expect(heard(own)).toBe('');
    expect(sidekicks.events('terminal:exit')).toEqual([{ id }]);
  });

  it('whose shell had ended before', async () => {
    const { nvim } = await startBusy(ground);
    await nvim.feed('exit<CR>');
    await nvim.waitForScreen('[Process exited 0]');
    expect(shells(nvim).some((one) => one.includes('7002'))).toBe(true);
    await nvim.feed('<C-\\><C-n>:bwipeout!<CR>');
    await waitUntilGone(nvim);
  });

  it('when Neovim leaves', async () => {
    const { own, nvim } = await startBusy(ground);
    // Nothing is waited for: the host finishes the job alone.
    expect(await nvim.quit()).toBeLessThan(1000);
    await waitUntilGone(nvim);
    expect(heard(own)).toBe('hung up\n');
  });

  it('when Neovim is killed', async () => {
    const { nvim } = await startBusy(ground);
    await nvim.crash();
    await waitUntilGone(nvim);
  });

  it('when the host is killed', async () => {
    const { nvim } = await startBusy(ground);
    nvim.allowErrors(/Node side/);
    kill(await hostPid(nvim));
    await waitUntilGone(nvim);
  });

  it('when Neovim and the host are killed at once', async () => {
    const { nvim } = await startBusy(ground);
    const host = await hostPid(nvim);
    kill(nvim.pid);
    kill(host);
    await waitUntilGone(nvim);
  });
});
