// Every kind of update ACP v1 has, as the core gets it, and every odd one as nothing (ACP.md 3.4, 5.3 and 5.4).
import { describe, expect, test } from 'vitest';
import { Session } from '../../../../src/adapters/acp/session.ts';
import { readUpdate } from '../../../../src/adapters/acp/updates.ts';
import type { SessionUpdate, ToolPatch } from '../../../../src/core/ports.ts';

const text = (value: string) => ({ type: 'text', text: value });
const read = (sessionUpdate: string, fields: object, session = new Session('/ws')): SessionUpdate | undefined =>
  readUpdate(session, { sessionUpdate, ...fields });

/** The patch of one update after another of the same call. */
function patches(...updates: object[]): ToolPatch[] {
  const session = new Session('/ws');
  return updates.map((fields) => {
    const update = read('tool_call_update', { toolCallId: 't', ...fields }, session);
    return update?.type === 'tool' ? update.patch : {};
  });
}

const patch = (fields: object): ToolPatch | undefined => patches(fields)[0];

describe('chunks', () => {
  test('are text, thought or the user’s own', () => {
    const content = text('é\n');
    expect(read('agent_message_chunk', { content })).toEqual({ type: 'text', text: 'é\n' });
    expect(read('agent_thought_chunk', { content })).toEqual({ type: 'thought', text: 'é\n' });
    expect(read('user_message_chunk', { content })).toEqual({ type: 'userText', text: 'é\n' });
  });

  test.each([
    [{ type: 'image', data: 'A'.repeat(16384), mimeType: 'image/png' }, '\n[image image/png, 12 KB]\n'],
    [{ type: 'audio', data: 'AAA=', mimeType: 'audio/wav' }, '\n[audio audio/wav, 2 B]\n'],
    [{ type: 'resource_link', uri: 'file:///a b.txt', name: 'a [b]' }, '[a \\[b\\]](file:///a%20b.txt)'],
    [
      { type: 'resource', resource: { uri: 'file:///d/caf%C3%A9.md', text: 'long' } },
      '[café.md](file:///d/caf%C3%A9.md)',
    ],
    [{ type: 'hologram' }, '\n[hologram]\n'],
  ])('what is not text is named: %o', (content, expected) => {
    expect(read('agent_message_chunk', { content })).toEqual({ type: 'text', text: expected });
  });

  test.each([
    [{}],
    [{ content: null }],
    [{ content: 'x' }],
    [{ content: text('') }],
    [{ content: { type: 'text', text: 5 } }],
  ])('without content are nothing: %o', (fields) => expect(read('agent_message_chunk', fields)).toBeUndefined());

  test('another message begins a paragraph, unless something came between', () => {
    const session = new Session('/ws');
    const say = (messageId: string | undefined, kind = 'agent_message_chunk') => {
      const update = read(kind, { content: text('x'), messageId }, session);
      return update && 'text' in update ? update.text : '';
    };
    expect([say('1'), say('1'), say('2'), say('2'), say(undefined), say('3')]).toEqual([
      'x',
      'x',
      '\n\nx',
      'x',
      'x',
      'x',
    ]);
    read('tool_call', { toolCallId: 't', title: 'T' }, session);
    expect([say('4'), say('5', 'agent_thought_chunk'), say('6')]).toEqual(['x', 'x', 'x']);
    session.beginTurn();
    expect(say('7')).toBe('x');
  });
});

describe('tool calls', () => {
  test('give what they name, and leave the rest as it was', () => {
    const whole = {
      title: 'Edit a.txt',
      kind: 'edit',
      status: 'in_progress',
      rawInput: { path: 'a.txt' },
      locations: [
        { path: 'a.txt', line: 0 },
        { path: 'file:///b%20c', line: 7 },
        { path: '/d', line: null },
        { line: 1 },
      ],
    };
    expect(read('tool_call', { toolCallId: 't', ...whole })).toEqual({
      type: 'tool',
      id: 't',
      patch: {
        title: 'Edit a.txt',
        kind: 'edit',
        status: 'in_progress',
        input: '{"path":"a.txt"}',
        locations: [{ path: '/ws/a.txt', line: 1 }, { path: '/b c', line: 7 }, { path: '/d' }],
      },
    });
    expect(patch({ title: null, kind: null, status: null, rawInput: null, content: null, locations: null })).toEqual(
      {},
    );
    expect(patch({ rawInput: {}, title: '', name: 'Bash' })).toEqual({ title: 'Bash' });
    expect(patch({ kind: 'switch_mode', status: 'dancing' })).toEqual({ kind: 'other' });
    expect(read('tool_call', { title: 'no id' })).toBeUndefined();
  });

  test('content is output and diffs; each list replaces the one before', () => {
    const output = { type: 'content', content: text('done') };
    const change = { type: 'diff', path: 'a.txt', oldText: 'one', newText: 'two' };
    const made = ['', null, undefined].map((oldText) => ({ type: 'diff', path: '/n', oldText, newText: 'n' }));
    expect(patch({ content: [output, change, ...made] })).toEqual({
      output: 'done',
      diffs: [
        { path: '/ws/a.txt', oldText: 'one', newText: 'two', newFile: false },
        ...made.map(() => ({ path: '/n', oldText: '', newText: 'n', newFile: true })),
      ],
    });
    expect(patch({ content: [] })).toEqual({ output: '', diffs: [] });
  });

  test('content of every type is shown, items on lines of their own', () => {
    const block = (content: object) => ({ type: 'content', content });
    const content = [
      block(text('a\n')),
      block(text('b')),
      block({ type: 'resource', resource: { uri: 'file:///x', text: 'whole' } }),
      block({ type: 'resource', resource: { uri: 'file:///y', blob: 'AAAA', mimeType: 'x/y' } }),
      block({ type: 'resource_link', uri: 'https://e.org/', name: 'E' }),
      block({ type: 'image', data: '', mimeType: 'image/png' }),
      { type: 'hologram' },
      { type: 'diff', path: '/half' },
      null,
    ];
    const output = 'a\nb\nwhole\n[file:///y x/y, 3 B]\nhttps://e.org/\n[image image/png, 0 B]\n[hologram]';
    expect(patch({ content })).toEqual({ output, diffs: [] });
  });

  test('what a call returned raw is its output only where it never had content', () => {
    const content = [{ type: 'diff', path: '/a', oldText: 'a', newText: 'b' }];
    expect(patches({ content }, { rawOutput: 'The file was edited' })[1]).toEqual({});
    expect(patches({ content: [] }, { rawOutput: 'raw' })[1]).toEqual({ output: 'raw' });
    expect(patch({ rawOutput: { error: 'no such file' } })).toEqual({ output: 'no such file' });
    expect(patch({ rawOutput: { output: 'x', metadata: {} } })).toEqual({ output: 'x' });
    expect(patch({ rawOutput: { exit: 0 } })).toEqual({});
  });

  test('terminals of the agent’s own print on', () => {
    const printed = (data: string, key = 'terminal_output') => ({ _meta: { [key]: { terminal_id: 'x', data } } });
    const content = [{ type: 'terminal', terminalId: 'x' }];
    const all = patches(
      { content, _meta: { terminal_info: { terminal_id: 'x' } } },
      printed('one\n'),
      printed('two\n', 'terminal_output_delta'),
      { content },
      { _meta: { terminal_exit: { terminal_id: 'x', exit_code: 2, signal: null } } },
      { content: [{ type: 'terminal', terminalId: 'unknown' }] },
      { rawOutput: 'one two', _meta: { terminal_exit: { terminal_id: 'x', exit_code: 0 } } },
    );
    expect(all).toEqual([
      { output: '', diffs: [] },
      { outputDelta: 'one\n' },
      { outputDelta: 'two\n' },
      { output: 'one\ntwo\n', diffs: [] },
      { outputDelta: '\n[exit 2]' },
      { output: '', diffs: [] },
      {},
    ]);
    expect(patch({ _meta: { terminal_exit: { terminal_id: 'x', exit_code: null, signal: 'SIGKILL' } } })).toEqual({
      outputDelta: '\n[SIGKILL]',
    });
  });
});

describe('the other kinds', () => {
  test('plan', () => {
    const entries = [
      { content: 'a', priority: 'high', status: 'completed' },
      { content: 'b', priority: 'urgent', status: null },
      { priority: 'low' },
      null,
    ];
    expect(read('plan', { entries })).toEqual({
      type: 'plan',
      entries: [
        { content: 'a', priority: 'high', status: 'completed' },
        { content: 'b', priority: 'medium', status: 'pending' },
      ],
    });
    expect(read('plan', { entries: null })).toBeUndefined();
    expect(read('plan', { entries: [] })).toEqual({ type: 'plan', entries: [] });
  });

  test('commands', () => {
    const availableCommands = [
      { name: '/go', description: 'Go', input: { hint: 'where' } },
      { name: 'x' },
      { name: '\u001b[31mred' },
      {},
      null,
    ];
    expect(read('available_commands_update', { availableCommands })).toEqual({
      type: 'commands',
      commands: [
        { name: 'go', description: 'Go', hint: 'where' },
        { name: 'x', description: '', hint: '' },
      ],
    });
  });

  test('usage', () => {
    const cost = { amount: 1, currency: 'EUR' };
    expect(read('usage_update', { used: 10, size: 200, cost })).toEqual({
      type: 'usage',
      usage: { used: 10, size: 200 },
    });
    expect(read('usage_update', { used: 10, size: null })).toEqual({ type: 'usage', usage: { used: 10, size: 0 } });
    expect(read('usage_update', { used: -1, size: 1.5 })).toBeUndefined();
  });

  test('notice', () => {
    expect(read('notice', { severity: 'warning', title: 'Slow', description: null })).toEqual({
      type: 'notice',
      severity: 'warning',
      title: 'Slow',
      description: '',
    });
    expect(read('notice', { severity: 'error' })).toBeUndefined();
  });

  test('compaction, with its summary gathered or given whole', () => {
    const session = new Session('/ws');
    const compactionId = 'c';
    const seen = [
      read('compaction_update', { compactionId, status: 'in_progress' }, session),
      read('compaction_summary_chunk', { compactionId, content: text('So ') }, session),
      read('compaction_summary_chunk', { compactionId, content: text('far') }, session),
      read('compaction_update', { compactionId, status: 'completed' }, session),
      read('compaction_update', { compactionId, status: 'completed', summary: [text('All')] }, session),
      read('compaction_update', { compactionId, status: 'failed', error: 'too small' }, session),
    ];
    expect(seen.map((one) => (one?.type === 'compaction' ? [one.status, one.text] : one))).toEqual([
      ['in_progress', ''],
      ['in_progress', 'So '],
      ['in_progress', 'So far'],
      ['completed', 'So far'],
      ['completed', 'All'],
      ['failed', 'too small'],
    ]);
    expect(read('compaction_update', { status: 'completed' })).toBeUndefined();
  });

  test('a session’s title, and kinds nobody knows, are nothing', () => {
    expect(read('session_info_update', { title: 'x' })).toBeUndefined();
    expect(read('plan_removed', {})).toBeUndefined();
  });
});

test('nothing an agent may send makes the reader throw', () => {
  const kinds = ['agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk', 'tool_call', 'tool_call_update', 'plan', 'available_commands_update', 'current_mode_update', 'config_option_update', 'usage_update', 'notice', 'compaction_update', 'compaction_summary_chunk', 'x']; // prettier-ignore
  const fields = ['content', 'toolCallId', 'title', 'kind', 'status', 'locations', 'rawInput', 'rawOutput', '_meta', 'entries', 'availableCommands', 'currentModeId', 'configOptions', 'used', 'size', 'severity', 'description', 'compactionId', 'summary', 'error', 'messageId']; // prettier-ignore
  const values: unknown[] = [null, 0, -1, 1e300, '', 'x', true, [], {}, [null], ['x'], [[]], [{}], { type: 'text' }, { type: 'diff', path: 'file://%', newText: '' }, [{ type: 'diff', path: 'file://%', newText: '' }], [{ path: 'file://h/x' }], { terminal_output: 5 }, { __proto__: null }]; // prettier-ignore
  const session = new Session('/ws');
  for (const kind of kinds) {
    for (const field of fields) {
      for (const value of values) {
        expect(() => read(kind, { toolCallId: 't', compactionId: 'c', [field]: value }, session)).not.toThrow();
      }
    }
  }
});
