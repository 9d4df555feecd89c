// Where an HTML block of CommonMark begins and ends: fences inside one are text. Reads single lines, keeps no state.
import { htmlBlockNames, htmlRawNames } from 'micromark-util-html-tag-name';

/** What ends an open HTML block: a line that matches, or a blank line. */
export type HtmlEnd = RegExp | 'blank';

const raw = new RegExp(`^<(?:${htmlRawNames.join('|')})(?:[\\t >]|$)`, 'i');
const rawEnd = new RegExp(`</(?:${htmlRawNames.join('|')})>`, 'i');
const block = new RegExp(`^</?(?:${htmlBlockNames.join('|')})(?:[\\t ]|/?>|$)`, 'i');
const attribute = '[\\t ]+[\\w:][\\w.:-]*(?:[\\t ]*=[\\t ]*(?:[^\\t "\'<=>`]+|\'[^\']*\'|"[^"]*"))?';
const wholeTag = new RegExp(`^(?:<[a-z][a-z\\d-]*(?:${attribute})*[\\t ]*/?>|</[a-z][a-z\\d-]*[\\t ]*>)[\\t ]*$`, 'i');

const starts: readonly (readonly [RegExp, HtmlEnd])[] = [
  [raw, rawEnd],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [block, 'blank'],
];

/** `text` begins at the first character that is no blank. A tag of any other name cannot end a paragraph. */
export function htmlStart(text: string, inParagraph: boolean): HtmlEnd | undefined {
  if (!text.startsWith('<')) return undefined;
  const found = starts.find(([start]) => start.test(text));
  if (found) return found[1];
  return !inParagraph && wholeTag.test(text) ? 'blank' : undefined;
}
