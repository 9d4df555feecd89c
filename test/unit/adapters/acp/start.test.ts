// An agent's start: what we say, what we check, and that every failure names its true cause (CASES B03, SPEC section 4).
import { describe, expect, test } from 'vitest';
import { launch, launchScripted, until, value, words, writeScript } from './support.ts';
import { temporaryFolder } from '../runtimes/support.ts';

test('initialize announces what is handled and nothing else, and reads what the agent says of itself', async () => {
  const methods = [
    { id: 'key', name: 'API key' },
    { id: 'login', name: 'Log in', type: 'terminal', args: ['--login'], env: { A: 'b' } },
    { id: 'web', name: 'Web', _meta: { 'terminal-auth': { command: 'ann', args: ['auth'], label: 'x' } } },
    { name: 'no id' },
    null,
  ];
  const agent = launchScripted([
    '--load',
    ...['--auth', 'session/prompt', '--auth-methods', JSON.stringify(methods)],
    ...['--session-capabilities', '{"resume": {}}', '--prompt-capabilities', '{"image": true, "audio": null}'],
  ]);
  const info = value(await agent.connection.ready);
  expect(info).toMatchObject({ name: 'scripted', version: '1.0.0', loadSession: true, resumeSession: true });
  expect(info.prompt).toEqual({ image: true, audio: false, embeddedContext: false });
  const args = info.authMethods[1]?.terminal?.args;
  expect(args?.slice(-1)).toEqual(['--login']);
  expect(args).toContain('--load');
  expect(info.authMethods).toEqual([
    { id: 'key', name: 'API key', description: '' },
    { id: 'login', name: 'Log in', description: '', terminal: { command: process.execPath, args, env: { A: 'b' } } },
    { id: 'web', name: 'Web', description: '', terminal: { command: 'ann', args: ['auth'], env: {} } },
  ]);
  expect(agent.received()[0]).toMatchObject({
    method: 'initialize',
    params: {
      protocolVersion: 1,
      clientInfo: { name: 'sidekicks', title: 'Sidekicks', version: '9.9.9' },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
        elicitation: { form: {}, url: {} },
        auth: { terminal: true },
        _meta: { terminal_output: true, 'terminal-auth': true },
      },
    },
  });
  expect(JSON.stringify(agent.received()[0])).not.toMatch(/plan|"terminal":true,"/);
});

describe('B03: start-up failures', () => {
  test('no answer: a time limit, with the last lines of standard error, and the process is ended', async () => {
    const agent = launchScripted(['--silent', 'initialize', '--stderr', 'still thinking'], { startTimeoutMs: 700 });
    expect(words(await agent.connection.ready)).toBe('no answer to initialize within 0.7 s\nstill thinking');
    await until(() => expect(agent.ears.exits).toHaveLength(1));
  });

  test('exit with code 0 before the answer is a failure that says why', async () => {
    const agent = launchScripted(['--exit', 'initialize=0', '--stderr', 'please log in \u001b[31mfirst\u001b[0m']);
    expect(words(await agent.connection.ready)).toBe('ended before it was ready, exit code 0\nplease log in first');
    await until(() => expect(agent.ears.exits).toEqual([{ code: 0, signal: '' }]));
  });

  test('exit at once, before anything was asked, and by a signal', async () => {
    const folder = temporaryFolder();
    const early = launch(writeScript(folder, 'echo "no licence" >&2; exit 7'), []);
    expect(words(await early.connection.ready)).toBe('ended before it was ready, exit code 7\nno licence');
    const killed = launchScripted(['--kill', 'initialize=SIGKILL']);
    expect(words(await killed.connection.ready)).toBe('ended before it was ready, by SIGKILL');
  });

  test('a missing program and a missing folder are told apart', async () => {
    expect(words(await launch('no-such-agent', []).connection.ready)).toBe('the program no-such-agent was not found');
    const nowhere = launch(process.execPath, [], {}, '/no/such/dir');
    expect(words(await nowhere.connection.ready)).toBe('the folder /no/such/dir does not exist');
    await nowhere.connection.stop();
    expect(nowhere.ears.order).toEqual([]);
  });

  test.each([
    ['2', 'speaks version 2 of ACP; Sidekicks speaks version 1'],
    ['banana', 'speaks version banana of ACP; Sidekicks speaks version 1'],
    ['null', 'speaks version null of ACP; Sidekicks speaks version 1'],
  ])('protocol version %s', async (version, expected) => {
    const agent = launchScripted(['--protocol', version]);
    expect(words(await agent.connection.ready)).toBe(expected);
    await until(() => expect(agent.ears.exits).toHaveLength(1));
  });

  test('an error as the answer, in the agent’s words', async () => {
    const agent = launchScripted(['--error', 'initialize={"code":-32603,"message":"no","data":{"details":"bad key"}}']);
    expect(words(await agent.connection.ready)).toBe('refused to start: no: bad key');
  });

  test('stopped while it starts', async () => {
    const agent = launchScripted(['--silent', 'initialize']);
    await agent.connection.stop();
    expect(words(await agent.connection.ready)).toBe('the agent was stopped');
    expect(words(await agent.connection.newSession('/'))).toBe('the agent was stopped');
  });
});

describe('sign-in needed', () => {
  const methods = [
    { id: 'a', name: 'With Google' },
    { id: 'b', name: 'In a terminal', type: 'terminal', args: ['login now'] },
  ];

  test('names the agent’s own ways and the command to run', async () => {
    const args = ['--auth', 'session/new', '--auth-methods', JSON.stringify(methods)];
    const agent = launchScripted(args);
    const failed = words(await agent.connection.newSession(agent.folder));
    expect(failed).toMatch(/^sign-in needed: Authentication required\. The agent offers: With Google, In a terminal\./);
    expect(failed).toMatch(/Or run in a terminal: \/.*node \/.*scripted\.mjs .* 'login now'$/);
  });

  test('without such a way: the program itself, without what makes it speak ACP', async () => {
    const error = { code: -32000, message: 'Please run `ann login` from your terminal.' };
    const agent = launchScripted(['--error', `session/new=${JSON.stringify(error)}`, '--name', '--acp']);
    const failed = words(await agent.connection.newSession(agent.folder));
    expect(failed).toMatch(/^sign-in needed: Please run `ann login` from your terminal\. Run in a terminal: /);
    expect(failed).not.toContain('--acp');
  });

  test('at a prompt', async () => {
    const agent = launchScripted(['--auth', 'session/prompt']);
    const { sessionId } = value(await agent.connection.newSession(agent.folder));
    const answer = await agent.connection.prompt(sessionId, [{ type: 'text', text: 'hi' }]);
    expect(words(answer)).toContain('The agent offers: Sign in.');
  });
});

test('other requests have a time limit, and a late answer harms nothing', async () => {
  const timeouts = { sessionMs: 150, shortMs: 150 };
  const slow = launchScripted(['--delay', 'session/new=400'], { timeouts });
  expect(words(await slow.connection.newSession(slow.folder))).toBe('no answer to session/new within 0.15 s');
  await until(() => expect(slow.received().map((one) => one['method'])).toContain('$/cancel_request'));
  const modes = JSON.stringify({ currentModeId: 'a', availableModes: [{ id: 'a' }, { id: 'b' }] });
  const silent = launchScripted(['--modes', modes, '--silent', 'session/set_mode'], {
    timeouts: { ...timeouts, sessionMs: 5000 },
  });
  const { sessionId } = value(await silent.connection.newSession(silent.folder));
  const set = await silent.connection.setOption(sessionId, 'mode', 'b');
  expect(words(set)).toBe('no answer to session/set_mode within 0.15 s');
  expect(words(await silent.connection.prompt(sessionId, [{ type: 'text', text: 'hi' }]))).toBe('ok');
});

test('session/new gets the folder and the servers of the definition; an answer without an id is a failure', async () => {
  const mcpServers = [{ name: 'docs', command: 'docs', args: [], env: [] }];
  const agent = launchScripted([], { mcpServers });
  value(await agent.connection.newSession(agent.folder));
  expect(agent.received()[1]).toMatchObject({ method: 'session/new', params: { cwd: agent.folder, mcpServers } });
  const odd = launchScripted(['--answer', 'session/new={"sessionId":5}']);
  expect(words(await odd.connection.newSession(odd.folder))).toBe('answered session/new without a session id');
});
