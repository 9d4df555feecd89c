// The first configuration file, the agents it knows, where it stands, and the schema editors get.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { defaultConfigText } from '../../../src/core/config/default-text.ts';
import { knownAgents } from '../../../src/core/config/known-agents.ts';
import {
  defaultConfig,
  namedConfig,
  systemLanguage,
  userConfigFolder,
  type Whereabouts,
} from '../../../src/core/config/locate.ts';
import { parseConfig } from '../../../src/core/config/parse.ts';
import { configSchema } from '../../../src/core/config/schema.ts';

const setting = { folder: '/cfg', home: '/home/user', env: {}, language: 'en' } as const;
const demoAgent = { command: '/opt/my node/bin/node', args: ['/opt/side "kicks"/demo-agent.js'] };
const found = [
  { name: 'gemini', title: 'Gemini', command: 'gemini', args: ['--acp'] },
  { name: 'opencode', title: 'opencode', command: 'opencode', args: ['acp'] },
];

describe.each(['en', 'fr'] as const)('the first file in %s', (language) => {
  const text = defaultConfigText({ language, demoAgent, found });

  test('is valid, in its language, with the demo agent and those found', () => {
    const { config, problems, warnings } = parseConfig(text, setting);
    expect([problems, warnings]).toEqual([[], []]);
    expect(config?.language).toBe(language);
    expect(config?.agents.map(({ name, command, args }) => [name, command, ...args])).toEqual([
      ['demo', demoAgent.command, ...demoAgent.args],
      ['gemini', 'gemini', '--acp'],
      ['opencode', 'opencode', 'acp'],
    ]);
    expect(config?.limits).toEqual({ maxRunningAgents: 4, stopIdleAgentsAfterMs: 900_000 });
  });

  test('gives agents and a channel for the taking away of “# ”', () => {
    const taken = text.replace(/^( *)# (?=( {2})*[a-z]+:)/gm, '$1');
    const { config, problems } = parseConfig(taken, setting);
    expect(problems).toEqual([]);
    expect(config?.agents.map((agent) => agent.name)).toEqual(['demo', 'gemini', 'opencode', 'bob', 'claude', 'codex']);
    expect(config?.channels).toMatchObject([{ name: 'review', members: ['demo'] }]);
  });
});

test('with nothing found it still has the demo agent, and can name its schema', () => {
  const text = defaultConfigText({ language: 'en', demoAgent, found: [], schemaUrl: 'file:///x/schema.json' });
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=file:///x/schema.json');
  expect(parseConfig(text, setting).config?.agents.map((agent) => agent.name)).toEqual(['demo']);
});

test('every known agent can be written as it is known', () => {
  const all = knownAgents.map(({ programs, ...agent }) => ({ ...agent, command: programs[0] ?? '' }));
  const { config, problems } = parseConfig(defaultConfigText({ language: 'en', demoAgent, found: all }), setting);
  expect(problems).toEqual([]);
  expect(config?.agents.slice(1).map(({ command, args }) => [command, ...args])).toEqual(
    all.map(({ command, args }) => [command, ...args]),
  );
});

const locate = (where: Whereabouts) => namedConfig(where) ?? defaultConfig(where);

describe('where the file is', () => {
  const where = { env: {}, home: '/home/user', platform: 'linux', folder: '/work', option: '' };

  test('the environment decides before the option, and both before the default', () => {
    const env = { SIDEKICKS_CONFIG: '/etc/s.yaml' };
    expect(locate({ ...where, env, option: '/o.yaml' })).toEqual({ path: '/etc/s.yaml', source: 'env' });
    expect(locate({ ...where, option: '/o.yaml' })).toEqual({ path: '/o.yaml', source: 'option' });
    expect(locate(where)).toEqual({ path: '/home/user/.config/sidekicks/sidekicks.yaml', source: 'default' });
    expect(locate({ ...where, env: { SIDEKICKS_CONFIG: '' } }).source).toBe('default');
  });

  test('paths may be relative or begin with a tilde', () => {
    expect(locate({ ...where, option: '~/s.yaml' }).path).toBe('/home/user/s.yaml');
    expect(locate({ ...where, option: '../s.yaml' }).path).toBe('/s.yaml');
  });

  test.each([
    ['linux', {}, '/home/user/.config'],
    ['darwin', {}, '/home/user/Library/Application Support'],
    ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg'],
    ['darwin', { XDG_CONFIG_HOME: '/xdg' }, '/xdg'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/user/.config'],
  ])('the folder of the user on %s with %j is %s', (platform, env, folder) => {
    expect(userConfigFolder({ env, home: '/home/user', platform })).toBe(folder);
  });

  test.each([
    [{ LANG: 'fr_FR.UTF-8' }, 'fr'],
    [{ LANG: 'fr' }, 'fr'],
    [{ LANG: 'fr_CA', LC_ALL: 'C' }, 'en'],
    [{ LC_MESSAGES: 'fr_FR', LANG: 'en_US' }, 'fr'],
    [{ LANG: 'frr_DE' }, 'en'],
    [{}, 'en'],
  ])('the language under %j is %s', (env, language) => {
    expect(systemLanguage(env)).toBe(language);
  });
});

test('the schema is plain JSON, worded in the language asked for', () => {
  const schema = configSchema('fr');
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(JSON.stringify(schema)).not.toMatch(/\$comment|config\.(key|expected)/);
  expect(schema).toMatchObject({
    properties: { language: { enum: ['en', 'fr'], description: 'langue de l’interface' } },
  });
});

test('the theme can name every role that Lua draws', async () => {
  const lua = await readFile(new URL('../../../lua/sidekicks/highlight.lua', import.meta.url), 'utf8');
  const drawn = [...lua.matchAll(/^  (?:\['([\w.]+)'\]|(\w+)) = ['{]/gm)].map(
    ([, dotted, plain]) => dotted ?? plain ?? '',
  );
  expect(drawn).toContain('speaker');
  const theme = drawn.map((role) => `${role}: Keyword`).join(', ');
  expect(parseConfig(`theme: {${theme}}`, setting).problems).toEqual([]);
  expect(parseConfig('theme: {speeker: Keyword}', setting).problems[0]?.message).toMatch(
    /^the key speeker is not known; allowed here: speaker, user/,
  );
});
