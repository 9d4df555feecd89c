// Adding an agent to the text of a configuration: what was written stays as it was (SPEC section 15).
import { describe, expect, test } from 'vitest';
import { addAgent } from '../../../src/core/config/add-agent.ts';
import { defaultConfigText } from '../../../src/core/config/default-text.ts';
import { parseConfig } from '../../../src/core/config/parse.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';

const setting = { folder: '/cfg', home: '/home/user', env: {}, language: 'en' } as const;

function add(text: string, name = 'new', fields: Record<string, unknown> = { command: 'x' }): string {
  const added = addAgent(text, { name, fields }, setting);
  return added.ok ? added.value : wordFailure('en', added.error);
}

const names = (text: string) => parseConfig(text, setting).config?.agents.map(({ name }) => name);

describe('in a file like', () => {
  test.each([
    ['an empty one', '', 'agents:\n  new:\n    command: x\n'],
    ['one of comments', '# mine\n', '# mine\nagents:\n  new:\n    command: x\n'],
    ['one that begins a document', '---\n', '---\nagents:\n  new:\n    command: x\n'],
    ['one without agents', 'language: fr\n', 'language: fr\n\nagents:\n  new:\n    command: x\n'],
    ['one without a last line end', 'language: fr', 'language: fr\n\nagents:\n  new:\n    command: x\n'],
    ['one with no agent yet', 'agents:\nlanguage: fr\n', 'agents:\n  new:\n    command: x\nlanguage: fr\n'],
    [
      'one with comments in place of agents',
      'agents: # mine\n  # bob:\n  #   command: y\nlanguage: fr\n',
      'agents: # mine\n  new:\n    command: x\n  # bob:\n  #   command: y\nlanguage: fr\n',
    ],
    ['one that says there are none', 'agents: null # so far\n', 'agents: # so far\n  new:\n    command: x\n'],
    [
      'one with an empty mapping',
      'agents: {} # none\nlanguage: fr\n',
      'agents: # none\n  new:\n    command: x\nlanguage: fr\n',
    ],
    [
      'one with agents',
      'agents:\n  a:\n    command: y # why\n\n# the end\nlanguage: fr\n',
      'agents:\n  a:\n    command: y # why\n  new:\n    command: x\n\n# the end\nlanguage: fr\n',
    ],
    [
      'one with empty lines between agents',
      'agents:\n  a:\n    command: y\n\n  # two\n  b: {command: y} # b\n  # more\n',
      'agents:\n  a:\n    command: y\n\n  # two\n  b: {command: y} # b\n\n  new:\n    command: x\n  # more\n',
    ],
    [
      'one indented by four',
      'agents:\n    a:\n        command: y\n',
      'agents:\n    a:\n        command: y\n    new:\n        command: x\n',
    ],
    [
      'one indented by two and four',
      'agents:\n  a:\n      command: y\n',
      'agents:\n  a:\n      command: y\n  new:\n      command: x\n',
    ],
    [
      'one that ends in a folded text',
      'agents:\n  a:\n    command: y\n    description: >+\n      long\n\nlanguage: fr\n',
      'agents:\n  a:\n    command: y\n    description: >+\n      long\n\n  new:\n    command: x\nlanguage: fr\n',
    ],
    [
      'one that ends in a list',
      'agents:\n  a:\n    command: y\n    args:\n    - 1\n    - 2',
      'agents:\n  a:\n    command: y\n    args:\n    - 1\n    - 2\n  new:\n    command: x\n',
    ],
    [
      'one with anchors and merges',
      'x: &x\nagents:\n',
      'the configuration is broken in line 1: the key x is not known; allowed here: language, theme, limits, agents, channels, edits. Nothing was added',
    ],
    [
      'one with merges',
      'agents:\n  a: &a\n    command: y\n  b:\n    <<: *a\n',
      'agents:\n  a: &a\n    command: y\n  b:\n    <<: *a\n  new:\n    command: x\n',
    ],
    [
      'one with an alias at its end',
      'agents:\n  a: &a {command: y}\n  b: *a # same\n',
      'agents:\n  a: &a {command: y}\n  b: *a # same\n  new:\n    command: x\n',
    ],
    ['one in braces', 'agents: {a: {command: y}}\n', 'agents: {a: {command: y}, new: {command: x}}\n'],
    [
      'one in braces over several lines',
      'agents: {\n  a: {command: y}, # a\n}\n',
      'agents: {\n  a: {command: y}, new: {command: x}, # a\n}\n',
    ],
    ['one all in braces', '{agents: {}, language: fr}\n', '{agents: {new: {command: x}}, language: fr}\n'],
    ['one in braces without agents', '{language: fr}', '{language: fr, agents: {new: {command: x}}}'],
    ['JSON', '{"agents": {"a": {"command": "y"}}}', '{"agents": {"a": {"command": "y"}, new: {command: x}}}'],
    [
      'one indented as a whole',
      '  language: fr\n  agents:\n',
      '  language: fr\n  agents:\n    new:\n      command: x\n',
    ],
    [
      'one with an end of its own',
      'agents:\n  a:\n    command: y\n...\n',
      'agents:\n  a:\n    command: y\n  new:\n    command: x\n...\n',
    ],
  ])('%s', (_, text, wanted) => {
    expect(add(text)).toBe(wanted);
  });

  test('one with CR LF and a byte-order mark, which stay', () => {
    expect(add('\uFEFFagents:\r\n  a:\r\n    command: y\r\n')).toBe(
      '\uFEFFagents:\r\n  a:\r\n    command: y\r\n  new:\r\n    command: x\r\n',
    );
  });

  test('the first configuration: its comments stay where they were', () => {
    const text = defaultConfigText({ language: 'fr', demoAgent: { command: 'node', args: ['demo.js'] }, found: [] });
    const added = add(text, 'bob', { command: 'docker', args: ['agent', 'serve', 'acp', './agent.yaml'] });
    const lines = '  bob:\n    command: docker\n    args: [agent, serve, acp, ./agent.yaml]\n';
    expect(added.replace(lines, '')).toBe(text);
    expect(names(added)).toEqual(['demo', 'bob']);
  });

  test('one of a shape nobody writes is left alone', () => {
    expect(add('agents:\n  ? a\n  : command: y\n')).toBe(
      'agents is written in a way nothing can be added to: add the agent by hand',
    );
  });
});

describe('the agent', () => {
  test('is written in the order of the documentation, what says nothing left out', () => {
    const fields = {
      runtime: {
        type: 'container',
        name: 'web-1',
        workspacePath: '/app',
        lifecycle: {
          create: 'docker compose -f /srv/app/compose.yaml up -d web',
          stop: 'docker compose stop web',
          remove: '',
        },
      },
      env: { LOG_LEVEL: 'info', TOKEN: '${MY_TOKEN}' },
      args: ['--acp', '1.10', '', 'a b', 'null', '# x'],
      command: '~/bin/agent',
      description: 'says: "hi" # not a comment',
      title: 'Bob (llama)',
      icon: '🤖',
      workspace: '',
      mcpServers: [],
      defaults: {},
    };
    expect(add('', 'été', fields)).toBe(`agents:
  été:
    title: "Bob (llama)"
    icon: "🤖"
    description: "says: \\"hi\\" # not a comment"
    command: ~/bin/agent
    args: [--acp, "1.10", "", "a b", "null", "# x"]
    env: {LOG_LEVEL: info, TOKEN: "\${MY_TOKEN}"}
    runtime:
      type: container
      name: web-1
      workspacePath: /app
      lifecycle:
        create: "docker compose -f /srv/app/compose.yaml up -d web"
        stop: "docker compose stop web"
`);
  });

  test.each([['no'], ['true'], ['null'], ['012'], ['-'], ['__proto__'], ['constructor'], ['日本'], ['a_-b'], ['1e3']])(
    'named %s keeps its name',
    (name) => {
      expect(names(add('agents:\n  a: {command: y}\n', name))).toEqual(['a', name]);
    },
  );

  test('with texts that look like something else keeps them', () => {
    const texts = [
      'yes',
      '1.10',
      '0x10',
      'null',
      '~',
      '',
      ' ',
      'a: b',
      '- a',
      '*a',
      '&a',
      '!a',
      '%a',
      '@a',
      '`a',
      '"',
      "'",
      'a\nb',
      'a\tb',
      '\u0007',
      '日本😀',
      '${{ x }}',
    ];
    const added = add('', 'a', { command: 'x', args: texts });
    const config = parseConfig(added, setting).config;
    expect(config?.agents[0]?.args).toEqual(texts.map((text) => (text === '~' ? '/home/user' : text)));
  });

  test.each([
    ['a name that is taken', 'bob', { command: 'x' }, 'there is an agent named Bob already'],
    ['a name that is none', 'a b', { command: 'x' }, '“a b” cannot name an agent: 1 to 32 letters, digits, - and _'],
    ['no command', 'a', {}, 'the key command is missing'],
    ['a wrong command', 'a', { command: ['x'] }, 'command must be a text'],
    ['a key that is not known', 'a', { command: 'x', comand: 'y' }, /^the key comand is not known/],
    [
      'a wrong duration',
      'a',
      { command: 'x', startTimeout: 'soon' },
      'startTimeout must be a duration such as 30s, 15m or 2h',
    ],
  ])('with %s is refused', (_, name, fields, message) => {
    expect(add('agents: {Bob: {command: y}}\n', name, fields)).toMatch(message);
  });
});

test('nothing is added to a file that is broken', () => {
  expect(add('agents:\n\tbob: {}\n')).toBe(
    'the configuration is broken in line 2: tabs cannot indent: use spaces. Nothing was added',
  );
});
