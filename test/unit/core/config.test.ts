// What a configuration means: defaults, paths, variables, and values that are what they look like (SPEC section 3).
import { describe, expect, test } from 'vitest';
import { definitionFingerprint } from '../../../src/core/config/fingerprint.ts';
import { parseConfig } from '../../../src/core/config/parse.ts';
import type { AgentDefinition, Config } from '../../../src/core/config.ts';

const setting = {
  folder: '/home/user/cfg',
  home: '/home/user',
  env: { MY_TOKEN: 'secret', DIR: 'src', EMPTY: '' },
  language: 'en',
} as const;

function read(text: string): Config {
  const { config, problems } = parseConfig(text, setting);
  expect(problems).toEqual([]);
  if (!config) throw new Error('a file without problems has a configuration');
  return config;
}

function agent(keys: string): AgentDefinition {
  const definition = read(`agents:\n  a:\n${keys.replace(/^/gm, '    ')}\n`).agents[0];
  if (!definition) throw new Error('one agent was written');
  return definition;
}

test.each([['nothing'], ['# only a comment\n'], ['---\n'], ['agents:\n'], ['agents: {}\nlimits:\n'], ['\uFEFF']])(
  'a file that says nothing (%j) is valid and has the defaults',
  (text) => {
    expect(read(text === 'nothing' ? '' : text)).toEqual({
      language: 'en',
      theme: {},
      limits: { maxRunningAgents: 4, stopIdleAgentsAfterMs: 900_000 },
      agents: [],
      channels: [],
      edits: { save: 'never', unopened: 'disk' },
    });
  },
);

test('the example of the documentation, whole', () => {
  const config = read(`
language: fr
theme: {speaker: Keyword, thought: Comment, tool: "@type"}
limits:
  maxRunningAgents: 2
  stopIdleAgentsAfter: 30s
agents:
  bob:
    title: Bob (llama.cpp)
    icon: "🤖"
    description: a local model
    command: docker
    args: [agent, serve, acp, ./agent.yaml]
    env: {LOG_LEVEL: info, TOKEN: "\${MY_TOKEN}"}
    workspace: ~/src/app
    startTimeout: 2m
    mcpServers: []
    defaults: {mode: code, model: small}
    runtime:
      type: container
      name: web-1
      cli: podman
      workspacePath: /app
      launch: host
      lifecycle: {create: docker compose up -d web, stop: docker compose stop web, remove: docker compose rm -sf web}
channels:
  review: {description: code review, members: [BOB]}
edits: {save: turn, unopened: buffer}
`);
  expect(config).toEqual({
    language: 'fr',
    theme: { speaker: 'Keyword', thought: 'Comment', tool: '@type' },
    limits: { maxRunningAgents: 2, stopIdleAgentsAfterMs: 30_000 },
    agents: [
      {
        name: 'bob',
        title: 'Bob (llama.cpp)',
        icon: '🤖',
        description: 'a local model',
        command: 'docker',
        args: ['agent', 'serve', 'acp', './agent.yaml'],
        env: { LOG_LEVEL: 'info', TOKEN: 'secret' },
        workspace: '/home/user/src/app',
        startTimeoutMs: 120_000,
        mcpServers: [],
        defaults: { mode: 'code', model: 'small' },
        runtime: {
          type: 'container',
          name: 'web-1',
          cli: 'podman',
          workspacePath: '/app',
          launch: 'host',
          lifecycle: {
            create: 'docker compose up -d web',
            stop: 'docker compose stop web',
            remove: 'docker compose rm -sf web',
          },
        },
      },
    ],
    channels: [{ name: 'review', description: 'code review', members: ['bob'] }],
    edits: { save: 'turn', unopened: 'buffer' },
  });
});

test('an agent of one line has every default', () => {
  expect(agent('command: x')).toEqual({
    name: 'a',
    title: 'a',
    icon: '',
    description: '',
    command: 'x',
    args: [],
    env: {},
    workspace: '',
    startTimeoutMs: 30_000,
    mcpServers: [],
    defaults: { mode: '', model: '' },
    runtime: {
      type: 'local',
      name: '',
      cli: 'docker',
      workspacePath: '',
      launch: 'inside',
      lifecycle: { create: '', stop: '', remove: '' },
    },
  });
});

describe('values mean what they look like', () => {
  test('names', () => {
    const names = ['no', '012', '12', '7', 'true', 'null', '__proto__', 'été', '日本', 'नमस्ते', 'a-b_c'];
    const config = read(`agents:\n${names.map((name) => `  ${name}: {command: x}`).join('\n')}\n`);
    expect(config.agents.map((definition) => definition.name)).toEqual(names);
  });

  test('a name is one, however its accents were typed', () => {
    expect(read('agents: {e\u0301te\u0301: {command: x}}').agents[0]?.name).toBe('\u00E9t\u00E9');
  });

  test('texts', () => {
    const { args, env, title } = agent(
      'command: x\nargs: [1.10, no, 012, true, null, 0x10, 1e3, ~, "", 2024-01-01]\nenv: {V: 1.10, N: no, E: , __proto__: p}\ntitle: 007',
    );
    expect(args).toEqual(['1.10', 'no', '012', 'true', 'null', '0x10', '1e3', '/home/user', '', '2024-01-01']);
    expect(Object.entries(env)).toEqual([
      ['V', '1.10'],
      ['N', 'no'],
      ['E', ''],
      ['__proto__', 'p'],
    ]);
    expect(title).toBe('007');
  });

  test('a key without a value is a key that is not there', () => {
    expect(agent('command: x\ntitle:\ndescription: null\nargs:\nenv:\nworkspace:\nruntime:\ndefaults:')).toEqual(
      agent('command: x'),
    );
  });

  test('also under an older version of YAML', () => {
    const config = read('%YAML 1.1\n---\nagents: {no: {command: yes, args: [010]}}\nlimits: {maxRunningAgents: 010}\n');
    expect(config.agents[0]).toMatchObject({ name: 'no', command: 'yes', args: ['010'] });
    expect(config.limits.maxRunningAgents).toBe(10);
  });

  test('MCP servers are given as ACP has them', () => {
    const keys = `command: x
mcpServers:
  - {name: fs, command: npx, args: [-y, 1.10], env: [{name: V, value: 1.10}]}
  - {type: http, name: web, url: "https://example.org", headers: [{name: A, value: 5}], _meta: {n: 5, on: true, none: ~}}`;
    expect(agent(keys).mcpServers).toEqual([
      { name: 'fs', command: 'npx', args: ['-y', '1.10'], env: [{ name: 'V', value: '1.10' }] },
      {
        type: 'http',
        name: 'web',
        url: 'https://example.org',
        headers: [{ name: 'A', value: '5' }],
        _meta: { n: 5, on: true, none: null },
      },
    ]);
  });

  test('durations', () => {
    const idle = (text: string) => read(`limits: {stopIdleAgentsAfter: ${text}}`).limits.stopIdleAgentsAfterMs;
    expect(['30s', '15m', '2h', '0', '"0"', '500h'].map(idle)).toEqual([
      30_000, 900_000, 7_200_000, 0, 0, 1_800_000_000,
    ]);
  });

  test('a title and a description are one line', () => {
    expect(agent('command: x\ntitle: |\n  Two\n  lines\ndescription: >\n  folded\n  text\n')).toMatchObject({
      title: 'Two lines',
      description: 'folded text',
    });
  });
});

describe('anchors and merges', () => {
  test('a merge fills in what is not there; the first of several wins', () => {
    const config = read(`
agents:
  a: &a {command: one, title: A, args: [x]}
  b: &b {command: two, icon: B}
  c: {<<: [*a, *b], title: C}
  d:
    <<: *b
    <<: *a
    title: D
`);
    expect(config.agents[2]).toMatchObject({ command: 'one', title: 'C', icon: 'B', args: ['x'] });
    expect(config.agents[3]).toMatchObject({ command: 'two', title: 'D', icon: 'B', args: ['x'] });
  });

  test('an alias stands for a text, a list or a whole agent', () => {
    const config = read('agents: {a: &a {command: &c x, args: &l [1, *c]}, b: *a, c: {command: *c, args: *l}}');
    expect(config.agents.map(({ command, args }) => [command, ...args])).toEqual(Array(3).fill(['x', '1', 'x']));
  });

  test('a quoted “<<” is a key like any other', () => {
    expect(parseConfig('agents: {a: {command: x, "<<": {title: T}}}', setting).problems[0]?.message).toMatch(
      /^the key << is not known/,
    );
  });
});

describe('paths and variables', () => {
  test.each([
    ['~', '/home/user'],
    ['~/src', '/home/user/src'],
    ['app', '/home/user/cfg/app'],
    ['../other', '/home/user/other'],
    ['"${DIR}/x"', '/home/user/cfg/src/x'],
    ['/abs/./x', '/abs/x'],
    ['"${EMPTY}"', ''],
    ['"a~b"', '/home/user/cfg/a~b'],
  ])('workspace %s is %s', (written, resolved) => {
    expect(agent(`command: x\nworkspace: ${written}`).workspace).toBe(resolved);
  });

  test('command, arguments and environment are replaced, nothing else', () => {
    const keys =
      'command: ~/bin/${DIR}\nargs: ["~/a", "${MY_TOKEN}-${DIR}", "$DIR $$ $& a~", "$${DIR}", -v~/x]\nenv: {H: ~/h}\ntitle: ${DIR} ~';
    expect(agent(keys)).toMatchObject({
      command: '/home/user/bin/src',
      args: ['/home/user/a', 'secret-src', '$DIR $$ $& a~', '${DIR}', '-v~/x'],
      env: { H: '/home/user/h' },
      title: '${DIR} ~',
    });
  });

  test('a tilde that comes out of a variable is no home', () => {
    const { config } = parseConfig('agents: {a: {command: "${T}"}}', { ...setting, env: { T: '~/x' } });
    expect(config?.agents[0]?.command).toBe('~/x');
  });
});

test('a fingerprint changes with what a restart would apply, and with nothing else', () => {
  const first = definitionFingerprint(agent('command: x\nenv: {A: 1, B: 2}'));
  expect(definitionFingerprint(agent('env: {B: 2, A: 1}\ncommand: x\ntitle: T\nicon: I\ndescription: D'))).toBe(first);
  const others = [
    'command: y',
    'args: [a]',
    'env: {A: 1}',
    'workspace: /w',
    'defaults: {mode: m}',
    'runtime: {launch: host}',
  ];
  for (const keys of others) {
    const both = keys.startsWith('command') ? keys : `command: x\n${keys}`;
    expect(definitionFingerprint(agent(both)), keys).not.toBe(first);
  }
});

test('a configuration of 500 agents is read whole and in order', () => {
  const names = Array.from({ length: 500 }, (_, index) => String(500 - index));
  const text = `agents:\n${names.map((name) => `  ${name}:\n    command: node\n    args: [agent.mjs]\n`).join('')}`;
  expect(read(text).agents.map((definition) => definition.name)).toEqual(names);
});

test('a file that names no language any more has that of the system; only while it is broken the one in force stays', () => {
  const around = { ...setting, shown: 'fr' } as const;
  expect(parseConfig('agents: {}', around).config?.language).toBe('en');
  expect(parseConfig('agents: {a: {command: "${GONE}"}}', around).warnings[0]?.message).toMatch(/is not set/);
  expect(parseConfig('agents: {a: {}}', around).problems[0]?.message).toBe('la clé command manque');
});
