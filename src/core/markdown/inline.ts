// Inline marks of a paragraph or heading, read by micromark's tokenizer. Knows no blocks and no bytes.
import { parse, preprocess } from 'micromark';

/** What the text of a paragraph can be besides text. */
export type InlineRole = 'strong' | 'emphasis' | 'inlineCode' | 'link';

/** A stretch of one line, in characters of that line. */
export interface InlineMark {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly role: InlineRole;
}

/** A line whose inline text begins at `from`. */
export interface InlineLine {
  readonly text: string;
  readonly from: number;
}

/** Making it costs more than reading a paragraph; reading inline text leaves nothing behind in it. */
const parser = parse();

type InlineToken = Parameters<ReturnType<typeof parser.text>['sliceSerialize']>[0];

/** Longer text is read up to here only. */
const longestInline = 4000;
// Emphasis and brackets cost micromark time with the square of their number: half a second for 2,000 of them.
const mostSigns = 400;

const roleOf = new Map<string, InlineRole>([
  ['strong', 'strong'],
  ['emphasis', 'emphasis'],
  ['codeText', 'inlineCode'],
  ['link', 'link'],
  ['image', 'link'],
  ['autolink', 'link'],
]);

const countSigns = (text: string): number => text.match(/[*_`[<]/g)?.length ?? 0;

/** How much of what can be read at once a text uses up; more than 1 is too much. */
export const inlineWeight = (text: string): number =>
  Math.max(text.length / longestInline, countSigns(text) / mostSigns);

export function inlineMarks(lines: readonly InlineLine[]): readonly InlineMark[] {
  const text = lines
    .map((line) => line.text.slice(line.from))
    .join('\n')
    .slice(0, longestInline);
  const signs = countSigns(text);
  if (signs === 0 || signs > mostSigns) return [];
  const events = parser.text().write(preprocess()(text, undefined, true));
  return events.flatMap(([kind, token]) => {
    const role = kind === 'enter' ? roleOf.get(token.type) : undefined;
    return role ? stretches(lines, token, role) : [];
  });
}

/** One stretch a line; the lines after the first begin at their first letter. */
function stretches(lines: readonly InlineLine[], { start, end }: InlineToken, role: InlineRole): readonly InlineMark[] {
  const found: InlineMark[] = [];
  for (let line = start.line - 1; line < end.line; line++) {
    const { text, from } = lines[line] ?? { text: '', from: 0 };
    const first = line === start.line - 1 ? from + start.column - 1 : from + text.slice(from).search(/[^\t ]|$/);
    const last = line === end.line - 1 ? from + end.column - 1 : text.length;
    if (last > first) found.push({ line, from: first, to: last, role });
  }
  return found;
}
