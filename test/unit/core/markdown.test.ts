// Markdown text → blocks: what is code and what a copy of it gives, which stretch has which role, and what cannot harm a window.
import { describe, expect, test } from 'vitest';
import { emptyMarkdown, extend, finish, openEnd, type MarkdownBlock } from '../../../src/core/markdown/index.ts';
import { regionText } from '../../../src/core/transcript/region.ts';
import { limits } from './markdown-documents.ts';

const read = (...chunks: readonly string[]) =>
  chunks.reduce((markdown, chunk) => extend(markdown, chunk).markdown, emptyMarkdown(limits));
const blocksOf = (...chunks: readonly string[]): readonly MarkdownBlock[] => finish(read(...chunks));

const copyOf = ({ lang: _lang, copy, offsets, ...rest }: MarkdownBlock): string =>
  regionText({ ...rest, id: '', ...(copy && { copy }), ...(offsets && { offsets }) });

/** `kind lang: text as copied`. */
const regions = (text: string): readonly string[] =>
  blocksOf(text).map((block) => `${[block.kind, block.lang].join(' ').trim()}: ${copyOf(block)}`);

const lines = (...rows: readonly string[]): string => rows.join('\n');

describe('regions', () => {
  const cases: readonly (readonly [name: string, text: string, regions: readonly string[]])[] = [
    ['prose alone', lines('one', '', 'two'), ['prose: one\n\ntwo']],
    ['nothing', '', []],
    ['blank lines alone', '\n  \n\n', []],
    ['blank lines around prose are not drawn', '\n\none\n\n\n', ['prose: one']],
    ['a fence', lines('a', '```lua', 'x = 1', '```', 'b'), ['prose: a', 'code lua: x = 1', 'prose: b']],
    [
      'blank rows between prose and code belong to neither',
      lines('a', '', '', '```', 'x', '```', '', 'b'),
      ['prose: a', 'gap: \n', 'code: x', 'gap: ', 'prose: b'],
    ],
    ['blank lines of code are code', lines('```', '', 'x', '', '```'), ['code: \nx\n']],
    ['a fence nobody closed', lines('```js', 'x()'), ['code js: x()']],
    ['an empty fence', lines('```', '```'), ['code: ']],
    ['tildes', lines('~~~ sh', '```', '~~~'), ['code sh: ```']],
    [
      'a longer fence is closed by none that is shorter (CASES B22)',
      lines('`````', '# Doc', '````js', 'x()', '````', 'end', '`````', 'after'),
      ['code: # Doc\n````js\nx()\n````\nend', 'prose: after'],
    ],
    ['nine backticks', lines('`````````', '````', '`````````'), ['code: ````']],
    ['a fence with text behind it closes nothing', lines('```', '``` js', '```'), ['code: ``` js']],
    ['backticks in the info string make a paragraph', '``` a`b\nx', ['prose: ``` a`b\nx']],
    ['two fences in a row', lines('```', 'a', '```', '```', 'b', '```'), ['code: a', 'code: b']],
    [
      'a fence in a list, without its indent',
      lines('1. step', '', '   ```bash', '   npm i', '     x', '   ```', '2. next'),
      ['prose: 1. step', 'gap: ', 'code bash: npm i\n  x', 'prose: 2. next'],
    ],
    ['a fence in a quote, without its signs', lines('> ```', '> a', '>', '>  b', '> ```'), ['code: a\n\n b']],
    ['a list item that begins with a fence', lines('- ```', '  a', '  ```'), ['code: a']],
    ['a fence that leaves its list is over', lines('- ```', '  a', 'b'), ['code: a', 'prose: b']],
    ['a fence set in by three blanks', lines('   ```', '     a', ' b', '   ```'), ['code:   a\nb']],
    ['half a tab is indent', lines('- a', '', '  ```go', '\tx', '  ```'), ['prose: - a', 'gap: ', 'code go:   x']],
    [
      'an indented block',
      lines('a', '', '    x', '', '      y', 'b'),
      ['prose: a', 'gap: ', 'code: x\n\n  y', 'prose: b'],
    ],
    ['an indented line goes on with a paragraph', lines('a', '    x'), ['prose: a\n    x']],
    ['a comment in HTML can hold fences', lines('<!--', '```', '-->', 'a'), ['prose: <!--\n```\n-->\na']],
    ['a list is prose', lines('- a', '  - b', '* c'), ['prose: - a\n  - b\n* c']],
  ];

  test.each(cases)('%s', (_name, text, wanted) => {
    expect(regions(text)).toEqual(wanted);
  });

  test.each([
    ['js', 'js'],
    [' lua title="x"', 'lua'],
    ['{r, echo=FALSE}', 'r'],
    ['{.python .numberLines}', 'python'],
    ['c++', 'c++'],
    ['objective-c', 'objective-c'],
    ['js:src/a.js', 'js'],
    ['', ''],
    ['"; quit', ''],
    ['../../etc', ''],
  ])('the language of ```%s is %j', (info, wanted) => {
    expect(blocksOf(`\`\`\`${info}\nx`)[0]?.lang).toBe(wanted);
  });

  test('fence lines are rows of the block, outside what is copied', () => {
    const [block] = blocksOf('> ```js\n> x\n> ```\n');
    expect(block?.rows.slice()).toEqual(['> ```js', '> x', '> ```']);
    expect(block?.copy).toEqual([1, 2]);
    expect(block?.offsets?.slice()).toEqual([2, 2, 2]);
    expect(block?.marks.slice()).toContainEqual([0, 2, -1, 'fence']);
    expect(block?.marks.slice()).toContainEqual([2, 2, -1, 'fence']);
  });
});

describe('marks', () => {
  const cases: readonly (readonly [text: string, marks: readonly (readonly unknown[])[]])[] = [
    [
      '# Title *x*',
      [
        [0, 0, -1, 'heading'],
        [0, 8, 11, 'emphasis'],
      ],
    ],
    [
      'Title\n===',
      [
        [0, 0, -1, 'heading'],
        [1, 0, -1, 'heading'],
      ],
    ],
    ['a **b** c', [[0, 2, 7, 'strong']]],
    [
      'été **日本** `é`',
      [
        [0, 6, 16, 'strong'],
        [0, 17, 21, 'inlineCode'],
      ],
    ],
    [
      'a **b\nc** d',
      [
        [0, 2, 5, 'strong'],
        [1, 0, 3, 'strong'],
      ],
    ],
    [
      '[a](b) <http://c.d> ![e](f)',
      [
        [0, 0, 6, 'link'],
        [0, 7, 19, 'link'],
        [0, 20, 27, 'link'],
      ],
    ],
    [
      '- a\n12) b',
      [
        [0, 0, 1, 'listMarker'],
        [1, 0, 3, 'listMarker'],
      ],
    ],
    [
      '> a\n> *b*',
      [
        [0, 0, -1, 'quote'],
        [1, 0, -1, 'quote'],
        [1, 2, 5, 'emphasis'],
      ],
    ],
    [
      '- > a',
      [
        [0, 0, 1, 'listMarker'],
        [0, 2, -1, 'quote'],
      ],
    ],
    ['`**a**`', [[0, 0, 7, 'inlineCode']]],
    ['a * b * c_d_e', []],
    ['***\n- - -', []],
  ];
  test.each(cases)('%j', (text, wanted) => {
    expect(blocksOf(text)[0]?.marks.slice()).toEqual(wanted);
  });

  test('a heap of signs costs marks, not time', () => {
    const before = performance.now();
    for (const sign of ['a*', '[', '[a](', '<a ', '> ', '- ', '`a``']) blocksOf(sign.repeat(5000));
    expect(performance.now() - before).toBeLessThan(5000);
  });

  test('a line that may become a list is no heading yet', () => {
    expect(read('So:\n-').blocks[0]?.marks.slice()).toEqual([]);
    expect(blocksOf('So:\n-')[0]?.marks.slice()).toEqual([
      [0, 0, -1, 'heading'],
      [1, 0, -1, 'heading'],
    ]);
  });
});

describe('while it streams', () => {
  test('a block is open until it is closed or something follows', () => {
    expect(read('a\n').blocks.map((block) => block.open)).toEqual([true]);
    expect(read('a\n```\nx').blocks.map((block) => block.open)).toEqual([false, true]);
    expect(read('```\nx\n```').blocks.map((block) => block.open)).toEqual([true]);
    expect(read('```\nx\n```\n').blocks.map((block) => block.open)).toEqual([false]);
    expect(blocksOf('```\nx').map((block) => block.open)).toEqual([false]);
  });

  test('a copy of an open code block takes all there is', () => {
    const [block] = read('```\nx\ny').blocks;
    expect(block?.copy).toEqual([1, openEnd]);
    expect(block && copyOf(block)).toBe('x\ny');
  });

  test('a fence that grows is told row by row', () => {
    let markdown = read('```lua\n');
    for (let row = 0; row < 50; row++) {
      const { markdown: next, from } = extend(markdown, `line ${row}\n`);
      expect(from).toEqual({ block: 0, row: row + 1 });
      markdown = next;
    }
  });

  test('an endless paragraph is marked in pieces', () => {
    let markdown = read('');
    let sent = 0;
    for (let row = 0; row < 2000; row++) {
      const { markdown: next, from } = extend(markdown, 'word **word** word\n');
      sent += (next.blocks[0]?.rows.length ?? 0) - from.row;
      markdown = next;
    }
    expect(sent / 2000).toBeLessThan(250);
    expect(markdown.blocks[0]?.marks.length).toBe(2000);
  });
});

describe('bad input', () => {
  test.each([
    ['CR LF is a line end', ['a\r\nb'], ['a', 'b']],
    ['also when cut in two', ['a\r', '\nb'], ['a', 'b']],
    ['a CR alone is a sign', ['a\rb'], ['a␍b']],
    ['a CR at the very end', ['a\r'], ['a␍']],
    ['escape, NUL, bell, DEL', ['\u001b[2J\u0000\u0007\u007f'], ['␛[2J␀␇␡']],
    ['C1 and turned writing', ['\u009b1m \u202eabc\u2066'], ['<9b>1m <202e>abc<2066>']],
    ['tabs stay', ['a\tb'], ['a\tb']],
    ['half a pair', ['a\ud83d b\ude00'], ['a\ufffd b\ufffd']],
    ['a pair cut in two', ['\ud83d', '\ude00'], ['😀']],
    ['half a pair at the very end', ['a\ud83d'], ['a\ufffd']],
  ])('%s', (_name, chunks, wanted) => {
    expect(blocksOf(...chunks)[0]?.rows.slice()).toEqual(wanted);
  });

  test('a row of prose is cut with its true size, not inside a character', () => {
    const [block] = blocksOf(`${'é'.repeat(9_999)}😀${'x'.repeat(90_000)}`);
    expect(block?.rows.slice()).toEqual([`${'é'.repeat(9_999)}…${2 * 9_999 + 4 + 90_000}`]);
    expect(block?.marks.slice()).toEqual([[0, 2 * 9_999, -1, 'notice']]);
  });

  test('a row of code is exact up to a size no one copies', () => {
    const code = 'x'.repeat(99_000);
    expect(regions(`\`\`\`\n${code}\n\`\`\``)).toEqual([`code: ${code}`]);
    expect(blocksOf(`\`\`\`\n${'x'.repeat(1_000_000)}`)[0]?.rows.at(1)).toBe(`${'x'.repeat(100_000)}…1000000`);
  });

  test('a flood of blank lines is no flood of rows', () => {
    expect(blocksOf(`a${'\n'.repeat(100_000)}b`)[0]?.rows.length).toBe(102);
    expect(blocksOf('a', ...Array.from({ length: 1_000 }, () => '\n'), 'b')[0]?.rows.length).toBe(102);
  });

  test('a line that is too long is counted however it comes', () => {
    const whole = blocksOf(`a\n${'é'.repeat(200_000)}\nb`);
    const pieces = blocksOf('a\n', ...Array.from({ length: 200 }, () => 'é'.repeat(1_000)), '\nb');
    expect(pieces[0]?.rows.slice()).toEqual(whole[0]?.rows.slice());
  });
});
