// What every workspace does, wherever its files are (SPEC 11): the same tests for a folder here and for one in a container.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workspace } from '../../../../src/core/ports.ts';
import { versionOf } from '../../../../src/core/workspace-paths.ts';

const MB = 1 << 20;

/** Names that would be something else to a careless program. */
export const hostileNames = [
  '-rf',
  '--help',
  "a'b",
  'a"b',
  'a b',
  ' ',
  '*',
  '[a]?',
  '$HOME',
  '`id`',
  '$(id)',
  'a;id',
  'a\nb',
  'ends\n',
  '\n',
  '\n12',
  'a\tb',
  'a\u0007\u001b[31mb',
  'a\\b',
  '%n%s',
  '...',
  '.hidden',
  'é',
  'e\u0301',
  '日本語',
  '😀',
];

export interface Ground {
  /** The folder of the workspace as the tests see it. */
  readonly folder: string;
  readonly workspace: Workspace;
}

/** `base` is a folder that is the workspace's parent, `open` gives the workspace of a folder in it. */
export function workspaceContract(base: () => string, open: (folder: string) => Workspace): void {
  let above: string;
  let folder: string;
  let workspace: Workspace;

  beforeEach(() => {
    above = mkdtempSync(join(realpathSync(base()), 'w-'));
    folder = join(above, 'app');
    mkdirSync(folder);
    workspace = open(folder);
  });
  afterEach(() => rmSync(above, { recursive: true, force: true }));

  const put = (path: string, content: string | Uint8Array = path): string => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const get = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const names = async (dir = ''): Promise<string[]> => {
    const listed = await workspace.list(dir);
    if (!listed.ok) throw new Error(listed.error.text);
    return listed.value.map(({ name }) => name).sort();
  };
  const codeOf = async (result: Promise<{ ok: boolean; error?: { code: string } }>): Promise<string> =>
    (await result).error?.code ?? 'ok';
  const leftOver = (): string[] => readdirSync(folder).filter((name) => name.includes('sidekicks'));

  test('lists what is there, with size and time, whatever it is called', async () => {
    mkdirSync(join(folder, 'empty'));
    for (const name of hostileNames) put(name, 'four');
    for (const name of hostileNames) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    expect(await names()).toEqual([...hostileNames, 'empty'].sort());
    expect(await names('empty')).toEqual([]);
    const listed = await workspace.list('');
    const entries = listed.ok ? listed.value : [];
    expect(entries.find(({ name }) => name === 'a\nb')).toEqual({
      name: 'a\nb',
      path: 'a\nb',
      dir: false,
      size: 4,
      modTime: 1_700_000_000_000,
    });
    expect(entries.find(({ name }) => name === 'empty')?.dir).toBe(true);
  });

  test('reads, saves, and deletes files of any name', async () => {
    for (const [index, name] of hostileNames.entries()) {
      put(`in/${name}`, `text ${index}`);
      const path = `in/${name}`;
      const read = await workspace.read(path, MB);
      expect([name, read.ok && Buffer.from(read.value).toString()]).toEqual([name, `text ${index}`]);
      expect(await workspace.save(path, `new ${index}\n`, versionOf(`text ${index}`))).toEqual({
        ok: true,
        value: true,
      });
      expect(get(path)).toBe(`new ${index}\n`);
      expect(await codeOf(workspace.create('in', name))).toBe('exists');
      expect(await codeOf(workspace.remove(path, true))).toBe('ok');
    }
    expect(readdirSync(join(folder, 'in'))).toEqual([]);
    for (const name of hostileNames) expect([name, await codeOf(workspace.create('in', name))]).toEqual([name, 'ok']);
    expect(readdirSync(join(folder, 'in')).sort()).toEqual([...hostileNames].sort());
  }, 120_000);

  test('lists a name that is not UTF-8, and the others', async () => {
    execFileSync('sh', ['-c', `cd "$1" && : > "$(printf 'a\\377b')" && : > "$(printf 'a\\376b')"`, 'sh', folder]);
    put('good');
    expect(await names()).toEqual(['a\ufffdb', 'a\ufffdb', 'good'].sort());
    expect(await codeOf(workspace.read('a\ufffdb', MB))).toBe('not-found');
  });

  test('lists links as what they lead to', async () => {
    put('dir/file');
    symlinkSync('dir', join(folder, 'to-dir'));
    symlinkSync('dir/file', join(folder, 'to-file'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    const listed = await workspace.list('');
    const kinds = listed.ok ? listed.value.map(({ name, dir }) => [name, dir]) : [];
    expect(Object.fromEntries(kinds)).toEqual({ dir: true, 'to-dir': true, 'to-file': false, dangling: false });
    expect(await names('to-dir')).toEqual(['file']);
  });

  test('lists a thousand files', async () => {
    for (let index = 0; index < 1000; index++) put(`many/file-${index}`);
    expect(await names('many')).toHaveLength(1000);
  });

  describe('stays in the folder', () => {
    beforeEach(() => {
      writeFileSync(join(above, 'secret'), 'secret');
      mkdirSync(join(above, 'app-old'));
      writeFileSync(join(above, 'app-old', 'file'), 'old');
      put('file');
      symlinkSync('../secret', join(folder, 'link'));
      symlinkSync('..', join(folder, 'up'));
      symlinkSync('../app-old', join(folder, 'near'));
      symlinkSync('../made', join(folder, 'dangling'));
    });

    test.each([
      ['list', () => workspace.list('up')],
      ['list', () => workspace.list('near')],
      ['read', () => workspace.read('link', MB)],
      ['read', () => workspace.read('up/secret', MB)],
      ['read', () => workspace.read('near/file', MB)],
      ['save', () => workspace.save('link', 'x', '')],
      ['save', () => workspace.save('up/secret', 'x', '')],
      ['save', () => workspace.save('up/new', 'x', '')],
      ['create', () => workspace.create('up', 'new')],
      ['create', () => workspace.create('near', 'new')],
      ['remove', () => workspace.remove('up/secret', true)],
      ['remove', () => workspace.remove('near/file', true)],
    ])('%s (%#)', async (_, act) => {
      expect(await codeOf(act())).toBe('refused');
      expect(readdirSync(above).sort()).toEqual(['app', 'app-old', 'secret']);
      expect(readFileSync(join(above, 'secret'), 'utf8')).toBe('secret');
      expect(readdirSync(join(above, 'app-old'))).toEqual(['file']);
    });

    test('writes nothing where a dangling link leads out', async () => {
      expect((await workspace.save('dangling', 'x', '')).ok).toBe(false);
      expect(existsSync(join(above, 'made'))).toBe(false);
    });

    test('deletes a link that leads out, not what it leads to', async () => {
      for (const name of ['link', 'up', 'dangling']) expect(await codeOf(workspace.remove(name, true))).toBe('ok');
      expect(readdirSync(folder).sort()).toEqual(['file', 'near']);
      expect(readFileSync(join(above, 'secret'), 'utf8')).toBe('secret');
    });
  });

  describe('reads', () => {
    test('up to the limit, and says why not', async () => {
      put('full', 'x'.repeat(MB));
      put('over', 'x'.repeat(MB + 1));
      mkdirSync(join(folder, 'dir'));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      put('empty', '');
      const full = await workspace.read('full', MB);
      expect(full.ok && full.value.length).toBe(MB);
      expect(await workspace.read('empty', MB)).toMatchObject({ ok: true, value: { length: 0 } });
      expect(await codeOf(workspace.read('over', MB))).toBe('limit');
      expect(await codeOf(workspace.read('dir', MB))).toBe('invalid');
      expect(await codeOf(workspace.read('pipe', MB))).toBe('invalid');
      expect(await codeOf(workspace.read('none', MB))).toBe('not-found');
      expect(await codeOf(workspace.list('none'))).toBe('not-found');
      expect(await codeOf(workspace.list('full'))).toBe('invalid');
    });

    test('every byte', async () => {
      const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      put('bytes', bytes);
      const read = await workspace.read('bytes', MB);
      expect(read.ok && Buffer.from(read.value)).toEqual(Buffer.from(bytes));
    });
  });

  describe('saves', () => {
    test('a file that is what it was, and no other', async () => {
      put('a', 'one');
      expect(await workspace.save('a', 'two', versionOf('one'))).toEqual({ ok: true, value: true });
      expect(await workspace.save('a', 'three', versionOf('one'))).toEqual({ ok: true, value: false });
      expect(get('a')).toBe('two');
      expect(await workspace.save('a', 'four', '')).toEqual({ ok: true, value: true });
      expect(get('a')).toBe('four');
      expect(await workspace.save('gone', 'x', versionOf('one'))).toEqual({ ok: true, value: false });
      expect(existsSync(join(folder, 'gone'))).toBe(false);
      expect(await workspace.save('new', 'x', '')).toEqual({ ok: true, value: true });
      expect(get('new')).toBe('x');
      expect(leftOver()).toEqual([]);
    });

    test('text of every kind, and of 4 MB', async () => {
      put('a', 'one');
      for (const text of ['', '\n', 'no end', 'a\r\nb\r\n', '\ufeffmark\n', 'é😀\n', 'x\n'.repeat(2 * MB)]) {
        expect(await workspace.save('a', text, '')).toEqual({ ok: true, value: true });
        expect(get('a') === text).toBe(true);
      }
    });

    test.each([0o755, 0o640, 0o600, 0o4755])('keeps the mode %o', async (mode) => {
      chmodSync(put('a', 'one'), mode);
      await workspace.save('a', 'two', versionOf('one'));
      expect([statSync(join(folder, 'a')).mode & 0o7777, get('a')]).toEqual([mode, 'two']);
    });

    test('keeps links, and every name of a file', async () => {
      const file = put('dir/a', 'one');
      symlinkSync('dir/a', join(folder, 'link'));
      linkSync(file, join(folder, 'other'));
      expect(await workspace.save('link', 'two', versionOf('one'))).toEqual({ ok: true, value: true });
      expect(readlinkSync(join(folder, 'link'))).toBe('dir/a');
      expect([get('dir/a'), get('other')]).toEqual(['two', 'two']);
      expect(lstatSync(file).nlink).toBe(2);
      expect([...leftOver(), ...readdirSync(join(folder, 'dir'))]).toEqual(['a']);
    });

    test('writes beside and moves into place: nobody reads a half', async () => {
      const file = put('a', 'one');
      const before = statSync(file).ino;
      await workspace.save('a', 'two', '');
      expect(statSync(file).ino).not.toBe(before);
    });

    test('not what is read-only, a folder or a pipe', async () => {
      chmodSync(put('locked', 'one'), 0o444);
      mkdirSync(join(folder, 'dir'));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      expect(await codeOf(workspace.save('locked', 'two', ''))).toBe('refused');
      expect(await codeOf(workspace.save('dir', 'two', ''))).toBe('invalid');
      expect(await codeOf(workspace.save('pipe', 'two', ''))).toBe('invalid');
      expect([get('locked'), leftOver()]).toEqual(['one', []]);
    });
  });

  test('creates an empty file, where there is none of that name', async () => {
    symlinkSync('nowhere', join(folder, 'dangling'));
    put('file', 'text');
    expect(await codeOf(workspace.create('', 'new'))).toBe('ok');
    expect(get('new')).toBe('');
    expect(await codeOf(workspace.create('', 'file'))).toBe('exists');
    expect(await codeOf(workspace.create('', 'dangling'))).toBe('exists');
    expect(await codeOf(workspace.create('none', 'x'))).toBe('not-found');
    expect(await codeOf(workspace.create('file', 'x'))).toBe('invalid');
    expect(get('file')).toBe('text');
  });

  test('deletes a folder with all that is in it, and follows no link', async () => {
    put('keep/file');
    put('dir/deep/file');
    symlinkSync('../../keep', join(folder, 'dir/deep/link'));
    expect(await codeOf(workspace.remove('dir', true))).toBe('ok');
    expect([existsSync(join(folder, 'dir')), get('keep/file')]).toEqual([false, 'keep/file']);
    expect(await codeOf(workspace.remove('dir', true))).toBe('not-found');
    expect(await codeOf(workspace.remove('none/x', true))).toBe('not-found');
  });

  test('takes a file of this computer in: in place, or under a free name', async () => {
    const inside = put('dir/my file.txt', 'inside');
    const outside = join(above, 'my\tnotes -1.txt');
    writeFileSync(outside, 'outside');
    expect(await workspace.inPlace(inside)).toEqual({ ok: true, value: 'dir/my file.txt' });
    expect(await workspace.inPlace(outside)).toEqual({ ok: true, value: undefined });
    const copies = [
      await workspace.copyIn(outside, 'attachments'),
      await workspace.copyIn(outside, 'attachments'),
      await workspace.copyIn(outside, 'attachments'),
    ];
    expect(copies.map((copy) => copy.ok && copy.value)).toEqual([
      'attachments/my-notes--1.txt',
      'attachments/my-notes--1-2.txt',
      'attachments/my-notes--1-3.txt',
    ]);
    expect(get('attachments/my-notes--1-2.txt')).toBe('outside');
    expect(readdirSync(join(folder, 'attachments'))).toHaveLength(3);
  });

  test('takes nothing in through a link that leads out', async () => {
    mkdirSync(join(above, 'elsewhere'));
    symlinkSync('../elsewhere', join(folder, 'attachments'));
    const outside = join(above, 'a.txt');
    writeFileSync(outside, 'x');
    expect(await codeOf(workspace.copyIn(outside, 'attachments'))).toBe('refused');
    expect(readdirSync(join(above, 'elsewhere'))).toEqual([]);
  });

  test('says that there is no such folder', async () => {
    expect(await codeOf(workspace.check())).toBe('ok');
    rmSync(folder, { recursive: true });
    expect(await codeOf(workspace.check())).toBe('unavailable');
    expect(await codeOf(workspace.list(''))).toBe('unavailable');
    expect(await codeOf(workspace.read('a', MB))).toBe('unavailable');
  });

  test('names every file, but for the usual heaps', async () => {
    for (const name of hostileNames) put(`dir/${name}`);
    put('.git/x');
    put('node_modules/x');
    put('.env');
    const listed = await workspace.files();
    const expected = [...hostileNames.map((name) => `dir/${name}`), '.env'].sort();
    expect(listed.ok && [...listed.value].sort()).toEqual(expected);
  });

  test('tells of changes for as long as it is watched', async () => {
    put('dir/file', 'one');
    put('node_modules/x/file');
    put('.git/file');
    let told = 0;
    let hear = (): void => undefined;
    const heard = (): Promise<void> => new Promise((resolve) => (hear = resolve));
    const watching = await workspace.watch(() => {
      told += 1;
      hear();
    });
    if (!watching.ok) throw new Error(watching.error.text);
    // What is not followed changes first: had it been told, it would be told before what comes after it.
    put('node_modules/x/other');
    put('.git/index');
    for (const change of [
      () => put('dir/file', 'other'),
      () => put('new', ''),
      () => put('fresh/folder/file', 'x'),
      () => put('fresh/folder/file', 'changed'),
      () => rmSync(join(folder, 'new')),
    ]) {
      const hearing = heard();
      change();
      await hearing;
    }
    expect(told).toBe(5);
    watching.value();
  }, 30_000);
}
