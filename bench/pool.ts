// Owns: a panel of 50 agents, ten of them running: how soon it shows a change, what they cost at rest. Must not: print or judge.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Nvim } from '../test/nvim/support/nvim.ts';
import { within } from '../test/nvim/support/wait.ts';
import { cpuOf, knowsMemory, memoryOf, wakesOf } from './machine.ts';
import type { Measuring } from './measuring.ts';
import type { Running } from './running.ts';
import { agent, onStage } from './stage.ts';
import { call, channelOf, hostOf } from './streams.ts';

const limitMs = 20_000;
const watchScript = readFileSync(resolve(import.meta.dirname, 'pool.lua'), 'utf8');
const floorHost = resolve(import.meta.dirname, 'floors/host.cjs');

export const configured = 50;
export const atWork = 10;
/** What a start leaves to be done is done by then. */
const settleMs = 5000;
const restMs = 10_000;

/** What one process has used while nothing worked. */
export interface Rest {
  readonly cpuMs: number;
  readonly wakes: number;
}

export interface Pools {
  /** Milliseconds, one a change, of each run. */
  readonly shown: readonly (readonly number[])[];
  readonly written: readonly (readonly number[])[];
  readonly rest: { readonly running: Rest[]; readonly stopped: Rest[]; readonly floor: Rest[] };
  /** Megabytes of the host for each further agent. */
  readonly memory: readonly number[];
}

const usualRuns = 3;
const names = Array.from({ length: configured }, (_, index) => `agent${String(index).padStart(2, '0')}`);
const busy = names.slice(0, atWork);
const config = {
  limits: { maxRunningAgents: atWork },
  agents: Object.fromEntries(names.map((name) => [name, agent()])),
};

/** `rests`: also what they cost when nothing works, which takes half a minute. */
export async function measurePool(measuring: Measuring, rests: boolean): Promise<Pools> {
  const { running, runs = usualRuns, step } = measuring;
  const shown: number[][] = [];
  const written: number[][] = [];
  const memory: number[] = [];
  const rest: Pools['rest'] = { running: [], stopped: [], floor: [] };
  for (let run = 1; run <= runs; run += 1) {
    step(`${configured} agents, ${atWork} running: ${run} of ${runs}`);
    await onStage(
      running,
      async ({ nvim }) => {
        memory.push(await startAll(nvim));
        written.push(await writeRows(nvim));
        if (rests && run === 1) await measureRest(running, nvim, 'running', rest, step);
        shown.push(await changeStates(nvim));
        if (rests && run === 1) await measureRest(running, nvim, 'stopped', rest, step);
      },
      { config },
    );
  }
  return { shown, written, rest, memory };
}

/** With the panel open; gives what the host grew by for each agent after the first, which brings all that agents share. */
async function startAll(nvim: Nvim): Promise<number> {
  await openPanel(nvim, names[configured - 1] ?? '');
  const [first = '', ...others] = busy;
  await call(nvim, 'AgentService.Start', { name: first });
  const before = memoryNow(nvim);
  for (const name of others) await call(nvim, 'AgentService.Start', { name });
  return (memoryNow(nvim) - before) / others.length;
}

const memoryNow = (nvim: Nvim): number => (knowsMemory() ? memoryOf(hostOf(nvim)).now : NaN);

/** Alone on the screen, and watched from now on. */
export async function openPanel(nvim: Nvim, last: string): Promise<void> {
  await nvim.command('Sidekicks agents');
  await nvim.command('only');
  const shows = `return vim.tbl_contains(vim.api.nvim_buf_get_lines(0, 0, -1, false), function(row)
    return vim.startswith(row, ...)
  end, { predicate = true })`;
  await nvim.waitForLua('the panel', `local last = ... ${shows.replace('...', 'last')}`, last);
  await nvim.lua(watchScript, await channelOf(nvim));
}

/** The floor: what Neovim alone takes to write and draw such a row. */
async function writeRows(nvim: Nvim): Promise<number[]> {
  const times: number[] = [];
  for (const name of busy) {
    times.push(await shown(nvim, () => nvim.lua('BenchWrite(...)', `^${name}`, `${name}  written`)));
    times.push(await shown(nvim, () => nvim.lua('BenchWrite(...)', `^${name}`, `${name}  ready`)));
  }
  return times;
}

/** Both changes are made at once in the host: what an agent takes to start or end is not in them. */
async function changeStates(nvim: Nvim): Promise<number[]> {
  const times: number[] = [];
  const change = async (method: string, name: string, state: string): Promise<void> => {
    times.push(
      await shown(nvim, () => nvim.lua('BenchAsk(...)', `AgentService.${method}`, name, `^${name} +${state}`)),
    );
  };
  for (const name of busy) {
    await change('Stop', name, 'stopped');
    await call(nvim, 'AgentService.Stop', { name }); // waits until nothing is left of it
    await change('Start', name, 'starting');
    await call(nvim, 'AgentService.Start', { name });
  }
  for (const name of busy) await change('Stop', name, 'stopped');
  for (const name of busy) await call(nvim, 'AgentService.Stop', { name });
  return times;
}

/** Milliseconds from what is done until it is on screen. */
export async function shown(nvim: Nvim, act: () => Promise<unknown>): Promise<number> {
  const told = new Promise<number>((done) => nvim.onNotification('bench_shown', ([took]) => done(Number(took))));
  await act();
  return within(limitMs, told, () => {
    throw new Error(`not on screen within ${limitMs / 1000} s\n${nvim.screen.text()}`);
  });
}

/** The host, beside a Node that does nothing but wait for its input. */
async function measureRest(
  running: Running,
  nvim: Nvim,
  state: 'running' | 'stopped',
  rest: Pools['rest'],
  step: Measuring['step'],
): Promise<void> {
  step(`at rest, agents ${state}: ${(settleMs + restMs) / 1000} s`);
  const floor = spawn(process.execPath, [floorHost], { stdio: ['pipe', 'ignore', 'inherit'] });
  const pids = [hostOf(nvim), floor.pid ?? 0] as const;
  await running.until(
    () => void floor.stdin.end(),
    async () => {
      await sleep(settleMs);
      const before = pids.map(usedBy);
      await sleep(restMs);
      const used = pids.map(usedBy).map((now, index) => ({
        cpuMs: now.cpuMs - (before[index]?.cpuMs ?? NaN),
        wakes: now.wakes - (before[index]?.wakes ?? NaN),
      }));
      if (used[0] && used[1]) {
        rest[state].push(used[0]);
        rest.floor.push(used[1]);
      }
    },
  );
}

const usedBy = (pid: number): Rest => ({
  cpuMs: (cpuOf(pid) ?? NaN) * 1000,
  wakes: knowsMemory() ? wakesOf(pid) : NaN,
});
