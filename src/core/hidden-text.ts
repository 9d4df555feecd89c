// Which stretches of a message are code or quoted, where a sign means nothing (SPEC sections 5 and 6). Pure.
import { parse, postprocess, preprocess } from 'micromark';

/** From and to, in UTF-16 code units, `to` excluded. */
export type Range = readonly [from: number, to: number];

/** Inline and fenced code by CommonMark, and the rest of each line after its `>`. */
export function hiddenRanges(text: string): readonly Range[] {
  if (!/[`~>]/.test(text)) return [];
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  return events.flatMap(([kind, token]): Range[] => {
    if (kind !== 'enter') return [];
    if (token.type === 'codeText' || token.type === 'codeFenced') return [[token.start.offset, token.end.offset]];
    return token.type === 'blockQuotePrefix' ? [[token.start.offset, endOfLine(text, token.start.offset)]] : [];
  });
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export const isHidden = (ranges: readonly Range[], at: number): boolean =>
  ranges.some(([from, to]) => at >= from && at < to);

/** A mention begins the text, or follows a blank, opening punctuation or `:` (SPEC 5). */
export const canBeginMention = (text: string, at: number): boolean =>
  at === 0 || beforeMention.test(text.charAt(at - 1));

const beforeMention = /[\s:]|\p{Ps}|\p{Pi}|["'«¿¡]/u;
