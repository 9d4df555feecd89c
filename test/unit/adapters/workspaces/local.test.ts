// A workspace on this computer: what all workspaces do, and the trash (SPEC 11).
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { localWorkspace } from '../../../../src/adapters/files/local-workspace.ts';
import { watchTree } from '../../../../src/adapters/files/watch-tree.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import type { Workspace } from '../../../../src/core/ports.ts';
import { workspaceContract } from './contract.ts';

const root = mkdtempSync(join(realpathSync(tmpdir()), 'local-'));
afterAll(() => rmSync(root, { recursive: true }));

const log = { write: (text: string): never => expect.fail(text) };
const NOW = new Date(2026, 1, 3, 4, 5, 6).getTime();

const open = (folder: string, home: string, platform = 'linux', env: Record<string, string> = {}): Workspace =>
  localWorkspace(folder, {
    clock: { ...clock, now: () => NOW },
    log,
    trash: { home, platform, env },
  });

describe('a workspace on this computer', () => {
  workspaceContract(
    () => root,
    (folder) => open(folder, join(root, 'home')),
  );
});

test('follows so many folders, and says that there are more', async () => {
  const folder = mkdtempSync(join(root, 'many-'));
  for (const name of ['a', 'b', 'c', 'd', 'e']) mkdirSync(join(folder, name));
  const said: string[] = [];
  let hear = (): void => undefined;
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const end = await watchTree(folder, () => hear(), {
    clock,
    log: { write: (text) => said.push(text) },
    without: [],
    maxFolders: 3,
  });
  writeFileSync(join(folder, 'file'), '');
  await heard;
  expect(said).toEqual([`${folder} has more than 3 folders: not all are watched`]);
  end();
});

describe('the trash', () => {
  let home: string;
  let folder: string;
  const trash = (...parts: string[]): string => join(home, '.local/share/Trash', ...parts);

  beforeEach(() => {
    home = mkdtempSync(join(root, 'home-'));
    folder = mkdtempSync(join(root, 'app-'));
  });

  test('has what was deleted, with where it was and when', async () => {
    writeFileSync(join(folder, 'é 100%\n.txt'), 'text');
    expect(await open(folder, home).remove('é 100%\n.txt', false)).toEqual({ ok: true, value: undefined });
    expect(existsSync(join(folder, 'é 100%\n.txt'))).toBe(false);
    expect(readFileSync(trash('files', 'é 100%\n.txt'), 'utf8')).toBe('text');
    expect(readFileSync(trash('info', 'é 100%\n.txt.trashinfo'), 'utf8')).toBe(
      `[Trash Info]\nPath=${folder}/%C3%A9%20100%25%0A.txt\nDeletionDate=2026-02-03T04:05:06\n`,
    );
    expect(statSync(trash()).mode & 0o777).toBe(0o700);
  });

  test('keeps all of one name', async () => {
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(join(folder, 'a.txt'), text);
      await open(folder, home).remove('a.txt', false);
    }
    const kept = readdirSync(trash('files')).sort();
    expect(kept).toEqual(['a.2.txt', 'a.3.txt', 'a.txt']);
    expect(readdirSync(trash('info')).sort()).toEqual(kept.map((name) => `${name}.trashinfo`));
    expect(readFileSync(trash('files', 'a.3.txt'), 'utf8')).toBe('three');
  });

  test('takes no name of what lies there without a note', async () => {
    mkdirSync(trash('files'), { recursive: true });
    writeFileSync(trash('files', 'a'), 'old');
    writeFileSync(join(folder, 'a'), 'new');
    await open(folder, home).remove('a', false);
    expect([readFileSync(trash('files', 'a'), 'utf8'), readFileSync(trash('files', 'a.2'), 'utf8')]).toEqual([
      'old',
      'new',
    ]);
    expect(readdirSync(trash('info'))).toEqual(['a.2.trashinfo']);
  });

  test('takes folders, and is where XDG_DATA_HOME says', async () => {
    mkdirSync(join(folder, 'dir'));
    writeFileSync(join(folder, 'dir/file'), 'text');
    await open(folder, home, 'linux', { XDG_DATA_HOME: join(home, 'data') }).remove('dir', false);
    expect(readFileSync(join(home, 'data/Trash/files/dir/file'), 'utf8')).toBe('text');
  });

  test('is ~/.Trash on macOS', async () => {
    for (const text of ['one', 'two']) {
      writeFileSync(join(folder, 'a.txt'), text);
      await open(folder, home, 'darwin').remove('a.txt', false);
    }
    expect(readdirSync(join(home, '.Trash')).sort()).toEqual(['a.2.txt', 'a.txt']);
  });

  // A disk of its own that every Linux has.
  test.skipIf(!existsSync('/dev/shm'))('on another disk: for good, and only when that was said', async () => {
    const far = mkdtempSync('/dev/shm/sk-home-');
    writeFileSync(join(folder, 'a.txt'), 'text');
    const workspace = open(folder, far);
    expect(await workspace.remove('a.txt', false)).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
    expect(await workspace.remove('a.txt', true)).toEqual({ ok: true, value: undefined });
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    expect(readdirSync(far)).toEqual([]);
    rmSync(far, { recursive: true });
  });
});
