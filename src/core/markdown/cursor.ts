// A place in a line where a tab can be half used up, as CommonMark counts columns. Moves over blanks only.

export interface Cursor {
  readonly text: string;
  at: number;
  /** The visual column of `at`, used columns of a tab included. */
  column: number;
  /** Columns of the tab at `at` that are not used yet; 0 where no tab is half used. */
  left: number;
}

export const startOf = (text: string): Cursor => ({ text, at: 0, column: 0, left: 0 });

const toTabStop = (column: number): number => 4 - (column % 4);

/** Moves over at most `columns` columns of blanks and gives how many it took. */
export function skip(cursor: Cursor, columns: number): number {
  let taken = 0;
  while (taken < columns) {
    const width = widthHere(cursor);
    if (width === 0) break;
    const part = Math.min(width, columns - taken);
    taken += part;
    cursor.column += part;
    cursor.left = width - part;
    if (cursor.left === 0) cursor.at += 1;
  }
  return taken;
}

/** Columns of blanks in front of the next character, at most `most`. */
export function indentAhead(cursor: Cursor, most: number): number {
  return skip({ ...cursor }, most);
}

/** Moves over one character that is no tab. */
export function step(cursor: Cursor, count = 1): void {
  cursor.at += count;
  cursor.column += count;
}

export function isBlankAhead(cursor: Cursor): boolean {
  for (let at = cursor.at; at < cursor.text.length; at++) {
    const unit = cursor.text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x09) return false;
  }
  return true;
}

function widthHere(cursor: Cursor): number {
  if (cursor.left > 0) return cursor.left;
  const unit = cursor.text.charCodeAt(cursor.at);
  if (unit === 0x20) return 1;
  return unit === 0x09 ? toTabStop(cursor.column) : 0;
}
