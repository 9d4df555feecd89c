// Two texts as one list of lines that stayed, went and came. Draws nothing.
import { lineChanges } from '../line-changes.ts';

export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let row = 0;
  for (const change of lineChanges(before, after)) {
    lines.push(...signed(' ', before.slice(row, change.from)));
    lines.push(...signed('-', before.slice(change.from, change.to)), ...signed('+', change.lines));
    row = change.to;
  }
  return [...lines, ...signed(' ', before.slice(row))];
}

const signed = (sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] =>
  lines.map((text) => ({ sign, text }));
