// Random Markdown for the tests: well-formed documents and heaps of signs, the same for the same seed; and what micromark reads in them.
import { parse, postprocess, preprocess } from 'micromark';
import type { MarkdownBlock, MarkdownLimits } from '../../../src/core/markdown/index.ts';

export type Random = () => number;

/** `SIDEKICKS_SEED` runs other documents than usual. */
export const seed = Number(process.env['SIDEKICKS_SEED'] ?? 1);

/** Numbers from 0 to 1 (mulberry32). */
export function randomFrom(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const upTo = (random: Random, most: number): number => Math.floor(random() * (most + 1));

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[upTo(random, list.length - 1)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** Cuts a text anywhere, also inside a line end or a surrogate pair. */
export function chunksOf(random: Random, text: string, most: number): readonly string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length;) {
    const size = 1 + upTo(random, most - 1);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

// ---- heaps of signs ----

// No numbers but 1 and no item without text: there micromark leaves CommonMark (it lets an indented block count as a paragraph).
const signs =
  'a|b c|é|😀|`|```|````|~~~|- |* |1. |> |>|  |   |    |\t| |#|# |---|===|<div>|</div>|<!--|-->|<a>|<pre>|</pre>|[a]: b|js|_|*|**|[x](y)|\\'
    .split('|')
    .concat(['\n', '\n', '\n', '\n\n', '\n\n', '```js\n', '\n```\n', '\n  ```\n']);

export function heapOfSigns(random: Random, most: number): string {
  return Array.from({ length: 2 + upTo(random, most) }, () => pick(random, signs)).join('');
}

// ---- documents ----

const words = 'the buffer keeps **its lines** while a `stream` of *small* pieces [arrives](u) été 日本 😀'.split(' ');
const codeLines = [
  'local M = {}',
  '  return a + b',
  '',
  '\tgo()',
  '# no heading',
  '> no quote',
  '- no item',
  '``',
  '~~',
  '<!--',
  '日本 😀',
];

export function wellFormed(random: Random, blocks: number): string {
  return `${inner(random, blocks, 0).join('\n')}\n`;
}

function inner(random: Random, count: number, depth: number): readonly string[] {
  const list = Array.from({ length: 1 + upTo(random, count) }, () => blockLines(random, depth));
  return list.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function blockLines(random: Random, depth: number): readonly string[] {
  const kinds = depth < 3 ? ['text', 'fence', 'fence', 'list', 'quote', 'heading', 'indented'] : ['text', 'fence'];
  switch (pick(random, kinds)) {
    case 'fence':
      return fenceLines(random);
    case 'list':
      return listLines(random, depth);
    case 'quote':
      return inner(random, 2, depth + 1).map((line) => (line === '' ? '>' : `> ${line}`));
    case 'heading':
      return [`${'#'.repeat(1 + upTo(random, 5))} ${sentence(random)}`];
    case 'indented':
      return ['    code', '', '      more', '    end'];
    default:
      return Array.from({ length: 1 + upTo(random, 2) }, () => sentence(random));
  }
}

function fenceLines(random: Random): readonly string[] {
  const fence = pick(random, ['`', '~']).repeat(3 + upTo(random, 6));
  const shorter = fence.slice(0, -1);
  const lines = Array.from({ length: upTo(random, 5) }, () => pick(random, [...codeLines, shorter, `${shorter} js`]));
  return [
    fence + pick(random, ['', 'lua', ' js title', 'c++']),
    ...lines.map((line) => (line.startsWith(fence) ? 'x' : line)),
    fence,
  ];
}

function listLines(random: Random, depth: number): readonly string[] {
  const marker = pick(random, ['- ', '*   ', '1. ', '+  ']);
  return Array.from({ length: 1 + upTo(random, 2) }).flatMap(() =>
    inner(random, 2, depth + 1).map(
      (line, index) => (index === 0 ? marker : line === '' ? '' : ' '.repeat(marker.length)) + line,
    ),
  );
}

const sentence = (random: Random): string =>
  ['So', ...Array.from({ length: 1 + upTo(random, 6) }, () => pick(random, words))].join(' ');

// ---- what others read ----

/** The texts of the code blocks of a document, as micromark reads them. */
export function codeByMicromark(document: string): readonly string[] {
  const found: string[] = [];
  let rows = new Map<number, string>();
  let first = 0;
  let last = 0;
  for (const [kind, token, context] of postprocess(
    parse()
      .document()
      .write(preprocess()(document, undefined, true)),
  )) {
    const code = token.type === 'codeFenced' || token.type === 'codeIndented';
    if (kind === 'enter' && code) {
      rows = new Map();
      first = token.start.line + (token.type === 'codeFenced' ? 1 : 0);
      last = first - 1;
    } else if (kind === 'enter' && token.type === 'codeFlowValue') {
      rows.set(token.start.line, context.sliceSerialize(token));
      last = token.start.line;
    } else if (kind === 'exit' && token.type === 'codeFencedFence' && token.start.line >= first) {
      last = token.start.line - 1;
    } else if (kind === 'exit' && code) {
      found.push(Array.from({ length: last - first + 1 }, (_, index) => rows.get(first + index) ?? '').join('\n'));
    }
  }
  return found;
}

export const limits: MarkdownLimits = { prose: 10_000, code: 100_000, cutSign: (bytes) => `…${bytes}` };

/** Blocks as plain data, to be compared. */
export const plain = (blocks: readonly MarkdownBlock[]) =>
  blocks.map(({ rows, marks, offsets, ...rest }) => ({
    ...rest,
    rows: rows.slice(),
    marks: marks.slice(),
    offsets: offsets?.slice(),
  }));
