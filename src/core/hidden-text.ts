// Which stretches of a message are code or quoted, where a sign means nothing (SPEC sections 5 and 6). Pure.
import { parse, postprocess, preprocess } from 'micromark';

/** From and to, in UTF-16 code units, `to` excluded. */
export type Range = readonly [from: number, to: number];

/** Inline and fenced code by CommonMark, and the rest of each line after its `>`. */
export function hiddenRanges(text: string): readonly Range[] {
  return rangesOf(text, (token) =>
    token.type === 'blockQuotePrefix' ? endOfLine(text, token.start.offset) : undefined,
  );
}

/** Inline and fenced code alone. */
export const codeRanges = (text: string): readonly Range[] => rangesOf(text, () => undefined);

interface Token {
  readonly type: string;
  readonly start: { readonly offset: number };
  readonly end: { readonly offset: number };
}

/** `further` gives the end of a stretch that a token other than code begins. */
function rangesOf(text: string, further: (token: Token) => number | undefined): readonly Range[] {
  if (!/[`~>]/.test(text)) return [];
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(text, undefined, true)),
  );
  return events.flatMap(([kind, token]): Range[] => {
    if (kind !== 'enter') return [];
    const isCode = token.type === 'codeText' || token.type === 'codeFenced';
    const end = isCode ? token.end.offset : further(token);
    return end === undefined ? [] : [[token.start.offset, end]];
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
