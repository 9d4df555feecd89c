// What an agent sends, well and badly: order, noise, cut characters, sizes, late and odd updates (CASES B04 to B06, SPEC 19).
import { describe, expect, test } from 'vitest';
import { launchScripted, openSession, until, value, words } from './support.ts';

describe('B04: text on standard output', () => {
  test('before and between messages is kept in the log, and no error is sent for it', async () => {
    const noise = [
      'Signed in from cache.',
      '"\\u001b[2J\\u001b]0;title\\u0007"',
      '',
      '{"level":"info"}',
      '[1,2]',
      '42',
    ];
    const { ears, turn, received } = await openSession(noise.flatMap((line) => ['--noise', line]));
    const first = { op: 'text', text: 'one ' };
    value(await turn(first, { op: 'line', text: 'warn: slow disk\r' }, { op: 'text', text: 'two' }));
    expect(ears.text).toBe('one two');
    expect(ears.logs).toEqual(['Signed in from cache.', '{"level":"info"}', '[1,2]', '42', 'warn: slow disk']);
    expect(received().filter((message) => 'error' in message)).toEqual([]);
  });

  test('half JSON, odd messages and answers to nobody', async () => {
    const { ears, turn, received } = await openSession();
    const odd = [
      { jsonrpc: '2.0', id: {}, method: 'x' },
      { method: 'GET', path: '/' },
      { jsonrpc: '2.0', id: 77 },
    ];
    const steps = [{ op: 'line', text: '{"jsonrpc":' }, ...odd.map((message) => ({ op: 'send', message }))];
    value(await turn(...steps, { op: 'text', text: 'fine' }));
    expect(ears.text).toBe('fine');
    expect(ears.logs).toEqual(['{"jsonrpc":', ...odd.map((message) => JSON.stringify(message))]);
    expect(received().filter((message) => 'error' in message)).toEqual([]);
  });

  test('a last line without an end, and standard error, line by line and harmless', async () => {
    const { ears, turn } = await openSession();
    const long = 'y'.repeat(10_000);
    void turn(
      { op: 'stderr', text: `a\u001b[31mb\u001b[0m\n\u0007bell\n10%\r20%\n${long}` },
      { op: 'line', text: 'bye', end: '' },
      { op: 'exit', code: 1 },
    );
    await until(() => expect(ears.exits).toHaveLength(1));
    expect(ears.logs.toSorted()).toEqual(['20%', 'ab', 'bye', `${'y'.repeat(4096)}…`, '\ufffdbell']);
  });
});

describe('messages arrive whole', () => {
  test('cut at every byte, inside characters too', async () => {
    const { ears, turn } = await openSession(['--split', '1']);
    value(await turn({ op: 'text', text: 'naïve 日本 😀\u2028 end' }));
    expect(ears.text).toBe('naïve 日本 😀\u2028 end');
  });

  test('of several megabytes', async () => {
    const { ears, turn } = await openSession();
    value(await turn({ op: 'big', bytes: 20_000_000 }, { op: 'text', text: 'after' }));
    expect(ears.text.length).toBe(20_000_005);
  });

  test('over the size limit: that agent fails with the reason, another goes on', async () => {
    const big = await openSession([], { maxMessage: 1 << 20 });
    const other = await openSession();
    const answer = big.turn({ op: 'text', text: 'before' }, { op: 'big', bytes: 1_100_000 }, { op: 'never' });
    expect(words(await answer)).toBe('sent a message of more than 1 MB');
    expect(big.ears.text).toBe('before');
    await until(() => expect(big.ears.exits).toHaveLength(1));
    expect(words(await big.turn())).toBe('sent a message of more than 1 MB');
    expect(words(await other.turn())).toBe('ok');
  });
});

describe('order', () => {
  test('of updates, requests and the answer is that of the wire', async () => {
    const { ears, turn } = await openSession();
    const answered = turn(
      { op: 'text', text: '1' },
      { op: 'tool_call', toolCallId: 't', title: 'T' },
      { op: 'permission', wait: false },
      { op: 'text', text: '2' },
      { op: 'read', path: '/x', wait: false },
      { op: 'text', text: '3' },
    ).then((result) => ears.heard.push([words(result)]));
    await answered;
    expect(ears.order).toEqual(['text', 'tool', 'permission', 'text', 'read', 'text', 'ok']);
  });

  test('in one piece with the answer: what follows the answer comes after it', async () => {
    const { ears, turn, sessionId } = await openSession();
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'late' } };
    const line = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
    const chunk = line({ method: 'session/update', params: { sessionId, update } });
    // The prompt is the third request of ours; its answer and the text after it are one write.
    const text = [chunk, line({ id: 2, result: { stopReason: 'end_turn' } }), chunk].join('\n');
    const answered = turn({ op: 'line', text }, { op: 'never' });
    await answered.then(() => ears.heard.push(['answer']));
    await until(() => expect(ears.order).toEqual(['text', 'answer', 'text']));
  });
});

test('B05: an update for a tool call never announced is told as it is', async () => {
  const { ears, turn } = await openSession();
  value(await turn({ op: 'tool_call_update', toolCallId: 'ghost', status: 'completed' }, { op: 'text', text: 'on' }));
  expect(ears.updates('tool')).toEqual([{ type: 'tool', id: 'ghost', patch: { status: 'completed' } }]);
  expect(ears.text).toBe('on');
});

test('B06: text after the answer is told, also after the next prompt was sent', async () => {
  const { ears, turn } = await openSession();
  value(await turn({ op: 'text', text: 'Hel' }, { op: 'end' }, { op: 'wait', ms: 50 }, { op: 'text', text: 'lo' }));
  await until(() => expect(ears.text).toBe('Hello'));
  await Promise.all([turn({ op: 'end' }, { op: 'text', text: ' again' }), turn({ op: 'wait', ms: 50 })]);
  await until(() => expect(ears.text).toBe('Hello again'));
});

test('odd updates are left out, those around them are not', async () => {
  const odd = [
    null,
    5,
    'x',
    [],
    {},
    { sessionUpdate: 'dance' },
    { sessionUpdate: null },
    { sessionUpdate: 'tool_call' },
  ];
  const { ears, turn } = await openSession();
  const steps = odd.map((update) => ({ op: 'update', update }));
  const nobody = { op: 'notify', method: 'session/update', params: { sessionId: 7 } };
  const vendor = { op: 'notify', method: '_auth/status_update', params: { a: 1 } };
  value(await turn({ op: 'text', text: 'a' }, ...steps, nobody, vendor, { op: 'text', text: 'b' }));
  expect(ears.heard.map(([, detail]) => detail)).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]);
  expect(ears.logs).toEqual([]);
});

test('commands announced before the answer to session/new are told after it, before what follows', async () => {
  const commands = (name: string): string => JSON.stringify([{ name, description: 'd', input: { hint: 'h' } }]);
  const agent = launchScripted(['--commands-early', commands('early'), '--commands', commands('late')]);
  await agent.connection.newSession(agent.folder).then(() => agent.ears.heard.push(['opened']));
  await until(() => expect(agent.ears.order).toEqual(['opened', 'commands', 'commands']));
  expect(agent.ears.updates('commands').map(({ commands: list }) => list)).toEqual([
    [{ name: 'early', description: 'd', hint: 'h' }],
    [{ name: 'late', description: 'd', hint: 'h' }],
  ]);
});

describe('a session taken up', () => {
  const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const replay = JSON.stringify([chunk('old'), { sessionUpdate: 'usage_update', used: 5, size: 9 }]);

  test('is loaded without telling its past again', async () => {
    const first = await openSession(['--load', '--replay', replay, '--commands', '[{"name":"go"}]']);
    value(await first.turn({ op: 'text', text: 'said' }));
    const loaded = value(await first.connection.loadSession(first.sessionId, first.folder));
    expect(loaded.sessionId).toBe(first.sessionId);
    await until(() => expect(first.ears.order).toEqual(['commands', 'text', 'usage', 'commands']));
    value(await first.turn({ op: 'text', text: ' on' }));
    expect(first.ears.text).toBe('said on');
  });

  test('is resumed where the agent can, and loaded where it only says it can', async () => {
    const both = ['--load', '--session-capabilities', '{"resume":{}}'];
    const resuming = await openSession(both);
    value(await resuming.connection.loadSession(resuming.sessionId, resuming.folder));
    expect(resuming.received().at(-1)).toMatchObject({ method: 'session/resume' });
    const claiming = await openSession([...both, '--error', 'session/resume={"code":-32601,"message":"no"}']);
    value(await claiming.connection.loadSession(claiming.sessionId, claiming.folder));
    expect(claiming.received().at(-1)).toMatchObject({ method: 'session/load' });
  });

  test('is told of the MCP servers this agent can use, as is a new one', async () => {
    const program = { name: 'p', command: '/bin/p', args: ['a b'], env: [{ name: 'K', value: 'v' }] };
    const web = { type: 'http' as const, name: 'h', url: 'https://h', headers: [{ name: 'X', value: '1' }] };
    const stream = { type: 'sse' as const, name: 's', url: 'https://s', headers: [] };
    const args = ['--load', '--agent-capabilities', '{"mcpCapabilities":{"http":true}}'];
    const agent = await openSession(args, { mcpServers: [program, web, stream] });
    value(await agent.connection.loadSession(agent.sessionId, agent.folder));
    const told = agent.received().filter(({ method }) => /^session\/(new|load)$/.test(String(method)));
    expect(told).toHaveLength(2);
    for (const { params } of told) expect(params).toMatchObject({ mcpServers: [program, web] });
  });

  test('cannot be: unknown, or not offered', async () => {
    const able = await openSession(['--load']);
    const gone = await able.connection.loadSession('gone', able.folder);
    expect(gone).toMatchObject({ ok: false, error: { code: 'not-found' } });
    const unable = await openSession();
    expect(words(await unable.connection.loadSession('s', unable.folder))).toBe('cannot take up an earlier session');
  });
});
