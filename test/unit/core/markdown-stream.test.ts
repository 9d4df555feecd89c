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

describe(`random documents (SIDEKICKS_SEED=${seed})`, () => {
  test('code is what micromark reads, in documents a person would write', () => {
    for (let count = 0; count < 1500; count++) {
      const random = randomFrom(seed * 100_000 + count);
      const document = wellFormed(random, 6);
      expect(codeOf(finish(whole(document))), document).toEqual(codeByMicromark(document));
    }
  });

  test('code is what micromark reads, in heaps of signs', () => {
    for (let count = 0; count < 4000; count++) {
      const document = heapOfSigns(randomFrom(seed * 200_000 + count), 12);
      expect(trimmed(codeOf(finish(whole(document)))), document).toEqual(trimmed(codeByMicromark(document)));
    }
  });

  test('pieces of any size give the blocks of the whole, at every moment', () => {
    for (let count = 0; count < 600; count++) {
      const random = randomFrom(seed * 300_000 + count);
      const document = count % 2 === 0 ? wellFormed(random, 4) : heapOfSigns(random, 30);
      let markdown = emptyMarkdown(limits);
      let text = '';
      for (const chunk of chunksOf(random, document.replaceAll('\n', pickEnd(count)), 1 + upTo(random, 12))) {
        text += chunk;
        markdown = extend(markdown, chunk).markdown;
        expect(plain(markdown.blocks), text).toEqual(plain(whole(text).blocks));
      }
      expect(plain(finish(markdown)), text).toEqual(plain(finish(whole(text))));
    }
  });

  test('what is said to be unchanged is unchanged, and earlier versions stay what they were', () => {
    for (let count = 0; count < 200; count++) {
      const random = randomFrom(seed * 400_000 + count);
      const document = wellFormed(random, 4);
      let markdown = emptyMarkdown(limits);
      for (const chunk of chunksOf(random, document, 9)) {
        const before = markdown.blocks;
        const seen = plain(before);
        const { markdown: next, from } = extend(markdown, chunk);
        expect(plain(next.blocks).slice(0, from.block)).toEqual(seen.slice(0, from.block));
        expect(next.blocks[from.block]?.rows.slice(0, from.row) ?? []).toEqual(
          seen[from.block]?.rows.slice(0, from.row) ?? [],
        );
        // A second way on from the same version must not show in the first.
        extend(markdown, '\n\n```js\nother\n');
        expect(plain(before)).toEqual(seen);
        markdown = next;
      }
      expect(plain(finish(markdown))).toEqual(plain(finish(whole(document))));
    }
  });
});

const pickEnd = (count: number): string => (count % 3 === 0 ? '\r\n' : '\n');
