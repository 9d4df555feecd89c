// A thought as one block: a label and its lines as they are, folded when it has ended.
import { openEnd } from '../markdown/index.ts';
import { finalLine, newLineReader, readLines, type LineReader } from '../markdown/lines.ts';
import { say, wholeRows, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { plainRow } from './plain.ts';
import { rowLimits } from './sizes.ts';
import type { Redrawn } from './text.ts';

export interface DrawnThought {
  readonly text: string;
  readonly closed: boolean;
  readonly reader: LineReader;
  /** The rows of the lines that have ended, but for blank ones at the end. */
  readonly rows: readonly string[];
  readonly blanks: number;
  readonly blocks: readonly DrawnBlock[];
}

/** No block while there is nothing but blanks. */
export function drawThought(
  context: Context,
  of: { readonly id: string; readonly message: string },
  text: string,
  closed: boolean,
  before: DrawnThought | undefined,
): Redrawn<DrawnThought> {
  const grown = before && text.startsWith(before.text) ? before : undefined;
  const row = (line: { text: string; rest: number }): string => plainRow(line, rowLimits.prose, context.options.language);
  const { reader, lines } = readLines(
    grown?.reader ?? newLineReader(rowLimits.prose),
    text.slice(grown?.text.length ?? 0),
  );
  const settled = addRows(grown ?? { rows: [], blanks: 0 }, lines.map(row));
  const shown = addRows(settled, [row(closed ? finalLine(reader) : reader.last)]);
  const blocks = shown.rows.length > 0 ? [thoughtBlock(context, of, shown.rows, closed)] : [];
  return {
    drawn: { text, closed, reader, ...settled, blocks },
    from: { block: 0, row: grown && grown.blocks.length > 0 ? grown.rows.length + 1 : 0 },
  };
}

interface Rows {
  readonly rows: readonly string[];
  readonly blanks: number;
}

/** Blank rows are drawn when something follows them, and never first. */
function addRows(before: Rows, added: readonly string[]): Rows {
  if (added.length === 0) return before;
  const rows = [...before.rows];
  let blanks = before.blanks;
  for (const row of added) {
    if (row.trim() === '') {
      blanks += rows.length > 0 ? 1 : 0;
      continue;
    }
    while (blanks > 0) blanks -= rows.push('') > 0 ? 1 : 0;
    rows.push(row);
  }
  return { rows, blanks };
}

function thoughtBlock(
  context: Context,
  of: { readonly id: string; readonly message: string },
  rows: readonly string[],
  closed: boolean,
): DrawnBlock {
  const title = say(context, closed ? 'transcript.thought' : 'transcript.thinking');
  const all = [title, ...rows];
  const marks: readonly Mark[] = wholeRows(all, 'thought');
  const copy = [1, closed ? all.length : openEnd] as const;
  return { id: `${of.id}.0`, kind: 'thought', rows: all, marks, open: !closed, copy, message: of.message, ...(closed && { fold: true }) };
}
