// Shells that somebody else started: hung up, killed a second later, with all that carries their mark, here and inside
// (SPEC section 12).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localProcesses } from '../../../../src/adapters/runtimes/local.ts';
import { processTable } from '../../../../src/adapters/runtimes/process-table.ts';
import { EditorShells } from '../../../../src/adapters/runtimes/shells.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import type { Inside } from '../../../../src/core/runtime.ts';
import { describeEngine } from '../../../engine/describe-engine.ts';
import { Engine } from '../../../engine/engine.ts';
import { isThere, pidsIn, Remembering, temporaryFolder, waitGone } from './support.ts';

let marks = 0;
const newMark = (): string => `test-${String(process.pid)}-${String((marks += 1))}`;

function shellsOf(environment: NodeJS.ProcessEnv = process.env, table = processTable): EditorShells {
  const log = new Remembering();
  const processes = localProcesses({ clock, log, environment });
  const shells = new EditorShells({ clock, log, processes, table, environment });
  onTestFinished(() => shells.dispose());
  return shells;
}

/** A shell in a session of its own, as an editor starts it: one child obeys, one ignores, one left it. */
async function startShell(mark: string) {
  const folder = temporaryFolder();
  const pids = path.join(folder, 'pids');
  fs.writeFileSync(pids, '');
  const script = `
    sh -c 'trap "echo hup >>heard; exit" HUP; echo obeys $$ >>pids; while :; do sleep 0.1; done' &
    sh -c 'trap "" HUP TERM; echo ignores $$ >>pids; while :; do sleep 0.1; done' &
    setsid sh -c 'trap "" HUP; echo left $$ >>pids; while :; do sleep 0.1; done' &
    sh -c 'echo stopped $$ >>pids; kill -STOP $$; sleep 600' &
    echo shell $$ >>pids; wait`;
  const env = { ...process.env, SIDEKICKS_AGENT_RUN: mark };
  const child = spawn('sh', ['-c', script], { cwd: folder, env, detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const found = Object.values(await pidsIn(pids, 5));
  return { pid: child.pid ?? 0, found, heard: () => fs.readFileSync(path.join(folder, 'heard'), 'utf8') };
}

describe('a shell of the editor', () => {
  test.each([
    ['its number is known', true],
    ['nobody told its number yet', false],
  ])('is hung up, and what is left is killed: %s', async (_, isKnown) => {
    const mark = newMark();
    const watch = shellsOf().watch(mark);
    const { pid, found, heard } = await startShell(mark);
    const other = await startShell(newMark());
    if (isKnown) watch.began(pid);
    await Promise.all([watch.hangUp(), watch.hangUp()]);
    expect(found.filter(isThere)).toEqual([]);
    expect(heard()).toBe('hup\n');
    expect(other.found.filter(isThere)).toEqual(other.found);
    for (const one of other.found) process.kill(one, 'SIGKILL');
  });

  test('that never ran has nothing to end', async () => {
    await shellsOf().watch(newMark()).hangUp();
  });

  test('ends with all others when the host leaves', async () => {
    const mark = newMark();
    const shells = shellsOf();
    shells.watch(mark);
    const { found } = await startShell(mark);
    await shells.dispose();
    expect(found.filter(isThere)).toEqual([]);
  });

  test.each([
    ['its number is known', true],
    ['nobody told its number yet', false],
  ])('is hung up when the host is killed: %s', async (_, isKnown) => {
    const mark = newMark();
    const { pid, found, heard } = await startShell(mark);
    await killedHost(mark, isKnown ? pid : 0);
    await waitGone(found, 10_000);
    expect(heard()).toBe('hup\n');
  });
});

/** A host that watches over these and is killed. */
async function killedHost(mark: string, ...rest: readonly (string | number)[]): Promise<void> {
  const host = path.join(import.meta.dirname, 'fixtures', 'host-shells.ts');
  const child = spawn(process.execPath, [host, mark, ...rest.map(String)], {
    env: { ...process.env, ...(engine && engine.env) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
}

let engine: Engine | undefined;

describeEngine('a shell inside a container', () => {
  const inside: Inside = { type: 'container', cli: 'docker', name: 'web-1' };
  const folder = temporaryShared();
  let own: Engine;
  beforeAll(async () => {
    own = await Engine.start();
    engine = own;
    await own.run('web-1', { mounts: { [folder]: '/app' } });
  });
  afterAll(async () => {
    await own.dispose();
    fs.rmSync(folder, { recursive: true });
  });

  async function startInside(mark: string): Promise<void> {
    fs.rmSync(path.join(folder, 'heard'), { force: true });
    const obeys = 'trap "echo hup >>heard; exit" HUP; while :; do sleep 0.1; done';
    const ignores = 'trap "" HUP TERM; while :; do sleep 0.1; done';
    for (const script of [obeys, ignores, 'sleep 600']) {
      await own.docker('exec', '-d', '-w', '/app', '-e', `SIDEKICKS_AGENT_RUN=${mark}`, 'web-1', 'sh', '-c', script);
    }
    await expect.poll(() => own.processes('web-1'), { timeout: 10_000 }).toContain('sleep 600');
  }

  const heard = (): string => fs.readFileSync(path.join(folder, 'heard'), 'utf8');

  test('is hung up there, and what is left is killed, also where nothing here shows it', async () => {
    const mark = newMark();
    await startInside(mark);
    const shells = shellsOf({ ...process.env, ...own.env }, () => Promise.resolve([]));
    await shells.watch(mark, inside).hangUp();
    expect(await own.processes('web-1')).toEqual([]);
    expect(heard()).toBe('hup\n');
  });

  test('is hung up when the host is killed', async () => {
    const mark = newMark();
    await startInside(mark);
    await killedHost(mark, 0, 'web-1');
    await expect.poll(() => own.processes('web-1'), { timeout: 15_000 }).toEqual([]);
    expect(heard()).toContain('hup\n');
  });

  test('in a container that is gone is over', async () => {
    const shells = shellsOf({ ...process.env, ...own.env });
    await shells.watch(newMark(), { ...inside, name: 'nobody' }).hangUp();
  });
});

function temporaryShared(): string {
  return fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'shared-'));
}
