// Three-way merge of texts by lines (SPEC section 9): what both sides changed apart from each other survives, and what
// both changed in one place is told, not decided. Pure.
import { lineChanges } from '../line-changes.ts';
import type { LineChange } from '../ports.ts';

/** Lines `from` to `to` (from 0, end excluded) of one side's text. */
export interface Side {
  readonly from: number;
  readonly to: number;
  readonly changed: boolean;
}

/** A stretch of the base that one side or both have changed. */
export interface Region {
  readonly from: number;
  readonly to: number;
  readonly mine: Side;
  readonly theirs: Side;
  /** Both changed it, not to the same. */
  readonly overlaps: boolean;
}

export interface ThreeTexts {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  readonly regions: readonly Region[];
}

/** Beside its lines an element for what stands after the last line end, so that a missing final newline is a change like any other. */
export const linesOf = (text: string): string[] => text.split('\n');
export const textOf = (lines: readonly string[]): string => lines.join('\n');

export function compare(base: readonly string[], mine: readonly string[], theirs: readonly string[]): ThreeTexts {
  const texts = { base, mine, theirs };
  return { ...texts, regions: regionsOf(texts, lineChanges(base, mine), lineChanges(base, theirs)) };
}

export type Merged =
  | { readonly type: 'merged'; readonly text: string }
  | { readonly type: 'overlap'; readonly texts: ThreeTexts; readonly regions: readonly Region[] };

export function merge(base: string, mine: string, theirs: string): Merged {
  if (base === mine || mine === theirs) return { type: 'merged', text: theirs };
  if (base === theirs) return { type: 'merged', text: mine };
  const texts = compare(linesOf(base), linesOf(mine), linesOf(theirs));
  const regions = texts.regions.filter(({ overlaps }) => overlaps);
  if (regions.length > 0) return { type: 'overlap', texts, regions };
  return { type: 'merged', text: textOf(weave(texts, (region) => (region.mine.changed ? 'mine' : 'theirs'))) };
}

export type Choice = 'base' | 'mine' | 'theirs';

/** The base, with the lines of the chosen side in each region. */
export function weave(texts: ThreeTexts, choose: (region: Region, index: number) => Choice): string[] {
  const parts: (readonly string[])[] = [];
  let row = 0;
  texts.regions.forEach((region, index) => {
    parts.push(texts.base.slice(row, region.from), chosenLines(texts, region, choose(region, index)));
    row = region.to;
  });
  parts.push(texts.base.slice(row));
  return parts.flat();
}

export function chosenLines(texts: ThreeTexts, region: Region, choice: Choice): readonly string[] {
  const { from, to } = choice === 'base' ? region : region[choice];
  return texts[choice].slice(from, to);
}

interface Hunk {
  readonly side: 'mine' | 'theirs';
  readonly change: LineChange;
}

function regionsOf(
  texts: Omit<ThreeTexts, 'regions'>,
  mine: readonly LineChange[],
  theirs: readonly LineChange[],
): Region[] {
  const hunks = [...hunksOf('mine', mine), ...hunksOf('theirs', theirs)].sort(
    (a, b) => a.change.from - b.change.from || a.change.to - b.change.to,
  );
  const shift = { mine: 0, theirs: 0 };
  return clusters(hunks).map(({ from, to, hunks: within }) => {
    const sides = { mine: sideOf('mine'), theirs: sideOf('theirs') };
    return { from, to, ...sides, overlaps: overlap(texts, sides) };

    function sideOf(side: Hunk['side']): Side {
      const own = within.filter((hunk) => hunk.side === side);
      const start = from + shift[side];
      for (const { change } of own) shift[side] += change.lines.length - (change.to - change.from);
      return { from: start, to: to + shift[side], changed: own.length > 0 };
    }
  });
}

const hunksOf = (side: Hunk['side'], changes: readonly LineChange[]): Hunk[] =>
  changes.map((change) => ({ side, change }));

interface Cluster {
  readonly from: number;
  readonly to: number;
  readonly hunks: readonly Hunk[];
}

function clusters(hunks: readonly Hunk[]): Cluster[] {
  const all: Cluster[] = [];
  for (const hunk of hunks) {
    const { from, to } = hunk.change;
    const last = all.at(-1);
    if (last && meets(last, hunk.change)) {
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, to), hunks: [...last.hunks, hunk] };
    } else {
      all.push({ from, to, hunks: [hunk] });
    }
  }
  return all;
}

/** They share a line, or both insert at one place; lines that are only neighbours do not meet (SPEC 9). */
const meets = (cluster: { readonly from: number; readonly to: number }, { from, to }: LineChange): boolean =>
  from < cluster.to || (cluster.from === cluster.to && from === to && from === cluster.from);

function overlap(
  texts: Omit<ThreeTexts, 'regions'>,
  { mine, theirs }: { readonly mine: Side; readonly theirs: Side },
): boolean {
  if (!mine.changed || !theirs.changed) return false;
  if (mine.to - mine.from !== theirs.to - theirs.from) return true;
  for (let index = 0; index < mine.to - mine.from; index++) {
    if (texts.mine[mine.from + index] !== texts.theirs[theirs.from + index]) return true;
  }
  return false;
}
