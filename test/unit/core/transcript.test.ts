// Messages → what a person sees: rows, roles, folds, regions. Each case is what stands in the buffer.
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../../src/core/contract/shapes.ts';
import {
  blocks,
  drawAll,
  drawMessage,
  emptyTranscript,
  prepend,
  regionText,
  removeMessage,
  roles,
  setPermissions,
} from '../../../src/core/transcript/index.ts';
import {
  drawn,
  english,
  message,
  permission,
  rows,
  rowsOf,
  text,
  thought,
  tool,
  toolCall,
  user,
} from './transcript-support.ts';

const french = { ...english, language: 'fr' } as const;

const blockOf = (one: Message, kind: string) => {
  const found = blocks(drawn([one])).find((block) => block.kind === kind);
  if (!found) throw new Error(`no block ${kind}`);
  return found;
};

describe('a conversation', () => {
  test('headers, times and blank rows', () => {
    const transcript = drawn([
      user('Hello', { id: 'a', createdAt: 3 }),
      message({ id: 'b', createdAt: 4, parts: [text('Hi.\n\n```lua\nx = 1\n```\n')] }),
    ]);
    expect(rowsOf(transcript)).toEqual([
      '‣ You',
      'Hello',
      '',
      '‣ Bob (llama.cpp)',
      'Hi.',
      '',
      '```lua',
      'x = 1',
      '```',
    ]);
    const headers = blocks(transcript).filter((block) => block.kind === 'header');
    expect(headers.map(({ right, marks, message: id }) => ({ right, mark: marks.at(0), id }))).toEqual([
      { right: '12:03', mark: [0, 0, 7, 'user'], id: 'a' },
      { right: '12:04', mark: [0, 0, 19, 'speaker'], id: 'b' },
    ]);
  });

  test('a copied code block holds no header, no label, no fence', () => {
    const transcript = drawn([message({ parts: [text('1. So:\n   ```js\n   a()\n     b()\n   ```')] })]);
    expect(blocks(transcript).map((block) => `${block.kind}: ${regionText(block)}`)).toEqual([
      'header: ‣ Bob (llama.cpp)',
      'prose: 1. So:',
      'code: a()\n  b()',
    ]);
  });

  test('in French', () => {
    const one = message({ parts: [tool({ kind: 'execute', title: 'ls' })], stopReason: 'max_tokens' });
    expect(rowsOf(drawn([user('Salut', { queued: true }), one], french))).toEqual([
      '‣ Vous · en attente',
      'Salut',
      '',
      '‣ Bob (llama.cpp)',
      '✓ commande  ls',
      '',
      'arrêté : la réponse a atteint sa limite de jetons',
    ]);
  });

  test('block ids are all different', () => {
    const parts = [thought('a'), text('a\n\n```\nx\n```\nb'), tool({ output: 'x' }), text('c')];
    const ids = blocks(drawn([user('a', { id: '1' }), message({ id: '2', parts, stopReason: 'refusal' })])).map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every role is in the list', () => {
    const parts: Part[] = [
      thought('a'),
      text('# a **b** *c* `d` [e](f)\n- g\n> h\n```\ni'),
      tool({ status: 'failed', diffs: [{ path: 'a', oldText: 'a', newText: 'b', newFile: false }] }),
      { kind: 'plan', entries: [{ content: 'a', priority: 'low', status: 'in_progress' }] },
    ];
    const transcript = drawn([user('/do @x'), message({ parts, error: 'no' })]);
    const used = new Set(blocks(transcript).flatMap((block) => block.marks.slice().map((mark) => mark[3])));
    expect([...used].filter((role) => !roles.some((known) => known === role))).toEqual([]);
  });
});

describe('user messages', () => {
  test('waiting, dropped, not sent', () => {
    expect(rows(user('a', { queued: true }))).toEqual(['‣ You · queued', 'a']);
    expect(rows(user('a', { error: 'cancelled' }))).toEqual(['‣ You', 'a', '', 'not sent: cancelled']);
    expect(rows(user('a', { error: 'bob ended' }))).toEqual(['‣ You', 'a', '', 'not sent: bob ended']);
  });

  test.each([
    ['ask @bob, or @ann-1.', ['mention @bob', 'mention @ann-1']],
    ['mail a@b.c and `@code`', []],
    ['/review all of @"my notes.md"', ['command /review', 'mention @"my notes.md"']],
    ['@bob /review it', ['command /review', 'mention @bob']],
    ['/usr/bin/x fails', []],
    ['see $src/a.ts, 5$ and $5', ['mention $src/a.ts']],
    ['fix #diagnostics and #1', ['mention #diagnostics']],
    ['été @bob', ['mention @bob']],
    ['> @bob', []],
  ])('%j', (typed, wanted) => {
    const block = blockOf(user(typed), 'prose');
    const bytes = Buffer.from(block.rows.at(0) ?? '');
    const found = block.marks
      .slice()
      .filter((mark) => mark[3] === 'mention' || mark[3] === 'command')
      .map(([, from, to, role]) => `${role} ${bytes.subarray(from, to).toString()}`);
    expect(found).toEqual(wanted);
  });

  test('an edited message is drawn anew', () => {
    const first = drawMessage(emptyTranscript(english), user('one two', { queued: true })).transcript;
    const { transcript } = drawMessage(first, user('One two', { queued: true }));
    expect(rowsOf(transcript)).toEqual(['‣ You · queued', 'One two']);
  });
});

describe('how a message ends', () => {
  test.each<[string, Partial<Message>, readonly string[]]>([
    ['as it should', { parts: [text('a')] }, ['a']],
    ['still growing', { parts: [], done: false }, []],
    ['without a word', {}, ['the agent said nothing']],
    ['cancelled', { parts: [text('a')], stopReason: 'cancelled' }, ['a', '', 'cancelled']],
    ['refused', { stopReason: 'refusal' }, ['the agent refused to go on']],
    [
      'too many requests',
      { stopReason: 'max_turn_requests' },
      ['stopped: the agent reached the limit of its requests in one turn'],
    ],
    [
      'failed',
      { parts: [text('a')], stopReason: '', error: 'no\u001b[2J\nmodel' },
      ['a', '', 'ended by an error: no␛[2J', 'model'],
    ],
  ])('%s', (_name, fields, wanted) => {
    expect(rows(message(fields)).slice(1)).toEqual(wanted);
  });

  test('late text joins a finished message (CASES B06)', () => {
    const first = drawMessage(emptyTranscript(english), message({ parts: [text('Hel')] })).transcript;
    const { transcript } = drawMessage(first, message({ parts: [text('Hello')] }));
    expect(rowsOf(transcript)).toEqual(['‣ Bob (llama.cpp)', 'Hello']);
  });
});

test('the files a message carries stand below it, in one row that nothing in a name can break', () => {
  const attachments = [
    { agent: 'bob', path: 'my notes.md' },
    { agent: 'bob', path: 'a\u001b[31m\nb.png' },
  ];
  expect(rows(user('see $"my notes.md"', { attachments }))).toEqual([
    '‣ You',
    'see $"my notes.md"',
    expect.stringMatching(/^↳ my notes\.md · a␛\[31m.b\.png$/u),
  ]);
  expect(rows(user('see', { attachments: attachments.slice(0, 1), error: 'cancelled' }))).toEqual([
    '‣ You',
    'see',
    '↳ my notes.md',
    '',
    'not sent: cancelled',
  ]);
});

describe('system messages', () => {
  const system = (code: Message['code'], fields: Partial<Message> = {}) =>
    rows(message({ role: 'system', code, ...fields }));
  test.each<[Message['code'], Partial<Message>, readonly string[]]>([
    ['agent-joined', {}, ['— Bob (llama.cpp) joined']],
    ['agent-left', {}, ['— Bob (llama.cpp) left']],
    ['no-recipient', { agent: '' }, ['— nobody was asked: begin with @ and the name of an agent']],
    ['no-recipient', { agent: '', error: 'who' }, ['— nobody was asked: no agent is named who']],
    ['agent-unavailable', { error: 'gone\nfor good' }, ['— Bob (llama.cpp) cannot be reached: gone', 'for good']],
    ['attachment-unavailable', { parts: [text('a.bin')], error: 'binary' }, ['— not attached: a.bin: binary']],
    ['notice', { parts: [text('Slow\ntoday')] }, ['— Bob (llama.cpp): Slow', 'today']],
    [
      'compaction',
      { parts: [text('We spoke.')] },
      ['— Bob (llama.cpp) summed up the conversation so far', 'We spoke.'],
    ],
  ])('%s', (code, fields, wanted) => {
    expect(system(code, fields)).toEqual(wanted);
  });

  test('a new session', () => {
    expect(system('session-started', { agent: '' })[0]).toContain('a new session');
  });
});

describe('an agent that could not be reached', () => {
  const asked = user('hello', { id: 'u' });
  const answer = message({ id: 'a', stopReason: '', error: 'no such program' });
  const waiting = user('and?', { id: 'w', error: 'cancelled' });
  const told = message({ id: 's', role: 'system', code: 'agent-unavailable', error: 'no such program' });
  const wanted = ['‣ You', 'hello', '', '— Bob (llama.cpp) cannot be reached: no such program'];

  test('says so once, however it came to be drawn', () => {
    expect(rowsOf(drawAll(emptyTranscript(english), [asked, answer, told], false).transcript)).toEqual(wanted);
    const growing = message({ id: 'a', done: false, stopReason: '' });
    const live = [asked, growing, answer, told, answer].reduce(
      (transcript, one) => drawMessage(transcript, one).transcript,
      emptyTranscript(english),
    );
    expect(rowsOf(live)).toEqual(wanted);
    const later = drawAll(emptyTranscript(english), [told], true).transcript;
    expect(rowsOf(prepend(later, [asked, answer], false).transcript)).toEqual(wanted);
  });

  test('also with messages that waited in between', () => {
    const all = rowsOf(drawAll(emptyTranscript(english), [asked, answer, waiting, told], false).transcript);
    expect(all.filter((row) => row.includes('no such program'))).toHaveLength(1);
  });

  test('is not confused with an answer that ended by another error, or that had begun', () => {
    const other = message({ ...answer, error: 'out of tokens' });
    expect(rowsOf(drawAll(emptyTranscript(english), [other, told], false).transcript)).toContain(
      'ended by an error: out of tokens',
    );
    const begun = message({ ...answer, parts: [text('So')] });
    expect(rowsOf(drawAll(emptyTranscript(english), [begun, told], false).transcript)).toContain('So');
  });

  test('the answer shows again when nothing else says it', () => {
    const { transcript } = drawAll(emptyTranscript(english), [asked, answer, told], false);
    expect(rowsOf(removeMessage(transcript, 's').transcript)).toContain('ended by an error: no such program');
  });
});

describe('thoughts and plans', () => {
  test('a thought is open while it grows, folded when it ended', () => {
    const open = blocks(drawn([message({ done: false, parts: [thought('\n\nhm\n\nso')] })])).at(-1);
    expect(open).toMatchObject({ kind: 'thought', open: true });
    expect(open?.rows.slice()).toEqual(['Thinking', 'hm', '', 'so']);
    expect(open && regionText(open)).toBe('hm\n\nso');
    const ended = blockOf(message({ parts: [thought('hm'), text('a')] }), 'thought');
    expect(ended).toMatchObject({ open: false, fold: true, copy: [1, 2] });
  });

  test('no block for a thought of blanks', () => {
    expect(rows(message({ parts: [thought(' \n '), text('a')] }))).toEqual(['‣ Bob (llama.cpp)', 'a']);
  });

  test('a plan', () => {
    const entries = [
      { content: 'read', priority: 'high', status: 'completed' },
      { content: 'edit\nit', priority: 'low', status: 'in_progress' },
      { content: 'test', priority: 'low', status: 'pending' },
    ] as const;
    const block = blockOf(message({ parts: [{ kind: 'plan', entries: [...entries] }] }), 'plan');
    expect(block.rows.slice()).toEqual(['Plan', '● read', '◐ edit↵it', '○ test']);
    expect(regionText(block)).toBe('● read\n◐ edit↵it\n○ test');
  });
});

describe('older messages', () => {
  const old = [user('old', { id: 'o' }), message({ id: 'p', parts: [text('older')] })];

  test('come in above, with a row while there are more', () => {
    const { transcript } = drawAll(emptyTranscript(english), [user('new', { id: 'n' })], true);
    expect(rowsOf(transcript)).toEqual(['⋯ older messages are above', '', '‣ You', 'new']);
    expect(rowsOf(prepend(transcript, old, false).transcript)).toEqual([
      '‣ You',
      'old',
      '',
      '‣ Bob (llama.cpp)',
      'older',
      '',
      '‣ You',
      'new',
    ]);
  });

  test('the first one removed leaves no blank row at the top', () => {
    const { transcript } = removeMessage(drawn(old), 'o');
    expect(rowsOf(transcript)).toEqual(['‣ Bob (llama.cpp)', 'older']);
    expect(removeMessage(transcript, 'who').operations).toEqual([]);
  });
});

describe('permission requests', () => {
  const asking = message({ done: false, parts: [tool({ status: 'pending' }), text('wait')] });

  test('stand at their tool call, and go', () => {
    const asked = setPermissions(drawn([asking]), [permission()]).transcript;
    expect(rowsOf(asked)).toEqual([
      '‣ Bob (llama.cpp)',
      '○ edit  Edit a.txt',
      '⏳ waiting for your permission: gp',
      '   1  Allow',
      '   2  Reject',
      '',
      'wait',
    ]);
    expect(rowsOf(setPermissions(asked, []).transcript)).toEqual(rowsOf(drawn([asking])));
  });

  test('of a call nobody announced stand at the end, and move when it is announced', () => {
    const lost = permission({ toolCall: toolCall({ id: 'new', title: 'rm\n-rf' }) });
    const asked = setPermissions(drawn([asking]), [lost]).transcript;
    expect(rowsOf(asked).slice(-4)).toEqual([
      '',
      '⏳ Bob (llama.cpp) is waiting for your permission: gp · rm↵-rf',
      '   1  Allow',
      '   2  Reject',
    ]);
    const told = message({ done: false, parts: [...asking.parts, tool({ id: 'new', title: 'rm' })] });
    expect(rowsOf(drawMessage(asked, told).transcript).slice(-4)).toEqual([
      '✓ edit  rm',
      '⏳ waiting for your permission: gp',
      '   1  Allow',
      '   2  Reject',
    ]);
  });

  test('each option is one row (CASES B08, B09)', () => {
    const options = ['Allow\nalways', 'Allow always', 'No\r\n'].map((name, index) => ({
      optionId: `o${index}`,
      name,
      kind: 'allow_always' as const,
    }));
    const asked = setPermissions(drawn([asking]), [permission({ options }), permission({ id: 'q' })]).transcript;
    expect(rowsOf(asked).slice(2, 9)).toEqual([
      '⏳ waiting for your permission: gp',
      '   1  Allow↵always',
      '   2  Allow always',
      '   3  No',
      '⏳ waiting for your permission: gp',
      '   1  Allow',
      '   2  Reject',
    ]);
  });
});
