// How much of anything is drawn, and how a size is worded. The one place for these numbers.
import type { MarkdownLimits } from '../markdown/index.ts';
import { word, type Language } from '../texts/index.ts';

/** Characters (UTF-16 units) of a row. What a person copies from a code block is its rows, so those are cut last. */
export const rowLimits = { prose: 10_000, code: 100_000, output: 1_000, diff: 1_000, title: 300 } as const;

/** Rows and characters of a tool's output; of more, the beginning and the end are drawn. */
export const outputLimits = {
  rows: 40,
  size: 4096,
  headRows: 12,
  headSize: 1500,
  tailRows: 27,
  tailSize: 2500,
} as const;
export const foldOutputFrom = 13;

export const diffLimits = { rows: 200, context: 3 } as const;
export const foldDiffFrom = 41;

const kilobyte = 1024;
const megabyte = kilobyte * kilobyte;

export function sizeText(language: Language, bytes: number): string {
  if (bytes < kilobyte) return word(language, 'transcript.bytes', { count: bytes });
  if (bytes < megabyte) return word(language, 'transcript.kilobytes', { count: Math.round(bytes / kilobyte) });
  return word(language, 'transcript.megabytes', { count: Math.round((bytes / megabyte) * 10) / 10 });
}

const cutSign =
  (language: Language) =>
  (bytes: number): string =>
    word(language, 'transcript.cutRow', { size: sizeText(language, bytes) });

export const markdownLimits = (language: Language): MarkdownLimits => ({
  prose: rowLimits.prose,
  code: rowLimits.code,
  cutSign: cutSign(language),
});
