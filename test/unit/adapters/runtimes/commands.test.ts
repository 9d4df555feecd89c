// Lines of the configuration run by `sh`: what they print and how they end is told, and nothing of them stays.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { commandRunner } from '../../../../src/adapters/runtimes/commands.ts';
import { localProcesses } from '../../../../src/adapters/runtimes/local.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import { wordFailure } from '../../../../src/core/texts/index.ts';
import { pidsIn, quickStop, Remembering, temporaryFolder, waitGone } from './support.ts';

function commands() {
  const runner = commandRunner(localProcesses({ clock, log: new Remembering(), times: quickStop }), clock);
  onTestFinished(() => runner.dispose());
  return runner;
}

async function run(line: string, folder = temporaryFolder()) {
  const printed: string[] = [];
  const ended = await commands().run(line, folder, (one) => printed.push(one));
  return { printed, ended: ended.ok ? ended.value : wordFailure('en', ended.error) };
}

describe('a line of the configuration', () => {
  test('runs in its folder; both outputs are told by lines, without what could harm a terminal', async () => {
    const folder = temporaryFolder();
    const { printed, ended } = await run(String.raw`pwd; printf '\033[31mred\033[0m\n\nlast'; echo wrong >&2`, folder);
    expect(printed.toSorted()).toEqual([folder, 'last', 'red', 'wrong'].toSorted());
    expect(ended).toEqual({ code: 0, signal: '' });
  });

  test('is a whole line of sh, quotes and pipes included', async () => {
    const { printed } = await run(`x='a  b'; echo "$x" '$x' | tr a-z A-Z && echo "$#"`);
    expect(printed).toEqual(['A  B $X', '0']);
  });

  test.each([
    ['exit 7', { code: 7, signal: '' }],
    ['kill -9 $$', { code: -1, signal: 'SIGKILL' }],
  ])('%s', async (line, ended) => {
    expect((await run(line)).ended).toEqual(ended);
  });

  test('that asks is not answered, and does not wait', async () => {
    expect((await run('read answer || echo nobody')).printed).toEqual(['nobody']);
  });

  test('in a folder that is gone is told so', async () => {
    const folder = path.join(temporaryFolder(), 'gone');
    expect((await run('true', folder)).ended).toBe(`the folder ${folder} does not exist`);
  });

  test('ends with its host, with all it launched', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'pids');
    fs.writeFileSync(file, '');
    const runner = commands();
    const ended = runner.run(
      `trap '' HUP TERM; sleep 600 & echo "child $!" >> pids; echo "shell $$" >> pids; wait`,
      folder,
      () => undefined,
    );
    const pids = Object.values(await pidsIn(file, 2));
    await runner.dispose();
    await waitGone(pids, 1000);
    expect(await ended).toMatchObject({ ok: true, value: { signal: 'SIGKILL' } });
  });
});
