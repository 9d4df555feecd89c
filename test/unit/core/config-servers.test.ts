// MCP servers in the configuration: what people write, what an agent is given, and what is wrong with the rest, with its place.
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/parse.ts';
import type { McpServer } from '../../../src/core/config.ts';
import { leftOutServers, usableServers } from '../../../src/core/mcp.ts';
import { definition, info } from './pool-play.ts';

const setting = {
  folder: '/cfg',
  home: '/home/user',
  env: { TOKEN: 'secret', HOST: 'example.org' },
  language: 'en',
} as const;

const file = (servers: string): string =>
  `agents:\n  a:\n    command: x\n    mcpServers:\n${servers.replace(/^/gm, '      ')}\n`;

function read(servers: string): readonly McpServer[] {
  const { config, problems } = parseConfig(file(servers), setting);
  expect(problems).toEqual([]);
  return config?.agents[0]?.mcpServers ?? [];
}

function found(servers: string, language: 'en' | 'fr' = 'en'): readonly string[] {
  const { problems, warnings } = parseConfig(file(servers), { ...setting, language });
  // Counted from the first line of the servers.
  return [...problems, ...warnings].map(({ line, column, message }) => `${line - 4}:${column} ${message}`);
}

describe('what people write', () => {
  test('a program: its environment as a mapping, variables replaced', () => {
    const written = `- name: files
  command: ~/bin/files
  args: [--root, ~/src, 1.10, "\${TOKEN}"]
  env: {KEY: "\${TOKEN}", DEBUG: no}`;
    expect(read(written)).toEqual([
      {
        name: 'files',
        command: '/home/user/bin/files',
        args: ['--root', '/home/user/src', '1.10', 'secret'],
        env: [
          { name: 'KEY', value: 'secret' },
          { name: 'DEBUG', value: 'no' },
        ],
      },
    ]);
  });

  test('an address: its headers as a mapping, the type where it is not http', () => {
    const written = `- name: docs
  url: https://\${HOST}/mcp
  headers: {Authorization: "Bearer \${TOKEN}"}
- {name: old, type: sse, url: "http://localhost:1234/sse"}`;
    expect(read(written)).toEqual([
      {
        type: 'http',
        name: 'docs',
        url: 'https://example.org/mcp',
        headers: [{ name: 'Authorization', value: 'Bearer secret' }],
      },
      { type: 'sse', name: 'old', url: 'http://localhost:1234/sse', headers: [] },
    ]);
  });

  test('the lists of ACP mean the same, a header twice included', () => {
    const written = `- {name: a, type: stdio, command: x, env: [{name: A, value: 1}, {name: B, value: "\${TOKEN}"}]}
- {name: b, type: http, url: "https://h", headers: [{name: X, value: 1}, {name: X, value: 2}]}`;
    expect(read(written)).toEqual([
      {
        name: 'a',
        command: 'x',
        args: [],
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: 'secret' },
        ],
      },
      {
        type: 'http',
        name: 'b',
        url: 'https://h',
        headers: [
          { name: 'X', value: '1' },
          { name: 'X', value: '2' },
        ],
      },
    ]);
  });
});

describe('what is wrong', () => {
  test.each([
    ['no command', '- name: a', '1:9 the key command is missing'],
    ['a blank command', '- {name: a, command: " "}', '1:28 the key command is missing'],
    [
      'a server that is a number',
      '- 3',
      '1:9 each item of mcpServers must be an MCP server: a mapping with the keys name, type, command, args, env, url, headers, _meta',
    ],
    ['no address', '- {name: a, type: http}', '1:9 the key url is missing'],
    ['a type that is none', '- {name: a, type: ws, url: "https://x"}', '1:25 type must be one of: stdio, http, sse'],
    [
      'an address that is none',
      '- {name: 日本😀, url: example.org}',
      '1:33 url must be an address that begins with http:// or https://',
    ],
    [
      'an address and a program',
      '- {name: a, command: x, url: "https://x"}',
      '1:31 url means nothing to an MCP server of the type stdio',
    ],
    [
      'arguments of an address',
      '- {name: a, url: "https://x", args: [y]}',
      '1:37 args means nothing to an MCP server of the type http',
    ],
    [
      'an unknown key',
      '- {name: a, command: x, cwd: /}',
      '1:31 the key cwd is not known; allowed here: name, type, command, args, env, url, headers, _meta',
    ],
    ['an odd variable', '- {name: a, command: x, env: {"A B": c}}', '1:37 “A B” cannot name an environment variable'],
    ['an odd header', '- {name: a, url: "https://x", headers: {"A:": c}}', '1:47 “A:” cannot name an HTTP header'],
    [
      'an environment that is a text',
      '- {name: a, command: x, env: A=b}',
      '1:36 env must be a mapping from names to texts, or a list of mappings with name and value',
    ],
    ['an item without a value', '- {name: a, command: x, env: [{name: A}]}', '1:37 the key value is missing'],
    [
      'a variable that is not set',
      '- {name: a, command: x, env: {K: "${GONE}"}}',
      '1:41 the environment variable GONE is not set',
    ],
  ])('%s', (_, written, problem) => {
    expect(found(written)).toEqual([problem]);
  });

  test('is told in French too', () => {
    expect(found('- {name: a, command: x, url: "https://x"}', 'fr')).toEqual([
      '1:31 url ne veut rien dire pour un serveur MCP du type stdio',
    ]);
  });
});

test('an agent is told of programs always, of addresses as far as it can use them', () => {
  const mcpServers = read(
    '- {name: p, command: x}\n- {name: h, url: "https://h"}\n- {name: s, type: sse, url: "https://s"}',
  );
  const agent = definition('a', { mcpServers });
  const names = (http: boolean, sse: boolean) =>
    usableServers(agent, { ...info, mcp: { http, sse } }).map(({ name }) => name);
  expect(names(false, false)).toEqual(['p']);
  expect(names(true, false)).toEqual(['p', 'h']);
  expect(names(true, true)).toEqual(['p', 'h', 's']);
  expect(leftOutServers(agent, info)).toEqual({ names: 'h, s', types: 'http, sse' });
  expect(leftOutServers(agent, { ...info, mcp: { http: true, sse: true } })).toBeUndefined();
});
