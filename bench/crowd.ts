// Owns: twenty conversations that stream at once, one of them on screen. Must not: print or judge.
import type { Nvim } from '../test/nvim/support/nvim.ts';
import type { Figure } from './figures.ts';
import { knowsMemory, memoryOf } from './machine.ts';
import type { Measuring } from './measuring.ts';
import { Probes } from './probes.ts';
import { agent, onStage } from './stage.ts';
import { percentile } from './statistics.ts';
import { call, hostOf } from './streams.ts';

export const conversations = 20;
const chunks = 2_000;
const chunkBytes = 8;
const limitMs = 120_000;
const usualRuns = 2;
const memoryLimitMb = 120;

const names = Array.from({ length: conversations }, (_, index) => `agent${String(index).padStart(2, '0')}`);
const config = {
  limits: { maxRunningAgents: conversations },
  agents: Object.fromEntries(names.map((name) => [name, agent()])),
};

interface Crowd {
  /** Milliseconds until the last conversation is at rest. */
  readonly ms: number;
  /** Of the round trips meanwhile, in milliseconds. */
  readonly waits: readonly number[];
  /** Megabytes of the host at most. */
  readonly memory: number;
}

export async function measureCrowd({ running, runs = usualRuns, step }: Measuring): Promise<Crowd[]> {
  const crowds: Crowd[] = [];
  for (let run = 1; run <= runs; run += 1) {
    step(`${conversations} conversations at once: ${run} of ${runs}`);
    crowds.push(await onStage(running, ({ nvim }) => stream(nvim), { config }));
  }
  return crowds;
}

async function stream(nvim: Nvim): Promise<Crowd> {
  const [shown = ''] = names;
  await nvim.command(`Sidekicks open ${shown}`);
  const ids: string[] = [];
  for (const name of names) {
    const { id } = await call(nvim, 'ChannelService.Direct', { agent: name });
    await call(nvim, 'ChannelService.Prepare', { id });
    ids.push(id);
  }
  const probes = new Probes(nvim);
  probes.start();
  await probes.settled(performance.now(), limitMs);
  const sentAt = performance.now();
  const text = `flood ${chunks} ${chunkBytes} end=bench`;
  for (const id of ids) await call(nvim, 'ChannelService.Send', { id, text });
  for (const id of ids) await nvim.waitFor(`the end of ${id}`, () => isIdle(nvim, id), limitMs);
  const ms = performance.now() - sentAt;
  probes.stop();
  const waits = probes.between(sentAt, sentAt + ms).flatMap(({ took }) => took ?? []);
  return { ms, waits, memory: knowsMemory() ? memoryOf(hostOf(nvim)).peak : NaN };
}

const isIdle = async (nvim: Nvim, id: string): Promise<boolean> =>
  !(await call(nvim, 'ChannelService.Conversation', { id })).busy;

export function crowdFigures(crowds: readonly Crowd[]): Figure[] {
  const figure = (what: string, unit: Figure['unit'], of: (crowd: Crowd) => number): Figure => ({
    group: 'k',
    what: `${what}, ${conversations} conversations of ${chunks.toLocaleString('en')} chunks at once`,
    unit,
    values: crowds.map(of),
  });
  return [
    figure('until all are at rest', 's', ({ ms }) => ms / 1000),
    { ...figure('round trip p99', 'ms', ({ waits }) => percentile(waits, 0.99)), reach: { type: 'under', limit: 16 } },
    figure('round trip max', 'ms', ({ waits }) => percentile(waits, 1)),
    ...(knowsMemory()
      ? [
          {
            ...figure('host at most', 'MB', ({ memory }) => memory),
            reach: { type: 'under', limit: memoryLimitMb } as const,
          },
        ]
      : []),
  ];
}
