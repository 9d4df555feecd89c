// What an agent asks: each request gets exactly one answer, whatever happens (DESIGN invariant 4, CASES B07 and B19).
import { describe, expect, test } from 'vitest';
import { fail, ok } from '../../../../src/core/errors.ts';
import { missing, openSession, until, value, words, type Session } from './support.ts';

/** Answers the agent got to requests of its own, by id. */
const answers = ({ received }: Session): Record<string, unknown>[] =>
  received().filter((message) => !('method' in message) && 'id' in message);

const cancelled = (id: unknown) => ({ jsonrpc: '2.0', id, result: { outcome: { outcome: 'cancelled' } } });

describe('permission', () => {
  const options = [
    { optionId: 'once', name: 'Once', kind: 'allow_once' },
    { optionId: 'odd', name: 'Odd', kind: 'allow_sometimes' },
    { optionId: 'no', kind: 'deny' },
    { name: 'no id', kind: 'allow_once' },
    null,
  ];

  test('is asked with every option and answered by id, later answers do nothing', async () => {
    const session = await openSession();
    const toolCall = { toolCallId: 't', title: 'Run\nit', kind: 'execute', rawInput: { command: 'ls' } };
    const turn = session.turn({ op: 'permission', id: 'a-uuid', toolCall, options });
    const asked = await until(() => session.ears.asked[0] ?? Promise.reject(new Error('not yet')));
    expect(asked.sessionId).toBe(session.sessionId);
    expect(asked.request).toEqual({
      toolCallId: 't',
      patch: { title: 'Run\nit', kind: 'execute', input: '{"command":"ls"}' },
      options: [
        { optionId: 'once', name: 'Once', kind: 'allow_once' },
        { optionId: 'odd', name: 'Odd', kind: 'allow_always' },
        { optionId: 'no', name: 'no', kind: 'reject_once' },
      ],
    });
    asked.answer({ type: 'selected', optionId: 'odd' });
    asked.answer({ type: 'cancelled' });
    value(await turn);
    const outcome = { outcome: 'selected', optionId: 'odd' };
    expect(answers(session)).toEqual([{ jsonrpc: '2.0', id: 'a-uuid', result: { outcome } }]);
    expect(asked.withdrawn.aborted).toBe(false);
  });

  test('two at once, answered in another order', async () => {
    const session = await openSession();
    const two = [11, 12].map((id) => ({
      op: 'permission',
      id,
      wait: false,
      toolCall: { toolCallId: `t${String(id)}` },
    }));
    const turn = session.turn(...two, { op: 'join' });
    await until(() => expect(session.ears.asked).toHaveLength(2));
    session.ears.asked[1]?.answer({ type: 'selected', optionId: 'allow' });
    session.ears.asked[0]?.answer({ type: 'selected', optionId: 'reject' });
    value(await turn);
    expect(answers(session).map(({ id }) => id)).toEqual([12, 11]);
  });

  test('B07: cancel answers all of the session, once, after session/cancel', async () => {
    const session = await openSession();
    const open = [7, 8].map((id) => ({ op: 'permission', id, wait: false }));
    const turn = session.turn(...open, { op: 'join' });
    await until(() => expect(session.ears.asked).toHaveLength(2));
    session.connection.cancel(session.sessionId);
    session.ears.asked[0]?.answer({ type: 'selected', optionId: 'allow' });
    expect(await turn).toEqual(ok('cancelled'));
    await until(() => expect(answers(session)).toEqual([cancelled(7), cancelled(8)]));
    expect(session.received().findIndex(({ method }) => method === 'session/cancel')).toBe(3);
    expect(session.ears.asked.map(({ withdrawn }) => withdrawn.aborted)).toEqual([true, true]);
  });

  test('taken back by the agent', async () => {
    const session = await openSession();
    const taken = { op: 'notify', method: '$/cancel_request', params: { requestId: 7 } };
    value(await session.turn({ op: 'permission', id: 7, wait: false }, taken, { op: 'join' }));
    expect(session.ears.asked[0]?.withdrawn.aborted).toBe(true);
    expect(answers(session)).toEqual([cancelled(7)]);
  });

  test('at a stop: answered cancelled, the turn ends cancelled', async () => {
    const session = await openSession();
    const turn = session.turn({ op: 'permission', id: 7 });
    await until(() => expect(session.ears.asked).toHaveLength(1));
    const stopped = session.connection.stop();
    expect(await turn).toEqual(ok('cancelled'));
    await stopped;
    expect(answers(session)).toEqual([cancelled(7)]);
    expect(session.ears.order.at(-1)).toBe('exited');
    expect(words(await session.turn())).toBe('the agent was stopped');
  });

  test('at the agent’s death: taken back', async () => {
    const session = await openSession();
    const turn = session.turn({ op: 'permission', wait: false }, { op: 'wait', ms: 50 }, { op: 'exit', code: 4 });
    expect(words(await turn)).toBe('the agent ended, exit code 4');
    expect(session.ears.asked[0]?.withdrawn.aborted).toBe(true);
  });
});

describe('reading and writing files', () => {
  const read = async (session: Session, request: object): Promise<unknown> => {
    value(await session.turn({ op: 'read', path: '/ws/a.txt', ...request }));
    const { result, error } = answers(session).at(-1) ?? {};
    return error ?? result;
  };

  test('B19: line and limit are passed on; what is no count is refused', async () => {
    const session = await openSession();
    const requests = [{ line: 1, limit: 1 }, { limit: 0 }, { line: null, limit: null }, { line: 0 }];
    for (const request of requests) expect(await read(session, request)).toEqual({ content: 'text\n' });
    const asked = session.ears.heard.filter(([what]) => what === 'read').map(([, request]) => request);
    const path = '/ws/a.txt';
    expect(asked).toEqual([{ path, line: 1, limit: 1 }, { path, limit: 0 }, { path }, { path, line: 1 }]);
    for (const request of [{ line: -1 }, { limit: 1.5 }, { line: '3' }, { path: 5 }, { path: '' }]) {
      expect(await read(session, request)).toMatchObject({ code: -32602 });
    }
  });

  test('failures carry our words', async () => {
    const session = await openSession();
    session.ears.read = ({ path }) => Promise.resolve(missing(path));
    expect(await read(session, {})).toMatchObject({ code: -32002, message: 'there is no file /ws/a.txt' });
    session.ears.read = ({ path }) => Promise.resolve(fail('invalid', 'file.relative', { path }));
    expect(await read(session, {})).toMatchObject({ code: -32602, message: '/ws/a.txt is not an absolute path' });
    session.ears.read = ({ path }) => Promise.resolve(fail('refused', 'file.outside', { path, workspace: '/w' }));
    expect(await read(session, {})).toMatchObject({ code: -32603, data: { uri: '/ws/a.txt', reason: 'refused' } });
  });

  test('a missing file is empty for the agent that cannot create it otherwise', async () => {
    const session = await openSession(['--name', 'gemini-cli']);
    session.ears.read = ({ path }) => Promise.resolve(missing(path));
    expect(await read(session, {})).toEqual({ content: '' });
  });

  test('a write, one without content, one that fails', async () => {
    const session = await openSession();
    value(await session.turn({ op: 'write', path: '/ws/b', content: 'hi\n' }));
    expect(answers(session).at(-1)).toMatchObject({ result: {} });
    expect(session.ears.heard).toContainEqual(['write', { path: '/ws/b', content: 'hi\n' }]);
    value(await session.turn({ op: 'write', path: '/ws/b' }));
    expect(answers(session).at(-1)).toMatchObject({ error: { code: -32602 } });
    session.ears.write = (path) => Promise.resolve(fail('conflict', 'file.conflict', { path, places: '1: x' }));
    value(await session.turn({ op: 'write', path: '/ws/b', content: '' }));
    expect(answers(session).at(-1)).toMatchObject({ error: { code: -32603 } });
  });

  test('that never end are answered when the agent is stopped', async () => {
    const session = await openSession();
    session.ears.read = () => new Promise(() => {});
    void session.turn({ op: 'read', id: 5, path: '/x' });
    await until(() => expect(session.ears.order).toContain('read'));
    await session.connection.stop();
    expect(answers(session)).toMatchObject([{ id: 5, error: { message: 'the agent was stopped' } }]);
  });
});

test.each(['terminal/create', '_vendor/ask', 'session/update'])(
  'the request %s is answered "method not found"',
  async (method) => {
    const session = await openSession();
    value(await session.turn({ op: 'request', method, params: { message: 'x', mode: 'form' } }));
    expect(answers(session)).toMatchObject([{ error: { code: -32601 } }]);
  },
);
