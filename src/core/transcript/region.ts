// What a copy of a block takes: its text without label, fences, list indent and quote signs.
import { characterIndex } from '../markdown/bytes.ts';
import type { DrawnBlock } from './drawn.ts';

export function regionText({ rows, copy, offsets }: DrawnBlock): string {
  const [from, to] = copy ?? [0, rows.length];
  return rows
    .slice(from, to)
    .map((row, index) => row.slice(characterIndex(row, offsets?.at(from + index) ?? 0)))
    .join('\n');
}
