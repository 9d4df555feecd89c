// In which form an agent gets a file, and how a prompt is put together (SPEC 6, CASES B15).
import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/core/errors.ts';
import type { AgentInfo, PromptBlock } from '../../../src/core/ports.ts';
import { fileBlock, promptBlocks, type Embedded } from '../../../src/core/prompt/blocks.ts';
import { contentOf, imageFileType } from '../../../src/core/prompt/content.ts';
import { contextBlocks, type Gathered, type Wording } from '../../../src/core/prompt/context.ts';
import { namedFiles } from '../../../src/core/prompt/reading.ts';
import { word, wordFailure } from '../../../src/core/texts/index.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

describe('what a file is', () => {
  const text = (mimeType: string, content: string) => ({ kind: 'text', mimeType, text: content });
  const rows: readonly (readonly [path: string, content: Uint8Array, expected: object])[] = [
    ['a.png', PNG, { kind: 'image', mimeType: 'image/png', data: Buffer.from(PNG).toString('base64') }],
    ['no-extension', PNG, { kind: 'image', mimeType: 'image/png' }],
    ['a.jpg', bytes('\xff\xd8\xff\xe0', 'latin1'), { kind: 'image', mimeType: 'image/jpeg' }],
    ['a.gif', bytes('GIF89a\x01\0', 'latin1'), { kind: 'image', mimeType: 'image/gif' }],
    ['a.webp', bytes('RIFF\x01\x02\x03\x04WEBPVP8 ', 'latin1'), { kind: 'image', mimeType: 'image/webp' }],
    ['a.png', bytes('not one'), text('text/plain', 'not one')],
    ['a.ico', bytes('\0\0\x01\0\x01\0', 'latin1'), { kind: 'other' }],
    ['a.svg', bytes('<svg/>'), text('image/svg+xml', '<svg/>')],
    ['a.md', bytes('é\r\n'), text('text/markdown', 'é\r\n')],
    ['a.ts', bytes('let a = 1;\n'), text('text/plain', 'let a = 1;\n')],
    ['a.json', bytes('{}'), text('application/json', '{}')],
    ['Makefile', bytes('all:\n'), text('text/plain', 'all:\n')],
    ['empty.txt', bytes(''), text('text/plain', '')],
    ['mark.txt', bytes('\ufeffa'), text('text/plain', '\ufeffa')],
    ['latin.txt', bytes('caf\xe9 au lait\n', 'latin1'), { kind: 'text', mimeType: 'text/plain' }],
    ['nul.txt', bytes('a\0b'), { kind: 'other', mimeType: 'text/plain' }],
    ['late-nul.txt', bytes(`${'a'.repeat(5000)}\0`), { kind: 'other' }],
    ['a.pdf', bytes('%PDF-1.7\n'), { kind: 'other', mimeType: 'application/pdf' }],
  ];
  it.each(rows)('%s', (path, content, expected) => {
    expect(contentOf(path, content)).toMatchObject(expected);
  });

  it('gives no text that would not be exact', () => {
    expect(contentOf('latin.txt', bytes('caf\xe9 au lait\n', 'latin1'))).not.toHaveProperty('text');
  });

  it('shows images of every kind, and nothing that only says it is one', () => {
    expect(imageFileType('a.png', PNG)).toBe('image/png');
    expect(imageFileType('a.svg', bytes('<svg/>'))).toBe('image/svg+xml');
    expect(imageFileType('a.bmp', bytes('BM'))).toBe('image/bmp');
    expect(imageFileType('a.png', bytes('text'))).toBeUndefined();
    expect(imageFileType('a.txt', bytes('text'))).toBeUndefined();
  });
});

describe('the form of a file', () => {
  const where = { uri: 'file:///w/x', name: 'x', size: 7 };
  const can = (image: boolean, embeddedContext: boolean): AgentInfo['prompt'] => ({
    image,
    audio: false,
    embeddedContext,
  });
  const link = (mimeType: string): PromptBlock => ({ type: 'link', ...where, mimeType });
  const resource = (text: string): PromptBlock => ({ type: 'resource', uri: where.uri, text, mimeType: 'text/plain' });
  const image = contentOf('x', PNG);
  const data = Buffer.from(PNG).toString('base64');
  const megabyte = 'a'.repeat(1 << 20);
  const latin = contentOf('x', bytes('caf\xe9 au lait\n', 'latin1'));
  const rows: readonly (readonly [
    what: string,
    ...Parameters<typeof contentOf>,
    [boolean, boolean],
    object | undefined,
  ])[] = [
    ['image, shown', 'x', PNG, [true, false], { type: 'image', data, mimeType: 'image/png', uri: where.uri }],
    ['image, not shown', 'x', PNG, [false, true], link('image/png')],
    ['text, embedded', 'x', bytes('hi'), [false, true], resource('hi')],
    ['text, not embedded', 'x', bytes('hi'), [true, false], link('text/plain')],
    ['text of 1 MB', 'x', bytes(megabyte), [true, true], resource(megabyte)],
    ['text of more', 'x', bytes(`${megabyte}a`), [true, true], link('text/plain')],
    ['text of more in UTF-8', 'x', bytes(`${megabyte.slice(1)}é`), [true, true], link('text/plain')],
    ['neither', 'x', bytes('a\0'), [true, true], undefined],
  ];
  it.each(rows)('%s', (_what, path, content, [images, embedded], expected) => {
    expect(fileBlock(where, contentOf(path, content), can(images, embedded))).toEqual(expected);
  });

  it('is a link where the text cannot be exact', () => {
    expect(fileBlock(where, latin, can(true, true))).toEqual(link('text/plain'));
    expect(image.kind).toBe('image');
  });
});

describe('a prompt', () => {
  const block = (uri: string): PromptBlock => ({ type: 'resource', uri, text: '', mimeType: '' });
  const text = (words: string): PromptBlock => ({ type: 'text', text: words });
  const whole = (message: string, further: readonly PromptBlock[] = []) => {
    const embedded = namedFiles(message).flatMap((candidates): Embedded[] => {
      const file = candidates.at(-1);
      return file ? [{ file, block: block(file.path) }] : [];
    });
    return promptBlocks(message, embedded, further);
  };

  const rows: readonly (readonly [message: string, blocks: readonly PromptBlock[]])[] = [
    ['plain', [text('plain')]],
    ['', [text('')]],
    ['see @a.ts now', [text('see '), block('a.ts'), text(' now')]],
    ['@a.ts', [block('a.ts')]],
    ['@a.ts @b.ts', [block('a.ts'), text(' '), block('b.ts')]],
    ['see $a.ts now', [text('see $a.ts now'), block('a.ts')]],
    ['$a.md and @b.md, $c.md', [text('$a.md and '), block('b.md'), text(', $c.md'), block('a.md'), block('c.md')]],
  ];
  it.each(rows)('%j', (message, blocks) => {
    expect(whole(message)).toEqual(blocks);
  });

  it('ends with its contexts', () => {
    expect(whole('@a.md $b.md #diff', [text('D')])).toEqual([
      block('a.md'),
      text(' $b.md #diff'),
      block('b.md'),
      text('D'),
    ]);
  });

  it('keeps the text byte for byte (B15)', () => {
    const words = 'price is 5$ and $HOME, 100%, %1 %s, $$ $& $1 $(id) ~ {x} \0 \ud800';
    expect(promptBlocks(words, [])).toEqual([text(words)]);
  });
});

describe('contexts', () => {
  const say: Wording = {
    word: (key, values) => word('en', key, values),
    wordFailure: (failure) => wordFailure('en', failure),
  };
  const lines = { path: 'a.lua', filetype: 'lua', first: 2, last: 3, text: 'x\n```\n', cut: false };
  const finding = { path: 'a.lua', line: 3, column: 7, severity: 'error: ', message: 'no' };
  const texts = (words: Parameters<typeof contextBlocks>[0], gathered: Gathered) =>
    contextBlocks(words, gathered, say).map((block) => (block.type === 'text' ? block.text : ''));

  it('hold what was found, with path and lines, in a fence that nothing in it closes', () => {
    const editor = ok({
      selection: lines,
      buffer: { ...lines, first: 1, last: 9, text: 'all', cut: true },
      diagnostics: { path: 'a.lua', found: [finding] },
      quickfix: {
        title: ':grep',
        found: [
          { ...finding, severity: '' },
          { ...finding, path: '', line: 0, severity: '' },
        ],
      },
    });
    const diff = ok({ text: 'diff --git\n', cut: false });
    expect(texts(['selection', 'buffer', 'diagnostics', 'quickfix', 'diff'], { editor, diff })).toEqual([
      '#selection: a.lua:2-3\n````lua\nx\n```\n````\n',
      '#buffer: a.lua:1-9\n```lua\nall\n```\n(cut here: there is more)\n',
      '#diagnostics: a.lua\n```\na.lua:3:7: error: no\n```\n',
      '#quickfix: :grep\n```\na.lua:3:7: no\nno\n```\n',
      '#diff: git diff HEAD\n```diff\ndiff --git\n```\n',
    ]);
  });

  it('say so where there is nothing, or why it could not be looked up', () => {
    const all = ['selection', 'buffer', 'diagnostics', 'quickfix', 'diff'] as const;
    expect(texts(all, { editor: ok({}), diff: ok({ text: '', cut: false }) })).toEqual([
      '#selection: there is no window with a file\n',
      '#buffer: there is no window with a file\n',
      '#diagnostics: there is no window with a file\n',
      '#quickfix: the quickfix list is empty\n',
      '#diff: nothing was changed since the last commit\n',
    ]);
    const nothing = ok({ buffer: { ...lines }, diagnostics: { path: 'a.lua', found: [] } });
    expect(texts(['selection', 'diagnostics'], { editor: nothing })).toEqual([
      '#selection: nothing was selected in a.lua\n',
      '#diagnostics: there are no diagnostics in a.lua\n',
    ]);
    const busy = fail('busy', 'file.busyEditor', { path: 'x' });
    expect(texts(['buffer'], { editor: busy })[0]).toMatch(/could not be looked up: the editor did not answer/);
  });
});
