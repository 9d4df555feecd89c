// What one agent changed in one file during one turn (SPEC section 9): the text before, the text it left, and how both follow
// what others change around it, so that a hunk is always the agent's own. Pure.
import type { Hunk } from '../contract/shapes.ts';
import { chosenLines, compare, linesOf, textOf, weave, type Region, type ThreeTexts } from './merge.ts';

/** `undefined` stands for no file. What others change apart from the agent's hunks is carried into both texts. */
export interface FileChange {
  readonly before: string | undefined;
  readonly left: string | undefined;
}

export interface PresentHunk extends Hunk {
  /** Somebody has changed these lines since the agent did. */
  readonly touched: boolean;
  /** Counts the regions of the comparison. */
  readonly region: number;
}

/** The agent wrote: `was` stood there just before, `now` stands there since. */
export function written(change: FileChange | undefined, was: string | undefined, now: string | undefined): FileChange {
  if (!change) return { before: was, left: now };
  const known = followed(change, was);
  const texts = compare(lines(was), lines(known.left), lines(now));
  const left = textOf(weave(texts, ({ theirs }) => (theirs.changed ? 'theirs' : 'mine')));
  return { before: known.before, left: now === undefined ? undefined : left };
}

/** Carries what others changed apart from the agent's hunks into both texts; a hunk somebody took back is gone. */
export function followed(change: FileChange, current: string | undefined): FileChange {
  if (current === change.left) return change;
  const texts = around(change, current);
  const before = textOf(weave(texts, ({ mine }) => (mine.changed ? 'mine' : 'theirs')));
  const left = textOf(weave(texts, (region) => (!region.mine.changed || isTakenBack(region) ? 'theirs' : 'base')));
  return {
    before: change.before === undefined ? undefined : before,
    left: change.left === undefined ? undefined : left,
  };
}

/** Its hunks as they stand in the present text, in order. */
export function hunksOf(change: FileChange, current: string | undefined): PresentHunk[] {
  const texts = around(change, current);
  const returns = hasReturns(current ?? change.before ?? '');
  return texts.regions.flatMap((region, index) => {
    if (!region.mine.changed || isTakenBack(region)) return [];
    return {
      line: region.theirs.from + 1,
      oldLines: shown(chosenLines(texts, region, 'mine'), returns),
      newLines: shown(chosenLines(texts, region, 'theirs'), returns),
      touched: region.theirs.changed,
      region: index,
    };
  });
}

/** Whether nothing is left to review. A file the agent made is as good as gone where its buffer was emptied. */
export function isSettled(change: FileChange, current: string | undefined): boolean {
  const wasThere = change.before !== undefined;
  const isThere = current !== undefined && (wasThere || current !== '' || change.left === '');
  return wasThere === isThere && hunksOf(change, current).length === 0;
}

/** What is chosen stays as it is and is listed no more. */
export function accepted(change: FileChange, current: string | undefined, chosen: ReadonlySet<number>): FileChange {
  const texts = around(change, current);
  const isNow = ({ mine }: Region, index: number): boolean => chosen.has(index) || !mine.changed;
  const before = textOf(weave(texts, (region, index) => (isNow(region, index) ? 'theirs' : 'mine')));
  const left = textOf(weave(texts, (region, index) => (isNow(region, index) ? 'theirs' : 'base')));
  const isWhole = covers(texts, chosen);
  return {
    before: isWhole && isMadeOrGone(change) ? current : change.before === undefined ? undefined : before,
    left: isWhole && isMadeOrGone(change) ? current : change.left === undefined ? undefined : left,
  };
}

/**
 * The present text with the old one back in what is chosen; undefined: the file was not there before. The change stays what it
 * was: a hunk that was taken back is listed no more, and again when somebody undoes that.
 */
export function rejected(
  change: FileChange,
  current: string | undefined,
  chosen: ReadonlySet<number>,
): string | undefined {
  const texts = around(change, current);
  const text = textOf(weave(texts, (_, index) => (chosen.has(index) ? 'mine' : 'theirs')));
  return change.before === undefined && text === '' && covers(texts, chosen) ? undefined : text;
}

/** Against what the agent left: the old text as `mine`, the present one as `theirs`. */
const around = (change: FileChange, current: string | undefined): ThreeTexts =>
  compare(lines(change.left), lines(change.before), lines(current));

const lines = (text: string | undefined): string[] => linesOf(text ?? '');

const isMadeOrGone = ({ before, left }: FileChange): boolean => before === undefined || left === undefined;

const covers = ({ regions }: ThreeTexts, chosen: ReadonlySet<number>): boolean =>
  regions.every((region, index) => !region.mine.changed || chosen.has(index) || isTakenBack(region));

/** Somebody has brought the old text back by hand, an undo for one. */
const isTakenBack = ({ mine, theirs, overlaps }: Region): boolean => mine.changed && theirs.changed && !overlaps;

function shown(stretch: readonly string[], returns: boolean): string[] {
  return returns ? stretch.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : [...stretch];
}

/** Whether every line ends in CR LF: an editor shows such a text without the CR. */
const hasReturns = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n/.test(text);
