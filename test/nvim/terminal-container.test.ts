// Terminals in containers and sandboxes (SPEC 11, 12): which shell runs where, and that nothing of it stays inside.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngine } from '../engine/describe-engine.ts';
import { Engine } from '../engine/engine.ts';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim, type Ground, type StartOptions } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { kill } from './support/processes.ts';
import { hostPid } from './support/sidekicks.ts';
import { startWith } from './product/person.ts';

/** SIGHUP, a second, SIGKILL, and an engine that takes its time on a busy machine. */
const LIMIT_MS = 9000;
const FOLDER = "/my app; $(touch hacked) 'x'";

let engine: Engine;
let containers = 0;

const web = (own: Place, runtime: object) => ({ web: scriptedAgent(own, 'web', { entry: { runtime } }) });

/** A container that has the project in an odd folder; `bin` is looked into first for programs. */
async function container(own: Place): Promise<string> {
  containers += 1;
  const name = `term-${String(containers)}`;
  mkdirSync(join(own.root, 'bin'), { recursive: true });
  await engine.run(name, { mounts: { [own.project]: FOLDER, [join(own.root, 'bin')]: '/usr/local/bin' } });
  return name;
}

const start = (ground: Ground, own: Place, runtime: object, options: StartOptions = {}) =>
  startWith(ground, web(own, runtime), { place: own, env: engine.env, columns: 160, ...(options as object) });

async function open(nvim: Nvim): Promise<void> {
  await nvim.command('Sidekicks terminal');
  await nvim.waitForLua('the terminal', 'return vim.bo.buftype == "terminal" and vim.api.nvim_get_mode().mode == "t"');
}

const leftBehind = [
  'sleep 7101 & setsid sleep 7102 &',
  `(trap '' HUP; exec sleep 7103) &`,
  `sh -c 'trap "" HUP TERM; while :; do sleep 7104; done' &`,
  `(setsid sh -c 'trap "echo hung up >heard; exit" HUP; while :; do sleep 0.2; done' &)`,
  'sleep 7105',
].join('\n');

async function startBusy(ground: Ground) {
  const own = ground.place({ 'work.sh': leftBehind });
  const name = await container(own);
  const setting = await start(ground, own, { type: 'container', name, workspacePath: FOLDER });
  await open(setting.nvim);
  await setting.nvim.feed('. ./work.sh<CR>');
  await setting.nvim.waitFor('all of it', async () => {
    const running = (await engine.processes(name)).join('\n');
    return ['7101', '7102', '7103', '7104', '7105', 'heard'].every((one) => running.includes(one));
  });
  // What somebody else runs there.
  await engine.docker('exec', '-d', name, 'sleep', '7200');
  return { ...setting, name };
}

const waitUntilGone = (nvim: Nvim, name: string) =>
  nvim.waitFor('the end of all inside', async () => (await engine.processes(name)).join() === 'sleep 7200', LIMIT_MS);

describeEngine('in a container', () => {
  beforeAll(async () => {
    engine = await Engine.start();
  });
  afterAll(() => engine.dispose());

  describeNvim('a terminal', (ground) => {
    it.each([
      ['container', 'inside', 'sh'],
      ['container', 'host', 'bash'],
      ['sbx', 'inside', 'bash'],
    ] as const)('runs a shell in the workspace there (%s, launch: %s): %s', async (type, launch, shell) => {
      const own = ground.place();
      const name = await container(own);
      const bash = join(own.root, 'bin', 'bash');
      writeFileSync(bash, '#!/bin/sh\necho this is bash, $# words; exec sh\n');
      chmodSync(bash, shell === 'bash' ? 0o755 : 0o644);
      const { nvim } = await start(ground, own, { type, name, launch, workspacePath: FOLDER });
      await open(nvim);
      if (shell === 'bash') await nvim.waitForScreen('this is bash, 0 words');
      await nvim.feed('pwd >"an swer"; cat an*; test -t 1 && echo a terminal; echo 1""2 "${NVIM:-no editor}"<CR>');
      await nvim.waitForScreen('12 no editor');
      expect(nvim.screen.text()).toContain(FOLDER);
      expect(nvim.screen.text()).toContain('a terminal');
      expect(nvim.screen.text()).toContain(`Terminal of web  ${name}:${FOLDER}`);
      expect(own.read('an swer')).toBe(`${FOLDER}\n`);
      expect(existsSync(own.path('hacked'))).toBe(false);
      await nvim.feed('exit<CR>');
      await nvim.waitForScreen('[Process exited');
      expect(await engine.processes(name)).toEqual([]);
    });

    it('that is wiped out leaves nothing inside, and what others run there alone', async () => {
      const { nvim, name, own } = await startBusy(ground);
      await nvim.feed('<C-\\><C-n>:bwipeout!<CR>');
      await waitUntilGone(nvim, name);
      expect(own.read('heard')).toBe('hung up\n');
    });

    it('that is closed by the method leaves nothing when that answers', async () => {
      const { nvim, name, sidekicks } = await startBusy(ground);
      const { id } = await sidekicks.request('TerminalService.Open', { agent: 'web', cols: 90, rows: 30 });
      await sidekicks.request('TerminalService.Write', {
        id,
        data: `setsid sleep 7300 & until [ "$(stty size)" = '30 90' ]; do sleep 0.1; done; sleep 7301\n`,
      });
      await nvim.waitFor(
        'both',
        async () => (await engine.processes(name)).filter((one) => /730/.test(one)).length === 2,
      );
      await sidekicks.request('TerminalService.Close', { id });
      expect((await engine.processes(name)).filter((one) => /730/.test(one))).toEqual([]);
      expect((await engine.processes(name)).some((one) => one.includes('7105'))).toBe(true);
      // At once again: nothing may begin behind its end.
      const { id: second } = await sidekicks.request('TerminalService.Open', { agent: 'web', cols: 90, rows: 30 });
      const before = (await engine.processes(name)).filter((one) => one === 'sh').length;
      await sidekicks.request('TerminalService.Close', { id: second });
      expect((await engine.processes(name)).filter((one) => one === 'sh').length).toBeLessThanOrEqual(before);
    });

    it('leaves nothing inside when Neovim leaves, or is killed', async () => {
      const first = await startBusy(ground);
      await first.nvim.quit();
      await waitUntilGone(first.nvim, first.name);
      const second = await startBusy(ground);
      await second.nvim.crash();
      await waitUntilGone(second.nvim, second.name);
    });

    it('leaves nothing inside when the host is killed', async () => {
      const { nvim, name } = await startBusy(ground);
      nvim.allowErrors(/Node side/);
      kill(await hostPid(nvim));
      await waitUntilGone(nvim, name);
    });

    it('says in its split what is missing: the container, its folder, that it runs, the program', async () => {
      const own = ground.place();
      const [name, stopped] = [await container(own), await container(own)];
      await engine.docker('stop', '-t', '0', stopped);
      const agent = (runtime: object) =>
        scriptedAgent(own, 'x', { entry: { runtime: { type: 'container', workspacePath: '/app', ...runtime } } });
      const agents = {
        gone: agent({ name: 'nobody' }),
        box: agent({ type: 'sbx', name: 'nobody' }),
        bare: agent({ name }),
        still: agent({ name: stopped }),
        none: agent({ name, cli: 'nerdctl' }),
      };
      const { nvim, sidekicks } = await startWith(ground, agents, { place: own, env: engine.env, columns: 160 });
      for (const [who, why] of [
        ['gone', 'there is no container nobody'],
        ['box', 'there is no sandbox nobody'],
        ['bare', `the folder /app does not exist in ${name}`],
        ['still', `${stopped} is not running`],
        ['none', `${name} cannot be reached: there is no program nerdctl here`],
      ] as const) {
        await nvim.command(`Sidekicks terminal ${who}`);
        await nvim.waitForLua(
          why,
          `return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') == ...`,
          `No terminal of ${who}: ${why}.`,
        );
        await nvim.command('only | enew');
        const opened = sidekicks.request('TerminalService.Open', { agent: who, cols: 80, rows: 24 });
        await expect(opened).rejects.toThrow(`unavailable: ${why}`);
      }
    });
  });
});
