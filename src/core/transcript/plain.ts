// Text that is not Markdown as safe rows: titles, thoughts, outputs, the words of an error. Never gives a line break inside a row.
import { head, utf8Length } from '../markdown/bytes.ts';
import { splitLines, visible, type Line } from '../markdown/lines.ts';
import { sizeText, rowLimits } from './sizes.ts';
import { word, type Language } from '../texts/index.ts';

export const plainRows = (text: string, limit: number, language: Language): readonly string[] =>
  splitLines(text, limit).map((line) => plainRow(line, limit, language));

export function plainRow({ text, rest }: Line, limit: number, language: Language): string {
  if (rest === 0 && text.length <= limit) return text;
  const size = sizeText(language, utf8Length(text) + rest);
  return `${head(text, limit)} ${word(language, 'transcript.cutRow', { size })}`;
}

/** A text on one row, its line breaks shown as `↵`. */
export function oneRow(text: string, limit: number = rowLimits.title): string {
  const row = visible(head(text, limit)).trimEnd().replaceAll('\n', '↵');
  return text.length > limit ? `${row}…` : row;
}
