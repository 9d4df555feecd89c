// A workspace in a container: what all workspaces do, and what is said when the container or its program is not there (SPEC 11).
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insideWorkspace } from '../../../../src/adapters/inside/workspace.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import type { RuntimeDefinition } from '../../../../src/core/config.ts';
import { Engine } from '../../../engine/engine.ts';
import { describeEngine } from '../../../engine/describe-engine.ts';
import { inContainer as runtime } from '../../agent-definition.ts';
import { workspaceContract } from './contract.ts';

const before = { ...process.env };

describeEngine('a workspace in a container', () => {
  let engine: Engine;
  const shared = mkdtempSync(join(realpathSync(tmpdir()), 'inside-'));

  beforeAll(async () => {
    engine = await Engine.start();
    Object.assign(process.env, engine.env);
    await engine.run('web-1', { mounts: { [shared]: shared } });
  }, 60_000);
  afterAll(async () => {
    await engine.dispose();
    process.env = before;
    rmSync(shared, { recursive: true });
  }, 60_000);

  const open = (folder: string, more: Partial<RuntimeDefinition> = {}) =>
    insideWorkspace(runtime(more), folder, { clock });

  describe('like every other', { timeout: 60_000 }, () => {
    workspaceContract(
      () => shared,
      (folder) => open(folder),
    );
  });

  test('deletes for good, and only when that was said', async () => {
    const folder = mkdtempSync(join(shared, 'w-'));
    writeFileSync(join(folder, 'a'), '');
    expect(await open(folder).remove('a', false)).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await open(folder).remove('a', true)).toEqual({ ok: true, value: undefined });
  });

  test('is where workspacePath says, in a sandbox too', async () => {
    const folder = mkdtempSync(join(shared, 'w-'));
    writeFileSync(join(folder, 'a'), 'text');
    for (const type of ['container', 'sbx'] as const) {
      const workspace = open('/no/such/folder/here', { type, workspacePath: folder });
      expect(await workspace.read('a', 10)).toMatchObject({ ok: true, value: Buffer.from('text') });
    }
  });

  test('reaches all of a container whose workspace is /', async () => {
    const workspace = open('/', {});
    const listed = await workspace.list('');
    expect(listed.ok && listed.value.map(({ name }) => name)).toContain('bin');
    expect(await workspace.save('tmp/of-root', 'x', '')).toEqual({ ok: true, value: true });
    expect(await workspace.remove('tmp/of-root', true)).toEqual({ ok: true, value: undefined });
  });

  test('says what is missing: the container, the program, the folder', async () => {
    const errors = async (workspace: ReturnType<typeof open>) => {
      const checked = await workspace.check();
      return checked.ok ? undefined : checked.error;
    };
    expect(await errors(open(shared, { name: 'nobody' }))).toMatchObject({
      code: 'unavailable',
      text: 'workspace.unreachable',
      values: { name: 'nobody', what: expect.stringContaining('nobody') as string },
    });
    expect(await errors(open(shared, { cli: 'nerdctl' }))).toMatchObject({
      code: 'unavailable',
      text: 'workspace.noProgram',
    });
    expect(await errors(open('/no/such/folder'))).toMatchObject({
      code: 'unavailable',
      text: 'workspace.noFolderInside',
    });
  });

  test('leaves nothing running there', async () => {
    const folder = mkdtempSync(join(shared, 'w-'));
    const watching = await open(folder).watch(() => undefined);
    if (watching.ok) watching.value();
    await open(folder).list('');
    expect(await engine.processes('web-1')).toEqual([]);
  });
});
