// Whole files, faithfully: bytes, modes, links, folders; and one clear failure for what cannot be.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk } from '../../../src/adapters/files/disk.ts';

let folder: string;
const at = (name: string) => path.join(folder, name);
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'disk-')));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

describe('reading', () => {
  test('line ends and a byte-order mark stay in the text', async () => {
    fs.writeFileSync(at('dos.txt'), '\uFEFFa\r\nb');
    expect(await disk.readText(at('dos.txt'))).toEqual({ ok: true, value: '\uFEFFa\r\nb' });
  });

  test('a pipe is refused at once instead of blocking', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(await disk.readText(at('pipe'))).toMatchObject({ ok: false, error: { text: 'file.notRegular' } });
  });

  test.each([
    ['a missing file', 'none.txt', 'file.missing'],
    ['a folder', '.', 'file.folder'],
    ['text that is not UTF-8', 'latin1.txt', 'file.notText'],
    ['a binary', 'binary', 'file.notText'],
  ])('%s fails with its own cause', async (_name, file, text) => {
    fs.writeFileSync(at('latin1.txt'), Buffer.from([0x66, 0xe9, 0x0a]));
    fs.writeFileSync(at('binary'), Buffer.from([0x66, 0x00, 0x0a]));
    expect(await disk.readText(at(file))).toMatchObject({ ok: false, error: { text } });
  });
});

describe('B21: writing', () => {
  test('makes the parents of a new file and leaves nothing beside it', async () => {
    expect(await disk.writeText(at('new/deep/x.txt'), 'hi\n')).toEqual({ ok: true, value: undefined });
    expect(fs.readFileSync(at('new/deep/x.txt'), 'utf8')).toBe('hi\n');
    expect(fs.readdirSync(at('new/deep'))).toEqual(['x.txt']);
  });

  test('keeps the mode, and writes through a link that stays a link', async () => {
    fs.writeFileSync(at('run.sh'), 'old', { mode: 0o755 });
    fs.symlinkSync('run.sh', at('link'));
    await disk.writeText(at('link'), 'new');
    expect(fs.lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(at('run.sh'), 'utf8')).toBe('new');
    expect(fs.statSync(at('run.sh')).mode & 0o777).toBe(0o755);
  });

  test('a file with several names stays one file, with its mode and its owner', async () => {
    fs.writeFileSync(at('a.sh'), 'a longer old text', { mode: 0o750 });
    fs.linkSync(at('a.sh'), at('b.sh'));
    const { ino } = fs.statSync(at('a.sh'));
    expect(await disk.writeText(at('b.sh'), 'new')).toEqual({ ok: true, value: undefined });
    expect(fs.readFileSync(at('a.sh'), 'utf8')).toBe('new');
    expect(fs.statSync(at('b.sh'))).toMatchObject({ ino, nlink: 2, mode: 0o100750 });
    expect(fs.readdirSync(folder).sort()).toEqual(['a.sh', 'b.sh']);
  });

  test.runIf(process.geteuid?.() === 0)("somebody else's file stays theirs", async () => {
    fs.writeFileSync(at('a.txt'), 'old');
    fs.chownSync(at('a.txt'), 12_345, 12_345);
    expect(await disk.writeText(at('a.txt'), 'new')).toEqual({ ok: true, value: undefined });
    expect(fs.statSync(at('a.txt'))).toMatchObject({ uid: 12_345, gid: 12_345 });
    expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe('new');
  });

  test('a read-only file is refused, as it is in a buffer, whoever asks', async () => {
    fs.writeFileSync(at('a.txt'), 'old', { mode: 0o444 });
    expect(await disk.writeText(at('a.txt'), 'new')).toMatchObject({ ok: false, error: { text: 'file.readOnly' } });
    expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe('old');
  });

  test('more than could be read again is refused', async () => {
    const text = 'x'.repeat((20 << 20) + 1);
    expect(await disk.writeText(at('new/a.txt'), text)).toMatchObject({ ok: false, error: { text: 'file.tooLarge' } });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['a part of the path is a file', 'file/x.txt', 'file.parentIsFile'],
    ['the path is a folder', 'sub', 'file.notRegular'],
  ])('%s: one clear failure, nothing half made', async (_name, file, text) => {
    fs.writeFileSync(at('file'), 'f');
    fs.mkdirSync(at('sub'));
    expect(await disk.writeText(at(file), 'x')).toMatchObject({ ok: false, error: { text } });
    expect(fs.readdirSync(folder).sort()).toEqual(['file', 'sub']);
    expect(fs.readFileSync(at('file'), 'utf8')).toBe('f');
  });
});

describe('a full disk', () => {
  /** The system lets this process write 4 KB at most into a file: what does not fit fails in mid-write, as on a full disk. */
  function writeOnFullDisk(file: string): unknown {
    const module = path.resolve(import.meta.dirname, '../../../src/adapters/files/disk.ts');
    const program = `import { disk } from ${JSON.stringify(module)};
      console.log(JSON.stringify(await disk.writeText(process.argv[1], 'x'.repeat(100_000))));`;
    const limited = 'ulimit -f 8; exec "$@" | cat';
    const node = [process.execPath, '--input-type=module', '--eval', program, file];
    return JSON.parse(execFileSync('sh', ['-c', limited, 'sh', ...node], { encoding: 'utf8' }));
  }

  test('leaves the file as it was and nothing beside it', () => {
    fs.writeFileSync(at('a.txt'), 'old');
    expect(writeOnFullDisk(at('a.txt'))).toMatchObject({ ok: false, error: { text: 'file.failed' } });
    expect(fs.readFileSync(at('a.txt'), 'utf8')).toBe('old');
    expect(fs.readdirSync(folder)).toEqual(['a.txt']);
  });

  test('leaves a file with several names as it was, and no folder made for nothing', () => {
    fs.writeFileSync(at('a.txt'), 'old');
    fs.linkSync(at('a.txt'), at('b.txt'));
    for (const file of ['a.txt', 'new/deep/x.txt']) {
      expect(writeOnFullDisk(at(file))).toMatchObject({ ok: false, error: { text: 'file.failed' } });
    }
    expect([fs.readFileSync(at('a.txt'), 'utf8'), fs.statSync(at('b.txt')).nlink]).toEqual(['old', 2]);
    expect(fs.readdirSync(folder).sort()).toEqual(['a.txt', 'b.txt']);
  });
});

describe('a copy that is kept', () => {
  test('stands beside under a free name, with the same mode', async () => {
    fs.writeFileSync(at('a.tar.gz'), 'text', { mode: 0o640 });
    expect(await disk.keepCopy(at('a.tar.gz'), 'now')).toEqual({ ok: true, value: at('a.tar.now.gz') });
    expect(await disk.keepCopy(at('a.tar.gz'), 'now')).toEqual({ ok: true, value: at('a.tar.now-2.gz') });
    expect(fs.readFileSync(at('a.tar.now.gz'), 'utf8')).toBe('text');
    expect(fs.statSync(at('a.tar.now.gz')).mode & 0o777).toBe(0o640);
  });

  test('of nothing is none; of a folder fails', async () => {
    expect(await disk.keepCopy(at('none'), 'now')).toEqual({ ok: true, value: '' });
    expect((await disk.keepCopy(folder, 'now')).ok).toBe(false);
    expect(await disk.remove(at('none'))).toEqual({ ok: true, value: undefined });
  });
});

describe('resolving', () => {
  test('links and dots are followed, also where the end does not exist yet', async () => {
    fs.mkdirSync(at('real'));
    fs.symlinkSync('real', at('link'));
    expect(await disk.resolve(at('link/sub/../new.txt'))).toEqual({ ok: true, value: at('real/new.txt') });
  });

  test('a dangling link leads where it points, not where it stands', async () => {
    fs.symlinkSync('/nowhere/at/all', at('out'));
    expect(await disk.resolve(at('out'))).toEqual({ ok: true, value: '/nowhere/at/all' });
  });

  test('a loop of links is a failure', async () => {
    fs.symlinkSync('b', at('a'));
    fs.symlinkSync('a', at('b'));
    expect(await disk.resolve(at('a'))).toMatchObject({ ok: false, error: { text: 'file.linkLoop' } });
  });
});
