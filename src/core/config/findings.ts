// What a check of the configuration found, before it is worded, and where it stands in the file. Words nothing by itself but through texts.
import type { Problem } from '../contract/shapes.ts';
import { word, type Language, type TextKey } from '../texts/index.ts';

/** A value that fills a text: plain, or a text of its own. */
export type FindingValue = string | number | Said;

export interface Said {
  readonly text: TextKey;
  readonly values?: Readonly<Record<string, FindingValue>>;
}

/** `at` counts UTF-16 units from the start of the text, as JavaScript does. */
export interface Finding extends Said {
  readonly at: number;
  readonly warning?: true;
}

const encoder = new TextEncoder();
/** More than a person reads; a file with one odd byte in each line would otherwise fill the editor. */
const maxProblems = 100;

/** Finds line and column of offsets in one text; the lines are those an editor shows. */
export function placesOf(text: string): (at: number) => { readonly line: number; readonly column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    const index = lastAtMost(starts, at);
    return { line: index + 1, column: 1 + encoder.encode(text.slice(starts[index], at)).length };
  };
}

function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** In the order of the file, each place and message once. */
export function wordFindings(language: Language, text: string, findings: readonly Finding[]): readonly Problem[] {
  const place = placesOf(text);
  const end = lastPlace(text);
  const problems = [...findings]
    .sort((a, b) => a.at - b.at)
    .slice(0, maxProblems)
    .map((finding) => ({
      ...place(Math.min(finding.at, end)),
      message: say(language, finding),
      warning: finding.warning === true,
    }));
  return problems.filter((problem, index) => !isSame(problem, problems[index - 1]));
}

/** The end of the last line an editor shows: after a final line break there is none to put a cursor in. */
const lastPlace = (text: string): number => text.length - (/\r?\n$/.exec(text)?.[0].length ?? 0);

const isSame = (a: Problem, b: Problem | undefined): boolean =>
  b !== undefined && a.line === b.line && a.column === b.column && a.message === b.message;

function say(language: Language, { text, values = {} }: Said): string {
  const worded = Object.entries(values).map(
    ([name, value]) => [name, typeof value === 'object' ? say(language, value) : value] as const,
  );
  return word(language, text, Object.fromEntries(worded));
}
