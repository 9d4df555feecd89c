// What one line is drawn as: its row, cut if need be, and where its code begins. Knows no other line.
import type { MarkdownLimits } from './blocks.ts';
import { head, utf8Length } from './bytes.ts';
import type { Line } from './lines.ts';
import type { Scanned } from './scan.ts';

export interface Row {
  readonly text: string;
  /** Characters that are the agent's; what follows is the sign of a cut. */
  readonly whole: number;
}

export function proseRow(line: Line, limits: MarkdownLimits): Row {
  const blank = /^[\t ]*$/.test(line.text);
  return blank && line.rest === 0 ? { text: '', whole: 0 } : cutRow(line, limits.prose, limits);
}

export interface CodeRow extends Row {
  /** Characters in front of the code. */
  readonly from: number;
}

/** A tab that is half indent and half code becomes spaces: no byte stands between its halves. */
export function codeRow(line: Line, scanned: Scanned, limits: MarkdownLimits): CodeRow {
  const row = cutRow(line, limits.code, limits);
  const { from, tab } = scanned;
  if (tab === 0) return { ...row, from: Math.min(from, row.text.length) };
  const text = `${row.text.slice(0, from)}${' '.repeat(tab)}${row.text.slice(from + 1)}`;
  return { text, whole: row.whole + tab - 1, from };
}

function cutRow({ text, rest }: Line, limit: number, { cutSign }: MarkdownLimits): Row {
  if (text.length <= limit && rest === 0) return { text, whole: text.length };
  const kept = head(text, limit);
  return { text: kept + cutSign(utf8Length(text) + rest), whole: kept.length };
}
