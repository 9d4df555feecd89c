// Owns: the figures of many agents: the panel, a pool at rest, a reload. Must not: measure or print.
import type { Figure } from './figures.ts';
import { atWork, configured, type Pools } from './pool.ts';
import type { Reloads } from './reload.ts';
import type { Rest, Rests } from './rest.ts';
import { percentile } from './statistics.ts';

const shownLimitMs = 50;
const reloadLimitMs = 100;
/** The idle check comes every 30 s, so once at most in the 10 s that are looked at; its end is a wake of its own. */
const idleWakes = 2;
/** The kernel counts processor time in steps of 10 ms, and the check may fall on one. */
const checkMs = 10;

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

export const memoryFigures = ({ memory }: Pools): Figure[] => [
  { group: 'g', what: 'host memory for each further agent', unit: 'MB', values: memory },
];

export const restFigures = ({ running, stopped, floor }: Rests): Figure[] => [
  ...restOf(`${atWork} agents ready`, running, floor, { cpuMs: checkMs, wakes: idleWakes }),
  ...restOf('none running', stopped, floor, { cpuMs: 0, wakes: 0 }),
];

function restOf(who: string, rest: Rest, floor: Rest, most: Rest): Figure[] {
  const figure = (what: string, unit: Figure['unit'], of: (rest: Rest) => number): Figure => ({
    group: 'g',
    what: `${what} in 10 s at rest, ${who}`,
    unit,
    values: [of(rest)],
    floor: [of(floor)],
    reach: { type: 'most', most: of(most) },
  });
  return [figure('processor', 'ms', ({ cpuMs }) => cpuMs), figure('wakes', 'wakes', ({ wakes }) => wakes)];
}

export function reloadFigures({ told, shown }: Reloads): Figure[] {
  const reach = { type: 'under', limit: reloadLimitMs } as const;
  return [
    { group: 'h', what: '500 agents saved, until it is told', unit: 'ms', values: told },
    { group: 'h', what: '500 agents saved, until the panel shows it', unit: 'ms', values: shown, reach },
  ];
}
