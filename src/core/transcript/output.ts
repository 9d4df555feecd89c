// A tool's output as one block: whole when it is short, else its beginning and its end with the true size between them.
import { head, utf8Length } from '../markdown/bytes.ts';
import type { Context, DrawnBlock } from './drawn.ts';
import { say } from './drawn.ts';
import { plainRows } from './plain.ts';
import { foldOutputFrom, outputLimits, rowLimits, sizeText } from './sizes.ts';

const escape = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
const sequences = new RegExp(
  `${escape}\\[[0-?]*[ -/]*[@-~]|${escape}\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)`,
  'g',
);

export interface OutputOf {
  readonly id: string;
  readonly message: string;
  readonly tool: string;
}

/** No block where there is nothing to show. */
export function outputBlock(context: Context, of: OutputOf, output: string): readonly DrawnBlock[] {
  if (output === '') return [];
  const { rows, note } = outputRows(context, output);
  const fold = rows.length >= foldOutputFrom ? { fold: true } : {};
  const marks = note === undefined ? [] : [[note, 0, -1, 'notice'] as const];
  return [{ ...of, kind: 'output', rows, marks, open: false, ...fold }];
}

function outputRows(context: Context, output: string): { rows: readonly string[]; note?: number } {
  const draw = (text: string): readonly string[] =>
    plainRows(asOnScreen(text), rowLimits.output, context.options.language);
  const lines = countLines(output);
  if (lines <= outputLimits.rows && output.length <= outputLimits.size) return { rows: draw(output) };
  const beginning = draw(firstLines(output));
  const size = sizeText(context.options.language, utf8Length(output));
  const note = say(context, 'transcript.cutOutput', { lines, size });
  return { rows: [...beginning, note, ...draw(lastLines(output))], note: beginning.length };
}

/** As a terminal shows it: without its colours, and without what a carriage return lets be written over. */
export function asOnScreen(text: string): string {
  return text
    .replace(sequences, '')
    .split('\n')
    .map((line) => {
      const shown = line.replace(/\r+$/, '');
      return shown.slice(shown.lastIndexOf('\r') + 1);
    })
    .join('\n');
}

function countLines(text: string): number {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function firstLines(text: string): string {
  let end = -1;
  for (let row = 0; row < outputLimits.headRows; row++) {
    const next = text.indexOf('\n', end + 1);
    if (next < 0 || next > outputLimits.headSize) break;
    end = next;
  }
  return end < 0 ? head(text, outputLimits.headSize) : text.slice(0, end);
}

function lastLines(text: string): string {
  const last = text.endsWith('\n') ? text.length - 1 : text.length;
  let start = last;
  for (let row = 0; row < outputLimits.tailRows; row++) {
    const next = text.lastIndexOf('\n', start - 2);
    if (next < 0 || last - next > outputLimits.tailSize) break;
    start = next + 1;
  }
  return start === last ? text.slice(last - outputLimits.tailSize, last) : text.slice(start, last);
}
