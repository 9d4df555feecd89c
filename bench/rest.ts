// Owns: what the host uses of the machine while nothing works and no log is open. Must not: print or judge.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, wakesOf } from './machine.ts';
import type { Measuring } from './measuring.ts';
import { openPanel, pool, startAll } from './pool.ts';
import { onStage } from './stage.ts';
import { hostOf } from './streams.ts';

const floorHost = resolve(import.meta.dirname, 'floors/host.cjs');
/** The last of what V8 collects of its own accord after work comes 19 s behind it. */
const settleMs = 25_000;
const restMs = 10_000;

/** What one process has used. */
export interface Rest {
  readonly cpuMs: number;
  readonly wakes: number;
}

export interface Rests {
  readonly running: Rest;
  readonly stopped: Rest;
  /** A Node that does nothing but wait for its input. */
  readonly floor: Rest;
}

/** All three at the same time: none of them does anything. */
export async function measureRests({ running, step }: Measuring): Promise<Rests> {
  step(`at rest: ${(settleMs + restMs) / 1000} s`);
  const host = (starts: boolean): Promise<Rest> =>
    onStage(
      running,
      async ({ nvim }) => {
        await openPanel(nvim, pool.last);
        if (starts) await startAll(nvim);
        return usedAtRest(hostOf(nvim));
      },
      { config: pool.config },
    );
  const floor = spawn(process.execPath, [floorHost], { stdio: ['pipe', 'ignore', 'inherit'] });
  return running.until(
    () => void floor.stdin.end(),
    async () => {
      const [ready, none, idle] = await Promise.all([host(true), host(false), usedAtRest(floor.pid ?? 0)]);
      return { running: ready, stopped: none, floor: idle };
    },
  );
}

async function usedAtRest(pid: number): Promise<Rest> {
  await sleep(settleMs);
  const before = usedBy(pid);
  await sleep(restMs);
  const now = usedBy(pid);
  return { cpuMs: now.cpuMs - before.cpuMs, wakes: now.wakes - before.wakes };
}

const usedBy = (pid: number): Rest => ({ cpuMs: (cpuOf(pid) ?? NaN) * 1000, wakes: wakesOf(pid) });
