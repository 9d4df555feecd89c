// Markdown that arrives in pieces, as blocks of prose and code. A whole line is read once and never again; only the open paragraph
// and the line without an end are read anew. Knows no message and no window.
import type { MarkdownBlock, MarkdownLimits } from './blocks.ts';
import { Builder, nothingBuilt, unsettled, type Built } from './builder.ts';
import { finalLine, newLineReader, readLines, type Line, type LineReader } from './lines.ts';
import { documentStart, scanLine, type Scanned, type Structure } from './scan.ts';

export { followedBy, List, type Sequence } from './list.ts';
export { openEnd, type Mark, type MarkdownBlock, type MarkdownLimits } from './blocks.ts';

export interface Markdown {
  /** As drawn while more can come. */
  readonly blocks: readonly MarkdownBlock[];
  readonly limits: MarkdownLimits;
  readonly reader: LineReader;
  readonly structure: Structure;
  readonly built: Built;
}

export interface Extended {
  readonly markdown: Markdown;
  /** What stands before this block, and in it before this row, is as it was (but for `copy` and `open`). */
  readonly from: { readonly block: number; readonly row: number };
}

export const emptyMarkdown = (limits: MarkdownLimits): Markdown => ({
  blocks: [],
  limits,
  reader: newLineReader(limits.code),
  structure: documentStart,
  built: nothingBuilt,
});

export function extend(markdown: Markdown, added: string): Extended {
  const { limits, built } = markdown;
  const { reader, lines } = readLines(markdown.reader, added);
  const builder = new Builder(built, limits);
  let { structure } = markdown;
  for (const line of lines) {
    const step = scanLine(structure, line.text);
    structure = step.structure;
    builder.add(line, step.line);
  }
  const next = { ...markdown, reader, structure, built: builder.built() };
  const blocks = view(next, reader.last, true);
  return { markdown: { ...next, blocks }, from: unsettled(built) };
}

/** The blocks of the whole text: nothing more will come. */
export const finish = (markdown: Markdown): readonly MarkdownBlock[] =>
  view(markdown, finalLine(markdown.reader), false);

function view({ limits, structure, built }: Markdown, last: Line, more: boolean): readonly MarkdownBlock[] {
  const builder = new Builder(built, limits);
  if (last.text === '') return builder.blocks(more, false);
  const { line } = scanLine(structure, last.text);
  builder.add(last, more ? undecided(line) : line);
  return builder.blocks(more, true);
}

/** A line without an end that would make a heading of the paragraph before it is more often the beginning of a list. */
function undecided(line: Scanned): Scanned {
  return line.type === 'underline' ? { ...line, type: 'plain' } : line;
}
