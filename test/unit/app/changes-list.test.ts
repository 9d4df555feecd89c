// The list of changes reads a file only when it, or what agents changed in it, is another than in the list before (SPEC 9).
import { expect, test } from 'vitest';
import { Changes } from '../../../src/app/changes.ts';
import { FileTexts } from '../../../src/app/file-texts.ts';
import { FILE, OneFile } from './one-file.ts';

const turn = { messageId: 'm', channel: 'c', agent: 'bob' };

function world() {
  const file = new OneFile('1\n2\n3\n');
  let reads = 0;
  file.meanwhile = () => reads++;
  const texts = new FileTexts(file.editor, file.files, () => Promise.resolve());
  const words = { word: (key: string) => key, wordFailure: ({ text }: { text: string }) => text };
  const changes = new Changes({ texts, nextId: () => 'id', tell: () => undefined, ...words });
  const listed = async () => (await changes.list(undefined)).turns[0]?.files[0]?.hunks.map(({ newLines }) => newLines);
  return { file, changes, listed, reads: () => reads };
}

test('an unchanged file is read once, and anew after each change of it', async () => {
  const { file, changes, listed, reads } = world();
  file.set('1\n2\nTHREE\n', true);
  changes.wrote(turn, FILE, '1\n2\n3\n', '1\n2\nTHREE\n');
  expect([await listed(), await listed(), reads()]).toEqual([[['THREE']], [['THREE']], 1]);
  file.set('1\n2\nthree, mine\n', true);
  expect([await listed(), await listed(), reads()]).toEqual([[['three, mine']], [['three, mine']], 2]);
  file.set('ONE\n2\nthree, mine\n', true);
  changes.wrote(turn, FILE, '1\n2\nthree, mine\n', 'ONE\n2\nthree, mine\n');
  expect([await listed(), await listed(), reads()]).toEqual([
    [['ONE'], ['three, mine']],
    [['ONE'], ['three, mine']],
    3,
  ]);
});

test('what was accepted is not listed, though the file is the same', async () => {
  const { file, changes, listed } = world();
  file.set('1\n2\nTHREE\n', true);
  changes.wrote(turn, FILE, '1\n2\n3\n', '1\n2\nTHREE\n');
  expect(await listed()).toEqual([['THREE']]);
  await changes.accept('m', FILE, 0);
  expect(await listed()).toBeUndefined();
});
