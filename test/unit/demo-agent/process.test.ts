// Owns: the proof of the demo agent as a process: handshake, cancel, end, odd input. Must not: look inside the agent.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DemoClient, demoAgent, editor, startDemo } from './demo-client.ts';

test('introduces itself, with the version of the package', async () => {
  const demo = new DemoClient({});
  const { version } = parsed(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(await demo.initialize()).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'sidekicks-demo', title: 'Demo agent', version },
    agentCapabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true } },
  });
  const { modes, configOptions } = await demo.open();
  expect(modes?.currentModeId).toBe('ask');
  expect(modes?.availableModes.map((mode) => mode.id)).toEqual(['ask', 'auto', 'plan']);
  expect(configOptions?.map((option) => option.type)).toEqual(['select', 'select']);
  await demo.close();
});

describe('cancel', () => {
  let demo: DemoClient;
  let session: string;

  beforeAll(async () => {
    demo = await startDemo({ can: editor, environment: { SIDEKICKS_DEMO_PACE: '12' } });
    const readme = join(demo.workspace, 'README.md');
    writeFileSync(readme, '');
    demo.buffers.set(readme, { text: '# A\n' });
  });
  beforeEach(async () => {
    session = await demo.openId();
  });
  afterAll(() => demo.close());

  /** The shortest of three, so that a busy machine does not decide. */
  async function fastestCancel(prompt: string, reached: (round: number) => boolean): Promise<number> {
    const times: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const turn = demo.prompt(session, prompt);
      await demo.until(() => reached(round));
      const begun = performance.now();
      await demo.cancel(session);
      expect(await turn).toBe('cancelled');
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  }

  const seen = (text: string) => (round: number) => demo.text(session).split(text).length > round;

  test('stops it in mid-stream', async () => {
    expect(await fastestCancel('show me', seen('Welcome'))).toBeLessThan(100);
  });

  test('stops it while it waits', async () => {
    expect(await fastestCancel('/slow 60', seen('stop me'))).toBeLessThan(100);
  });

  test('stops it while a question is open, and settles the tool call', async () => {
    demo.onPermission = () => new Promise(() => undefined);
    expect(await fastestCancel('/edit README.md', (round) => demo.questions.length === round)).toBeLessThan(100);
    const ends = demo.updates(session).flatMap((one) => (one.sessionUpdate === 'tool_call_update' ? [one.status] : []));
    expect(ends).toEqual(['failed', 'failed', 'failed']);
    expect(demo.written).toEqual([]);
  });

  test('means the prompts before it, not the one behind it', async () => {
    const before = demo.prompt(session, '/slow 60');
    const cancelled = demo.cancel(session);
    const other = await demo.openId();
    const early = demo.cancel(other);
    const behind = demo.prompt(other, '/help');
    expect([await before, await behind]).toEqual(['cancelled', 'end_turn']);
    await Promise.all([cancelled, early]);
  });

  test('is harmless when nothing runs, or nobody knows the session', async () => {
    await demo.cancel(session);
    await demo.cancel('nobody');
    expect(await demo.prompt(session, '/help')).toBe('end_turn');
  });
});

describe('the end', () => {
  test('comes with the end of its input, in mid-turn too, and what was said is kept', async () => {
    const demo = await startDemo();
    const session = await demo.openId();
    const turn = demo.prompt(session, '/slow 60').catch((error: unknown) => error);
    await demo.until(() => demo.text(session).includes('stop me'));
    const begun = performance.now();
    demo.child.stdin.end();
    expect(await demo.exited).toBe(0);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(await turn).toBeInstanceOf(Error);
    expect(readFileSync(join(demo.state, 'sidekicks-demo', `${session}.json`), 'utf8')).toContain('stop me');
    await demo.close();
  });

  test('says one line when it is ready and one a prompt, without the words of the person', async () => {
    const demo = await startDemo();
    await demo.prompt(await demo.openId(), '/code secret');
    await demo.until(() => demo.stderr.endsWith('end_turn\n'));
    expect(demo.stderr).toMatch(/^demo agent 0\.1\.0 ready\nsession [0-9a-f]{8}: end_turn\n$/);
    await demo.close();
  });
});

/** Lines in, lines out, for what the SDK would not send; the first line is answered before the others are sent. */
async function rawExchange(first: string, others: readonly string[]): Promise<Record<string, unknown>[]> {
  const state = mkdtempSync(join(tmpdir(), 'demo-state-'));
  const child = spawn(process.execPath, [demoAgent], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  const heard: Record<string, unknown>[] = [];
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hearUntil = async (id: unknown): Promise<void> => {
    while (heard.at(-1)?.['id'] !== id) heard.push(parsed(String((await lines.next()).value)));
  };
  child.stdin.write(`${first}\n`);
  await hearUntil(1);
  child.stdin.write(others.map((line) => `${line}\n`).join(''));
  child.stdin.write('{"jsonrpc":"2.0","id":"last","method":"session/list","params":{}}\n');
  await hearUntil('last');
  child.kill('SIGKILL');
  rmSync(state, { recursive: true, force: true });
  return heard;
}

test('odd input gets errors and harms nothing; standard output holds only the protocol', async () => {
  const call = (id: number, method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const odd = { fs: 'yes', elicitation: null, session: 3 };
  const heard = await rawExchange(call(1, 'initialize', { protocolVersion: 99, clientCapabilities: odd }), [
    'not JSON',
    '[]',
    call(2, 'session/new', { cwd: 'relative', mcpServers: [] }),
    call(3, 'session/prompt', { sessionId: 'x', prompt: 'text' }),
    call(4, 'session/set_mode', { sessionId: 'x', modeId: 'y' }),
    call(5, 'no/such/method', null),
    JSON.stringify({ jsonrpc: '2.0', method: 'session/cancel', params: null }),
    JSON.stringify({ jsonrpc: '2.0', id: 77, result: {} }),
  ]);
  const codes = Object.fromEntries(heard.map((one) => [String(one['id']), errorCode(one) ?? 'ok']));
  expect(codes).toEqual({ null: -32600, 1: 'ok', 2: -32602, 3: -32602, 4: -32002, 5: -32601, last: 'ok' });
  expect(heard.every((message) => message['jsonrpc'] === '2.0')).toBe(true);
  expect(heard[0]).toMatchObject({ result: { protocolVersion: 1 } });
});

function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function errorCode(message: Record<string, unknown>): unknown {
  const { error } = message;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
