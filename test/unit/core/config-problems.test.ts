// Where a configuration is wrong and what a person reads about it, line and column included (CASES B26).
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/core/config/parse.ts';

const setting = { folder: '/cfg', home: '/home/user', env: { KNOWN: 'yes' }, language: 'en' } as const;

/** Every problem and warning as `line:column message`; a warning is marked. */
function found(text: string, language: 'en' | 'fr' = 'en'): readonly string[] {
  const { problems, warnings } = parseConfig(text, { ...setting, language });
  return [...problems, ...warnings].map(
    ({ line, column, message, warning }) => `${line}:${column} ${warning ? 'warning: ' : ''}${message}`,
  );
}

const agentKeys =
  'title, icon, description, command, args, env, workspace, startTimeout, mcpServers, defaults, runtime';

describe('B26: a tab in the YAML', () => {
  test('an indenting tab is one problem at its place, and the broken tree is not applied', () => {
    const text = 'agents:\n  helper:\n\tcommand: x\n';
    expect(found(text)).toEqual(['3:1 tabs cannot indent: use spaces']);
    expect(parseConfig(text, setting).config).toBeUndefined();
  });

  test('a tab after a colon is legal', () => {
    expect(found('agents:\n  helper:\n    command:\tx\n')).toEqual([]);
  });

  test('a duplicate key is a problem at the second one', () => {
    const text = 'agents:\n  helper:\n    command: x\n  helper:\n    command: y\n';
    expect(found(text)).toEqual(['4:3 the key helper is already there']);
  });

  test('a misspelt key is a problem at the key and names the allowed ones', () => {
    expect(found('agents:\n  helper:\n    comand: x\n')).toEqual([
      '2:3 the key command is missing',
      `3:5 the key comand is not known; allowed here: ${agentKeys}`,
    ]);
  });

  test('a wrong type is a problem at the value and names the right one', () => {
    expect(found('limits: {maxRunningAgents: "two"}\n')).toEqual([
      '1:28 maxRunningAgents must be a whole number, 1 or more',
    ]);
  });
});

describe('YAML that cannot be read', () => {
  test.each([
    [
      'two documents',
      'agents: {}\n---\nlimits: {}\n',
      '2:1 a second document begins here; a configuration is one document',
    ],
    ['a bracket left open', 'agents: {a: {command: x}', '1:25 something is not closed: } is missing'],
    ['a quote left open', 'language: "en\n', '1:14 something is not closed: " is missing'],
    ['a bracket left open before an empty line', 'agents: {a: 1\n\n', '2:1 something is not closed: } is missing'],
    ['a bracket left open in a file of CR LF', 'agents: {a: é\r\n', '1:15 something is not closed: } is missing'],
    [
      'lines of one level that do not line up',
      'agents:\n  a:\n    command: x\n   title: y\n',
      '4:4 this line is not indented like the lines it belongs to',
    ],
    ['a reserved character', 'agents:\n  a:\n    command: @x\n', '3:14 a text that begins with @ must be in quotes'],
    [
      'a variable in a list without quotes',
      'agents: {a: {command: x, args: [${KNOWN}]}}',
      '1:34 ${…} within brackets or braces must be in quotes',
    ],
    [
      'a Windows path in double quotes',
      'agents: {a: {command: "c:\\U"}}',
      '1:26 \\U means nothing in double quotes: use single quotes, or two backslashes for one',
    ],
    [
      'a colon in a text',
      'agents:\n  a:\n    title: Bob: one\n    command: x\n',
      '3:12 a “:” is missing, or a text that holds one is not in quotes, or the indentation is wrong',
    ],
    [
      'a key without a colon',
      'agents:\n  a:\n    command\n    title: x\n',
      '3:5 a “:” is missing, or a text that holds one is not in quotes, or the indentation is wrong',
    ],
    ['a tag', 'language: !reset null', '1:11 the tag !reset is not known'],
    ['a mapping as a key', '? [a]\n: b\n', '1:3 a key must be a plain text'],
    ['an alias without its anchor', 'agents: *nope', '1:9 no anchor named nope stands before this'],
    ['an anchor that holds itself', 'agents: &a [*a]', '1:13 this refers to itself'],
    ['a merge of a text', 'agents:\n  <<: x\n', '2:3 “<<” takes a mapping or a list of mappings'],
  ])('%s', (_, text, problem) => {
    expect(found(text)).toEqual([problem]);
  });

  test('a NUL byte and other control characters are shown where they are', () => {
    expect(found('agents: {}\n# a\0b')).toEqual(['2:4 the control character U+0000 is not allowed here']);
    expect(found('agents: {}\n# \x1B[31m')).toEqual(['2:3 the control character U+001B is not allowed here']);
  });

  test('a text of more than 1 MB is refused without being read', () => {
    expect(found('#'.repeat(1_048_577))).toEqual(['1:1 the configuration is larger than 1 MB']);
    expect(found(`# ${'é'.repeat(600_000)}`)).toEqual(['1:1 the configuration is larger than 1 MB']);
  });

  test('nesting without end is a problem, not a crash', () => {
    expect(found('['.repeat(100_000))[0]).toMatch(/^1:\d+ this is nested too deeply$/);
    expect(found(`agents: ${'['.repeat(80)}${']'.repeat(80)}`)).toEqual(['1:73 this is nested too deeply']);
  });

  test('aliases that multiply are stopped at the one that is too many', () => {
    const laughs = ['x: &x0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]'];
    for (let level = 1; level <= 30; level++) {
      laughs.push(
        `x${level}: &x${level} [${Array(10)
          .fill(`*x${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(found(laughs.join('\n'))).toEqual([
      expect.stringMatching(/^5:\d+ the aliases stand for too much: more than 20000 values$/),
    ]);
  });

  test('a file of nothing but mistakes gives a list a person can read', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `key${index}: 1`).join('\n');
    expect(found(text)).toHaveLength(100);
  });
});

describe('values that do not fit', () => {
  test.each([
    [
      'a list in place of everything',
      '- a\n',
      '1:1 the file must be a mapping with the keys language, theme, limits, agents, channels, edits',
    ],
    [
      'a text in place of everything',
      'hello',
      '1:1 the file must be a mapping with the keys language, theme, limits, agents, channels, edits',
    ],
    ['an unknown language', 'language: de', '1:11 language must be one of: en, fr'],
    [
      'no agent at all allowed to run',
      'limits: {maxRunningAgents: 0}',
      '1:28 maxRunningAgents must be a whole number, 1 or more',
    ],
    [
      'a duration without a unit',
      'limits: {stopIdleAgentsAfter: 15}',
      '1:31 stopIdleAgentsAfter must be a duration such as 30s, 15m or 2h, or 0 for never',
    ],
    [
      'a start that may take no time',
      'agents: {a: {command: x, startTimeout: 0}}',
      '1:40 startTimeout must be a duration such as 30s, 15m or 2h',
    ],
    [
      'a duration no timer can hold',
      'limits: {stopIdleAgentsAfter: 501h}',
      '1:31 stopIdleAgentsAfter must be at most 500h',
    ],
    ['an agent without a command', 'agents:\n  bob:\n', '2:3 the key command is missing'],
    ['an agent whose command is missing its value', 'agents:\n  bob:\n    command:\n', '3:5 command must be a text'],
    ['an empty command', 'agents: {bob: {command: ""}}', '1:25 command must be a text'],
    ['an agent that is a text', 'agents: {bob: claude}', `1:15 bob must be a mapping with the keys ${agentKeys}`],
    ['arguments in one text', 'agents: {bob: {command: x, args: --acp}}', '1:34 args must be a list of texts'],
    [
      'an argument that is a list',
      'agents: {bob: {command: x, args: [a, [b]]}}',
      '1:38 each item of args must be a text',
    ],
    [
      'a blank in a name',
      'agents: {"a b": {command: x}}',
      '1:10 “a b” cannot name an agent: 1 to 32 letters, digits, - and _',
    ],
    [
      'a name of 33 characters',
      `agents: {${'é'.repeat(33)}: {command: x}}`,
      `1:10 “${'é'.repeat(33)}” cannot name an agent: 1 to 32 letters, digits, - and _`,
    ],
    [
      'a runtime that is not one',
      'agents: {a: {command: x, runtime: {type: docker}}}',
      '1:42 type must be one of: local, container, sbx',
    ],
    [
      'a container without a name',
      'agents: {a: {command: x, runtime: {type: container}}}',
      '1:26 runtime needs the key name: the container or sandbox',
    ],
    [
      'a path in a container that is relative',
      'agents: {a: {command: x, runtime: {workspacePath: app}}}',
      '1:51 workspacePath must begin with /',
    ],
    [
      'an environment variable with a blank',
      'agents: {a: {command: x, env: {"A B": c}}}',
      '1:32 “A B” cannot name an environment variable',
    ],
    ['a blank channel name', 'channels: {" ": {}}', '1:12 “ ” cannot name a channel: 1 to 64 characters'],
    [
      'a highlight group with blanks',
      'theme: {speaker: "My Group"}',
      '1:18 speaker must be the name of a highlight group',
    ],
    [
      'an MCP server without a name',
      'agents: {a: {command: x, mcpServers: [{command: y}]}}',
      '1:39 the key name is missing',
    ],
    ['a way to save that is not one', 'edits: {save: sometimes}', '1:15 save must be one of: never, turn, always'],
  ])('%s', (_, text, problem) => {
    expect(found(text)).toEqual([problem]);
  });

  test('names that differ only in case, or in how an accent is typed', () => {
    expect(found('agents: {bob: {command: x}, Bob: {command: y}}')).toEqual(['1:29 Bob and bob differ only in case']);
    expect(found('channels: {review: {}, REVIEW: {}}')).toEqual(['1:24 REVIEW and review differ only in case']);
    expect(found('agents: {e\u0301: {command: x}, \u00E9: {command: y}}')).toEqual(['1:29 the key é is already there']);
  });

  test('every mistake is told, in the order of the file', () => {
    const text = 'edits: {save: x}\nagents:\n  a b: {comand: y}\nlanguge: en\n';
    expect(found(text).map((problem) => problem.split(' ')[0])).toEqual(['1:15', '3:3', '3:3', '3:9', '4:1']);
  });
});

describe('warnings leave the configuration in force', () => {
  test('a variable that is not set is a warning at its place', () => {
    const text = 'agents:\n  a:\n    command: x\n    args: ["--key=${KNOWN}${TOKEN}"]\n    env: {T: "${TOKEN}"}\n';
    expect(found(text)).toEqual([
      '4:27 warning: the environment variable TOKEN is not set',
      '5:15 warning: the environment variable TOKEN is not set',
    ]);
    expect(parseConfig(text, setting).config?.agents[0]?.args).toEqual(['--key=yes']);
  });

  test('what only looks like a variable stays as it is', () => {
    expect(found('agents: {a: {command: x, args: ["${A:-b}"]}}')).toEqual([
      '1:34 warning: ${A:-b} names no environment variable and stays as it is',
    ]);
  });

  test('a member that is no agent is left out', () => {
    const text = 'agents: {bob: {command: x}}\nchannels: {review: {members: [bob, alice]}}\n';
    expect(found(text)).toEqual(['2:36 warning: no agent named alice is configured']);
    expect(parseConfig(text, setting).config?.channels[0]?.members).toEqual(['bob']);
  });
});

describe('places are those of the editor', () => {
  test('columns count bytes of UTF-8', () => {
    expect(found('agents: {日本: {command: "😀", x: 1}}')[0]).toMatch(/^1:36 /);
  });

  test('a byte-order mark is not counted', () => {
    expect(found('\uFEFFx: 1\n')[0]).toMatch(/^1:1 /);
    expect(found('\uFEFFagents: {}\nx: 1\n')[0]).toMatch(/^2:1 /);
  });

  test('lines may end in CR LF', () => {
    expect(found('agents:\r\n  é:\r\n    command: x\r\n    x: 1\r\n')[0]).toMatch(/^4:5 /);
  });
});

describe('problems are in the language of the person', () => {
  test('of the file where it can be read', () => {
    expect(found('language: fr\nlimits: {maxRunningAgents: 0}\n')).toEqual([
      '2:28 maxRunningAgents doit être un nombre entier, 1 ou plus',
    ]);
    expect(found('language: en\nx: 1\n', 'fr')[0]).toMatch(/is not known/);
  });

  test('else of the configuration in force', () => {
    expect(found('agents:\n\ta: 1\n', 'fr')).toEqual([
      '2:1 une tabulation ne peut pas indenter\u00A0: utilisez des espaces',
    ]);
  });
});
