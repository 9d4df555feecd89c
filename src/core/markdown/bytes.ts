// UTF-8 sizes and columns of JavaScript strings. Knows nothing of Markdown.

const ascii = /^[\p{ASCII}]*$/u;

export function utf8Length(text: string): number {
  if (ascii.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    // A pair is 4 bytes: 3 were counted for its first half, 1 is left for the second.
    if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 1;
      at += 1;
    }
  }
  return bytes;
}

/** The byte column of a character index in a row. */
export const byteColumn = (row: string, index: number): number => utf8Length(row.slice(0, index));

/** The character index of a byte column; a column inside a character means its beginning. */
export function characterIndex(row: string, column: number): number {
  if (ascii.test(row)) return Math.min(column, row.length);
  let bytes = 0;
  let index = 0;
  for (const character of row) {
    bytes += utf8Length(character);
    if (bytes > column) return index;
    index += character.length;
  }
  return index;
}

/** The first `length` characters (UTF-16 units), never half of a pair. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length);
}

export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
