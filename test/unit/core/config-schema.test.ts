// The schema that editors get against the parser: what one refuses the other refuses, each key is explained in both languages.
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../../src/core/config/schema.ts';
import { parseConfig, type Setting } from '../../../src/core/config/parse.ts';

const setting: Setting = { folder: '/etc/sidekicks', home: '/home/ann', env: {}, language: 'en' };
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const check = ajv.compile(configSchema('en'));

/** As an editor's YAML server does it: by YAML 1.2, an absent value being null. */
const schemaAllows = (text: string): boolean => check(parse(text, { merge: true }) ?? {});
const parserAllows = (text: string): boolean => parseConfig(text, setting).problems.length === 0;

const agent = (lines: string): string => `agents:\n  bob:\n    command: x\n${lines.replace(/^/gm, '    ')}\n`;

describe('both allow', () => {
  test.each([
    [''],
    ['{}'],
    ['agents:'],
    ['agents: {}'],
    ['agents: {bob: {command: x}}'],
    ['agents: {no: {command: x}, "012": {command: x}, été: {command: x}, 日本: {command: x}}'],
    [agent('title: 1.10')],
    [agent('title: no')],
    [agent('title:\nicon:\ndescription:\nargs:\nenv:\nmcpServers:\ndefaults:\nruntime:\nworkspace:\nstartTimeout:')],
    [agent('args: [acp, 1.10, true, "${HOME}"]')],
    [agent('args: []\nenv: {}\nmcpServers: []\ndefaults: {}')],
    [agent('env: {A: b, B: 1, C: true, D: }')],
    [agent('workspace: ~/src')],
    [agent('startTimeout: 30s')],
    [agent('startTimeout: 500h')],
    [agent('startTimeout: 30000m')],
    [agent('startTimeout: 1800000s')],
    [agent('startTimeout: 999999s')],
    [agent('defaults: {mode: code, model: 4.5}')],
    [agent('mcpServers: [{name: a, command: b, args: [c], env: [{name: D, value: e}]}]')],
    [agent('mcpServers: [{name: a, type: http, url: "http://x", headers: [{name: A, value: b}]}]')],
    [agent('mcpServers: [{name: a, command: b, _meta: {kept: [1, true]}}]')],
    [agent('runtime: {type: local}')],
    [agent('runtime: {type: container, name: web, cli: podman, workspacePath: /app, launch: host}')],
    [agent('runtime: {type: sbx, name: box, lifecycle: {create: a, stop: b, remove: c}}')],
    [agent('runtime: {type: container, name: web, lifecycle: }')],
    ['language: fr'],
    ['theme: {speaker: Keyword, "agent.busy": Comment, thought: }'],
    ['limits: {maxRunningAgents: 1, stopIdleAgentsAfter: 0}'],
    ['limits: {maxRunningAgents: , stopIdleAgentsAfter: 2h}'],
    ['limits:'],
    ['channels: {review: {description: d, members: [bob]}}'],
    ['channels: {a b: {}, 日本: }'],
    ['edits: {save: turn, unopened: buffer}'],
    ['edits: {save: never}'],
    ['agents: {a: &a {command: x}, b: *a}'],
    ['agents:\n  a: &a {command: x, title: t}\n  b: {<<: *a, title: u}'],
  ])('%j', (text) => {
    expect([schemaAllows(text), parserAllows(text)]).toEqual([true, true]);
  });
});

describe('both refuse', () => {
  test.each([
    [agent('mcpServers: [{name: a, command: b, other: c}]')],
    ['- a'],
    ['text'],
    ['agent: {}'],
    ['agents: 3'],
    ['agents: [bob]'],
    ['agents: {bob: }'],
    ['agents: {bob: {}}'],
    ['agents: {bob: {command: }}'],
    ['agents: {bob: {command: " "}}'],
    ['agents: {bob: {command: [x]}}'],
    ['agents: {"a b": {command: x}}'],
    ['agents: {"": {command: x}}'],
    [`agents: {${'a'.repeat(33)}: {command: x}}`],
    [agent('comand: y')],
    [agent('title: [a]')],
    [agent('args: acp')],
    [agent('args: [[a]]')],
    [agent('env: [A]')],
    [agent('env: {"A B": c}')],
    [agent('env: {A: [b]}')],
    [agent('startTimeout: 30')],
    [agent('startTimeout: 0s')],
    [agent('startTimeout: soon')],
    [agent('startTimeout: 501h')],
    [agent('startTimeout: 30001m')],
    [agent('startTimeout: 1800001s')],
    [agent('defaults: {moode: code}')],
    [agent('defaults: code')],
    [agent('mcpServers: {a: b}')],
    [agent('mcpServers: [{command: b}]')],
    [agent('mcpServers: [{name: a, args: b}]')],
    [agent('runtime: container')],
    [agent('runtime: {type: vm}')],
    [agent('runtime: {type: container}')],
    [agent('runtime: {type: sbx, name: }')],
    [agent('runtime: {type: container, name: web, cli: runc}')],
    [agent('runtime: {type: container, name: web, workspacePath: app}')],
    [agent('runtime: {type: container, name: web, launch: outside}')],
    [agent('runtime: {type: local, lifecycle: {start: x}}')],
    ['language: de'],
    ['language: [en]'],
    ['theme: {speker: Keyword}'],
    ['theme: {speaker: "two words"}'],
    ['limits: {maxRunningAgents: 0}'],
    ['limits: {maxRunningAgents: 1.5}'],
    ['limits: {maxRunningAgents: two}'],
    ['limits: {stopIdleAgentsAfter: 15}'],
    ['limits: {stopIdleAgentsAfter: -1m}'],
    ['limits: {stopIdleAgentsAfter: 1000h}'],
    ['limits: 4'],
    ['channels: [review]'],
    ['channels: {review: {member: [bob]}}'],
    ['channels: {" ": {}}'],
    [`channels: {${'a'.repeat(65)}: {}}`],
    ['edits: {save: often}'],
    ['edits: {unopened: tab}'],
  ])('%j', (text) => {
    expect([schemaAllows(text), parserAllows(text)]).toEqual([false, false]);
  });
});

/** What is beyond any schema, and said by the parser alone. */
test.each([
  ['agents: {bob: {command: x}, Bob: {command: y}}', 'Bob and bob differ only in case'],
  ['channels: {review: {}, REVIEW: {}}', 'REVIEW and review differ only in case'],
])('only the parser knows of %j', (text, message) => {
  expect(schemaAllows(text)).toBe(true);
  expect(parseConfig(text, setting).problems.map((problem) => problem.message)).toEqual([message]);
});

// ---- what an editor shows ----

interface Node {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: boolean | Node;
}

/** Every key of the schema with the way to it; `*` is a name the person chooses. */
function keysOf(node: Node, way: string): (readonly [way: string, node: Node])[] {
  const named = Object.entries(node.properties ?? {}).flatMap(([key, value]) => {
    const to = way === '' ? key : `${way}.${key}`;
    return [[to, value] as const, ...keysOf(value, to)];
  });
  const chosen = typeof node.additionalProperties === 'object' ? keysOf(node.additionalProperties, `${way}.*`) : [];
  return [...named, ...chosen, ...(node.items ? keysOf(node.items, `${way}[]`) : [])];
}

const asNode = (value: Readonly<Record<string, unknown>>): Node => value;

describe.each(['en', 'fr'] as const)('the schema in %s', (language) => {
  const keys = keysOf(asNode(configSchema(language)), '');

  test('explains every key', () => {
    expect(keys.length).toBeGreaterThan(60);
    expect(keys.filter(([, node]) => !node.description?.trim()).map(([way]) => way)).toEqual([]);
  });

  test('names the values and defaults there are', () => {
    const facts = Object.fromEntries(keys.map(([way, node]) => [way, [node.enum, node.default]]));
    expect(facts).toMatchObject({
      language: [['en', 'fr'], undefined],
      'limits.maxRunningAgents': [undefined, 4],
      'limits.stopIdleAgentsAfter': [undefined, '15m'],
      'agents.*.startTimeout': [undefined, '30s'],
      'agents.*.runtime.type': [['local', 'container', 'sbx'], 'local'],
      'agents.*.runtime.cli': [['docker', 'podman', 'nerdctl'], 'docker'],
      'agents.*.runtime.launch': [['inside', 'host'], 'inside'],
      'edits.save': [['never', 'turn', 'always'], 'never'],
      'edits.unopened': [['disk', 'buffer'], 'disk'],
    });
  });
});
