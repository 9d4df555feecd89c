// Three-way merge by lines: what survives, and what counts as an overlap.
import { describe, expect, test } from 'vitest';
import { merge } from '../../../../src/core/changes/merge.ts';

describe('both survive', () => {
  test.each([
    ['lines apart (B18)', '1\n2\n3\n', 'X\n2\n3\n', '1\n2\n4\n', 'X\n2\n4\n'],
    ['neighbouring lines', '1\n2\n3\n', 'X\n2\n3\n', '1\nY\n3\n', 'X\nY\n3\n'],
    ['the same change of both, once', '1\n2\n3\n', '1\nX\n3\n', '1\nX\n3\n', '1\nX\n3\n'],
    ['a line put in beside one that was changed', '1\n2\n', '1\nnew\n2\n', '1\nX\n', '1\nnew\nX\n'],
    ['a line taken away beside one that was changed', '1\n2\n3\n', '1\n3\n', 'X\n2\n3\n', 'X\n3\n'],
    ['lines put in at two places', '1\n2\n3\n', 'a\n1\n2\n3\n', '1\n2\n3\nb\n', 'a\n1\n2\n3\nb\n'],
    ['only one side changed', '1\n', '1\n', '2\n', '2\n'],
    ['only the other side changed', '1\n', '2\n', '1\n', '2\n'],
    ['a last line end and another line', '1\n2', 'X\n2', '1\n2\n', 'X\n2\n'],
    ['line ends CR LF', '1\r\n2\r\n3\r\n', 'X\r\n2\r\n3\r\n', '1\r\n2\r\nY\r\n', 'X\r\n2\r\nY\r\n'],
    ['an empty text that both fill alike', '', 'a\n', 'a\n', 'a\n'],
  ])('%s', (_name, base, mine, theirs, text) => {
    expect(merge(base, mine, theirs)).toEqual({ type: 'merged', text });
  });
});

describe('an overlap', () => {
  test.each([
    ['one line changed by both', '1\n2\n3\n', '1\nX\n3\n', '1\nY\n3\n', [1, 2]],
    ['lines put in at one place by both', '1\n2\n', '1\na\n2\n', '1\nb\n2\n', [1, 1]],
    ['a line changed that the other took away', '1\n2\n3\n', '1\nX\n3\n', '1\n3\n', [1, 2]],
    ['a line put in amid lines the other replaced', '1\n2\n3\n4\n', '1\n2\nnew\n3\n4\n', 'a\nb\nc\nd\n', [0, 4]],
    ['an empty text filled by both', '', 'a\n', 'b\n', [0, 0]],
  ])('%s', (_name, base, mine, theirs, [from, to]) => {
    expect(merge(base, mine, theirs)).toMatchObject({ type: 'overlap', regions: [{ from, to }] });
  });
});

test('a thousand changes of each side merge, in a text where lines repeat', () => {
  const base = Array.from({ length: 20_000 }, (_, row) => (row % 7 === 0 ? '}' : `line ${row}`));
  const edited = (start: number, word: string): string[] =>
    base.map((line, row) => (row % 20 === start ? `${word} ${row}` : line));
  const merged = merge(base.join('\n'), edited(3, 'mine').join('\n'), edited(10, 'theirs').join('\n'));
  const wanted = base.map((line, row) => (row % 20 === 3 ? `mine ${row}` : row % 20 === 10 ? `theirs ${row}` : line));
  expect(merged).toEqual({ type: 'merged', text: wanted.join('\n') });
});
