// Agents as processes of this machine: what they get, what is told of them, and that nothing of them stays (CASES B01, B03).
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordFailure } from '../../../../src/core/texts/index.ts';
import { scriptedAgent } from '../../../agents/scripted.ts';
import { Heard, definition, isThere, testProcesses, pidsIn, temporaryFolder, waitGone } from './support.ts';

const wrapper = path.join(path.dirname(scriptedAgent), 'wrapper.sh');
const agentArgs = (...more: string[]): string[] => [scriptedAgent, ...more];

/** An agent behind a shell that stays in between, with a child of its own. */
function wrapped(pids: string, ...more: string[]) {
  return definition('sh', [
    wrapper,
    '--pids',
    pids,
    process.execPath,
    ...agentArgs('--pids', pids, '--child', ...more),
  ]);
}

describe('a running process', () => {
  test('gets what is written, and its output and end are told in order', async () => {
    const heard = new Heard();
    const running = testProcesses().launch(definition('cat', []), '/', heard.listener);
    expect(await running.write('hello\n')).toBe(true);
    await running.stop();
    expect(await heard.ended).toEqual({ code: 0, signal: '' });
    expect(heard.output).toBe('hello\n');
    expect(heard.order).toEqual(['output', 'outputClosed', 'ended']);
    expect(await running.write('too late\n')).toBe(false);
  });

  test('runs in the folder given, with the editor’s environment but not as a child of Neovim', async () => {
    const folder = temporaryFolder();
    const heard = new Heard();
    const environment = { PATH: process.env['PATH'], HOME: '/home/me', NVIM: '/run/nvim.sock', VIMRUNTIME: '/old' };
    const agent = definition('sh', ['-c', 'pwd; env | sort'], { env: { TOKEN: 'a b', HOME: '/elsewhere' } });
    testProcesses({ environment }).launch(agent, folder, heard.listener);
    await heard.ended;
    const lines = heard.output.trim().split('\n');
    expect(lines).toEqual(expect.arrayContaining([folder, 'TOKEN=a b', 'HOME=/elsewhere', `PWD=${folder}`]));
    expect(lines.filter((line) => line.includes('VIM'))).toEqual([]);
  });

  test('that ends by itself is told with its code or its signal', async () => {
    const processes = testProcesses();
    const [byCode, bySignal] = [new Heard(), new Heard()];
    processes.launch(definition('sh', ['-c', 'echo no >&2; exit 3']), '/', byCode.listener);
    processes.launch(definition('sh', ['-c', 'kill -9 $$']), '/', bySignal.listener);
    expect(await byCode.ended).toEqual({ code: 3, signal: '' });
    expect(byCode.errors).toBe('no\n');
    expect(await bySignal.ended).toEqual({ code: -1, signal: 'SIGKILL' });
  });

  test('is told to have ended although a child of it holds its output open, and that child is ended', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const heard = new Heard();
    const script = 'sleep 600 & echo "child $!" >>"$0"; exit 0';
    testProcesses().launch(definition('sh', ['-c', script, pids]), '/', heard.listener);
    expect(await heard.ended).toEqual({ code: 0, signal: '' });
    await waitGone(Object.values(await pidsIn(pids, 1)), 5000);
  });
});

describe('B01: stopping leaves nothing running', () => {
  test('behind a wrapper, with a child, while another agent goes on', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const processes = testProcesses();
    const other = new Heard();
    processes.launch(definition('cat', []), '/', other.listener);
    const running = processes.launch(wrapped(pids), '/', new Heard().listener);
    const found = await pidsIn(pids, 3);
    await running.stop();
    expect(Object.entries(found).filter(([, pid]) => isThere(pid))).toEqual([]);
    expect(other.order).toEqual([]);
  });

  test('when agent and wrapper ignore end of input and SIGTERM', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const heard = new Heard();
    const running = testProcesses().launch(wrapped(pids, '--ignore-eof', '--ignore-sigterm'), '/', heard.listener);
    const found = await pidsIn(pids, 3);
    await running.stop();
    expect(Object.entries(found).filter(([, pid]) => isThere(pid))).toEqual([]);
  });

  test('when a child made a session of its own and the agent ends at once', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const agent = definition(process.execPath, agentArgs('--pids', pids, '--child-detached'));
    const running = testProcesses().launch(agent, '/', new Heard().listener);
    const found = await pidsIn(pids, 2);
    await running.stop();
    expect(Object.entries(found).filter(([, pid]) => isThere(pid))).toEqual([]);
  });

  test.runIf(fs.existsSync('/proc/self/environ'))(
    'when the agent was killed, and what it left in a session of its own has no parent to tell',
    async () => {
      const pids = path.join(temporaryFolder(), 'pids');
      const heard = new Heard();
      const agent = definition(process.execPath, agentArgs('--pids', pids, '--child-detached'));
      const running = testProcesses().launch(agent, '/', heard.listener);
      const found = await pidsIn(pids, 2);
      process.kill(found['agent'] ?? 0, 'SIGKILL');
      await heard.ended;
      await running.stop();
      expect(Object.entries(found).filter(([, pid]) => isThere(pid))).toEqual([]);
    },
  );

  test('asked twice, or of all at once, or after the end', async () => {
    const pids = path.join(temporaryFolder(), 'pids');
    const processes = testProcesses();
    const running = processes.launch(wrapped(pids), '/', new Heard().listener);
    const found = await pidsIn(pids, 3);
    await Promise.all([running.stop(), running.stop(), processes.dispose()]);
    await running.stop();
    expect(Object.values(found).filter(isThere)).toEqual([]);
  });

  test('also where the system shows no process table', async () => {
    const processes = testProcesses({ table: () => Promise.resolve([]) });
    const heard = new Heard();
    const running = processes.launch(
      definition('sh', ['-c', 'trap "" TERM; while :; do sleep 1; done']),
      '/',
      heard.listener,
    );
    await running.stop();
    expect(await heard.ended).toEqual({ code: -1, signal: 'SIGKILL' });
  });
});

describe('B03: what cannot be launched names its true cause', () => {
  async function failure(command: string, folder: string, args: readonly string[] = []): Promise<string> {
    const heard = new Heard();
    const running = testProcesses().launch(definition(command, args), folder, heard.listener);
    expect(heard.order).toEqual([]);
    const failed = await heard.failed;
    await running.stop();
    expect(await running.write('x')).toBe(false);
    expect(heard.order).toEqual(['failed']);
    return wordFailure('en', failed);
  }

  test('a missing program', async () => {
    expect(await failure('no-such-agent', '/')).toBe('the program no-such-agent was not found');
    expect(await failure('/no/such/agent', '/')).toBe('the program /no/such/agent was not found');
  });

  test('a missing folder, with a program that exists', async () => {
    expect(await failure('cat', '/no/such/dir')).toBe('the folder /no/such/dir does not exist');
  });

  test('a folder that is a file', async () => {
    const file = path.join(temporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    expect(await failure('cat', file)).toBe(`${file} is not a folder`);
  });

  test('a program that is a folder', async () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 'agent'));
    expect(await failure('./agent', folder)).toBe('./agent is a folder, not a program');
  });

  test('a program that may not be executed', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'agent'), '#!/bin/sh\n', { mode: 0o644 });
    expect(await failure('./agent', folder)).toBe('./agent may not be executed');
  });

  test('a script whose interpreter is missing', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'agent'), '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await failure('./agent', folder)).toMatch(/^\.\/agent cannot run: the interpreter/);
  });

  test('arguments the system cannot take', async () => {
    expect(await failure('cat', '/', ['a\0b'])).toMatch(/^cat could not be launched: /);
  });
});
