// How a text an agent wrote becomes the smallest change of a buffer, and which part of a text a read gives (SPEC section 9). Pure.
import { fail, ok, type Result } from './errors.ts';
import { lineChanges } from './line-changes.ts';
import type { LineChange, ReadRequest } from './ports.ts';

const byteOrderMark = '\uFEFF';

/** A text as an editor holds it: lines without their ends, and what its file has beside them. */
export interface TextLines {
  readonly lines: readonly string[];
  readonly crlf: boolean;
  readonly mark: boolean;
  /** Whether the last line has its end. */
  readonly ended: boolean;
}

/** Only a text in which every line ends in CR LF counts as one; elsewhere CR is a character of its line. */
export function splitText(text: string): TextLines {
  const mark = text.startsWith(byteOrderMark);
  const body = mark ? text.slice(1) : text;
  const ended = body.endsWith('\n');
  const lines = (ended ? body.slice(0, -1) : body).split('\n');
  const endedLines = ended ? lines : lines.slice(0, -1);
  const crlf = endedLines.length > 0 && endedLines.every((line) => line.endsWith('\r'));
  return { lines: crlf ? lines.map(dropReturn) : lines, crlf, mark, ended };
}

const dropReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

export interface PlannedEdit {
  readonly changes: readonly LineChange[];
  readonly ended: boolean;
}

/**
 * The changes that turn the buffer's text into the written one. A text with only LF keeps the buffer's CR LF (SPEC 9);
 * mixed line ends cannot stand in a CR LF buffer and are refused, as is CR LF for a buffer with LF whose lines would all change.
 */
export function planEdit(path: string, before: string, after: string): Result<PlannedEdit> {
  const old = splitText(before);
  const written = splitText(after);
  if (old.crlf && !written.crlf && written.lines.some((line) => line.endsWith('\r'))) {
    return fail('invalid', 'file.mixedLineEnds', { path });
  }
  const lines = !old.crlf && written.crlf ? withReturns(written) : written.lines;
  return ok({ changes: lineChanges(old.lines, lines), ended: written.ended });
}

const withReturns = ({ lines, ended }: TextLines): string[] =>
  lines.map((line, index) => (ended || index < lines.length - 1 ? `${line}\r` : line));

/** Same text, whatever the agent did to line ends and byte-order mark. */
export const sameText = (a: string, b: string): boolean => a === b || plain(a) === plain(b);
const plain = (text: string): string => splitText(text).lines.join('\n') + (splitText(text).ended ? '\n' : '');

/** The text to put on disk for a file that is not open: CR LF and byte-order mark of the file stay (SPEC 9). */
export function keepForm(before: string, after: string): string {
  const old = splitText(before);
  const written = splitText(after);
  const mark = old.mark && !written.mark ? byteOrderMark : '';
  return mark + (old.crlf && !written.crlf && !after.includes('\r') ? after.replaceAll('\n', '\r\n') : after);
}

/** The asked lines (CASES B19): `line` from 1, 0 as 1; past the end is the empty string. */
export function readPart(text: string, { line, limit }: ReadRequest): string {
  if (line === undefined && limit === undefined) return text;
  const first = Math.max(0, (line ?? 1) - 1);
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.slice(first, limit === undefined ? undefined : first + limit).join('');
}
