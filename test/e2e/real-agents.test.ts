// Owns the proof that real agents work: each one named in SIDEKICKS_TEST_AGENTS is installed from npm and does whole
// turns inside a real Neovim through Sidekicks, offline, against the fake model. Only the model is not real.
import { delimiter } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { describeNvim } from '../nvim/support/describe-nvim.ts';
import type { Nvim } from '../nvim/support/nvim.ts';
import type { Place } from '../nvim/support/place.ts';
import { Sidekicks, textOf, type Message, type Permission, type Snapshot } from '../nvim/support/sidekicks.ts';
import { realAgent, type RealAgent } from './agents.ts';
import { DEFAULT_ANSWER, scriptText, type Step } from './fake-model/script.ts';
import { startFakeModel, type FakeModel } from './fake-model/server.ts';
import { installAgent, type InstalledAgent } from './install.ts';

/** One that writes through the client, one that writes on disk, and one that does both. */
const DEFAULT_AGENTS = 'claude-code-acp,codex-zed,opencode';
const INSTALL_LIMIT_MS = 600_000;
const TURN_LIMIT_MS = 120_000;
const TEST_LIMIT_MS = 300_000;

const ON_DISK = 'line one\nline two\n';

for (const name of (process.env['SIDEKICKS_TEST_AGENTS'] || DEFAULT_AGENTS).split(',')) {
  const agent = realAgent(name);
  let installed: InstalledAgent;

  beforeAll(async () => {
    installed = await installAgent(name);
  }, INSTALL_LIMIT_MS);

  describeNvim(
    `the real agent ${name}`,
    ({ start, place, atEnd }) => {
      const begin = async (): Promise<Bench> => {
        const model = await startFakeModel();
        atEnd(() => model.close());
        const own = place({ 'a.txt': ON_DISK });
        own.writeConfig(configuration(name, agent, installed, model, own));
        const nvim = await start({ place: own, args: ['a.txt'] });
        const sidekicks = await Sidekicks.in(nvim);
        const id = await sidekicks.open(name);
        return { nvim, sidekicks, id, place: own };
      };

      it('answers what is typed, then thinks, asks, writes, edits and ends', async () => {
        const bench = await begin();
        await typePlainPrompt(bench, name);
        await appendUnsavedLine(bench.nvim);
        const answered = await work(bench, agent);
        await expectAnswer(bench, name, agent, answered);
        await expectFiles(bench, agent);
        expect(await bench.sidekicks.agentState(name)).toBe('ready');
      });

      it('stops when it is told to, and answers the next prompt', async () => {
        const { nvim, sidekicks, id } = await begin();
        await sidekicks.send(
          id,
          scriptText([
            { op: 'text', text: 'Beginning.' },
            { op: 'hang', ms: TURN_LIMIT_MS },
          ]),
        );
        // The prompt on the screen holds the same word: the agent's own is waited for.
        await sidekicks.waitForEvent(
          'message:delta',
          ({ text }) => text?.includes('Beginning.') === true,
          TURN_LIMIT_MS,
        );
        await nvim.command('Sidekicks cancel');
        const cancelled = await sidekicks.waitUntilIdle(id);
        expect(lastAnswer(cancelled)).toMatchObject({ stopReason: 'cancelled' });
        const after = await sidekicks.ask(id, 'hello again', TURN_LIMIT_MS);
        expect(textOf(lastAnswer(after))).toContain(DEFAULT_ANSWER);
      });
    },
    TEST_LIMIT_MS,
  );
}

interface Bench {
  readonly nvim: Nvim;
  readonly sidekicks: Sidekicks;
  readonly id: string;
  readonly place: Place;
}

function configuration(
  name: string,
  agent: RealAgent,
  installed: InstalledAgent,
  model: FakeModel,
  place: Place,
): object {
  const { args, env } = agent.setUp({ url: model.url, home: place.home });
  const PATH = [installed.binFolder, process.env['PATH']].join(delimiter);
  const defaults = agent.mode ? { defaults: { mode: agent.mode } } : {};
  const entry = { command: installed.command, args, env: { ...env, PATH }, startTimeout: '2m', ...defaults };
  return { agents: { [name]: entry } };
}

/** As a person does it: types into the input and presses <Enter>. */
async function typePlainPrompt({ nvim, sidekicks, id }: Bench, name: string): Promise<void> {
  await nvim.feed('<Esc>ihello there<CR>');
  await nvim.waitForScreen(DEFAULT_ANSWER, TURN_LIMIT_MS);
  const now = await sidekicks.waitUntilIdle(id);
  expect(textOf(now.messages[0])).toBe('hello there');
  expect(textOf(lastAnswer(now))).toContain(DEFAULT_ANSWER);
  expect(await nvim.bufferLines(`sidekicks://agent/${name}/input`)).toEqual(['']);
}

/** Not always the last message: some agents send notices after it. */
function lastAnswer({ messages }: Snapshot): Message | undefined {
  return messages.findLast(({ role }) => role === 'agent');
}

async function appendUnsavedLine(nvim: Nvim): Promise<void> {
  await nvim.lua(`vim.api.nvim_buf_set_lines(vim.fn.bufnr('a.txt'), -1, -1, false, { 'mine, not saved' })`);
}

/** One prompt with every step the agent can do; each permission is allowed once, by the product's own command. */
async function work({ nvim, sidekicks, id, place }: Bench, agent: RealAgent): Promise<Snapshot> {
  const tools: Record<RealAgent['steps'][number], Step> = {
    write: { op: 'write', path: place.path('b.txt'), content: 'new file\n' },
    read: { op: 'read', path: place.path('a.txt') },
    edit: { op: 'edit', path: place.path('a.txt'), old: 'line two', new: 'line 2' },
    bash: { op: 'bash', command: 'echo made by the shell > c.txt' },
  };
  const script: Step[] = [
    { op: 'think', text: 'Thinking about it.' },
    { op: 'text', text: 'Working on it. ' },
    ...agent.steps.map((step) => tools[step]),
    { op: 'text', text: 'All done.' },
  ];
  await sidekicks.send(id, `Do it. ${scriptText(script)}`);
  return nvim.waitFor('the end of the turn', () => allowOrEnd(nvim, sidekicks, id), TURN_LIMIT_MS);
}

async function allowOrEnd(nvim: Nvim, sidekicks: Sidekicks, id: string): Promise<Snapshot | false> {
  const now = await sidekicks.conversation(id);
  const [permission] = now.permissions;
  if (permission) {
    await nvim.waitFor(`the question of ${permission.toolCall.title}`, () => isAsked(nvim, permission));
    await nvim.command('Sidekicks permit allow');
    await sidekicks.waitForEvent('permission:resolved', (resolved) => resolved.id === permission.id);
  }
  return !now.busy && now;
}

/** Whether the window with this question is on the screen, with every option in the agent's own words. */
function isAsked({ screen }: Nvim, { agent, options }: Permission): boolean {
  const names = options.map(({ name }) => name.slice(0, 20));
  return [`${agent} asks for permission`, ...names].every((text) => screen.text().includes(text));
}

/** Prose in pieces, a finished tool call for each step, a diff, permissions where the agent asks, all of it on screen. */
async function expectAnswer({ nvim, sidekicks }: Bench, name: string, agent: RealAgent, now: Snapshot): Promise<void> {
  const answer = lastAnswer(now);
  expect(answer).toMatchObject({ agent: name, done: true, stopReason: 'end_turn', error: '' });
  expect(textOf(answer)).toMatch(/Working on it\.[\s\S]*All done\./);
  const calls = (answer?.parts ?? []).flatMap((part) => (part.kind === 'tool' ? [part.tool] : []));
  expect(calls.length).toBeGreaterThanOrEqual(agent.steps.length);
  expect(calls.map(({ status }) => status).filter((status) => status !== 'completed')).toEqual([]);
  expect(calls.flatMap(({ diffs }) => diffs).length).toBeGreaterThan(0);
  const pieces = sidekicks.events('message:delta').filter(({ messageId }) => messageId === answer?.id);
  expect(pieces.length).toBeGreaterThan(2);
  expect(sidekicks.events('permission:requested').length > 0).toBe(agent.asksPermission);
  await nvim.waitForScreen('All done.');
  expect(nvim.screen.text()).not.toContain(`${name} asks for permission`);
  expect((await sidekicks.transcript(name)).join('\n')).toContain('Working on it.');
}

async function expectFiles({ nvim, place }: Bench, agent: RealAgent): Promise<void> {
  expect(place.read('b.txt')).toBe('new file\n');
  if (agent.steps.includes('bash')) expect(place.read('c.txt')).toBe('made by the shell\n');
  expect(place.read('a.txt')).toBe(agent.writes === 'client' ? ON_DISK : 'line one\nline 2\n');
  await expectUnsavedEdit(nvim);
}

/** Whichever way it was made, the edit stands beside the user's own unsaved line, and undo takes only the edit away. */
async function expectUnsavedEdit(nvim: Nvim): Promise<void> {
  await nvim.waitFor('the edit in the buffer', async () => (await nvim.bufferLines('a.txt')).includes('line 2'));
  expect(await nvim.bufferLines('a.txt')).toEqual(['line one', 'line 2', 'mine, not saved']);
  expect(await nvim.lua(`return vim.bo[vim.fn.bufnr('a.txt')].modified`)).toBe(true);
  const undo = `vim.api.nvim_buf_call(vim.fn.bufnr('a.txt'), function() vim.cmd('silent undo') end)`;
  await nvim.waitFor('the text of before', async () => {
    if (!(await nvim.bufferLines('a.txt')).includes('line 2')) return true;
    await nvim.lua(undo);
    return false;
  });
  expect(await nvim.bufferLines('a.txt')).toEqual(['line one', 'line two', 'mine, not saved']);
}
