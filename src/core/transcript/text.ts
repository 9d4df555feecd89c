// A text part as blocks: Markdown that grows at its end. What was drawn before is taken over as it is.
import { emptyMarkdown, extend, finish, type Markdown, type MarkdownBlock } from '../markdown/index.ts';
import type { DrawnBlock } from './drawn.ts';
import { withMentions } from './mentions.ts';

/** The place before which nothing changed; block and row count from 0. */
export interface Unchanged {
  readonly block: number;
  readonly row: number;
}

export interface DrawnText {
  readonly text: string;
  readonly closed: boolean;
  readonly markdown: Markdown;
  readonly blocks: readonly DrawnBlock[];
}

export interface TextOf {
  /** Blocks get the ids `<id>.0`, `<id>.1` … */
  readonly id: string;
  readonly message: string;
  /** What a person typed: mentions are marked, and any part of it can have been edited. */
  readonly typed: boolean;
  readonly limits: Markdown['limits'];
}

export interface Redrawn<T> {
  readonly drawn: T;
  readonly from: Unchanged;
}

const start: Unchanged = { block: 0, row: 0 };

/** `closed`: no more text will come, as far as anybody knows. */
export function drawText(of: TextOf, text: string, closed: boolean, before: DrawnText | undefined): Redrawn<DrawnText> {
  const same = before && (of.typed ? text.startsWith(before.text) : continues(before.text, text));
  const grown = same ? before : undefined;
  const old = grown?.markdown ?? emptyMarkdown(of.limits);
  const { markdown, from } = extend(old, grown ? text.slice(grown.text.length) : text);
  const blocks = closed ? finish(markdown) : markdown.blocks;
  const unchanged = grown ? from : start;
  const kept = grown ? grown.blocks.slice(0, unchanged.block) : [];
  const added = blocks.slice(unchanged.block).map((block, index) => drawnBlock(of, block, unchanged.block + index));
  return { drawn: { text, closed, markdown, blocks: [...kept, ...added] }, from: unchanged };
}

const compared = 64;

/** An agent's text only grows; comparing all of it on each change would cost more the longer it is. */
export function continues(before: string, text: string): boolean {
  const from = Math.max(0, before.length - compared);
  return text.length >= before.length && text.slice(from, before.length) === before.slice(from);
}

function drawnBlock(of: TextOf, block: MarkdownBlock, index: number): DrawnBlock {
  const { kind, rows, marks, lang, copy, offsets, open } = block;
  const drawn: DrawnBlock = {
    id: `${of.id}.${index}`,
    kind,
    rows,
    marks,
    open,
    message: of.message,
    ...(lang !== '' && { lang }),
    ...(copy && { copy }),
    ...(offsets && { offsets }),
  };
  return of.typed ? withMentions(drawn, index === 0) : drawn;
}
