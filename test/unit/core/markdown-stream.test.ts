// Markdown in pieces gives what the whole text gives, and its code is the code micromark finds. Random documents; the seed is named.
import { describe, expect, test } from 'vitest';
import { emptyMarkdown, extend, finish, type Markdown, type MarkdownBlock } from '../../../src/core/markdown/index.ts';
import { regionText } from '../../../src/core/transcript/region.ts';
import {
  chunksOf,
  codeByMicromark,
  heapOfSigns,
  limits,
  plain,
  randomFrom,
  seed,
  upTo,
  wellFormed,
} from './markdown-documents.ts';

const whole = (text: string): Markdown => extend(emptyMarkdown(limits), text).markdown;

const codeOf = (blocks: readonly MarkdownBlock[]): readonly string[] =>
  blocks
    .filter((block) => block.kind === 'code')
    .map(({ lang: _lang, copy, offsets, ...rest }) =>
      regionText({ ...rest, id: '', ...(copy && { copy }), ...(offsets && { offsets }) }),
    );

/** Blank ends of blocks nobody closed are of no account. */
const trimmed = (texts: readonly string[]): readonly string[] => texts.map((text) => text.trimEnd());

/** Comparing texts first is many times faster than comparing values. */
function expectSame(found: unknown, wanted: unknown, context: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found, context).toEqual(wanted);
}

describe(`random documents (SIDEKICKS_SEED=${seed})`, () => {
  test('code is what micromark reads, in documents a person would write', () => {
    for (let count = 0; count < 400; count++) {
      const random = randomFrom(seed * 100_000 + count);
      const document = wellFormed(random, 6);
      expectSame(codeOf(finish(whole(document))), codeByMicromark(document), document);
    }
  });

  test('code is what micromark reads, in heaps of signs', () => {
    for (let count = 0; count < 1000; count++) {
      const document = heapOfSigns(randomFrom(seed * 200_000 + count), 12);
      expectSame(trimmed(codeOf(finish(whole(document)))), trimmed(codeByMicromark(document)), document);
    }
  });

  test('pieces of any size give the blocks of the whole, at every moment', () => {
    for (let count = 0; count < 100; count++) {
      const random = randomFrom(seed * 300_000 + count);
      const document = count % 2 === 0 ? wellFormed(random, 2).slice(0, 600) : heapOfSigns(random, 20);
      let markdown = emptyMarkdown(limits);
      let text = '';
      for (const chunk of chunksOf(random, document.replaceAll('\n', pickEnd(count)), 1 + upTo(random, 24))) {
        text += chunk;
        markdown = extend(markdown, chunk).markdown;
        expectSame(plain(markdown.blocks), plain(whole(text).blocks), text);
      }
      expectSame(plain(finish(markdown)), plain(finish(whole(text))), text);
    }
  });

  test('what is said to be unchanged is unchanged, and earlier versions stay what they were', () => {
    for (let count = 0; count < 60; count++) {
      const random = randomFrom(seed * 400_000 + count);
      const document = wellFormed(random, 2).slice(0, 600);
      let markdown = emptyMarkdown(limits);
      for (const chunk of chunksOf(random, document, 9)) {
        const before = markdown.blocks;
        const seen = plain(before);
        const { markdown: next, from } = extend(markdown, chunk);
        expectSame(plain(next.blocks).slice(0, from.block), seen.slice(0, from.block), document);
        const rowsBefore = seen[from.block]?.rows.slice(0, from.row) ?? [];
        expectSame(next.blocks[from.block]?.rows.slice(0, from.row) ?? [], rowsBefore, document);
        // A second way on from the same version must not show in the first.
        extend(markdown, '\n\n```js\nother\n');
        expectSame(plain(before), seen, document);
        markdown = next;
      }
      expectSame(plain(finish(markdown)), plain(finish(whole(document))), document);
    }
  });
});

const pickEnd = (count: number): string => (count % 3 === 0 ? '\r\n' : '\n');
