// Owns: the figures of many agents: the panel, a pool at rest, a reload. Must not: measure or print.
import type { Figure } from './figures.ts';
import { knowsMemory } from './machine.ts';
import { atWork, configured, type Pools, type Rest } from './pool.ts';
import type { Reloads } from './reload.ts';
import { percentile } from './statistics.ts';

const shownLimitMs = 50;
const reloadLimitMs = 100;
/** The idle check comes every 30 s, so once at most in the 10 s that are looked at. */
const idleWakes = 1;

export function panelFigures({ shown, written }: Pools): Figure[] {
  const figure = (what: string, share: number): Figure => ({
    group: 'f',
    what: `${what} of a change, ${configured} agents, ${atWork} running`,
    unit: 'ms',
    values: shown.map((times) => percentile(times, share)),
    floor: written.map((times) => percentile(times, share)),
  });
  return [
    figure('in the panel, p50', 0.5),
    { ...figure('in the panel, p95', 0.95), reach: { type: 'under', limit: shownLimitMs } },
  ];
}

export function restFigures({ rest, memory }: Pools): Figure[] {
  if (!knowsMemory()) return [];
  return [
    ...restOf(`${atWork} agents ready`, rest.running, rest.floor.slice(0, rest.running.length), idleWakes),
    ...restOf('none running', rest.stopped, rest.floor.slice(rest.running.length), 0),
    { group: 'g', what: 'host memory for each further agent', unit: 'MB', values: memory },
  ];
}

function restOf(who: string, rests: readonly Rest[], floor: readonly Rest[], wakes: number): Figure[] {
  const figure = (what: string, unit: Figure['unit'], of: (rest: Rest) => number, most: number): Figure => ({
    group: 'g',
    what: `${what} of 10 s at rest, ${who}`,
    unit,
    values: rests.map(of),
    floor: floor.map(of),
    reach: { type: 'most', most },
  });
  return [figure('processor', 'ms', ({ cpuMs }) => cpuMs, 0), figure('wakes in', 'wakes', (used) => used.wakes, wakes)];
}

export function reloadFigures({ told, shown }: Reloads): Figure[] {
  const reach = { type: 'under', limit: reloadLimitMs } as const;
  return [
    { group: 'h', what: '500 agents saved, until it is told', unit: 'ms', values: told },
    { group: 'h', what: '500 agents saved, until the panel shows it', unit: 'ms', values: shown, reach },
  ];
}
