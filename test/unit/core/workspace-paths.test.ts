// Paths and names in a workspace as they are written (SPEC 11): what leads out by its words is refused before anybody looks.
import { describe, expect, test } from 'vitest';
import { newName, ofOddName, pathInside, sorted, textOfBytes, versionOf } from '../../../src/core/workspace-paths.ts';
import { fail } from '../../../src/core/errors.ts';

const outcome = (result: ReturnType<typeof pathInside>): string =>
  result.ok ? result.value : `! ${result.error.code}`;

describe('a path in a workspace', () => {
  test.each([
    ['', ''],
    ['.', ''],
    ['./', ''],
    ['a', 'a'],
    ['a/b/', 'a/b'],
    ['./a//b', 'a/b'],
    ['a/../b', 'b'],
    ['a/..', ''],
    ['-a', '-a'],
    ['a\\..\\b', 'a\\..\\b'],
    ['...', '...'],
    ['..a', '..a'],
    ['a\nb', 'a\nb'],
    ['..', '! refused'],
    ['../a', '! refused'],
    ['a/../../b', '! refused'],
    ['../app', '! refused'],
    ['/', '! refused'],
    ['/etc/passwd', '! refused'],
    ['a\0b', '! invalid'],
  ])('%j is %j', (path, inside) => {
    expect(outcome(pathInside(path))).toBe(inside);
  });
});

test.each(['', '.', '..', 'a/b', '/', 'a\0'])('%j cannot name a new file', (name) => {
  expect(newName(name)).toMatchObject({ ok: false, error: { code: 'invalid' } });
});

test.each(['a', ' ', '-rf', '...', 'a\nb', '.git', 'é'])('%j can', (name) => {
  expect(newName(name)).toEqual({ ok: true, value: name });
});

test('folders come first, then names in order', () => {
  const entry = (name: string, dir: boolean) => ({ name, path: name, dir, size: 0, modTime: 0 });
  const entries = [entry('b', false), entry('z', true), entry('B', false), entry('a', true), entry('.x', false)];
  expect(sorted(entries).map(({ name }) => name)).toEqual(['a', 'z', '.x', 'B', 'b']);
});

test('text is what can be given back byte for byte', () => {
  expect(textOfBytes(Buffer.from('\ufeffé\r\n'))).toBe('\ufeffé\r\n');
  expect(textOfBytes(Buffer.from([0xff, 0x41]))).toBeUndefined();
  expect(textOfBytes(Buffer.from('a\0b'))).toBeUndefined();
});

test('a version identifies the content', () => {
  expect(versionOf('é')).toBe(versionOf(Buffer.from('é')));
  expect(versionOf('a')).not.toBe(versionOf('b'));
  expect(versionOf('')).not.toBe('');
});

test('of a name that is not UTF-8 that is said', () => {
  const missing = fail('not-found', 'workspace.missing', { path: 'a\ufffd' }).error;
  expect(ofOddName('a\ufffd', missing).text).toBe('workspace.oddName');
  expect(ofOddName('a', missing)).toBe(missing);
});
