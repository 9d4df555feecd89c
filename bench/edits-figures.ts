// Owns: the figures of agents' edits. Must not: measure or print.
import { filesAtOnce, hunks, treeFiles, watchedMs, type Edits, type Watched } from './edits.ts';
import type { Figure } from './figures.ts';
import { percentile } from './statistics.ts';

const names = ['1 KB', '1 MB', '19 MB'] as const;
const stoodLimitsMs = [5, 30, 300] as const;
const mergeLimitMs = 1_000;
const rightLimitMs = 1_000;
const answerLimitMs = 16;
/** The kernel counts processor time in steps of 10 ms. */
const watchCpuMs = 10;
const watchWakes = 20;

export function editsFigures({ stood, idle, merged, right, probes, watchedTree, watchedFew }: Edits): Figure[] {
  const under = (limit: number) => ({ type: 'under', limit }) as const;
  const figures: Figure[] = names.map((name, index) => ({
    group: 'j',
    what: `editor stands still, a line written in ${name}`,
    unit: 'ms',
    values: stood[index] ?? [],
    floor: idle,
    reach: under(stoodLimitsMs[index] ?? 0),
  }));
  figures.push(
    { group: 'j', what: `a turn that merges ${hunks} hunks`, unit: 'ms', values: merged, reach: under(mergeLimitMs) },
    {
      group: 'j',
      what: `${filesAtOnce} files changed on disk, until buffers are right`,
      unit: 'ms',
      values: right,
      reach: under(rightLimitMs),
    },
    {
      group: 'j',
      what: 'answers of the editor meanwhile, p99',
      unit: 'ms',
      values: probes.map((times) => percentile(times, 0.99)),
      reach: under(answerLimitMs),
    },
  );
  if (!watchedTree || !watchedFew) return figures;
  const watching = `watching ${treeFiles} files for ${watchedMs / 1000} s`;
  const adds = (what: string, unit: 'ms' | 'wakes', of: (watched: Watched) => number, limit: number): Figure => ({
    group: 'j',
    what: `${what} more than without them, ${watching}`,
    unit,
    // A little less than without them is as good as nothing.
    values: [Math.max(0, of(watchedTree) - of(watchedFew))],
    reach: { type: 'most', most: limit },
  });
  return [
    ...figures,
    adds('processor', 'ms', ({ cpuMs }) => cpuMs, watchCpuMs),
    adds('wakes', 'wakes', ({ wakes }) => wakes, watchWakes),
  ];
}
