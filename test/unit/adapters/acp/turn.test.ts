// Prompts and their end: blocks sent, stop reasons, the agent's own words, its death (CASES B02), its options.
import { describe, expect, test } from 'vitest';
import { ok } from '../../../../src/core/errors.ts';
import { temporaryFolder } from '../runtimes/support.ts';
import { launch, launchScripted, openSession, until, value, words, writeScript } from './support.ts';

test('every block is sent as the protocol has it', async () => {
  const { connection, sessionId, received } = await openSession();
  const blocks = [
    { type: 'text', text: '$& %s é' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png', uri: 'file:///a.png' },
    { type: 'resource', uri: 'file:///a.txt', text: 'x\n', mimeType: 'text/plain' },
    { type: 'link', uri: 'file:///b%20c', name: 'b c', mimeType: 'text/plain', size: 3 },
  ] as const;
  value(await connection.prompt(sessionId, blocks));
  const { uri, text, mimeType } = blocks[2];
  const prompt = [
    blocks[0],
    blocks[1],
    { type: 'resource', resource: { uri, text, mimeType } },
    { ...blocks[3], type: 'resource_link' },
  ];
  expect(received().at(-1)).toMatchObject({ method: 'session/prompt', params: { sessionId, prompt } });
  value(await connection.prompt(sessionId, [{ ...blocks[1], uri: '' }, { ...blocks[2], mimeType: '' }])); // prettier-ignore
  expect(received().at(-1)).toMatchObject({ method: 'session/prompt' });
  expect(JSON.stringify(received().at(-1))).not.toContain('""');
});

test.each([
  ['end_turn', 'end_turn'],
  ['max_tokens', 'max_tokens'],
  ['refusal', 'refusal'],
  ['bored', 'end_turn'],
])('stop reason %s ends the turn as %s', async (sent, expected) => {
  const { turn } = await openSession();
  expect(await turn({ op: 'end', stopReason: sent })).toEqual(ok(expected));
});

test('answers of odd form still end the turn', async () => {
  const { turn, sessionId } = await openSession();
  expect(await turn({ op: 'end', result: null })).toEqual(ok('end_turn'));
  const both = { op: 'send', message: { id: 3, result: { stopReason: 'refusal' }, error: null, sessionId } };
  expect(await turn(both, { op: 'never' })).toEqual(ok('refusal'));
  expect(words(await turn({ op: 'send', message: { id: 4, error: 'broken' } }, { op: 'never' }))).toBe('broken');
});

test.each([
  [{ message: 'No credit left' }, 'No credit left'],
  [{ message: 'Internal error', data: { details: 'HTTP 400' } }, 'Internal error: HTTP 400'],
  [{ message: 'Internal error', data: { message: 'bad \u001b[31mmodel' } }, 'Internal error: bad model'],
  [{ code: 400, message: 'HTTP 400', data: 'HTTP 400' }, 'HTTP 400'],
])('the agent’s own words: %o', async (error, expected) => {
  const { turn } = await openSession();
  const answer = await turn({ op: 'error', ...error });
  expect(answer).toMatchObject({ ok: false, error: { values: { what: expected } } });
  expect(words(answer)).toBe(expected);
});

test('cancel ends the turn; the error some agents give for it is the same', async () => {
  const { turn, connection, sessionId, ears } = await openSession();
  const first = turn({ op: 'text', text: 'a' }, { op: 'never' });
  await until(() => expect(ears.text).toBe('a'));
  connection.cancel(sessionId);
  expect(await first).toEqual(ok('cancelled'));
  expect(await turn({ op: 'error', code: -32800, message: 'cancelled' })).toEqual(ok('cancelled'));
});

describe('B02: the agent dies', () => {
  test('in a turn: all that waits settles, then its end is told, once', async () => {
    const { turn, connection, sessionId, folder, ears } = await openSession();
    const modes = connection.newSession(folder).then(() => ears.heard.push(['new']));
    await modes;
    const turns = [turn({ op: 'never' }), turn({ op: 'text', text: 'last words' }, { op: 'signal' })];
    const results = await Promise.all(turns.map((one) => one.finally(() => ears.heard.push(['settled']))));
    expect(results.map(words)).toEqual(['the agent was ended by SIGKILL', 'the agent was ended by SIGKILL']);
    await until(() => expect(ears.order).toEqual(['new', 'text', 'settled', 'settled', 'exited']));
    expect(ears.exits).toEqual([{ code: -1, signal: 'SIGKILL' }]);
    expect(words(await turn())).toBe('the agent was ended by SIGKILL');
    expect(words(await connection.newSession(folder))).toBe('the agent was ended by SIGKILL');
    connection.cancel(sessionId);
    await connection.stop();
  });

  test('with its answer as the last thing it says: the answer counts', async () => {
    const { turn, ears } = await openSession();
    expect(await turn({ op: 'text', text: 'bye' }, { op: 'end' }, { op: 'exit', code: 0 })).toEqual(ok('end_turn'));
    await until(() => expect(ears.exits).toEqual([{ code: 0, signal: '' }]));
    expect(ears.text).toBe('bye');
  });

  test('or only closes its input or its output', async () => {
    const folder = temporaryFolder();
    const answers = ['{"protocolVersion":1}', '{"sessionId":"s"}'].map((result, id) => {
      return `read -r line; echo '{"jsonrpc":"2.0","id":${String(id)},"result":${result}}'`;
    });
    const deaf = launch(writeScript(folder, [...answers, 'exec <&-; sleep 600'].join('\n')), [], {}, folder);
    value(await deaf.connection.newSession(folder));
    const prompt = await deaf.connection.prompt('s', [{ type: 'text', text: 'x'.repeat(1 << 20) }]);
    expect(words(prompt)).toBe('the agent closed its standard input');
    const silent = await openSession(['--ignore-eof']);
    expect(words(await silent.turn({ op: 'close_stdout' }, { op: 'never' }))).toBe(
      'the agent closed its standard output',
    );
    await until(() => expect(silent.ears.exits).toHaveLength(1));
    // Told before the end of the process, which takes its time.
    expect(silent.ears.heard.map(([what, detail]) => (what === 'broke' ? detail : what)).slice(-2)).toEqual([
      'agent.outputClosed',
      'exited',
    ]);
  });
});

describe('options', () => {
  const modes = { currentModeId: 'code', availableModes: [{ id: 'code', name: 'Code' }, { id: 'plan' }] };
  const models = { currentModelId: 'm1', availableModels: [{ modelId: 'm1', name: 'One' }, { modelId: 'm2' }] };
  const fast = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false };
  const args = ['--modes', JSON.stringify(modes), '--models', JSON.stringify(models)];
  const offered = [...args, '--config-options', JSON.stringify([fast])];

  test('of all three kinds are offered, set by the request of each, and kept in step', async () => {
    const agent = launchScripted(offered);
    const opened = value(await agent.connection.newSession(agent.folder));
    expect(opened.options.map((one) => [one.optionId, one.value])).toEqual([['mode', 'code'], ['model', 'm1'], ['fast', 'false']]); // prettier-ignore
    const set = async (option: string, to: string) =>
      value(await agent.connection.setOption(opened.sessionId, option, to)).map((one) => one.value);
    expect(await set('mode', 'plan')).toEqual(['plan', 'm1', 'false']);
    expect(await set('model', 'm2')).toEqual(['plan', 'm2', 'false']);
    expect(await set('fast', 'true')).toEqual(['plan', 'm2', 'true']);
    const { sessionId } = opened;
    const sent = agent.received().slice(2).map(({ method, params }) => [method, params]); // prettier-ignore
    expect(sent).toEqual([
      ['session/set_mode', { sessionId, modeId: 'plan' }],
      ['session/set_model', { sessionId, modelId: 'm2' }],
      ['session/set_config_option', { sessionId, configId: 'fast', type: 'boolean', value: true }],
    ]);
    const told = agent.ears.updates('options').map(({ options }) => options[0]?.value);
    expect(told).toEqual(['plan']);
  });

  test('unknown ones and refusals change nothing', async () => {
    const agent = launchScripted([...offered, '--error', 'session/set_mode={"code":-32603,"message":"untrusted"}']);
    const { sessionId } = value(await agent.connection.newSession(agent.folder));
    const set = async (option: string, to: string): Promise<string> =>
      words(await agent.connection.setOption(sessionId, option, to));
    expect(await set('colour', 'red')).toBe('the agent offers no option colour');
    expect(await set('mode', 'fly')).toBe('the option mode has no value fly');
    expect(await set('mode', 'plan')).toBe('untrusted');
  });
});
