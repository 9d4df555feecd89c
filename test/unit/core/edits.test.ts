// How a written text becomes the smallest change of a buffer, and what part of a text a read gives.
import { describe, expect, test } from 'vitest';
import { keepForm, planEdit, readPart, sameText } from '../../../src/core/edits.ts';
import { lineChanges } from '../../../src/core/line-changes.ts';
import type { LineChange } from '../../../src/core/ports.ts';

/** What an editor would hold after the changes. */
function apply(before: readonly string[], changes: readonly LineChange[]): string[] {
  const lines = [...before];
  for (const { from, to, lines: put } of changes.toReversed()) lines.splice(from, to - from, ...put);
  return lines;
}

describe('the smallest change', () => {
  test.each([
    ['one line in the middle', ['a', 'b', 'c'], ['a', 'B', 'c'], [{ from: 1, to: 2, lines: ['B'] }]],
    ['nothing', ['a', 'b'], ['a', 'b'], []],
    ['a line added at the end', ['a'], ['a', 'b'], [{ from: 1, to: 1, lines: ['b'] }]],
    ['a line taken away', ['a', 'b', 'c'], ['a', 'c'], [{ from: 1, to: 2, lines: [] }]],
    [
      'two places apart',
      ['a', 'b', 'c', 'd', 'e'],
      ['A', 'b', 'c', 'd', 'E'],
      [
        { from: 0, to: 1, lines: ['A'] },
        { from: 4, to: 5, lines: ['E'] },
      ],
    ],
  ])('%s', (_name, before, after, changes) => {
    expect(lineChanges(before, after)).toEqual(changes);
  });

  test('random edits applied to the old lines give the new ones', () => {
    let seed = 7;
    const random = (most: number) => (seed = (seed * 48271) % 2147483647) % most;
    for (let round = 0; round < 300; round++) {
      const before = Array.from({ length: random(12) }, () => String(random(4)));
      const after = Array.from({ length: random(12) }, () => String(random(4)));
      expect(apply(before, lineChanges(before, after))).toEqual(after);
    }
  });
});

describe('line ends', () => {
  test('B20: a text with only LF keeps the CR LF of the buffer', () => {
    expect(planEdit('/f', 'a\r\nb\r\n', 'a\nc\n')).toEqual({
      ok: true,
      value: { changes: [{ from: 1, to: 2, lines: ['c'] }], ended: true },
    });
  });

  test('B20: the same text with CR LF changes the same one line', () => {
    expect(planEdit('/f', 'a\r\nb\r\n', 'a\r\nc\r\n')).toEqual({
      ok: true,
      value: { changes: [{ from: 1, to: 2, lines: ['c'] }], ended: true },
    });
  });

  test('mixed line ends for a CR LF buffer are refused, not altered', () => {
    expect(planEdit('/f', 'a\r\nb\r\n', 'a\r\nb\n')).toMatchObject({
      ok: false,
      error: { text: 'file.mixedLineEnds' },
    });
  });

  test('a missing final newline is part of the plan', () => {
    expect(planEdit('/f', 'a\n', 'a')).toMatchObject({ ok: true, value: { changes: [], ended: false } });
  });

  test.each([
    ['CR LF', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['LF', 'a\nb\n', 'a\nc\n', 'a\nc\n'],
    ['a byte-order mark', '\uFEFFa\n', 'b\n', '\uFEFFb\n'],
    ['mixed ends written unchanged', 'a\r\nb\n', 'a\r\nb\n', 'a\r\nb\n'],
  ])('a closed file keeps %s', (_name, before, after, bytes) => {
    expect(keepForm(before, after)).toBe(bytes);
  });

  test('texts that differ only in line ends are the same text', () => {
    expect(sameText('a\r\nb\r\n', 'a\nb\n')).toBe(true);
    expect(sameText('a\nb', 'a\nb\n')).toBe(false);
  });
});

describe('B19: a part of a file', () => {
  const text = 'red\ngreen\nblue\n';
  test.each([
    [{ line: 1, limit: 1 }, 'red\n'],
    [{ limit: 2 }, 'red\ngreen\n'],
    [{ line: 3 }, 'blue\n'],
    [{ line: 2, limit: 50 }, 'green\nblue\n'],
    [{ line: 9 }, ''],
    [{ limit: 0 }, ''],
    [{ line: 0 }, text],
    [{}, text],
  ])('%j', (part, expected) => {
    expect(readPart(text, { path: '/f', ...part })).toBe(expected);
  });
});
