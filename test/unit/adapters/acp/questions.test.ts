// Questions an agent asks (`elicitation/create`): read, answered once, taken back; what cannot be shown is refused with a reason.
import * as fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ok } from '../../../../src/core/errors.ts';
import { openSession, until, value, type Session } from './support.ts';

/** Answers the agent got to requests of its own. */
const answers = ({ received }: Session): Record<string, unknown>[] =>
  received().filter((message) => !('method' in message) && 'id' in message);

const result = (id: unknown, answer: object) => ({ jsonrpc: '2.0', id, result: answer });

const form = (properties: object, rest: object = {}) => ({
  op: 'question',
  id: 'q',
  requestedSchema: { type: 'object', properties, ...rest },
});

const questioned = (session: Session, index = 0) =>
  until(() => session.ears.questioned[index] ?? Promise.reject(new Error('not yet')));

/** What the agent is told of a question that cannot be asked. */
async function refusal(step: object): Promise<unknown> {
  const session = await openSession();
  value(await session.turn({ op: 'question', id: 'q', ...step }));
  expect(session.ears.questioned).toEqual([]);
  return answers(session)[0]?.['error'];
}

describe('a form', () => {
  test('is asked with its fields, in their order, and what was answered goes back', async () => {
    const session = await openSession();
    const choice = { type: 'string', title: 'Pick', oneOf: [{ const: 'A', title: 'Ann', description: 'aa' }] };
    const turn = session.turn(
      form({ question_0: choice, own: { type: 'string', title: 'Other' } }, { required: ['own'] }),
    );
    const asked = await questioned(session);
    expect(asked.sessionId).toBe(session.sessionId);
    expect(asked.request).toEqual({
      message: 'Which?',
      url: '',
      fields: [
        {
          kind: 'one',
          name: 'question_0',
          title: 'Pick',
          description: '',
          required: false,
          choices: [{ value: 'A', title: 'Ann', description: 'aa' }],
        },
        { kind: 'text', name: 'own', title: 'Other', description: '', required: true },
      ],
    });
    asked.answer({ type: 'accept', content: { question_0: 'A', own: 'x' } });
    asked.answer({ type: 'cancel' });
    value(await turn);
    expect(answers(session)).toEqual([result('q', { action: 'accept', content: { question_0: 'A', own: 'x' } })]);
    expect(asked.withdrawn.aborted).toBe(false);
  });

  test.each(['decline', 'cancel'] as const)('answered by %s, which is told as it is', async (type) => {
    const session = await openSession();
    const turn = session.turn(form({ a: { type: 'string' } }));
    (await questioned(session)).answer({ type });
    value(await turn);
    expect(answers(session)).toEqual([result('q', { action: type })]);
  });

  test('B07: open at a cancel: answered cancel, once, beside the open permission request', async () => {
    const session = await openSession();
    const turn = session.turn({ ...form({}), wait: false }, { op: 'permission', id: 'p', wait: false }, { op: 'join' });
    const asked = await questioned(session);
    await until(() => expect(session.ears.asked).toHaveLength(1));
    session.connection.cancel(session.sessionId);
    asked.answer({ type: 'accept', content: {} });
    expect(await turn).toEqual(ok('cancelled'));
    const outcome = { outcome: { outcome: 'cancelled' } };
    const both = [result('p', outcome), result('q', { action: 'cancel' })];
    const byId = (): unknown[] => answers(session).toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])));
    await until(() => expect(byId()).toEqual(both));
    expect(asked.withdrawn.aborted).toBe(true);
  });

  test('taken back by the agent, at a stop, at its death', async () => {
    const session = await openSession();
    const taken = { op: 'notify', method: '$/cancel_request', params: { requestId: 'q' } };
    value(await session.turn({ ...form({}), wait: false }, taken, { op: 'join' }));
    expect(session.ears.questioned[0]?.withdrawn.aborted).toBe(true);
    void session.turn({ ...form({}), id: 'second' });
    await questioned(session, 1);
    await session.connection.stop();
    expect(answers(session)).toEqual([result('q', { action: 'cancel' }), result('second', { action: 'cancel' })]);
    const other = await openSession();
    await other.turn({ ...form({}), wait: false }, { op: 'wait', ms: 50 }, { op: 'exit', code: 4 });
    expect(other.ears.questioned[0]?.withdrawn.aborted).toBe(true);
  });

  test('outside of a session it has no session id', async () => {
    const session = await openSession();
    const turn = session.turn({ ...form({}), outside: true });
    const asked = await questioned(session);
    expect(asked.sessionId).toBe('');
    asked.answer({ type: 'decline' });
    value(await turn);
  });
});

describe('an address', () => {
  const page = (url: string) => ({ op: 'question', id: 'q', elicitationId: 'e1', url });

  test('is asked as a browser writes it, and accepted without content', async () => {
    const session = await openSession();
    const turn = session.turn(page('https://EXAMPLE.com/in?a=b c'));
    const asked = await questioned(session);
    expect(asked.request).toEqual({ message: 'Which?', fields: [], url: 'https://example.com/in?a=b%20c' });
    asked.answer({ type: 'accept', content: {} });
    value(await turn);
    expect(answers(session)).toEqual([result('q', { action: 'accept' })]);
  });

  test('whose page says it is done is accepted; of any other nobody hears', async () => {
    const session = await openSession();
    const done = (elicitationId: unknown) => ({
      op: 'notify',
      method: 'elicitation/complete',
      params: { elicitationId },
    });
    const steps = [done('other'), done(null), { op: 'wait_file', path: 'go' }, done('e1'), done('e1'), { op: 'join' }];
    const turn = session.turn({ ...page('http://localhost:1/'), wait: false }, ...steps);
    const asked = await questioned(session);
    expect(asked.withdrawn.aborted).toBe(false);
    fs.writeFileSync(`${session.folder}/go`, '');
    value(await turn);
    expect(asked.withdrawn.reason).toBe('completed');
    expect(answers(session)).toEqual([result('q', { action: 'accept' })]);
  });

  test.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['another program', 'ssh://host'],
    ['words', 'no address'],
    ['nothing', ''],
    ['longer than a browser takes', `http://x/${'y'.repeat(9000)}`],
  ])('that is no web address is refused: %s', async (_what, url) => {
    expect(await refusal({ url })).toMatchObject({ code: -32602, message: 'only http and https addresses are opened' });
  });

  test('a host that looks like another one is shown for what it is', async () => {
    const session = await openSession();
    const turn = session.turn(page('https://ex\u0430mple.com/'));
    const asked = await questioned(session);
    expect(asked.request.url).toBe('https://xn--exmple-4nf.com/');
    asked.answer({ type: 'cancel' });
    await turn;
  });
});

describe('what no person can be asked is refused with a reason', () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`f${String(index)}`, { type: 'string' }]),
  );
  let deep: unknown = 1;
  for (let depth = 0; depth < 500; depth++) deep = { deep };

  test.each([
    ['10,000 fields', form(many), 'the form has more than 50 fields'],
    ['an unknown type', form({ a: { type: 'object', properties: {} } }), 'the type of the field a is unknown'],
    ['a reference', form({ a: { $ref: '#/properties/a' } }), 'the type of the field a is unknown'],
    ['no choices', form({ a: { type: 'array', items: { type: 'string' } } }), 'the field a has nothing to choose from'],
    [
      '10,000 choices',
      form({ a: { type: 'string', enum: Object.keys(many) } }),
      'the field a has more than 200 choices',
    ],
    ['no object', { requestedSchema: { type: 'string' } }, 'the form is no object schema'],
    ['no schema', {}, 'the form is no object schema'],
    ['an unknown mode', { ...form({}), mode: 'hologram' }, 'a question is a form or a url'],
    ['no scope', { ...form({}), sessionId: null }, 'a question belongs to a session or a request'],
    [
      'a name of control characters',
      form({ 'a\u001b[31m': { type: 'string' } }),
      'a form has no field of the name a␛[31m',
    ],
  ])('%s', async (_what, step, message) => {
    expect(await refusal(step)).toMatchObject({ code: -32602, message });
  });

  test('__proto__ as the name of a field', async () => {
    const session = await openSession();
    const text =
      '{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"sessionId":"s","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}}';
    value(await session.turn({ op: 'line', text }));
    await until(() => expect(answers(session)).toMatchObject([{ id: 'q', error: { code: -32602 } }]));
    expect(session.ears.questioned).toEqual([]);
  });

  test('depth and unknown keys are left out, control characters become signs', async () => {
    const session = await openSession();
    const field = { type: 'string', title: 'a\u001b]8;;x\u0007b\nc', deep, default: 5, pattern: '(a+)+$' };
    const turn = session.turn({ ...form({ a: field }), message: 'Which\u001b[2J?\nNow' });
    const asked = await questioned(session);
    expect(asked.request).toEqual({
      message: 'Which␛[2J?\nNow',
      url: '',
      fields: [
        { kind: 'text', name: 'a', title: 'a␛]8;;x␇b ↵ c', description: '', required: false, pattern: '(a+)+$' },
      ],
    });
    asked.answer({ type: 'cancel' });
    value(await turn);
  });
});
