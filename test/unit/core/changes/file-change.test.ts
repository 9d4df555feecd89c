// What is listed, accepted and rejected of one file, whatever the person changes around it.
import { describe, expect, test } from 'vitest';
import {
  accepted,
  hunksOf,
  isSettled,
  rejected,
  written,
  type FileChange,
} from '../../../../src/core/changes/file-change.ts';

const all = (change: FileChange, text: string | undefined): Set<number> =>
  new Set(hunksOf(change, text).map(({ region }) => region));

const listed = (change: FileChange, text: string | undefined) =>
  hunksOf(change, text).map(({ line, oldLines, newLines, touched }) => ({ line, oldLines, newLines, touched }));

const before = 'a\nb\nc\nd\ne\n';
const left = 'a\nB\nc\nd\nE\n';
const change = written(undefined, before, left);

describe('the hunks', () => {
  test('are what the agent changed', () => {
    expect(listed(change, left)).toEqual([
      { line: 2, oldLines: ['b'], newLines: ['B'], touched: false },
      { line: 5, oldLines: ['e'], newLines: ['E'], touched: false },
    ]);
  });

  test('move with lines of the person, which are no hunks', () => {
    expect(listed(change, 'new\na\nB\nc\nD\nE\n')).toEqual([
      { line: 3, oldLines: ['b'], newLines: ['B'], touched: false },
      { line: 6, oldLines: ['e'], newLines: ['E'], touched: false },
    ]);
  });

  test('say where the person changed them', () => {
    expect(listed(change, 'a\nB!\nc\nd\nE\n')[0]).toEqual({
      line: 2,
      oldLines: ['b'],
      newLines: ['B!'],
      touched: true,
    });
  });

  test('are gone where the person took them back', () => {
    expect(listed(change, 'a\nb\nc\nd\nE\n')).toEqual([{ line: 5, oldLines: ['e'], newLines: ['E'], touched: false }]);
  });

  test('count from before the first write of the turn', () => {
    const again = written(change, 'mine\na\nB\nc\nd\nE\n', 'mine\na\nBB\nc\nd\nE\n');
    expect(listed(again, 'mine\na\nBB\nc\nd\nE\n')).toEqual([
      { line: 3, oldLines: ['b'], newLines: ['BB'], touched: false },
      { line: 6, oldLines: ['e'], newLines: ['E'], touched: false },
    ]);
  });

  test('of a file with CR LF are shown as an editor shows them', () => {
    const dos = written(undefined, 'a\r\nb\r\n', 'a\r\nc\r\n');
    expect(listed(dos, 'a\r\nc\r\n')).toEqual([{ line: 2, oldLines: ['b'], newLines: ['c'], touched: false }]);
  });

  test('of a new and of a deleted file', () => {
    const added = written(undefined, undefined, 'x\ny\n');
    expect(listed(added, 'x\ny\n')).toEqual([{ line: 1, oldLines: [], newLines: ['x', 'y'], touched: false }]);
    const deleted = written(undefined, 'x\n', undefined);
    expect(listed(deleted, undefined)).toEqual([{ line: 1, oldLines: ['x'], newLines: [], touched: false }]);
  });

  test('an empty file that was made is something to review', () => {
    const made = written(undefined, undefined, '');
    expect(isSettled(made, '')).toBe(false);
    expect(rejected(made, '', new Set())).toBeUndefined();
    expect(isSettled(accepted(made, '', new Set()), '')).toBe(true);
  });
});

describe('accepting', () => {
  test('one hunk leaves the other', () => {
    const after = accepted(change, left, new Set([0]));
    expect(listed(after, left)).toEqual([{ line: 5, oldLines: ['e'], newLines: ['E'], touched: false }]);
  });

  test('all settles the file, with what the person made of it', () => {
    const present = 'a\nB!\nc\nd\nE\nmine\n';
    expect(isSettled(accepted(change, present, all(change, present)), present)).toBe(true);
  });
});

describe('rejecting', () => {
  test('one hunk brings its old lines back and leaves the rest', () => {
    const present = `mine\n${left}`;
    const text = rejected(change, present, new Set([all(change, present).size]));
    expect(text).toBe('mine\na\nB\nc\nd\ne\n');
    expect(listed(change, text)).toEqual([{ line: 3, oldLines: ['b'], newLines: ['B'], touched: false }]);
  });

  test('all brings the old text back, and keeps what the person wrote elsewhere', () => {
    const present = 'mine\na\nB\nc\nd\nE\n';
    const text = rejected(change, present, all(change, present));
    expect(text).toBe('mine\na\nb\nc\nd\ne\n');
    expect(isSettled(change, text)).toBe(true);
  });

  test('lists what was rejected again when somebody undoes that, also after the rest was accepted', () => {
    const second = listed(change, left)[1];
    const text = rejected(change, left, new Set([1]));
    const rest = accepted(change, text, all(change, text));
    expect(isSettled(rest, text)).toBe(true);
    expect([listed(change, left)[1], ...listed(rest, left)]).toEqual([second, second]);
  });

  test('a new file removes it, a deleted one makes it again; both are settled then', () => {
    const added = written(undefined, undefined, 'x\n');
    expect(rejected(added, 'x\n', all(added, 'x\n'))).toBeUndefined();
    expect([isSettled(added, undefined), isSettled(added, ''), isSettled(added, 'x\n')]).toEqual([true, true, false]);
    const deleted = written(undefined, 'x\n', undefined);
    expect(rejected(deleted, undefined, all(deleted, undefined))).toBe('x\n');
    expect([isSettled(deleted, 'x\n'), isSettled(deleted, undefined)]).toEqual([true, false]);
  });

  test('a new file to which the person added lines leaves those', () => {
    const added = written(undefined, undefined, 'x\ny\n');
    const present = 'x\ny\nmine\n';
    const chosen = new Set(
      hunksOf(added, present)
        .filter((hunk) => !hunk.touched)
        .map((hunk) => hunk.region),
    );
    expect(rejected(added, present, chosen)).toContain('mine\n');
  });
});
