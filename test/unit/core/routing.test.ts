// Who answers a message, and which part of it is a command: SPEC section 5's table and its words, row by row.
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../src/core/contract/shapes.ts';
import { isCommand, route, workspaceAgent, type Room } from '../../../src/core/conversation/routing.ts';

const channel: Conversation = {
  id: 'c1',
  name: 'review',
  description: '',
  direct: '',
  members: ['bob', 'alice'],
  project: '/p',
};
const agents = ['bob', 'alice', 'ann', 'annie', 'types', 'example', 'reviewer', 'écho', 'bob-2', 'a_', '__proto__'];
const room = (changes: Partial<Room> & { readonly members?: string[] } = {}): Room => ({
  conversation: { ...channel, members: changes.members ?? channel.members },
  agents,
  answerers: [],
  ...changes,
});
const answering = (text: string, inRoom = room(), namesFile = false) => route(text, namesFile, inRoom).agents;

describe('who answers', () => {
  test.each<readonly [text: string, agents: readonly string[]]>([
    ['@bob hello', ['bob']],
    ['@alice then @bob', ['alice', 'bob']],
    ['@bob, @alice, @bob again', ['bob', 'alice']],
    ['ask @annie', ['annie']],
    ['ask @ann', ['ann']],
    ['@Bob and @ALICE', ['bob', 'alice']],
    ['(@bob)', ['bob']],
    ['“@bob”', ['bob']],
    ['"@bob"', ['bob']],
    ['to:@bob', ['bob']],
    ['@bob.', ['bob']],
    ['@bob: hello', ['bob']],
    ['@bob!? @alice…', ['bob', 'alice']],
    ["@bob's idea", ['bob']],
    ['@bob-2 please', ['bob-2']],
    ['@bob_ please', ['bob']],
    ['@bob-- please', ['bob']],
    ['@a_ please', ['a_']],
    ['@ÉCHO', ['écho']],
    ['@e\u0301cho', ['écho']],
    ['@__proto__ hi', ['__proto__']],
    ['one\n@bob two', ['bob']],
    ['> quoted @alice\n@bob what of it', ['bob']],
    ['> quoted @alice\nlazily @bob', ['bob']],
    ['`@alice` @bob', ['bob']],
    ['```\n@alice\n```\n@bob', ['bob']],
    ['    @bob is not in a block of code', ['bob']],
  ])('%j is answered by the mentioned agents', (text, expected) => {
    expect(answering(text)).toEqual(expected);
  });

  test.each([
    'mail sam@bob.org',
    'x@bob',
    '@types/node',
    '@bob\\x',
    '@bob@host',
    '@bob.org is a site',
    'git@example.org:x.git',
    '@bob:8080',
    '@bobby',
    '@bo',
    '\\`@nobody\\` `@bob`',
    '~~~\n@bob\n~~~',
    '> @bob',
    ' > @bob',
  ])('%j mentions no agent', (text) => {
    expect(answering(`see ${text}`.replace(/^see (?=[>~ ])/, ''), room({ answerers: ['alice'] }))).toEqual(['alice']);
  });

  test('B12: addresses, packages and annotations wake nobody, only the mention does', () => {
    const text = 'mail sam@example.com, install @types/node, keep @Override, see git@example.org:x.git, ping @reviewer';
    expect(answering(text)).toEqual(['reviewer']);
    expect(answering('```\n@reviewer\n``` and `@reviewer`')).toEqual([]);
  });

  test('no mention: the last one to answer that is still a member', () => {
    expect(answering('hello', room({ answerers: ['bob', 'alice', 'gone'] }))).toEqual(['alice']);
    expect(answering('hello', room({ answerers: ['alice', 'bob'], members: ['alice'] }))).toEqual(['alice']);
  });

  test('no mention, one member: that member', () => {
    expect(answering('hello', room({ members: ['bob'] }))).toEqual(['bob']);
  });

  test('no mention, nobody has answered yet, several members or none: nobody', () => {
    expect(route('hello', false, room())).toEqual({ agents: [], command: '', unknown: '' });
    expect(answering('hello', room({ members: [] }))).toEqual([]);
  });

  test('a beginning that names nobody is answered by nobody, and says whom it named', () => {
    expect(route('@nobody hello', false, room({ answerers: ['bob'] }))).toEqual({
      agents: [],
      command: '',
      unknown: 'nobody',
    });
    expect(route('  @nobody', false, room({ members: ['bob'] })).unknown).toBe('nobody');
  });

  test('unless it mentions an agent too, names a file, or begins otherwise', () => {
    expect(answering('@nobody and @bob')).toEqual(['bob']);
    expect(answering('@notes.md is wrong', room({ answerers: ['bob'] }), true)).toEqual(['bob']);
    expect(answering('hello @nobody', room({ answerers: ['bob'] }))).toEqual(['bob']);
  });

  test('one that is not a member answers when mentioned', () => {
    expect(answering('@ann hello')).toEqual(['ann']);
  });

  test('anything in a direct conversation: its agent, and nothing is taken off', () => {
    const direct = room({ conversation: { ...channel, direct: 'bob', members: ['bob'] } });
    expect(route('@alice hello', false, direct)).toEqual({ agents: ['bob'], command: '', unknown: '' });
    expect(route('@nobody', false, direct).agents).toEqual(['bob']);
    expect(route('/alice:compact now', false, direct)).toEqual({
      agents: ['bob'],
      command: '/alice:compact now',
      unknown: '',
    });
  });
});

describe('commands', () => {
  test.each<readonly [text: string, agents: readonly string[], command: string]>([
    ['/bob:compact', ['bob'], '/compact'],
    ['/bob:compact now please', ['bob'], '/compact now please'],
    ['/BOB:mcp:tool x', ['bob'], '/mcp:tool x'],
    ['/ann:plan', ['ann'], '/plan'],
    ['@alice /compact all', ['alice'], '/compact all'],
    ['@alice @bob\n/compact', ['alice', 'bob'], '/compact'],
    ['@alice /bob:compact', ['bob'], '/compact'],
    ['/compact @alice', ['alice'], '/compact @alice'],
  ])('%j is a command', (text, expected, command) => {
    expect(route(text, false, room())).toEqual({ agents: expected, command, unknown: '' });
  });

  test('without a mention a command goes where any message would', () => {
    expect(route('/compact', false, room({ answerers: ['alice'] }))).toMatchObject({
      agents: ['alice'],
      command: '/compact',
    });
    expect(route('/nobody:compact', false, room({ answerers: ['alice'] })).command).toBe('/nobody:compact');
  });

  test.each(['/usr/bin/x fails', '/ x', '/', 'run /compact', 'a\n/compact'])('%j is text', (text) => {
    expect(route(text, false, room({ answerers: ['bob'] })).command).toBe('');
    expect(isCommand(text)).toBe(false);
  });
});

describe('whose workspace `$path` means', () => {
  test.each<readonly [text: string, agent: string]>([
    ['see $notes.md', 'bob'],
    ['see $notes.md @alice @ann', 'alice'],
    ['@nobody $x.md', 'bob'],
  ])('%j: the first mentioned agent, else the first member', (text, agent) => {
    expect(workspaceAgent(text, room())).toBe(agent);
  });

  test('in a direct conversation its agent; in a room without members nobody', () => {
    expect(workspaceAgent('@alice $x.md', room({ conversation: { ...channel, direct: 'bob' } }))).toBe('bob');
    expect(workspaceAgent('$x.md', room({ members: [] }))).toBe('');
  });
});
