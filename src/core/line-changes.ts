// Which lines of two texts differ, as the fewest replaced stretches. Its cost has a limit, whatever the texts are.
import { diffArrays } from 'diff';
import type { LineChange } from './ports.ts';

/** With more changed lines than this, all that stands between the first and the last change counts as replaced. */
const mostEdits = 400;

/** Stretches of `before` that are replaced, ascending, in the coordinates of `before`. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const head = commonStart(before, after);
  const tail = commonEnd(before, after, head);
  const old = before.slice(head, before.length - tail);
  const lines = after.slice(head, after.length - tail);
  if (old.length === 0 && lines.length === 0) return [];
  const parts = diffArrays(old, lines, { maxEditLength: mostEdits });
  return parts ? changesOf(parts, head) : [{ from: head, to: head + old.length, lines }];
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
    const last = changes.at(-1);
    const change = last?.to === row && (added || removed) ? last : { from: row, to: row, lines: [] };
    if (change === last) changes.pop();
    if (added) changes.push({ ...change, lines: [...change.lines, ...value] });
    if (removed) changes.push({ ...change, to: row + value.length });
    if (!added) row += value.length;
  }
  return changes;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count++;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
