// A host that is killed can end nothing: what it ran is ended all the same (SPEC section 4), and nothing of it is inherited.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { processTable, type ProcessEntry } from '../../../../src/adapters/runtimes/process-table.ts';
import { scriptedAgent } from '../../../agents/scripted.ts';
import { isThere, pidsIn, temporaryFolder, waitGone } from './support.ts';

const host = path.join(import.meta.dirname, 'fixtures', 'host.ts');
const wrapper = path.join(path.dirname(scriptedAgent), 'wrapper.sh');

function startHost(...command: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [host, ...command]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const said = (child: ChildProcessWithoutNullStreams, line: string): Promise<void> =>
  new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(`${line}\n`)) resolve();
    });
  });

const childrenOf = async (pid: number | undefined): Promise<readonly ProcessEntry[]> =>
  (await processTable()).filter((one) => one.parent === pid);

describe('the host is killed', () => {
  test('and an agent that ignores everything is ended with wrapper and children, then nothing watches any more', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const agent = [process.execPath, scriptedAgent, '--pids', pids, '--ignore-eof', '--ignore-sigterm'];
    const child = startHost('sh', wrapper, '--pids', pids, ...agent, '--child', '--child-detached');
    const found = Object.values(await pidsIn(pids, 4));
    const direct = (await childrenOf(child.pid)).map((one) => one.pid);
    expect(direct.length).toBe(2); // the wrapper and the reaper
    child.kill('SIGKILL');
    await waitGone([...found, ...direct], 15_000);
  });

  test.runIf(fs.existsSync('/proc/self/environ'))(
    'and what an agent left in a session of its own is ended',
    async () => {
      const pids = path.join(temporaryFolder(), 'pids');
      const child = startHost(process.execPath, scriptedAgent, '--pids', pids, '--child-detached');
      const found = Object.values(await pidsIn(pids, 2));
      child.kill('SIGKILL');
      await waitGone(found, 15_000);
    },
  );

  test('and an agent that obeys is ended by the end of its input alone', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const child = startHost(process.execPath, scriptedAgent, '--pids', pids);
    await pidsIn(pids, 1);
    const direct = (await childrenOf(child.pid)).map((one) => one.pid);
    child.kill('SIGKILL');
    await waitGone(direct, 10_000);
  });
});

test('a host that ended its agents leaves no reaper', async () => {
  const pids = path.join(temporaryFolder(), 'pids');
  const child = startHost(process.execPath, scriptedAgent, '--pids', pids);
  await pidsIn(pids, 1);
  const direct = (await childrenOf(child.pid)).map((one) => one.pid);
  const disposed = said(child, 'disposed');
  child.stdin.write('dispose\n');
  await disposed;
  await waitGone(direct, 5000);
  expect(isThere(child.pid ?? 0)).toBe(true);
});

test.runIf(fs.existsSync('/proc/self/fd'))(
  'B28: no child inherits the standard input or output of the host',
  async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const child = startHost(process.execPath, scriptedAgent, '--pids', pids);
    await pidsIn(pids, 1);
    const link = (pid: number | undefined, fd: string): string => fs.readlinkSync(`/proc/${String(pid)}/fd/${fd}`);
    const wires = ['0', '1', '2'].map((fd) => link(child.pid, fd));
    const direct = await childrenOf(child.pid);
    expect(direct.length).toBe(2);
    for (const { pid } of direct) {
      const open = fs.readdirSync(`/proc/${String(pid)}/fd`).map((fd) => link(pid, fd));
      expect(open.filter((one) => wires.includes(one))).toEqual([]);
    }
  },
);
