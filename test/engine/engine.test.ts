// What the tests of containers stand on: an engine of their own that leaves nothing behind.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine } from './engine.ts';
import { describeEngine } from './describe-engine.ts';

describeEngine('an engine for tests', () => {
  let engine: Engine;
  const folder = mkdtempSync(join(tmpdir(), 'shared-'));
  beforeAll(async () => {
    engine = await Engine.start();
    await engine.run('web-1', { mounts: { [folder]: '/app' } });
  });
  afterAll(async () => {
    await engine.dispose();
    rmSync(folder, { recursive: true });
  });

  test('shares a folder and has the usual commands', async () => {
    writeFileSync(join(folder, 'a.txt'), 'hello\n');
    expect(await engine.docker('exec', '-w', '/app', 'web-1', 'sh', '-c', 'cat a.txt; pwd')).toBe('hello\n/app\n');
  });

  test('runs the Node of the tests', async () => {
    expect(await engine.docker('exec', 'web-1', 'node', '-p', '6 * 7')).toBe('42\n');
  });

  test('tells what runs in a container', async () => {
    expect(await engine.processes('web-1')).toEqual([]);
    await engine.docker('exec', '-d', 'web-1', 'sleep', '77');
    expect(await engine.processes('web-1')).toEqual(['sleep 77']);
  });

  test('has a stand-in for sbx', () => {
    const env = { ...process.env, ...engine.env };
    expect(execFileSync('sbx', ['exec', '-i', 'web-1', 'echo', 'a b'], { env, encoding: 'utf8' })).toBe('a b\n');
  });
});
