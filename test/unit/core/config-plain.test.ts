// The quick reader of plain YAML against the library: what it reads, it reads alike, and what it does not, it leaves alone.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { defaultConfigText } from '../../../src/core/config/default-text.ts';
import { readPlainYaml } from '../../../src/core/config/plain-yaml.ts';
import { readAnyYaml } from '../../../src/core/config/yaml-tree.ts';

/** The same numbers in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Values as they are written, good and bad: most mean something else to somebody. */
const values =
  `a|bob|docker|--acp|-x|1.10|null|~|true|012|http://x.test:80/a|a: b|a:b|a #b|a# b|é|日本😀|\${X}|"q"|'q'|''|""|"a\\nb"|"|'
[a, b]|{a: b}|[]|{}|[a,b ,"c d"]|{a: [x, {y: z}], b: "t"}|{a:b}|{a}|[a: b]|- x|-|?|? a|&x|*x|!t|>|@a|%a|\`a|a, b|a]|a}|[|{|=|a=b|<<|a  b
a\\b|#||   |x # c|"x" # c|"x"#c|[a] # c|[a]#c|{a: b,}|[a,,b]|[a,]|::|a::b|a:|-1|--|---|...|a ...|\u00a0|a\u2003b|a\u00a0|..|a?|a!b|a&b|a*b
a>b|a%b|a@b|{a: }|{a: ,b: c}|{"a": b}|{a: b c, d: e}|[a b, c d]|{'a': b}|a-|-a-|- a: b|.5|<<: x|a"b|a'b|[a"b]|{a: -x}|{a: - x}|[-1, --a]
[-]|[- a]|[?a]|[a?]|[#a]|[a #b]|{a: b#c}|{a: b, a: c}|{<<: b}|[[[a]]]|"a: b"|'it''s'|"\\""|a  # c|a\t|\tb|"a" b|[a] b|{a: "b"c}`
    .split(/[|\n]/)
    .concat('|', '|-', '>-\n  x');
const keys =
  `a|b|agents|command|args|env|<<|é|e\u0301|"k"|'k'|a b|-a|a-b|?|no|012|__proto__|a.b|a,b|a[|$x|~|=|.|a=|/x|[a]|{a}|a:b`.split(
    '|',
  );

class Writer {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = chance(seed);
  }

  #is(part: number): boolean {
    return this.#next() < part;
  }

  #pick(from: readonly string[]): string {
    return from[Math.floor(this.#next() * from.length)] ?? '';
  }

  document(): string {
    const text = this.#map(0, this.#is(0.95) ? '' : ' ');
    const at = Math.floor(this.#next() * text.length);
    const sign = this.#pick([' ', '\n', ':', '#', '"', "'", '-', ',', '[', ']', '{', '}', 'x', '  ', '\n  ', ': ']);
    const spoilt = this.#is(0.3) ? text.slice(0, at) + (this.#is(0.5) ? sign : '') + text.slice(at + 1) : text;
    return this.#is(0.1) ? spoilt.trimEnd() : spoilt;
  }

  #map(depth: number, indent: string): string {
    const lines = Array.from({ length: 1 + Math.floor(this.#next() * 3) }, () => this.#entry(depth, indent));
    return lines.join('');
  }

  #entry(depth: number, indent: string): string {
    const before = this.#is(0.08) ? this.#pick(['\n', '  # c\n', '# c\n', `${indent}# c\n`, '   \n']) : '';
    const key =
      indent +
      (this.#is(0.8)
        ? this.#pick(['a', 'b', 'c', 'd', 'e', 'f', 'g']) + this.#pick(['0', '1', '2', '3'])
        : this.#pick(keys));
    if (this.#is(0.3) && depth < 4) {
      const deeper = this.#is(0.95) ? indent + this.#pick(['  ', '  ', '    ', ' ']) : indent;
      return `${before}${key}:${this.#pick(['', '', ' ', ' # c'])}\n${this.#map(depth + 1, deeper)}`;
    }
    if (this.#is(0.2)) return `${before}${key}:\n${this.#list(indent + this.#pick(['  ', '', '  ', '   ']))}`;
    const after = this.#is(0.03) ? `${indent}${this.#pick(values)}\n` : '';
    return `${before}${key}${this.#pick([': ', ': ', ': ', ':  ', ':', ' : '])}${this.#pick(values)}\n${after}`;
  }

  #list(indent: string): string {
    const items = Array.from({ length: 1 + Math.floor(this.#next() * 3) }, () => `${indent}- ${this.#pick(values)}\n`);
    return items.join('');
  }
}

test('of many thousand texts, right and wrong, it reads none differently', () => {
  let read = 0;
  const writer = new Writer(2026);
  for (let count = 0; count < 40_000; count++) {
    const text = writer.document();
    const tree = readPlainYaml(text);
    if (!tree) continue;
    read++;
    const wanted = readAnyYaml(text);
    // The comparison of the test runner would take minutes.
    if (!isDeepStrictEqual(wanted, { tree, findings: [] }))
      expect({ text, tree, findings: [] }).toEqual({ text, ...wanted });
  }
  expect(read).toBeGreaterThan(3000);
});

describe('it reads', () => {
  test.each([
    [
      'the first configuration',
      defaultConfigText({ language: 'en', demoAgent: { command: 'node', args: ['x'] }, found: [] }),
    ],
    [
      'every kind of value a configuration has',
      `language: en                 # en | fr
theme: {speaker: Keyword, thought: Comment, tool: Type}
limits:
  maxRunningAgents: 4
agents:
  # the first
  bob:
    title: Bob (llama.cpp)
    icon: "🤖"
    args: [agent, serve, acp, ./agent.yaml]
    env: {LOG_LEVEL: info, TOKEN: "\${MY_TOKEN}", EMPTY: ''}
    workspace: ~/src/app

    mcpServers: []
    runtime:
      type: container
      lifecycle: {create: docker compose up -d web, stop: docker compose stop web}
  été:
    command: x
    args:
    - --acp
    - "a b"
channels:
  review: {description: code review, members: [bob, été]}
edits:
`,
    ],
  ])('%s', (_, text) => {
    const tree = readPlainYaml(text);
    expect(tree).toBeDefined();
    expect({ tree, findings: [] }).toEqual(readAnyYaml(text));
  });
});

describe('it leaves to the library', () => {
  test.each([
    ['nothing', ''],
    ['a comment', '# a'],
    ['a tab', 'a:\tb'],
    ['CR LF', 'a: b\r\n'],
    ['a document mark', '---\na: b'],
    ['a text of several lines', 'a: b\n  c'],
    ['a block text', 'a: |\n  b'],
    ['an anchor', 'a: &x b'],
    ['a merge', 'a:\n  <<: {b: c}'],
    ['an escape', 'a: "\\u0041"'],
    ['brackets over several lines', 'a: [b,\n  c]'],
    ['a key twice', 'a: b\na: c'],
    ['a list of mappings', 'a:\n  - b: c\n    d: e'],
    ['a key in quotes', '"a": b'],
    ['a deeper line out of nowhere', 'a: b\n   c: d'],
  ])('%s', (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  test.each([
    ['brackets', `a: ${'['.repeat(100_000)}`],
    ['blanks', `a: b${' '.repeat(300_000)}c #`],
    ['keys in braces', `a: {${Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join(', ')}}`],
    ['levels', Array.from({ length: 2000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
  ])('too many %s, at once', (_, text) => {
    const from = performance.now();
    readPlainYaml(text);
    expect(performance.now() - from).toBeLessThan(1000);
  });
});
