// Text that arrives in pieces becomes lines that are safe to draw. Knows nothing of Markdown.
import { head, isHighSurrogate, utf8Length } from './bytes.ts';

/** A line, or what came of it so far. `rest` is the size in bytes of what was dropped behind a text that is too long. */
export interface Line {
  readonly text: string;
  readonly rest: number;
}

export interface LineReader {
  readonly limit: number;
  /** A last character that means nothing yet: the CR of a CR LF, the first half of a surrogate pair. */
  readonly held: string;
  /** The line that has no end yet. */
  readonly last: Line;
}

const nothing: Line = { text: '', rest: 0 };

/** `limit` is in UTF-16 units: what a line holds behind them is counted and dropped. */
export const newLineReader = (limit: number): LineReader => ({ limit, held: '', last: nothing });

/** Gives the lines that `added` ends. */
export function readLines(reader: LineReader, added: string): { reader: LineReader; lines: readonly Line[] } {
  const text = detached(reader.held, added);
  const held = isUndecided(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
  const pieces = visible(held ? text.slice(0, -1) : text).split('\n');
  const lines = pieces.map((piece, index) => append(index === 0 ? reader.last : nothing, piece, reader.limit));
  const last = lines.pop() ?? nothing;
  return { reader: { ...reader, held, last }, lines };
}

/** A piece cut from a long text keeps all of that text in memory; joined to something, it is a text of its own. */
const detached = (held: string, added: string): string => (held === '' ? `\n${added}`.slice(1) : held + added);

/** The line without an end as it stands when nothing more comes. */
export function finalLine(reader: LineReader): Line {
  return reader.held ? append(reader.last, visible(reader.held), reader.limit) : reader.last;
}

/** Splits a whole text; an end at its end makes no empty last line. */
export function splitLines(text: string, limit: number): readonly Line[] {
  const { reader, lines } = readLines(newLineReader(limit), text);
  const last = finalLine(reader);
  return last.text === '' ? lines : [...lines, last];
}

function append(line: Line, piece: string, limit: number): Line {
  if (piece === '') return line;
  if (line.rest > 0) return { text: line.text, rest: line.rest + utf8Length(piece) };
  const text = line.text + piece;
  if (text.length <= limit) return { text, rest: 0 };
  const kept = head(text, limit);
  return { text: kept, rest: utf8Length(text.slice(kept.length)) };
}

const isUndecided = (unit: number): boolean => unit === 0x0d || isHighSurrogate(unit);

// Control characters but tab and line feed, and the characters that turn the direction of writing around.
const harmful = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/** What an agent sends can hide text or drive a terminal: such characters become signs of themselves (CR LF is a line end). */
export function visible(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  return lines.toWellFormed().replace(harmful, (character) => signOf(character.charCodeAt(0)));
}

function signOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `<${code.toString(16)}>`;
}
