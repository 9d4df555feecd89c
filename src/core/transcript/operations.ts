// Two lists of blocks become the patch operations that turn one into the other. Knows nothing of what the blocks show.
import type { Block, PatchOperation } from '../contract/shapes.ts';
import type { Sequence } from '../markdown/index.ts';
import type { DrawnBlock, Mark, Piece } from './drawn.ts';
import type { Unchanged } from './text.ts';

/**
 * `at` is where the lists begin in the transcript. Blocks before `from.block` must be the same ones, and rows before `from.row` in
 * that block equal.
 */
export function changedBlocks(
  at: number,
  before: Piece,
  after: Piece,
  from: Unchanged = { block: 0, row: 0 },
): readonly PatchOperation[] {
  const start = commonStart(before, after, from.block);
  const old = before[start];
  const now = after[start];
  const row = start === from.block ? from.row : 0;
  const growth = old && now ? grow(at + start, old, now, row) : undefined;
  const rest = growth ? start + 1 : start;
  const end = commonEnd(before, after, rest);
  const removed = before.length - end - rest;
  const added = after.slice(rest, after.length - end);
  const grown = growth ? [growth] : [];
  return removed === 0 && added.length === 0 ? grown : [...grown, splice(at + rest, removed, added)];
}

export const splice = (at: number, remove: number, blocks: Piece): PatchOperation => ({
  op: 'splice',
  at,
  remove,
  blocks: blocks.map(blockOnWire),
});

function commonStart(before: Piece, after: Piece, from: number): number {
  let at = from;
  while (at < before.length && at < after.length && isSame(before[at], after[at])) at += 1;
  return at;
}

function commonEnd(before: Piece, after: Piece, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && isSame(before[before.length - 1 - count], after[after.length - 1 - count])) count += 1;
  return count;
}

/** Big blocks that differ do so in their last rows: those are looked at first. */
function isSame(one: DrawnBlock | undefined, other: DrawnBlock | undefined): boolean {
  if (one === other) return true;
  if (!one || !other || one.rows.length !== other.rows.length || one.marks.length !== other.marks.length) return false;
  return (
    one.rows.at(-1) === other.rows.at(-1) && isSameFrame(one, other) && JSON.stringify(one) === JSON.stringify(other)
  );
}

/** All but what a `grow` operation changes. */
function isSameFrame(one: DrawnBlock, other: DrawnBlock): boolean {
  const frame = ({ rows: _rows, marks: _marks, offsets, ...rest }: DrawnBlock): string =>
    JSON.stringify([rest, offsets === undefined]);
  return frame(one) === frame(other);
}

function grow(at: number, before: DrawnBlock, after: DrawnBlock, from: number): PatchOperation | undefined {
  if (!before.open || !after.open || !isSameFrame(before, after)) return undefined;
  const row = firstChange(before, after, from);
  return {
    op: 'grow',
    at,
    row,
    rows: after.rows.slice(row),
    marks: after.marks.slice(firstMark(after.marks, row)),
    ...(after.offsets && { offsets: after.offsets.slice(row) }),
  };
}

function firstChange(before: DrawnBlock, after: DrawnBlock, from: number): number {
  let row = from;
  while (row < before.rows.length && row < after.rows.length && isSameRow(before, after, row)) row += 1;
  const old = before.marks.slice(firstMark(before.marks, from));
  const now = after.marks.slice(firstMark(after.marks, from));
  const index = now.findIndex((mark, at) => String(mark) !== String(old[at]));
  const changed = index < 0 ? old[now.length] : old[index];
  return Math.min(row, now[index]?.[0] ?? row, changed?.[0] ?? row);
}

const isSameRow = (before: DrawnBlock, after: DrawnBlock, row: number): boolean =>
  before.rows.at(row) === after.rows.at(row) && before.offsets?.at(row) === after.offsets?.at(row);

/** The first of the marks of this row and those after it; marks are in the order of their rows. */
function firstMark(marks: Sequence<Mark>, row: number): number {
  let index = marks.length;
  while (index > 0 && (marks.at(index - 1)?.[0] ?? -1) >= row) index -= 1;
  return index;
}

function blockOnWire({ rows, marks, offsets, copy, location, ...rest }: DrawnBlock): Block {
  return {
    ...rest,
    rows: rows.slice(),
    marks: marks.slice(),
    ...(offsets && { offsets: offsets.slice() }),
    ...(copy && { copy: [copy[0], copy[1]] }),
    ...(location && { location: { ...location } }),
  };
}
