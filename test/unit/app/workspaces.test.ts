// The files of workspaces as the host gives them (SPEC 11, 14): texts and versions, one writer at a time, watches that are counted.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk } from '../../../src/adapters/files/disk.ts';
import { localWorkspace } from '../../../src/adapters/files/local-workspace.ts';
import { workspaceFiles } from '../../../src/adapters/files/workspace-files.ts';
import { clock } from '../../../src/adapters/system/clock.ts';
import type { Settings } from '../../../src/app/settings.ts';
import { Workspaces } from '../../../src/app/workspaces.ts';
import { WorkspaceWatches } from '../../../src/app/workspace-watches.ts';
import type { HostEvent } from '../../../src/core/contract/events.ts';
import type { Workspace } from '../../../src/core/ports.ts';
import { wordFailure, word } from '../../../src/core/texts/index.ts';
import { agentDefinition } from '../agent-definition.ts';

const log = { write: (text: string): never => expect.fail(text) };

describe('workspaces', () => {
  let root: string;
  let folder: string;
  let settings: Settings;
  let workspaces: Workspaces;
  let reload: (folders: Readonly<Record<string, string>>) => void;
  /** How often each folder is watched now. */
  let watched: Map<string, number>;
  let change: Map<string, () => void>;

  beforeEach(() => {
    root = mkdtempSync(join(realpathSync(tmpdir()), 'spaces-'));
    folder = join(root, 'app');
    mkdirSync(folder);
    watched = new Map();
    change = new Map();
    const listeners = new Set<() => void>();
    const known = {
      config: { agents: [agentDefinition('bob', { workspace: folder })] },
      word: word.bind(undefined, 'en'),
      wordFailure: wordFailure.bind(undefined, 'en'),
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    reload = (folders) => {
      known.config = {
        agents: Object.entries(folders).map(([name, workspace]) => agentDefinition(name, { workspace })),
      };
      for (const listener of listeners) listener();
    };
    settings = known as unknown as Settings;
    workspaces = new Workspaces({
      settings: () => Promise.resolve(settings),
      project: () => Promise.resolve(root),
      disk,
      files: workspaceFiles(log, () => clock.now()),
      openWorkspace: (_, opened) => {
        const trash = { home: join(root, 'home'), platform: 'linux', env: {} };
        const watch: Workspace['watch'] = (changed) => {
          watched.set(opened, (watched.get(opened) ?? 0) + 1);
          change.set(opened, changed);
          const end = (): unknown => watched.set(opened, (watched.get(opened) ?? 0) - 1);
          return Promise.resolve({ ok: true, value: () => void end() });
        };
        return Promise.resolve(Object.assign(localWorkspace(opened, { clock, log, trash }), { watch }));
      },
    });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('says where they are, and why they cannot be shown', async () => {
    expect(await workspaces.info('bob')).toEqual({ ok: true, value: { location: `local · ${folder}`, problem: '' } });
    rmSync(folder, { recursive: true });
    expect(await workspaces.info('bob')).toEqual({
      ok: true,
      value: { location: `local · ${folder}`, problem: `the folder ${folder} does not exist` },
    });
    expect(await workspaces.info('nobody')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  test('gives text with what identifies it, and takes it back for that', async () => {
    writeFileSync(join(folder, 'a'), 'one\r\n');
    const read = await workspaces.read('bob', './a');
    if (!read.ok) throw new Error(read.error.text);
    expect(read.value).toMatchObject({ path: 'a', content: 'one\r\n' });
    const saved = await workspaces.save('bob', 'a', 'two\n', read.value.version);
    expect(saved).toMatchObject({ ok: true, value: { conflict: false } });
    expect(await workspaces.save('bob', 'a', 'three', read.value.version)).toEqual({
      ok: true,
      value: { conflict: true, version: '' },
    });
    const again = await workspaces.read('bob', 'a');
    expect(again).toMatchObject({ ok: true, value: { content: 'two\n', version: saved.ok && saved.value.version } });
  });

  test('two that read the same version do not both write', async () => {
    writeFileSync(join(folder, 'a'), 'one');
    const read = await workspaces.read('bob', 'a');
    const version = read.ok ? read.value.version : '';
    const saves = await Promise.all(['x', 'y', 'z'].map((text) => workspaces.save('bob', 'a', text, version)));
    expect(saves.map((saved) => saved.ok && saved.value.conflict)).toEqual([false, true, true]);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('x');
  });

  test('refuses what is no text, too large or no file', async () => {
    writeFileSync(join(folder, 'binary'), Buffer.from([1, 0, 255]));
    writeFileSync(join(folder, 'latin'), Buffer.from([0x41, 0xe9]));
    writeFileSync(join(folder, 'large'), 'x'.repeat((1 << 20) + 1));
    const codes = await Promise.all(
      ['binary', 'latin', 'large', '', 'none', '../app/binary', '/etc/passwd'].map(async (path) => {
        const read = await workspaces.read('bob', path);
        return read.ok ? 'ok' : read.error.code;
      }),
    );
    expect(codes).toEqual(['invalid', 'invalid', 'limit', 'invalid', 'not-found', 'refused', 'refused']);
  });

  test.each(['', '.', 'a/..', './'])('never deletes the folder itself (%j)', async (path) => {
    expect(await workspaces.remove('bob', path, true)).toMatchObject({ ok: false, error: { code: 'refused' } });
  });

  describe('watches', () => {
    let events: HostEvent[];
    let watches: WorkspaceWatches;

    beforeEach(() => {
      events = [];
      watches = new WorkspaceWatches({
        settings: () => Promise.resolve(settings),
        workspaces,
        tell: (event) => events.push(event),
      });
    });

    test('are counted', async () => {
      await Promise.all([watches.watch('bob'), watches.watch('bob'), watches.unwatch('bob'), watches.watch('bob')]);
      expect(watched.get(folder)).toBe(1);
      change.get(folder)?.();
      expect(events).toEqual([{ name: 'workspace:changed', payload: { agent: 'bob' } }]);
      await watches.unwatch('bob');
      expect(watched.get(folder)).toBe(1);
      await watches.unwatch('bob');
      expect(watched.get(folder)).toBe(0);
      await watches.unwatch('bob');
      await watches.watch('bob');
      expect(watched.get(folder)).toBe(1);
    });

    test('all end when no agent is named, and with the host', async () => {
      await watches.watch('bob');
      await watches.watch('bob');
      await watches.unwatch();
      expect(watched.get(folder)).toBe(0);
      await watches.watch('bob');
      await watches.dispose();
      expect(watched.get(folder)).toBe(0);
    });

    test('follow the folder the configuration names', async () => {
      await watches.watch('bob');
      await watches.watch('bob');
      reload({ bob: root });
      await watches.unwatch('bob');
      expect([watched.get(folder), watched.get(root)]).toEqual([0, 1]);
      expect(events).toEqual([{ name: 'workspace:changed', payload: { agent: 'bob' } }]);
      reload({});
      await watches.unwatch('bob');
      expect(watched.get(root)).toBe(0);
    });

    test('of an agent there is none are an error', async () => {
      expect(await watches.watch('nobody')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    });
  });
});
