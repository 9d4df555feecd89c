// Owns: the proof of the demo agent's sessions: kept on disk, replayed, independent. Must not: look inside the agent.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { afterEach, expect, test } from 'vitest';
import type { DemoClient } from './demo-client.ts';
import { editor, startDemo } from './demo-client.ts';

const demos: DemoClient[] = [];

async function begin(options: Parameters<typeof startDemo>[0] = {}): Promise<DemoClient> {
  const demo = await startDemo(options);
  demos.push(demo);
  return demo;
}

afterEach(async () => {
  for (const demo of demos.splice(0)) await demo.close();
});

const load = (demo: DemoClient, sessionId: string) =>
  demo.connection.agent.request(methods.agent.session.load, { sessionId, cwd: demo.workspace, mcpServers: [] });

test('another process takes a session up and replays it in order', async () => {
  const first = await begin({ can: editor });
  const readme = join(first.workspace, 'README.md');
  writeFileSync(readme, '');
  first.buffers.set(readme, { text: '# A\n' });
  const session = await first.openId();
  await first.connection.agent.request(methods.agent.session.setMode, { sessionId: session, modeId: 'auto' });
  await first.prompt(session, 'show me');
  await first.prompt(session, '/plan it');

  const second = await begin({ can: editor, state: first.state });
  const answer = await load(second, session);
  expect(answer.modes?.currentModeId).toBe('auto');
  const replay = second.updates(session).filter((one) => one.sessionUpdate !== 'available_commands_update');
  expect(replay.map((update) => update.sessionUpdate)).toEqual([
    ...['user_message_chunk', 'agent_thought_chunk', 'plan', 'agent_message_chunk', 'tool_call', 'agent_message_chunk'],
    ...['tool_call', 'agent_message_chunk', 'user_message_chunk', 'agent_message_chunk', 'plan'],
  ]);
  expect(second.text(session)).toBe(first.text(session));
  const calls = replay.flatMap((update) => (update.sessionUpdate === 'tool_call' ? [update] : []));
  expect(calls.map((call) => `${call.kind} ${call.status} ${call.content?.[0]?.type}`)).toEqual([
    'read completed content',
    'edit completed diff',
  ]);
  expect(await second.prompt(session, '/help')).toBe('end_turn');
});

test('resumes without a replay, and lists what it kept, newest first', async () => {
  const first = await begin();
  const [one, two] = [await first.openId(), await first.openId()];
  await first.prompt(two, '/help');
  await first.prompt(one, '/code  lua');
  const second = await begin({ state: first.state });
  await second.connection.agent.request(methods.agent.session.resume, { sessionId: one, cwd: second.workspace });
  expect(second.text(one)).toBe('');
  expect(await second.prompt(one, '/help')).toBe('end_turn');
  const listed = await second.connection.agent.request(methods.agent.session.list, { cwd: first.workspace });
  expect(listed.sessions).toMatchObject([{ sessionId: two, title: '/help' }]);
  const all = await second.connection.agent.request(methods.agent.session.list, {});
  expect(all.sessions.map((session) => session.title)).toEqual(['/code lua', '/help']);
});

test('an unknown, foreign or broken session is not found', async () => {
  const demo = await begin();
  const folder = join(demo.state, 'sidekicks-demo');
  mkdirSync(folder);
  writeFileSync(join(folder, 'abc.json'), '{"id":');
  writeFileSync(join(folder, 'def.json'), '{"id":"other","cwd":"/","entries":[]}');
  writeFileSync(join(demo.state, 'outside.json'), '{"id":"../outside","cwd":"/","entries":[]}');
  for (const id of ['00000000-0000', '../outside', 'abc', 'def', '']) {
    await expect(load(demo, id)).rejects.toMatchObject({ code: -32002 });
    await expect(demo.prompt(id, 'hi')).rejects.toMatchObject({ code: -32002 });
  }
  await demo.until(() => demo.stderr.includes('session abc cannot be read') && demo.stderr.includes('session def:'));
});

test('keeps only the last 200 entries, for its owner alone', async () => {
  const demo = await begin();
  const session = await demo.openId();
  for (let i = 0; i < 110; i += 1) await demo.prompt(session, `/code ${i}`);
  const folder = join(demo.state, 'sidekicks-demo');
  const file = join(folder, `${session}.json`);
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(kept).toMatchObject({ entries: { length: 200 } });
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(folder)).toEqual([`${session}.json`]);
});

test('keeps at most a hundred sessions', async () => {
  const demo = await begin();
  for (let i = 0; i < 105; i += 1) await demo.openId();
  expect(readdirSync(join(demo.state, 'sidekicks-demo'))).toHaveLength(100);
});

test('two sessions answer at once, one session once', async () => {
  const demo = await begin();
  const [one, two] = [await demo.openId(), await demo.openId()];
  const slow = demo.prompt(one, '/slow 30');
  await demo.until(() => demo.text(one).includes('stop me'));
  expect(await demo.prompt(two, '/help')).toBe('end_turn');
  await expect(demo.prompt(one, '/help')).rejects.toMatchObject({ code: -32600 });
  await demo.cancel(one);
  expect(await slow).toBe('cancelled');
  expect(await demo.prompt(one, '/help')).toBe('end_turn');
});

test('a disk that cannot be written costs only the memory', async () => {
  const demo = await begin({ environment: { XDG_STATE_HOME: '/dev/null' } });
  expect(await demo.prompt(await demo.openId(), '/help')).toBe('end_turn');
  await demo.until(() => demo.stderr.includes('cannot be kept'));
});
