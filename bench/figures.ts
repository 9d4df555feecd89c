// Owns: what a figure is, and whether it is within its reach. Must not: measure or print.
import { median } from './statistics.ts';

/** The letters of what is measured: first answer, streams, round trips, memory, start-up; of many agents: panel, idleness, reload; long histories; edits; a crowd. */
export const groups = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'] as const;
export type Group = (typeof groups)[number];

export type Reach =
  | { readonly type: 'ratio'; readonly most: number }
  | { readonly type: 'most'; readonly most: number }
  | { readonly type: 'under'; readonly limit: number };

export interface Figure {
  readonly group: Group;
  readonly what: string;
  readonly unit: 'ms' | 's' | 'MB' | '×' | 'wakes';
  /** One value a run. */
  readonly values: readonly number[];
  readonly floor?: readonly number[];
  /** What a figure without a reach says is there to judge the others by. */
  readonly reach?: Reach;
}

export interface Verdict {
  readonly ratio: number | undefined;
  readonly within: boolean | undefined;
}

/** Goes by the medians. */
export function judge({ values, floor, reach }: Figure): Verdict {
  const value = median(values);
  // Beside a floor of nothing there is no so many times.
  const ratio = floor && median(floor) !== 0 ? value / median(floor) : undefined;
  if (!reach) return { ratio, within: undefined };
  switch (reach.type) {
    case 'ratio':
      return { ratio, within: ratio !== undefined && ratio <= reach.most };
    case 'most':
      return { ratio, within: value <= reach.most };
    case 'under':
      return { ratio, within: value < reach.limit };
  }
}
