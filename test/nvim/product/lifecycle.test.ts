// Ends of all kinds: Neovim leaves or is killed, the Node side is killed, an agent is killed. Nothing stays running, what
// was finished is kept, and the next use works. (That nothing runs 9 s later is looked at after every test.)
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pids, received, script, scriptedAgent, wrappedAgent, type AgentEntry } from '../support/agents.ts';
import { describeNvim, type Ground } from '../support/describe-nvim.ts';
import { ROOT, type Nvim } from '../support/nvim.ts';
import type { Place } from '../support/place.ts';
import { kill } from '../support/processes.ts';
import { hostPid, Sidekicks, textOf } from '../support/sidekicks.ts';
import { say, startWith, type Agents, type Setting } from './person.ts';

const NODE_HOST = join(ROOT, 'node_modules/neovim/bin/cli.js');

const BUSY = [{ op: 'text', text: 'working' }, { op: 'ignore_cancel' }, { op: 'never' }];

/** Agents that real launchers and real programs are: deaf to their end, behind a shell, with children of all kinds. */
const stubborn = (own: Place): Record<string, AgentEntry | Agents[string]> => ({
  deaf: { script: BUSY, args: ['--ignore-eof', '--ignore-sigterm', '--child'] },
  wrapped: wrappedAgent(own, 'wrapped', { script: BUSY, args: ['--ignore-eof'] }),
  parent: { script: BUSY, args: ['--child', '--child-detached'] },
});

/** Behind what stays in between: a shell, and a launcher like npx. */
const behindShell = ({ command, args = [] }: AgentEntry): AgentEntry => ({
  command: 'sh',
  args: ['-c', '"$0" "$@"; exit $?', command, ...args],
});

const LAUNCHER = `
  const [command, ...args] = process.argv.slice(1);
  require('node:child_process').spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
`;
const behindLauncher = ({ command, args = [] }: AgentEntry): AgentEntry => ({
  command: process.execPath,
  args: ['-e', LAUNCHER, command, ...args],
});

const DEAF = ['--ignore-eof', '--ignore-sigterm'];

const ten = (own: Place): Record<string, AgentEntry | Agents[string]> => ({
  ...stubborn(own),
  plain: { script: BUSY },
  quiet: { script: BUSY, args: ['--ignore-eof'] },
  mute: { script: BUSY, args: ['--ignore-sigterm'] },
  deafbehind: wrappedAgent(own, 'deafbehind', { script: BUSY, args: [...DEAF, '--child'] }),
  shell: behindShell(scriptedAgent(own, 'shell', { script: BUSY, args: DEAF })),
  launched: behindLauncher(scriptedAgent(own, 'launched', { script: BUSY, args: ['--child'] })),
  elsewhere: { script: BUSY, args: [...DEAF, '--child-detached'] },
});
/** Those that scripted agents note: agents, wrappers, children in their group and in sessions of their own. */
const PROCESSES = { stubborn: 2 + 2 + 3, ten: 2 + 2 + 3 + 1 + 1 + 1 + 3 + 1 + 2 + 2 };

/** Every agent at work in a conversation of its own, each with all its processes. */
async function allBusy(
  { nvim, own, sidekicks }: Setting,
  agents: typeof ten,
  processes: number,
): Promise<readonly number[]> {
  const names = Object.keys(agents(own));
  for (const name of names) {
    const { id } = await sidekicks.direct(name);
    await sidekicks.send(id, 'work');
  }
  for (const name of names) {
    await nvim.waitFor(`${name} at work`, async () => {
      const { id } = await sidekicks.direct(name);
      return textOf((await sidekicks.conversation(id)).messages.at(-1)) === 'working';
    });
  }
  const started = names.flatMap((name) => pids(own, name).map(({ pid }) => pid));
  expect(started.length).toBe(processes);
  return started;
}

const alive = (nvim: Nvim, wanted: readonly number[]): number[] =>
  nvim.processes().flatMap(({ pid }) => (wanted.includes(pid) ? [pid] : []));

const LEAVES_WITHIN_MS = 200;

/** How long a Neovim that never used Sidekicks takes to leave, on this machine at this moment. */
async function bareLeave(ground: Ground): Promise<number> {
  return (await ground.start()).quit();
}

describeNvim(
  'the end of ten agents at work',
  (ground) => {
    async function tenBusy(): Promise<Setting> {
      const own = ground.place();
      const setting = await startWith(ground, ten(own), {
        place: own,
        config: { limits: { maxRunningAgents: 10 } },
      });
      await allBusy(setting, ten, PROCESSES.ten);
      return setting;
    }

    it(`does not hold up the end of Neovim for ${LEAVES_WITHIN_MS} ms, and nothing is left, whatever they ignore`, async () => {
      const { nvim, sidekicks } = await tenBusy();
      await sidekicks.open('deaf');
      const bare = await bareLeave(ground);
      expect(await nvim.quit()).toBeLessThan(LEAVES_WITHIN_MS + bare);
    });

    it('leaves nothing either when Neovim is killed, or the Node side', async () => {
      const [one, other] = [await tenBusy(), await tenBusy()];
      other.nvim.allowErrors(/the Node side ended/);
      await one.nvim.crash();
      kill(await hostPid(other.nvim));
      await other.nvim.waitForScreen('the Node side ended');
    });
  },
  120_000,
);

describeNvim('the end of the Node side', (ground) => {
  it('by a kill leaves no agent, loses nothing that was finished, and the next use works', async () => {
    const own = ground.place();
    const setting = await startWith(ground, { ...stubborn(own), bob: {} }, { place: own });
    const { nvim, sidekicks } = setting;
    nvim.allowErrors(/the Node side ended/);
    const started = await allBusy(setting, stubborn, PROCESSES.stubborn);
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'first');
    await sidekicks.send(id, script({ op: 'text', text: 'cut short' }, { op: 'never' }));
    await nvim.waitForScreen('│cut short');
    await nvim.feed('a draft');
    kill(await hostPid(nvim));
    await nvim.waitForScreen('the Node side ended');
    await nvim.waitForScreen('stopped; the next use starts it again');
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['a draft']);

    await nvim.feed(' that is sent<CR>');
    await nvim.waitForScreen('a draft that is sent');
    await nvim.waitFor('the answer', async () => {
      const { messages, busy } = await sidekicks.conversation(id);
      return !busy && textOf(messages.at(-1)) === 'Hello from bob.';
    });
    const { messages } = await sidekicks.conversation(id);
    expect(messages.map(textOf).toSpliced(2, 1)).toEqual([
      'first',
      'Hello from bob.',
      'a draft that is sent',
      'Hello from bob.',
    ]);
    expect((await sidekicks.transcript('bob')).join('\n')).toMatch(
      /first[\s\S]*Hello from bob\.[\s\S]*a draft that is sent/,
    );
    expect(nvim.screen.text()).not.toContain('the next use starts it again');
    await nvim.waitFor('the end of the orphans', () => alive(nvim, started).length === 0);
    for (const { state } of (await sidekicks.call('AgentService.List', {})).agents.slice(0, 3))
      expect(state).toBe('stopped');
  });
});

describeNvim('the end of an agent', (ground) => {
  it('by a kill in a turn ends that with its exit status; what it said stays, and a fresh process answers next', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    const steps = script(
      { op: 'tool_call', toolCallId: 't', title: 'Long work', kind: 'execute', status: 'in_progress' },
      { op: 'text', text: 'so far' },
      { op: 'never' },
    );
    await sidekicks.send(id, steps);
    await nvim.waitForScreen('│so far');
    await say(nvim, 'this one waits');
    await nvim.waitForScreen('1 queued');
    kill(pids(own, 'bob')[0]?.pid);
    const { messages } = await sidekicks.waitUntilIdle(id);
    expect(messages[1]).toMatchObject({ done: true, error: 'the agent was ended by SIGKILL' });
    expect(textOf(messages[1])).toBe('so far');
    expect(messages[1]?.parts).toMatchObject([{ tool: { status: 'failed' } }, {}]);
    expect(messages[2]).toMatchObject({ queued: false });
    expect(messages[2]?.error).not.toBe('');
    await nvim.waitForScreen('ended by an error: the agent was ended by SIGKILL');
    await nvim.waitForScreen(/✗ run {2}Long work/);
    await nvim.waitForScreen('not sent');
    await nvim.waitForScreen(/bob {2}error: the agent was ended by SIGKILL/);
    expect(await sidekicks.agentState('bob')).toBe('error');

    await say(nvim, 'are you back?');
    await nvim.waitForScreen('│Hello from bob.');
    await sidekicks.waitUntilIdle(id);
    expect(pids(own, 'bob')).toHaveLength(2);
    expect(received(own, 'bob', 'initialize')).toHaveLength(2);
    expect(await sidekicks.agentState('bob')).toBe('ready');
  });

  it.each([
    ['by a signal', 'SIGTERM' as const, /SIGTERM/],
    ['by itself, with status 0', '' as const, /exit code 0/],
  ])('while it rests, %s, is told, and the next prompts get a fresh process (B02)', async (_how, signal, cause) => {
    const own = ground.place();
    const steps =
      signal === ''
        ? [{ op: 'text', text: 'bye' }, { op: 'end' }, { op: 'wait', ms: 30 }, { op: 'exit', code: 0 }]
        : [];
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: {}, zoe: {} },
      { place: own, config: { limits: { maxRunningAgents: 1 } } },
    );
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, script(...steps));
    const [first] = pids(own, 'bob');
    if (signal !== '') kill(first?.pid, signal);
    await nvim.waitFor('the state', async () => (await sidekicks.agentState('bob')) === 'error');
    expect((await sidekicks.call('AgentService.List', {})).agents[0]?.error).toMatch(cause);
    // Its place in the pool is free.
    const zoe = await sidekicks.direct('zoe');
    expect(textOf((await sidekicks.ask(zoe.id, 'hello')).messages.at(-1))).toBe('Hello from zoe.');
    expect(textOf((await sidekicks.ask(id, 'hello')).messages.at(-1))).toBe('Hello from bob.');
    expect(pids(own, 'bob')).toHaveLength(2);
    expect(received(own, 'bob', 'initialize')).toHaveLength(2);
  });
});

describeNvim('beside other remote plugins', (ground) => {
  it('a talk goes as ever: with the manifest of :UpdateRemotePlugins, and another Node plugin in use', async () => {
    const own = ground.place();
    const other = join(own.root, 'other');
    mkdirSync(join(other, 'rplugin/node'), { recursive: true });
    writeFileSync(
      join(other, 'rplugin/node/other.js'),
      `module.exports = (plugin) => plugin.registerFunction('OtherAnswer', () => ({ other: 42 }), { sync: true });`,
    );
    const manifest = join(own.root, 'manifest.vim');
    const base = ['--cmd', `set rtp+=${other}`, '--cmd', `let g:node_host_prog = '${NODE_HOST}'`];
    const first = await startWith(ground, { bob: {} }, { place: own, args: base });
    // `--clean` leaves this out, as it does the reading of the manifest.
    const update = `let g:loaded_remote_plugins = '${manifest}' | silent UpdateRemotePlugins`;
    await first.nvim.command(update);
    await first.nvim.dispose();

    // As the next Neovim of such a person starts: the manifest is read before anything else of remote plugins.
    const nvim = await ground.start({ place: own, args: [...base, '--cmd', `source ${manifest}`] });
    const sidekicks = await Sidekicks.in(nvim);
    expect(await nvim.lua('return vim.fn.OtherAnswer()')).toEqual({ other: 42 });
    const id = await sidekicks.open('bob');
    await say(nvim, 'hello');
    await nvim.waitForScreen('│Hello from bob.');
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.lua('return vim.fn.OtherAnswer()')).toEqual({ other: 42 });
    expect(await nvim.lua(`return vim.fn.SidekicksRequest('AgentService.List', vim.empty_dict())`)).toHaveProperty(
      'result',
    );
    await nvim.feed('<Esc>');
    await nvim.command(update);
    await sidekicks.ask(id, 'and now?');
    await nvim.waitForScreen('and now?');
  });
});
