// A thought as one block: a label and its lines as they are, folded when it has ended.
import { followedBy, List, openEnd } from '../markdown/index.ts';
import { finalLine, newLineReader, readLines, type Line, type LineReader } from '../markdown/lines.ts';
import { say, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { plainRow } from './plain.ts';
import { rowLimits } from './sizes.ts';
import { continues, type Redrawn } from './text.ts';

/** What is added to the rows of a thought. Blank lines at the end are held until something follows. */
interface Added {
  readonly rows: readonly string[];
  readonly marks: readonly Mark[];
  readonly blanks: number;
}

interface Settled {
  readonly rows: List<string>;
  readonly marks: List<Mark>;
  readonly blanks: number;
}

export interface DrawnThought {
  readonly text: string;
  readonly closed: boolean;
  readonly reader: LineReader;
  /** Of the lines that have ended. */
  readonly settled: Settled;
  readonly blocks: readonly DrawnBlock[];
}

interface ThoughtOf {
  readonly id: string;
  readonly message: string;
}

/** Only the label stands there yet. */
const labelled = (context: Context): Settled => ({
  rows: List.empty<string>().append([say(context, 'transcript.thought')]),
  marks: List.empty<Mark>().append([[0, 0, -1, 'thought']]),
  blanks: 0,
});

/** No block while there is nothing but blanks. */
export function drawThought(
  context: Context,
  of: ThoughtOf,
  text: string,
  closed: boolean,
  before: DrawnThought | undefined,
): Redrawn<DrawnThought> {
  const grown = before && continues(before.text, text) ? before : undefined;
  const row = (line: Line): string => plainRow(line, rowLimits.prose, context.options.language);
  const old = grown?.reader ?? newLineReader(rowLimits.prose);
  const { reader, lines } = readLines(old, text.slice(grown?.text.length ?? 0));
  const settled = settle(grown?.settled ?? labelled(context), lines.map(row));
  const last = addedRows(settled, [row(closed ? finalLine(reader) : reader.last)]);
  const blocks = settled.rows.length + last.rows.length > 1 ? [thoughtBlock(of, settled, last, closed)] : [];
  const drawn = { text, closed, reader, settled, blocks };
  return { drawn, from: { block: 0, row: grown?.blocks[0] ? grown.settled.rows.length : 0 } };
}

function settle(before: Settled, lines: readonly string[]): Settled {
  const { rows, marks, blanks } = addedRows(before, lines);
  return { rows: before.rows.append(rows), marks: before.marks.append(marks), blanks };
}

function addedRows(before: Settled, lines: readonly string[]): Added {
  const rows: string[] = [];
  const marks: Mark[] = [];
  let { blanks } = before;
  for (const line of lines) {
    if (line.trim() === '') {
      if (before.rows.length + rows.length > 1) blanks += 1;
      continue;
    }
    for (; blanks > 0; blanks--) rows.push('');
    marks.push([before.rows.length + rows.push(line) - 1, 0, -1, 'thought']);
  }
  return { rows, marks, blanks };
}

function thoughtBlock(of: ThoughtOf, settled: Settled, last: Added, closed: boolean): DrawnBlock {
  const rows = followedBy(settled.rows, last.rows);
  return {
    id: `${of.id}.0`,
    kind: 'thought',
    rows,
    marks: followedBy(settled.marks, last.marks),
    open: !closed,
    copy: [1, closed ? rows.length : openEnd],
    message: of.message,
    ...(closed && { fold: true }),
  };
}
