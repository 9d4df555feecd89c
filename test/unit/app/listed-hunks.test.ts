// An index means the hunk its asker saw in a list, or nothing: never another one (SPEC 14).
import { expect, test } from 'vitest';
import { ListedHunks } from '../../../src/app/listed-hunks.ts';

const hunk = (line: number, text: string) => ({ line, oldLines: [], newLines: [text], touched: false, region: line });

const [x, y, z] = [hunk(3, 'x'), hunk(5, 'y'), hunk(9, 'z')];

test('an index means the hunk of the last list, wherever it stands by now', () => {
  const listed = new ListedHunks();
  listed.add([x, y]);
  const moved = [hunk(1, 'new'), hunk(4, 'x'), hunk(6, 'y')];
  expect(listed.meant(1, moved)).toBe(moved[2]);
  expect(listed.meant(2, moved)).toBeUndefined();
});

test('one that is gone, or was changed, is not taken for its neighbour', () => {
  const listed = new ListedHunks();
  listed.add([x, y]);
  expect(listed.meant(0, [y])).toBeUndefined();
  listed.add([x, y]);
  expect(listed.meant(0, [hunk(3, 'x!'), y])).toBeUndefined();
  listed.add([y]);
  expect(listed.meant(0, [y])).toBe(y);
});

test('two lists that differ make it unclear whose is meant, until the list is asked for again', () => {
  const listed = new ListedHunks();
  listed.add([x, y]);
  listed.add([z, x, y]);
  expect(listed.meant(1, [z, x, y])).toBeUndefined();
  listed.add([z, x, y]);
  expect(listed.meant(1, [z, x, y])).toBe(x);
});

test('lists in which only lines moved are one, and what was decided ends the earlier ones', () => {
  const listed = new ListedHunks();
  listed.add([x, y]);
  const moved = [hunk(4, 'x'), hunk(6, 'y')];
  listed.add(moved);
  expect(listed.meant(0, moved)).toBe(moved[0]);
  listed.decided();
  expect(listed.meant(1, [moved[1] ?? y])).toBe(moved[1]);
  listed.add([y]);
  expect(listed.meant(0, [y])).toBe(y);
});

test('without a list there is nothing to go by', () => {
  expect(new ListedHunks().meant(0, [x])).toBeUndefined();
});

test('of equal hunks the one that stood there is meant', () => {
  const listed = new ListedHunks();
  const [first, second] = [hunk(2, '}'), hunk(8, '}')];
  listed.add([first, second]);
  expect([listed.meant(0, [first, second]), listed.meant(1, [first, second])]).toEqual([first, second]);
});
