// Which lines of two texts differ, as few replaced stretches. Its cost has a limit, whatever the texts are. Pure.
import { diffArrays } from 'diff';
import type { LineChange } from './ports.ts';

/** With more changed lines than this between two anchors, all that stands between the first and the last change counts as replaced. */
const mostEdits = 400;
/** So many lines are searched for the fewest changes at once, without anchors. */
const shortLines = 1000;

/** Stretches of `before` that are replaced, ascending, never touching each other, in the coordinates of `before`. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  return joined(stretches({ before, after }).flatMap(changesWithin));
}

/** Lines `oldFrom` to `oldTo` of one text stand against `newFrom` to `newTo` of the other. */
interface Stretch {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
  readonly texts: Texts;
}

interface Texts {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * What is left between the lines that occur once in both texts and stand in the same order (patience). A search for the
 * fewest changes over the whole of two long texts takes seconds where lines repeat; between such anchors it is quick.
 */
function stretches(texts: Texts): Stretch[] {
  const whole = trimmed({ oldFrom: 0, oldTo: texts.before.length, newFrom: 0, newTo: texts.after.length, texts });
  if (whole.oldTo - whole.oldFrom + whole.newTo - whole.newFrom <= shortLines) return [whole];
  const parts: Stretch[] = [];
  let { oldFrom, newFrom } = whole;
  for (const [old, now] of anchors(whole)) {
    if (old > oldFrom || now > newFrom) parts.push(trimmed({ oldFrom, oldTo: old, newFrom, newTo: now, texts }));
    oldFrom = old + 1;
    newFrom = now + 1;
  }
  parts.push(trimmed({ ...whole, oldFrom, newFrom }));
  return parts;
}

function trimmed(stretch: Stretch): Stretch {
  const { before, after } = stretch.texts;
  let { oldFrom, oldTo, newFrom, newTo } = stretch;
  while (oldFrom < oldTo && newFrom < newTo && before[oldFrom] === after[newFrom]) {
    oldFrom++;
    newFrom++;
  }
  while (oldFrom < oldTo && newFrom < newTo && before[oldTo - 1] === after[newTo - 1]) {
    oldTo--;
    newTo--;
  }
  return { ...stretch, oldFrom, oldTo, newFrom, newTo };
}

function anchors({ oldFrom, oldTo, newFrom, newTo, texts }: Stretch): [old: number, now: number][] {
  const old = uniqueLines(texts.before, oldFrom, oldTo);
  const now = uniqueLines(texts.after, newFrom, newTo);
  const pairs: [number, number][] = [];
  for (const [line, at] of old) {
    const there = now.get(line);
    if (at >= 0 && there !== undefined && there >= 0) pairs.push([at, there]);
  }
  return longestAscending(pairs);
}

/** Where each line stands; -1 for one that occurs again. */
function uniqueLines(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let index = from; index < to; index++) {
    const line = lines[index] ?? '';
    places.set(line, places.has(line) ? -1 : index);
  }
  return places;
}

/** The longest run of pairs, ascending by their first number, in which the second ascends too. */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, value], index) => {
    const pile = firstPile(tops, (top) => (pairs[top]?.[1] ?? 0) >= value);
    previous[index] = tops[pile - 1] ?? -1;
    tops[pile] = index;
  });
  const run: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) run.push(pair);
  }
  return run.reverse();
}

function firstPile(tops: readonly number[], fits: (top: number) => boolean): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(tops[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function changesWithin({ oldFrom, oldTo, newFrom, newTo, texts }: Stretch): LineChange[] {
  const old = texts.before.slice(oldFrom, oldTo);
  const lines = texts.after.slice(newFrom, newTo);
  if (old.length === 0 && lines.length === 0) return [];
  const whole = [{ from: oldFrom, to: oldTo, lines }];
  if (old.length === 0 || lines.length === 0) return whole;
  const parts = diffArrays(old, lines, { maxEditLength: mostEdits });
  return parts ? changesOf(parts, oldFrom) : whole;
}

interface Part {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}

function changesOf(parts: readonly Part[], start: number): LineChange[] {
  const changes: LineChange[] = [];
  let row = start;
  for (const { added, removed, value } of parts) {
    if (added) changes.push({ from: row, to: row, lines: value });
    if (removed) changes.push({ from: row, to: row + value.length, lines: [] });
    if (!added) row += value.length;
  }
  return changes;
}

/** Changes that touch are one. */
function joined(changes: readonly LineChange[]): LineChange[] {
  const all: LineChange[] = [];
  for (const change of changes) {
    const last = all.at(-1);
    if (last?.to === change.from) {
      all[all.length - 1] = { from: last.from, to: change.to, lines: [...last.lines, ...change.lines] };
    } else {
      all.push(change);
    }
  }
  return all;
}
