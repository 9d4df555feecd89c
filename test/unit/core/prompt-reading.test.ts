// Which files and contexts a message names (SPEC 6, CASES B14, B15).
import { describe, expect, it } from 'vitest';
import { mayNameFile, namedContexts, namedFiles, type Sign } from '../../../src/core/prompt/reading.ts';
import { writeFile } from '../../../src/core/prompt/writing.ts';

/** The longest reading of each name, and the shortest where there are several. */
const paths = (text: string, sign: Sign) =>
  namedFiles(text)
    .filter(([first]) => first?.sign === sign)
    .map((candidates) => candidates.map(({ path, lines }) => (lines ? [path, lines.first, lines.last] : path)));

describe('$path', () => {
  const none: readonly (readonly [why: string, text: string])[] = [
    ['a price', '5$ and $5 and $5.50'],
    ['a sign alone', '$ $$ $& $1 $. $... $? $('],
    ['a subshell', '$(id) ${x}'],
    ['escaped', '\\$notes.md'],
    ['after another character', 'x$notes.md ($notes.md) "$notes.md" -$notes.md'],
    ['inline code', 'run `$notes.md` now'],
    ['fenced code', '```sh\n$notes.md\n```'],
    ['a quote that is never closed', '$"my notes.md'],
    ['a quote over two lines', '$"my\nnotes.md"'],
    ['an empty quote', '$""'],
  ];
  it.each(none)('is text: %s', (_why, text) => {
    expect(paths(text, '$')).toEqual([]);
  });

  const rows: readonly (readonly [text: string, path: string, certain: boolean])[] = [
    ['$notes.md', 'notes.md', true],
    ['see $notes.md', 'notes.md', true],
    ['see\n$notes.md', 'notes.md', true],
    ['see\u00a0$notes.md', 'notes.md', true],
    ['$notes.md is it', 'notes.md', true],
    ['look at $notes.md.', 'notes.md', true],
    ['why $notes.md?!', 'notes.md', true],
    ['(see $src/a.ts)', 'src/a.ts', true],
    ['« $été.md »', 'été.md', true],
    ['$_private', '_private', false],
    ['$.env', '.env', true],
    ['$./a', './a', true],
    ['$/etc/passwd', '/etc/passwd', true],
    ['$../x', '../x', true],
    ['$HOME', 'HOME', false],
    ['$Makefile,', 'Makefile', false],
    ['$"my notes.md", please', 'my notes.md', true],
    ['$"HOME"', 'HOME', true],
    ['$"5.md"', '5.md', true],
    ['$"a \\"b\\" \\\\c.md"', 'a "b" \\c.md', true],
    ['$a100%.csv', 'a100%.csv', true],
    ["$it's.md", "it's.md", true],
    ['$a$&b.md', 'a$&b.md', true],
    ['$x"y.md', 'x"y.md', true],
    ['"see $notes.md"', 'notes.md', true],
    ['> $notes.md', 'notes.md', true],
    ['$日本.md', '日本.md', true],
  ];
  it.each(rows)('%s names %s', (text, path, certain) => {
    const [file] = namedFiles(text).flat();
    expect(file).toMatchObject({ sign: '$', path, certain });
    expect(text.slice(file?.start, file?.end)).toMatch(/^\$/);
  });

  it('stands where the text says, its final punctuation not part of it', () => {
    const text = 'see $notes.md, then $"b c.md".';
    expect(namedFiles(text).flatMap(([file]) => text.slice(file?.start, file?.end))).toEqual([
      '$notes.md',
      '$"b c.md"',
    ]);
  });
});

describe('@path', () => {
  const none = ['a@b.c', '`@a.ts`', '```\n@a.ts\n```', '> @a.ts', 'x\\@a.ts', '@', '@ a', '@"', '/@a.ts', '.@a.ts'];
  it.each(none)('is text: %s', (text) => {
    expect(paths(text, '@')).toEqual([]);
    expect(mayNameFile(text)).toBe(false);
  });

  const rows: readonly (readonly [text: string, readings: unknown])[] = [
    ['@a.ts', ['a.ts']],
    ['see @a.ts.', ['a.ts.', 'a.ts']],
    ['(@a.ts)', ['a.ts)', 'a.ts']],
    ['file:@a.ts', ['a.ts']],
    ['« @a.ts »', ['a.ts']],
    ['@src/app/', ['src/app/']],
    ['@a.ts:10-20', ['a.ts:10-20', ['a.ts', 10, 20]]],
    ['@a.ts:10', ['a.ts:10', ['a.ts', 10, 10]]],
    ['@a.ts:20-10', ['a.ts:20-10', ['a.ts', 20, 20]]],
    ['@a.ts:0', ['a.ts:0', ['a.ts', 1, 1]]],
    ['@"my notes.md"', ['my notes.md']],
    ['@"my notes.md":3-4.', [['my notes.md', 3, 4]]],
    ['@my notes.md', ['my']],
    ['@Override', ['Override']],
    ['@"a \\"b\\".md"', ['a "b".md']],
    ['@"a\\b.md"', ['a\\b.md']],
  ];
  it.each(rows)('%s reads %j', (text, readings) => {
    expect(paths(text, '@')).toEqual([readings]);
    expect(mayNameFile(text)).toBe(true);
  });

  it('is no file where an agent is mentioned', () => {
    const text = '@bob see @a.ts';
    expect(namedFiles(text, [[0, 4]]).map(([file]) => file?.path)).toEqual(['a.ts']);
    expect(mayNameFile('@bob', [[0, 4]])).toBe(false);
  });
});

describe('#context', () => {
  const rows: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['#selection', ['selection']],
    ['explain #buffer.', ['buffer']],
    ['(#diff) and #diagnostics, #quickfix', ['diff', 'diagnostics', 'quickfix']],
    ['#diff #diff', ['diff']],
    ['> #diff', ['diff']],
    ['`#diff`', []],
    ['```\n#diff\n```', []],
    ['#diffs #differences #diff-tool #diff_x #diff2', []],
    ['x#diff ##diff https://x/#diff &#diff', []],
    ['#diff.txt #diff/x', []],
    ['#Diff', []],
    ['# diff', []],
  ];
  it.each(rows)('%s asks for %j', (text, words) => {
    expect(namedContexts(text)).toEqual(words);
  });
});

/** Names that a writer or a reader of them could trip over. */
const PIECES = [
  'a',
  'Z9',
  'é',
  'e\u0301',
  '日本',
  '😀',
  '👩‍💻',
  ' ',
  '  ',
  '\u00a0',
  '.',
  '..',
  '-',
  '_',
  '~',
  ',',
  ';',
  ':',
  ':10',
  ':10-20',
  '!',
  '?',
  '…',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '\\"',
  '%',
  '%20',
  '$',
  '$&',
  '$1',
  '$$',
  '#',
  '#diff',
  '@',
  '@bob',
  'bob',
  '«',
  '»',
  '”',
  '`',
  '```',
  '<',
  '>',
  '&',
  '*',
  '|',
  '=',
  '+',
  '/x',
  '/.y',
];

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let value = seed; ;) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield value / 2_147_483_648;
  }
}

describe('what completion writes (B14)', () => {
  const random = numbers(6);
  const pick = (count: number) => Math.floor(random.next().value * count);
  const names = Array.from({ length: 800 }, () =>
    Array.from({ length: 1 + pick(4) }, () => PIECES[pick(PIECES.length)] ?? '').join(''),
  ).filter((name) => !name.startsWith('/'));

  it('reads back to that one file, whatever its name, and whatever stands around it', () => {
    const agents = ['bob', 'Été'];
    for (const sign of ['@', '$'] as const) {
      for (const name of new Set([...names, ...PIECES])) {
        const word = writeFile(sign, name, agents);
        for (const text of [
          word,
          `see ${word} now`,
          `${word}, and`,
          `${word}.`,
          `${word}\n@x.md $y.md`,
          `a\n${word}?`,
        ]) {
          const read = namedFiles(text).find((candidates) =>
            candidates.some(({ start }) => start === text.indexOf(word)),
          );
          const last = read?.at(-1);
          expect([text, last?.sign, last?.path, last?.lines]).toEqual([text, sign, name, undefined]);
          expect(text.slice(last?.start, last?.end)).toBe(word);
        }
      }
    }
  });

  it('is read in one way only where nothing follows it', () => {
    for (const sign of ['@', '$'] as const) {
      for (const name of names) expect(namedFiles(writeFile(sign, name))[0]).toHaveLength(1);
    }
  });

  const rows: readonly (readonly [sign: Sign, path: string, word: string])[] = [
    ['@', 'src/a.ts', '@src/a.ts'],
    ['@', 'my notes.md', '@"my notes.md"'],
    ['@', 'a (1).txt', '@"a (1).txt"'],
    ['@', 'e\u0301te\u0301.md', '@e\u0301te\u0301.md'],
    ['@', '100%.csv', '@100%.csv'],
    ['$', '100%.csv', '$"100%.csv"'],
    ['$', 'notes.md', '$notes.md'],
    ['$', "it's.md", '$"it\'s.md"'],
    ['@', 'a:10', '@"a:10"'],
    ['@', 'bob', '@"bob"'],
    ['@', 'BOB-', '@"BOB-"'],
    ['@', 'bobby.md', '@bobby.md'],
    ['@', 'two\nlines', ''],
    ['$', 'a\tb', ''],
  ];
  it.each(rows)('%s of %j is %j', (sign, path, word) => {
    expect(writeFile(sign, path, ['bob'])).toBe(word);
  });
});
