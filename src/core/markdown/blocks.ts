// What a Markdown text is drawn as: the shapes of its blocks. No behaviour.
import type { Sequence } from './list.ts';

/** Role of a stretch: row in the block, first byte, byte after the last (-1: the rest of the row), role. */
export type Mark = readonly [row: number, column: number, end: number, role: string];

export interface MarkdownBlock {
  readonly kind: 'prose' | 'code' | 'gap';
  readonly rows: Sequence<string>;
  /** In the order of their rows. */
  readonly marks: Sequence<Mark>;
  /** "" where none is named. */
  readonly lang: string;
  /** Of a fenced block: its first row of code and the row after the last. */
  readonly copy: readonly [number, number] | undefined;
  /** Per row, the bytes in front of the code: list indent, quote signs. Undefined: none in any row. */
  readonly offsets: Sequence<number> | undefined;
  /** More text can still change it. */
  readonly open: boolean;
}

/** The end of `copy` while a block is open: behind any row it will have. */
export const openEnd = 0x7fffffff;

export interface MarkdownLimits {
  /** Rows are cut behind so many characters (UTF-16 units); those of code much later, for what is copied is the row. */
  readonly prose: number;
  readonly code: number;
  /** What stands where a row was cut; `bytes` is the size of the whole row. */
  readonly cutSign: (bytes: number) => string;
}
