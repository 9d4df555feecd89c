// Owns: a panel of 50 agents, ten of them running: how soon it shows a change, what memory each takes. Must not: print or judge.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Nvim } from '../test/nvim/support/nvim.ts';
import { within } from '../test/nvim/support/wait.ts';
import { knowsMemory, memoryOf } from './machine.ts';
import type { Measuring } from './measuring.ts';
import { agent, onStage } from './stage.ts';
import { call, channelOf, hostOf } from './streams.ts';

const limitMs = 20_000;
const watchScript = readFileSync(resolve(import.meta.dirname, 'pool.lua'), 'utf8');

export const configured = 50;
export const atWork = 10;

export interface Pools {
  /** Milliseconds, one a change, of each run. */
  readonly shown: readonly (readonly number[])[];
  readonly written: readonly (readonly number[])[];
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
/** What of it others need. */
export const pool = { config, last: names[configured - 1] ?? '' };

export async function measurePool({ running, runs = usualRuns, step }: Measuring): Promise<Pools> {
  const shown: number[][] = [];
  const written: number[][] = [];
  const memory: number[] = [];
  for (let run = 1; run <= runs; run += 1) {
    step(`${configured} agents, ${atWork} running: ${run} of ${runs}`);
    await onStage(
      running,
      async ({ nvim }) => {
        await openPanel(nvim, pool.last);
        memory.push(await startAll(nvim));
        written.push(await writeRows(nvim));
        shown.push(await changeStates(nvim));
      },
      { config: pool.config },
    );
  }
  return { shown, written, memory };
}

/** Gives what the host grew by for each agent after the first, which brings all that agents share. */
export async function startAll(nvim: Nvim): Promise<number> {
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
  const hasRow = `return vim.fn.search('^' .. ..., 'nw') > 0`;
  await nvim.waitForLua('the panel', hasRow, last);
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
