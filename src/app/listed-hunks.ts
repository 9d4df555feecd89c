// What the hunks of a file were in the lists that were given of it, so that an index always means what its asker saw.
import type { Hunk } from '../core/contract/shapes.ts';
import type { PresentHunk } from '../core/changes/file-change.ts';

/** Lists that differ, kept of one file. */
const mostLists = 8;

export class ListedHunks {
  /** Undefined as long as none is to go by. */
  #lists: readonly (readonly Hunk[])[] | undefined;
  #isOver = false;

  /** A list was given; one in which only lines have moved says the same. */
  add(hunks: readonly Hunk[]): void {
    const before = this.#isOver ? [] : (this.#lists ?? []);
    const last = before.at(-1);
    const kept = last && haveSameLines(last, hunks) ? before.slice(0, -1) : before;
    this.#lists = [...kept, hunks].slice(-mostLists);
    this.#isOver = false;
  }

  /**
   * The present hunk that the index meant in the last list. Undefined where that one is not as it was, or where an earlier list,
   * by which nothing was decided since, meant another: whoever asks may go by that.
   */
  meant(index: number, present: readonly PresentHunk[]): PresentHunk | undefined {
    const lists = this.#lists;
    const found = hunkLike(present, lists?.at(-1)?.[index]);
    if (found && lists?.every((list) => hunkLike(present, list[index]) === found)) return found;
    this.#lists = undefined;
    return undefined;
  }

  /** Something was decided by the last list, which holds until there is another one. */
  decided(): void {
    this.#lists = this.#lists?.slice(-1);
    this.#isOver = true;
  }
}

export const shape = ({ line, oldLines, newLines }: PresentHunk): Hunk => ({
  line,
  oldLines: [...oldLines],
  newLines: [...newLines],
});

/** The hunk with the same lines that stands closest to where it was. */
export function hunkLike(present: readonly PresentHunk[], wanted: Hunk | undefined): PresentHunk | undefined {
  if (!wanted) return undefined;
  return present
    .filter((hunk) => isSame(hunk, wanted))
    .sort((a, b) => Math.abs(a.line - wanted.line) - Math.abs(b.line - wanted.line))[0];
}

const haveSameLines = (a: readonly Hunk[], b: readonly Hunk[]): boolean =>
  a.length === b.length && a.every((hunk, index) => isSame(hunk, b[index]));

const isSame = (a: Hunk, b: Hunk | undefined): boolean =>
  b !== undefined && areEqual(a.oldLines, b.oldLines) && areEqual(a.newLines, b.newLines);

const areEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);
