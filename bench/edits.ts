// Owns: agents' edits of open files: how long the editor stands still, how soon many buffers are right, what watching costs.
// Must not: print or judge.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptedAgent, type Step } from '../test/nvim/support/agents.ts';
import type { Nvim } from '../test/nvim/support/nvim.ts';
import type { Place } from '../test/nvim/support/place.ts';
import { Sidekicks } from '../test/nvim/support/sidekicks.ts';
import { within } from '../test/nvim/support/wait.ts';
import { cpuOf, knowsMemory, wakesOf } from './machine.ts';
import type { Measuring } from './measuring.ts';
import { Probes } from './probes.ts';
import type { Running } from './running.ts';
import { inPlace, nvimIn } from './stage.ts';
import { channelOf, hostOf } from './streams.ts';

const limitMs = 30_000;
const usualRuns = 3;
const agentName = 'editor';
const script = readFileSync(resolve(import.meta.dirname, 'edits.lua'), 'utf8');
const line = `${'some words of a line of an ordinary length '.repeat(2).slice(0, 63)}\n`;

export const sizes = [1 << 10, 1 << 20, 19 << 20] as const;
export const hunks = 1_000;
export const filesAtOnce = 200;
export const treeFiles = 100_000;
export const watchedMs = 5_000;

export interface Watched {
  readonly cpuMs: number;
  readonly wakes: number;
}

export interface Edits {
  /** By size: the longest stand-still of the editor during the turn, of each run. */
  readonly stood: readonly (readonly number[])[];
  /** The same of a turn that edits nothing. */
  readonly idle: readonly number[];
  readonly merged: readonly number[];
  /** Until all buffers are right, and the answers of the editor meanwhile. */
  readonly right: readonly number[];
  readonly probes: readonly (readonly number[])[];
  readonly watchedTree: Watched | undefined;
  readonly watchedFew: Watched | undefined;
}

interface Ground {
  readonly place: Place;
  readonly nvim: Nvim;
  readonly sidekicks: Sidekicks;
  readonly channel: string;
}

export async function measureEdits({ running, runs = usualRuns, step }: Measuring): Promise<Edits> {
  const edits = { stood: sizes.map((): number[] => []), idle: [] as number[], merged: [] as number[] };
  const right: number[] = [];
  const probes: number[][] = [];
  for (let run = 1; run <= runs; run += 1) {
    step(`edits of open files: ${run} of ${runs}`);
    await onGround(running, async (ground) => {
      await turn(ground, []);
      edits.idle.push(await stoodIn(ground, []));
      for (const [index, size] of sizes.entries()) edits.stood[index]?.push(await writeOneLine(ground, size));
      edits.merged.push(await mergeHunks(ground));
    });
    await onGround(running, async (ground) => {
      const all = await writeAllFiles(ground);
      right.push(all.ms);
      probes.push([...all.probes]);
    });
  }
  const watched = knowsMemory();
  if (watched) step(`watching a tree of ${treeFiles} files`);
  const watchedTree = watched ? await onGround(running, (ground) => watchTree(ground, treeFiles)) : undefined;
  const watchedFew = watched ? await onGround(running, (ground) => watchTree(ground, 0)) : undefined;
  return { ...edits, right, probes, watchedTree, watchedFew };
}

function onGround<T>(running: Running, work: (ground: Ground) => Promise<T>): Promise<T> {
  return inPlace(running, async (place) => {
    place.writeConfig({ agents: { [agentName]: scriptedAgent(place, agentName) } });
    const nvim = await nvimIn(place);
    return running.until(
      () => nvim.dispose(),
      async () => {
        await nvim.command('set hidden');
        await nvim.lua(script, await channelOf(nvim));
        const sidekicks = await Sidekicks.in(nvim);
        const { id: channel } = await sidekicks.direct(agentName);
        return work({ place, nvim, sidekicks, channel });
      },
    );
  });
}

let turns = 0;

/** The steps stand in a file: they may hold a text of many megabytes. */
function scriptOf({ place }: Ground, steps: readonly Step[]): string {
  turns += 1;
  const file = join(place.root, `steps-${turns}.json`);
  writeFileSync(file, JSON.stringify([...steps, { op: 'end' }]));
  return `SCRIPT@${file}@`;
}

async function turn(ground: Ground, steps: readonly Step[]): Promise<void> {
  await ground.sidekicks.send(ground.channel, scriptOf(ground, steps));
  await ground.sidekicks.waitUntilIdle(ground.channel);
}

/** Milliseconds the editor's loop stood still in one piece, at most. */
async function stoodIn(ground: Ground, steps: readonly Step[]): Promise<number> {
  const text = scriptOf(ground, steps);
  await ground.nvim.lua('BenchStart()');
  await ground.sidekicks.send(ground.channel, text);
  await ground.sidekicks.waitUntilIdle(ground.channel);
  return ground.nvim.lua<number>('return BenchWorst()');
}

async function writeOneLine(ground: Ground, size: number): Promise<number> {
  const path = ground.place.write(`size-${size}.txt`, line.repeat(size / line.length));
  await ground.nvim.command(`edit ${path}`);
  const half = Math.floor(size / line.length / 2);
  const content = `${line.repeat(half)}changed\n${line.repeat(half - 1)}`;
  const stood = await stoodIn(ground, [{ op: 'write', path, content }]);
  const row = await ground.nvim.lua('return vim.api.nvim_buf_get_lines(0, ..., -1, false)[1]', half);
  if (row !== 'changed') throw new Error(`the line was not written: ${String(row)}`);
  await ground.nvim.command('bwipeout!');
  return stood;
}

/** The person changed so many lines, the agent as many others. */
async function mergeHunks(ground: Ground): Promise<number> {
  const lines = Array.from({ length: hunks * 4 }, (_, index) => `line ${index}`);
  const changed = (who: string, rest: number) => lines.map((text, at) => (at % 4 === rest ? `${text}, ${who}` : text));
  const path = ground.place.write('merged.txt', `${lines.join('\n')}\n`);
  await ground.nvim.command(`edit ${path}`);
  await turn(ground, [{ op: 'read', path }]);
  await ground.nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, ...)', changed('mine', 0));
  const since = performance.now();
  await turn(ground, [{ op: 'write', path, content: `${changed('theirs', 2).join('\n')}\n` }]);
  const took = performance.now() - since;
  const [first, third] = await ground.nvim.lua<string[]>(
    'local l = vim.api.nvim_buf_get_lines(0, 0, 3, false) return { l[1], l[3] }',
  );
  if (first !== 'line 0, mine' || third !== 'line 2, theirs') throw new Error(`not merged: ${first}, ${third}`);
  await ground.nvim.command('bwipeout!');
  return took;
}

async function writeAllFiles(ground: Ground): Promise<{ readonly ms: number; readonly probes: readonly number[] }> {
  const { place, nvim, sidekicks, channel } = ground;
  const names = Array.from({ length: filesAtOnce }, (_, index) => `file-${index}.txt`);
  for (const name of names) place.write(name, line.repeat(100));
  await nvim.lua(`for _, name in ipairs(...) do vim.fn.bufload(vim.fn.bufadd(name)) end`, names);
  const begun = join(place.root, 'begin');
  const content = `changed\n${line.repeat(99)}`;
  const text = scriptOf(ground, [
    { op: 'text', text: 'begun' },
    { op: 'wait_file', path: begun },
    ...names.map((path) => ({ op: 'disk_write', path, content })),
    { op: 'wait', ms: 1_500 },
  ]);
  await sidekicks.send(channel, text);
  await sidekicks.waitForEvent('message:delta', (event) => event.text === 'begun');
  const told = new Promise<void>((done) => nvim.onNotification('bench_right', () => done()));
  await nvim.lua(`BenchAwait(0, 'changed', vim.tbl_map(function(name) return vim.fn.bufnr(name) end, ...))`, names);
  const probes = new Probes(nvim);
  probes.start();
  const since = performance.now();
  writeFileSync(begun, '');
  await within(limitMs, told, () => {
    throw new Error('the buffers are not right');
  });
  const ms = performance.now() - since;
  await sidekicks.waitUntilIdle(channel);
  probes.stop();
  return { ms, probes: probes.between(since, since + ms).flatMap(({ took }) => took ?? []) };
}

/** What the host uses while an agent is at work in the tree and changes nothing. */
async function watchTree(ground: Ground, files: number): Promise<Watched> {
  const { place, nvim, sidekicks, channel } = ground;
  for (let made = 0; made < files; made += 1) {
    const folder = place.path(`tree/${Math.floor(made / 100)}`);
    if (made % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${made}.txt`), '');
  }
  await nvim.command(`edit ${place.write('tree/0/open.txt', line)}`);
  await sidekicks.send(channel, scriptOf(ground, [{ op: 'text', text: 'begun' }, { op: 'wait_cancel' }]));
  await sidekicks.waitForEvent('message:delta', (event) => event.text === 'begun');
  await sleep(watchedMs);
  const host = hostOf(nvim);
  const used = (): Watched => ({ cpuMs: (cpuOf(host) ?? NaN) * 1000, wakes: wakesOf(host) });
  const before = used();
  await sleep(watchedMs);
  const now = used();
  return { cpuMs: now.cpuMs - before.cpuMs, wakes: now.wakes - before.wakes };
}
