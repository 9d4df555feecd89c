// Owns: the proof that the scripted agent starts, offers and ends as its README says. Must not: test Sidekicks itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fixture, isAlive } from '../agents/fixture.ts';
import { field, promptOf } from '../agents/raw-client.ts';
import { scriptedAgent, wrapperScript } from '../agents/scripted.ts';

const fixture = new Fixture();

describe('start-up', () => {
  test('introduces itself as told and answers a plain prompt', async () => {
    const client = fixture.start('--name', 'ann', '--prompt-capabilities', '{"image":true}', '--load');
    const answer = await client.request('initialize', { protocolVersion: 1 });
    expect(answer['result']).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'ann' },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    });
    const session = await client.open();
    expect((await client.request('session/prompt', promptOf(session, 'hi')))['result']).toEqual({
      stopReason: 'end_turn',
    });
    expect(client.text).toBe('Hello from ann.');
  });

  test('prints noise before its first answer', async () => {
    const client = fixture.start('--noise', 'Signed in.', '--noise', '"\\u001b[31m"', '--noise', '');
    await client.request('initialize');
    expect(client.lines.slice(0, 3)).toEqual(['Signed in.', '\u001b[31m', '']);
  });

  test('exits during initialize with a line on standard error', async () => {
    const client = fixture.start('--stderr', 'please log in first', '--exit', 'initialize=3');
    client.send('initialize');
    expect(await client.exited).toBe(3);
    expect(client.stderr).toBe('please log in first\n');
    expect(client.lines).toEqual([]);
  });

  test('is killed by a signal when a method is asked', async () => {
    const client = fixture.start('--kill', 'session/new=SIGKILL');
    await client.request('initialize');
    client.send('session/new', { cwd: '/', mcpServers: [] });
    expect(await client.exited).toBe('SIGKILL');
  });

  test.each([
    ['2', 2],
    ['banana', 'banana'],
  ])('answers protocol version %s', async (given, version) => {
    const answer = await fixture.start('--protocol', given).request('initialize');
    expect(field(answer, 'result')['protocolVersion']).toBe(version);
  });

  test('never answers a silent method, but the others', async () => {
    const client = fixture.start('--silent', 'session/new');
    await client.request('initialize');
    const silent = client.send('session/new', { cwd: '/', mcpServers: [] });
    await client.request('session/list');
    expect(client.messages.some((message) => message['id'] === silent)).toBe(false);
  });

  test('answers a delayed method later', async () => {
    const client = fixture.start('--delay', 'initialize=120');
    const begun = Date.now();
    await client.request('initialize');
    expect(Date.now() - begun).toBeGreaterThanOrEqual(110);
  });

  test('wants a sign-in until authenticate', async () => {
    const client = fixture.start('--auth', 'session/new');
    const first = await client.request('initialize');
    expect(field(first, 'result')['authMethods']).toMatchObject([{ id: 'sign-in' }]);
    expect((await client.request('session/new', { cwd: '/' }))['error']).toMatchObject({ code: -32000 });
    await client.request('authenticate', { methodId: 'sign-in' });
    expect((await client.request('session/new', { cwd: '/' }))['result']).toHaveProperty('sessionId');
  });

  test('gives any answer and any error for a method', async () => {
    const client = fixture.start(
      '--answer',
      'initialize={"agentCapabilities":"nope"}',
      '--error',
      'session/new={"code":7,"message":"no"}',
    );
    expect((await client.request('initialize'))['result']).toEqual({ agentCapabilities: 'nope' });
    expect((await client.request('session/new'))['error']).toEqual({ code: 7, message: 'no' });
  });

  test('cuts everything it sends into single bytes, and the text survives', async () => {
    const client = fixture.start('--split', '1', '--split-pause', '1', '--reply', 'é😀');
    const session = await client.open();
    await client.request('session/prompt', promptOf(session, 'hi'));
    expect(client.text).toBe('é😀');
    expect(client.chunks.length).toBeGreaterThan(100);
  });

  test('offers modes, models, options and commands where it is told to', async () => {
    const client = fixture.start(
      ...[
        '--modes',
        '{"currentModeId":"a","availableModes":[{"id":"a","name":"A"}]}',
        '--models',
        '{"currentModelId":"m"}',
      ],
      ...['--config-options', '[{"id":"o","type":"boolean","currentValue":false}]'],
      ...[
        '--commands-early',
        '[{"name":"early","description":""}]',
        '--commands',
        '[{"name":"late","description":""}]',
      ],
    );
    await client.request('initialize');
    const id = client.send('session/new', { cwd: '/' });
    const answer = await client.until((message) => message['id'] === id);
    expect(answer['result']).toMatchObject({
      modes: { currentModeId: 'a' },
      models: { currentModelId: 'm' },
      configOptions: [{ id: 'o' }],
    });
    await client.until((message) => JSON.stringify(message).includes('late'));
    const order = client.messages.map((message) => /early|late|configOptions/.exec(JSON.stringify(message))?.[0]);
    expect(order.slice(1)).toEqual(['early', 'configOptions', 'late']);
    const set = await client.request('session/set_config_option', { configId: 'o', type: 'boolean', value: true });
    expect(set['result']).toMatchObject({ configOptions: [{ currentValue: true }] });
  });

  test('another process loads the sessions of a store', async () => {
    const first = fixture.start('--load', '--store', join(fixture.folder, 'store'));
    const session = await first.open();
    await first.prompt(session, { op: 'text', text: 'remember me' });
    const second = fixture.start(
      '--load',
      '--store',
      join(fixture.folder, 'store'),
      '--replay',
      '[{"sessionUpdate":"odd"}]',
    );
    await second.request('initialize');
    expect((await second.request('session/load', { sessionId: session, cwd: '/' }))['result']).toBeDefined();
    expect(second.updates().map((update) => update['sessionUpdate'])).toEqual([
      'user_message_chunk',
      'agent_message_chunk',
      'odd',
    ]);
    const unknown = await second.request('session/load', { sessionId: 'nobody', cwd: '/' });
    expect(unknown['error']).toMatchObject({ code: -32002 });
  });

  test('refuses an option it does not know', async () => {
    const client = fixture.start('--nonsense');
    expect(await client.exited).toBe(2);
    expect(client.stderr).toContain('unknown option --nonsense');
  });
});

describe('the end of the process', () => {
  test('ends with its input, unless told to stay', async () => {
    const obedient = fixture.start();
    await obedient.request('initialize');
    obedient.endInput();
    expect(await obedient.exited).toBe(0);

    const stubborn = fixture.start('--ignore-eof', '--ignore-sigterm', '--pids', fixture.pidFile);
    await stubborn.request('initialize');
    stubborn.endInput();
    stubborn.kill('SIGTERM');
    const later = fixture.start();
    await later.request('initialize'); // a whole process later the first one is still there
    expect(isAlive(stubborn.pid)).toBe(true);
  });

  test('the wrapper stays between, and every process is in the pid file', async () => {
    const args = [
      '--pids',
      fixture.pidFile,
      process.execPath,
      scriptedAgent,
      '--pids',
      fixture.pidFile,
      '--child',
      '--child-detached',
    ];
    const client = fixture.launch('sh', wrapperScript, ...args);
    await client.request('initialize');
    expect(fixture.pids().map(({ who }) => who)).toEqual(['wrapper', 'agent', 'child', 'detached']);
    expect(fixture.pids()[0]?.pid).toBe(client.pid);
    expect(fixture.pids().every(({ pid }) => isAlive(pid))).toBe(true);
    client.endInput();
    expect(await client.exited).toBe(0);
  });

  test('tells where and how it was started', async () => {
    const client = fixture.start('--info', join(fixture.folder, 'info'));
    await client.request('initialize');
    const info: unknown = JSON.parse(readFileSync(join(fixture.folder, 'info'), 'utf8'));
    expect(info).toMatchObject({ pid: client.pid, ppid: process.pid, cwd: process.cwd() });
  });
});
