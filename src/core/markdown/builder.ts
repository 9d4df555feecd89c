// Puts scanned lines together into blocks: prose, code, and the blank rows between them. Reads no Markdown itself.
import { openEnd, type Mark, type MarkdownBlock, type MarkdownLimits } from './blocks.ts';
import { byteColumn } from './bytes.ts';
import { inlineMarks, inlineWeight } from './inline.ts';
import type { Line } from './lines.ts';
import { followedBy, List } from './list.ts';
import { codeRow, proseRow, type Row } from './rows.ts';
import type { Marker, Scanned } from './scan.ts';

type Fence = 'none' | 'open' | 'closed';

/** What came of the lines before. */
interface OpenBlock {
  readonly kind: 'prose' | 'code';
  readonly lang: string;
  readonly fence: Fence;
  readonly rows: List<string>;
  readonly marks: List<Mark>;
  readonly offsets: List<number> | undefined;
}

/** What is added to it now. */
interface Draft {
  readonly before: OpenBlock;
  fence: Fence;
  readonly rows: string[];
  readonly marks: Mark[];
  readonly offsets: number[];
}

interface ProseLine extends Row {
  readonly row: number;
  readonly from: number;
  readonly markers: readonly Marker[];
}

interface Held {
  readonly line: Line;
  readonly scanned: Scanned;
}

/** Of more blank lines in a row than a person would write, the rest is not drawn. */
const mostBlanks = 100;

/** What came of all whole lines; never changed. */
export interface Built {
  readonly blocks: readonly MarkdownBlock[];
  readonly open: OpenBlock | undefined;
  /** Blank lines: drawn only when something follows them. */
  readonly blanks: readonly Held[];
  /** The lines of the open paragraph, whose marks what follows can change. */
  readonly paragraph: readonly ProseLine[];
}

export const nothingBuilt: Built = { blocks: [], open: undefined, blanks: [], paragraph: [] };

/** The place from which on more lines can change what is drawn. */
export function unsettled({ blocks, open, paragraph }: Built): { block: number; row: number } {
  return { block: blocks.length, row: paragraph[0]?.row ?? open?.rows.length ?? 0 };
}

/** Works on a copy, for the time of one call. */
export class Builder {
  readonly #limits: MarkdownLimits;
  readonly #before: readonly MarkdownBlock[];
  readonly #closed: MarkdownBlock[] = [];
  #open: Draft | undefined;
  #blanks: Held[];
  #paragraph: ProseLine[];
  #paragraphWeight: number;

  constructor(built: Built, limits: MarkdownLimits) {
    this.#limits = limits;
    this.#before = built.blocks;
    this.#open = built.open && draftOf(built.open);
    this.#blanks = [...built.blanks];
    this.#paragraph = [...built.paragraph];
    this.#paragraphWeight = built.paragraph.reduce((sum, line) => sum + inlineWeight(line.text), 0);
  }

  add(line: Line, scanned: Scanned): void {
    switch (scanned.type) {
      case 'blank':
        this.#endParagraph(undefined);
        if (this.#blanks.length < mostBlanks) this.#blanks.push({ line, scanned });
        return;
      case 'paragraph':
        return this.#addParagraph(line, scanned, scanned.first);
      case 'heading':
      case 'plain':
        return this.#addAlone(line, scanned);
      case 'underline':
        this.#paragraph.push(this.#addProse(line, scanned));
        return this.#endParagraph('heading');
      case 'fence':
        this.#begin('code', scanned.lang, scanned.from > 0);
        return this.#addFence(line, scanned, 'open');
      case 'fenceEnd':
        return this.#addFence(line, scanned, 'closed');
      case 'indented':
        if (scanned.first) this.#begin('code', '', true);
        for (const held of this.#blanks.splice(0)) this.#addCode(held.line, held.scanned);
        this.#addCode(line, scanned);
        return;
      case 'code':
        this.#addCode(line, scanned);
        return;
    }
  }

  built(): Built {
    return {
      blocks: this.#all([]),
      open: this.#open && settled(this.#open),
      blanks: this.#blanks,
      paragraph: this.#paragraph,
    };
  }

  /**
   * All blocks as they stand; nothing can be added afterwards. `more`: text can follow; `partial`: also in the last line.
   */
  blocks(more: boolean, partial: boolean): readonly MarkdownBlock[] {
    this.#endParagraph(undefined);
    const open = more && (partial || this.#open?.fence !== 'closed');
    return this.#all(this.#open ? [shownBlock(this.#open, open)] : []);
  }

  #all(last: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
    return this.#closed.length + last.length > 0 ? [...this.#before, ...this.#closed, ...last] : this.#before;
  }

  // ---- rows ----

  #addParagraph(line: Line, scanned: Scanned, first: boolean): void {
    if (first) this.#endParagraph(undefined);
    const row = this.#addProse(line, scanned);
    const weight = inlineWeight(row.text);
    // A paragraph without an end is marked piece by piece.
    if (this.#paragraphWeight + weight > 1) this.#endParagraph(undefined);
    this.#paragraph.push(row);
    this.#paragraphWeight += weight;
  }

  #addAlone(line: Line, scanned: Scanned): void {
    this.#endParagraph(undefined);
    this.#paragraph.push(this.#addProse(line, scanned));
    this.#endParagraph(scanned.type === 'heading' ? 'heading' : 'plain');
  }

  #addProse(line: Line, { from, markers }: Scanned): ProseLine {
    const open = this.#open?.before.kind === 'prose' ? this.#open : this.#begin('prose', '', false);
    for (const _blank of this.#blanks.splice(0)) open.rows.push('');
    const row = proseRow(line, this.#limits);
    return { ...row, row: addRow(open, row.text), from: Math.min(from, row.whole), markers };
  }

  #addCode(line: Line, scanned: Scanned): { row: number; column: number } {
    const open = this.#open;
    if (open?.before.kind !== 'code') throw new Error('a row of code outside a code block');
    const { text, whole, from } = codeRow(line, scanned, this.#limits);
    const column = byteColumn(text, from);
    const row = addRow(open, text);
    open.offsets.push(column);
    for (const marker of scanned.markers) open.marks.push(markOf(row, text, marker));
    if (whole < text.length) open.marks.push([row, byteColumn(text, whole), -1, 'notice']);
    return { row, column };
  }

  #addFence(line: Line, scanned: Scanned, fence: 'open' | 'closed'): void {
    const { row, column } = this.#addCode(line, scanned);
    if (!this.#open) return;
    this.#open.marks.push([row, column, -1, 'fence']);
    this.#open.fence = fence;
  }

  // ---- blocks and paragraphs ----

  #begin(kind: OpenBlock['kind'], lang: string, indented: boolean): Draft {
    this.#endParagraph(undefined);
    if (this.#open) this.#closed.push(blockOf(settled(this.#open), false));
    const blanks = this.#blanks.splice(0).map(() => '');
    if (this.#open && blanks.length > 0) this.#closed.push(gapOf(blanks));
    const offsets = indented ? List.empty<number>() : undefined;
    this.#open = draftOf({ kind, lang, fence: 'none', rows: List.empty(), marks: List.empty(), offsets });
    return this.#open;
  }

  /** Marks the rows of the open paragraph, in their order. */
  #endParagraph(role: 'heading' | 'plain' | undefined): void {
    const lines = this.#paragraph.splice(0);
    this.#paragraphWeight = 0;
    if (lines.length === 0) return;
    const inline =
      role === 'plain' ? [] : inlineMarks(lines.map(({ text, whole, from }) => ({ text: text.slice(0, whole), from })));
    lines.forEach(({ row, text, whole, from, markers }, index) => {
      const marks = this.#open?.marks ?? [];
      for (const marker of markers) marks.push(proseMark(row, text, marker));
      if (role === 'heading') marks.push([row, byteColumn(text, from), -1, role]);
      for (const mark of inline) if (mark.line === index) marks.push(markOf(row, text, mark));
      if (whole < text.length) marks.push([row, byteColumn(text, whole), -1, 'notice']);
    });
  }
}

const draftOf = (before: OpenBlock): Draft => ({ before, fence: before.fence, rows: [], marks: [], offsets: [] });

const settled = ({ before, fence, rows, marks, offsets }: Draft): OpenBlock => ({
  ...before,
  fence,
  rows: before.rows.append(rows),
  marks: before.marks.append(marks),
  offsets: before.offsets?.append(offsets),
});

/** As it is drawn now: what is added stands beside the list, to be added anew with the next line. */
function shownBlock({ before, fence, rows, marks, offsets }: Draft, open: boolean): MarkdownBlock {
  const shown = {
    ...before,
    fence,
    rows: followedBy(before.rows, rows),
    marks: followedBy(before.marks, marks),
    offsets: before.offsets && followedBy(before.offsets, offsets),
  };
  return blockOf(shown, open);
}

/** Gives the number of the row in the block. */
const addRow = (open: Draft, text: string): number => open.before.rows.length + open.rows.push(text) - 1;

const markOf = (row: number, text: string, { from, to, role }: { from: number; to: number; role: string }): Mark => [
  row,
  byteColumn(text, from),
  byteColumn(text, to),
  role,
];

/** The sign of a quote colours what is quoted too. */
const proseMark = (row: number, text: string, marker: Marker): Mark =>
  marker.role === 'quote' ? [row, byteColumn(text, marker.from), -1, 'quote'] : markOf(row, text, marker);

type Shown = Pick<MarkdownBlock, 'rows' | 'marks' | 'offsets'> & Pick<OpenBlock, 'kind' | 'lang' | 'fence'>;

function blockOf({ kind, lang, fence, rows, marks, offsets }: Shown, open: boolean): MarkdownBlock {
  const last = fence === 'closed' ? rows.length - 1 : open ? openEnd : rows.length;
  return { kind, rows, marks, lang, copy: fence === 'none' ? undefined : [1, last], offsets, open };
}

const gapOf = (rows: readonly string[]): MarkdownBlock => ({
  kind: 'gap',
  rows,
  marks: [],
  lang: '',
  copy: undefined,
  offsets: undefined,
  open: false,
});
