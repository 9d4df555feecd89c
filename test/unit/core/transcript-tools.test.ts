// Tool calls → what a person sees: title, status, diffs, output, and the whole of it.
import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../src/core/contract/shapes.ts';
import { blocks, drawMessage, emptyTranscript, regionText, wholeTool } from '../../../src/core/transcript/index.ts';
import { lineDiff } from '../../../src/core/transcript/line-diff.ts';
import { pick, randomFrom, seed, upTo } from './markdown-documents.ts';
import { drawn, english, message, rows, text, tool, toolCall } from './transcript-support.ts';

const toolRows = (fields: Partial<Tool>): readonly string[] => rows(message({ parts: [tool(fields)] })).slice(1);
const toolBlocks = (fields: Partial<Tool>) => blocks(drawn([message({ parts: [tool(fields)] })])).slice(1);
const diff = (oldText: string, newText: string, path = '/w/a.txt', newFile = false) => ({
  path,
  oldText,
  newText,
  newFile,
});
const numbered = (count: number, change: (row: number) => string = (row) => `line ${row}`): string =>
  `${Array.from({ length: count }, (_, row) => change(row)).join('\n')}\n`;

describe('the row of a call', () => {
  test.each<[Partial<Tool>, string]>([
    [{ status: 'pending' }, '○ edit  Edit a.txt'],
    [{ status: 'in_progress', kind: 'read' }, '◐ read  Edit a.txt'],
    [{ kind: 'execute', title: 'ls' }, '✓ run  ls'],
    [{ status: 'failed', kind: 'other', title: '' }, '✗ tool'],
    [{ title: 'cat <<X\nhello\r\nX\n' }, '✓ edit  cat <<X↵hello↵X'],
    [{ title: '\u001b[31mred\u0000' }, '✓ edit  ␛[31mred␀'],
    [{ title: 'x'.repeat(5_000) }, `✓ edit  ${'x'.repeat(300)}…`],
    [{ diffs: [diff('a\nb\n', 'a\nc\nd\n')] }, '✓ edit  Edit a.txt  +2 −1'],
  ])('%j', (fields, wanted) => {
    expect(toolRows(fields)[0]).toBe(wanted);
  });

  test('its stretches have roles, in bytes', () => {
    const [header] = toolBlocks({ title: 'été', status: 'failed', diffs: [diff('', 'a')] });
    expect(header?.marks.slice()).toEqual([
      [0, 0, 3, 'status.failed'],
      [0, 4, 8, 'toolKind'],
      [0, 10, 15, 'tool'],
      [0, 17, 19, 'added'],
    ]);
  });

  test('it leads to a file and a line', () => {
    const location = { path: '/w/a.txt', line: 7 };
    expect(toolBlocks({ locations: [location] })[0]).toMatchObject({ kind: 'tool', tool: 't', message: 'm', location });
    expect(toolBlocks({ diffs: [diff('a', 'b')] })[0]?.location).toEqual({ path: '/w/a.txt' });
    expect(toolBlocks({})[0]).not.toHaveProperty('location');
  });

  test('calls stand one under the other, apart from text', () => {
    const parts = [text('a'), tool({ id: '1', title: 'x' }), tool({ id: '2', title: 'y' }), text('b')];
    expect(rows(message({ parts })).slice(1)).toEqual(['a', '', '✓ edit  x', '✓ edit  y', '', 'b']);
  });
});

describe('diffs', () => {
  test('changed lines with three around them', () => {
    const before = numbered(30);
    const after = before.replace('line 10\n', 'LINE 10\nmore\n').replace('line 25\n', '');
    const [, block] = toolBlocks({ diffs: [diff(before, after)], locations: [{ path: '/w/a.txt', line: 11 }] });
    expect(block?.rows.slice()).toEqual([
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+LINE 10',
      '+more',
      ' line 11',
      ' line 12',
      ' line 13',
      '⋯',
      ' line 22',
      ' line 23',
      ' line 24',
      '-line 25',
      ' line 26',
      ' line 27',
      ' line 28',
    ]);
    expect(block?.marks.slice()).toEqual([
      [3, 0, -1, 'removed'],
      [4, 0, -1, 'added'],
      [5, 0, -1, 'added'],
      [9, 0, -1, 'notice'],
      [13, 0, -1, 'removed'],
    ]);
    expect(block).toMatchObject({ kind: 'diff', tool: 't', location: { path: '/w/a.txt', line: 11 } });
  });

  test('a name where it is not said already', () => {
    expect(toolRows({ diffs: [diff('a', 'b', '/w/b.txt')] })).toEqual([
      '✓ edit  Edit a.txt  +1 −1',
      '/w/b.txt',
      '-a',
      '+b',
    ]);
    expect(toolRows({ diffs: [diff('', 'b', '/w/a.txt', true)] })).toEqual([
      '✓ edit  Edit a.txt  +1',
      'new file',
      '+b',
    ]);
    const [, block] = toolBlocks({ diffs: [diff('a', 'b', '/w/b.txt')] });
    expect(block && regionText(block)).toBe('-a\n+b');
  });

  test('no block where nothing differs, also not by line ends', () => {
    expect(toolRows({ diffs: [diff('a\n', 'a'), diff('a\r\nb', 'a\nb')] })).toEqual(['✓ edit  Edit a.txt']);
  });

  test('a long one is cut and folded', () => {
    const [, block] = toolBlocks({ diffs: [diff('', numbered(1_000))] });
    expect(block?.rows.length).toBe(201);
    expect(block?.rows.at(-1)).toBe('… 800 more row(s); K shows the whole');
    expect(block).toMatchObject({ fold: true, copy: [0, 200] });
    expect(toolRows({ diffs: [diff('', numbered(1_000))] })[0]).toContain('+1000');
  });

  test('the shortest way from one text to the other', () => {
    const random = randomFrom(seed * 800_000);
    const lines = (): string[] => Array.from({ length: upTo(random, 10) }, () => pick(random, ['a', 'b', 'c']));
    for (let count = 0; count < 500; count++) {
      const [before, after] = [lines(), lines()];
      const found = lineDiff(before, after);
      expect(found.filter(({ sign }) => sign !== '+').map((line) => line.text)).toEqual(before);
      expect(found.filter(({ sign }) => sign !== '-').map((line) => line.text)).toEqual(after);
      expect(found.filter(({ sign }) => sign === ' ').length).toBe(commonLines(before, after));
    }
  });

  test('texts that have nothing in common cost little', () => {
    const start = performance.now();
    const found = lineDiff(numbered(20_000).split('\n'), numbered(20_000, (row) => `other ${row}`).split('\n'));
    expect(found.length).toBe(40_001);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

function commonLines(before: readonly string[], after: readonly string[]): number {
  const [first, ...rest] = before;
  if (first === undefined || after.length === 0) return 0;
  const at = after.indexOf(first);
  const without = commonLines(rest, after);
  return at < 0 ? without : Math.max(without, 1 + commonLines(rest, after.slice(at + 1)));
}

describe('output', () => {
  const output = (value: string) => toolBlocks({ output: value }).find((block) => block.kind === 'output');

  // CASES B22
  test.each([
    ['a fence of four', ['# Doc', '````js', 'x()', '````', 'end']],
    ['a fence of nine', ['# Doc', '`````````', 'x()', '`````````', 'end']],
    ['tildes', ['# Doc', '~~~~', 'x()', '~~~~', 'end']],
  ])('with %s is one region, and the next message is outside', (_name, lines) => {
    for (const end of ['', '\n']) {
      const parts = [tool({ output: lines.join('\n') + end }), text('next')];
      const found = blocks(drawn([message({ parts })])).filter(({ kind }) => kind !== 'header' && kind !== 'gap');
      expect(found.map((block) => block.kind)).toEqual(['tool', 'output', 'prose']);
      expect(found[1] && regionText(found[1])).toBe(lines.join('\n'));
    }
  });

  test('none, no block', () => {
    expect(output('')).toBeUndefined();
  });

  test('as a terminal shows it', () => {
    expect(
      output('\u001b[1;31mred\u001b[0m\n10%\r99%\rdone\r\n\u001b]8;;http://a\u0007link\u001b]8;;\u0007')?.rows.slice(),
    ).toEqual(['red', 'done', 'link']);
  });

  test('other control characters are signs (CASES B08)', () => {
    expect(output('a\u0000b\u001bc\u0008\n')?.rows.slice()).toEqual(['a␀b␛c␈']);
  });

  test('short: whole; from 13 rows on: folded', () => {
    expect(output(numbered(12))).not.toHaveProperty('fold');
    expect(output(numbered(13))).toMatchObject({ fold: true });
    expect(output(numbered(40))?.rows.length).toBe(40);
  });

  test('long: the beginning, the true size, the end', () => {
    const block = output(numbered(5_000));
    expect(block?.rows.length).toBe(40);
    expect(block?.rows.at(11)).toBe('line 11');
    expect(block?.rows.at(12)).toBe('… 5000 line(s), 48 KB in all; K shows the whole');
    expect(block?.rows.at(13)).toBe('line 4973');
    expect(block?.rows.at(-1)).toBe('line 4999');
    expect(block?.marks.slice()).toEqual([[12, 0, -1, 'notice']]);
  });

  test('one endless line', () => {
    const block = output('x'.repeat(10_000_000));
    expect(block?.rows.at(1)).toBe('… 1 line(s), 9.5 MB in all; K shows the whole');
    expect(block?.rows.slice().every((row) => row.length < 1_100)).toBe(true);
  });

  test('long lines', () => {
    const block = output(numbered(50, () => 'é'.repeat(2_000)));
    expect(Math.max(...(block?.rows.slice().map((row) => row.length) ?? []))).toBeLessThan(1_100);
    expect(block?.rows.length).toBeLessThan(10);
  });

  test('a big one costs little each time it grows', () => {
    const whole = numbered(100_000);
    let { transcript } = drawMessage(
      emptyTranscript(english),
      message({ done: false, parts: [tool({ output: whole })] }),
    );
    const start = performance.now();
    for (let count = 0; count < 20; count++) {
      const parts = [tool({ output: whole + numbered(count) })];
      transcript = drawMessage(transcript, message({ done: false, parts })).transcript;
    }
    expect(performance.now() - start).toBeLessThan(4_000);
  });
});

describe('the whole call', () => {
  test('title, status, files, input, changes, output', () => {
    const { title, rows: all } = wholeTool(
      english,
      toolCall({
        kind: 'execute',
        title: 'cat <<X\nX',
        input: '{"command":"cat"}',
        output: numbered(100),
        locations: [{ path: '/w/a.txt', line: 2 }, { path: '/w/b.txt' }],
        diffs: [diff('a\nb', 'a\nc')],
      }),
    );
    expect(title).toBe('run · cat <<X↵X');
    expect(all.slice(0, 20)).toEqual([
      'cat <<X',
      'X',
      'Status: completed',
      '',
      'Files',
      '/w/a.txt:2',
      '/w/b.txt',
      '',
      'Input',
      '{',
      '  "command": "cat"',
      '}',
      '',
      'Changes · /w/a.txt',
      ' a',
      '-b',
      '+c',
      '',
      'Output',
      'line 0',
    ]);
    expect(all.at(-1)).toBe('line 99');
  });

  test('what is missing is left out; input that is no JSON stays as it is', () => {
    expect(wholeTool(english, toolCall({ input: 'plain\u001b', title: '' }))).toEqual({
      title: 'edit',
      rows: ['Status: completed', '', 'Input', 'plain␛'],
    });
  });
});
