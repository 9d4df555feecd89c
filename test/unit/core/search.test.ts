// The line of text that is shown around what was found.
import { describe, expect, test } from 'vitest';
import { foldText, searchWords, snippet } from '../../../src/core/search.ts';

const around = (text: string, words: string): string => snippet(text, searchWords(words));

describe('a snippet', () => {
  test('a short text is shown whole', () => {
    expect(around('A short text.', 'short')).toBe('A short text.');
  });

  test('of a long one, the words around the longest word found, cut between words', () => {
    const shown = around(`${'before '.repeat(100)}needle ${'after '.repeat(100)}`, 'be needle');
    expect(shown).toMatch(/^…(before )+needle (after )+after…$/);
    expect(shown.length).toBeLessThanOrEqual(162);
  });

  test('with composed accents, as it was written, whatever way the accents were typed', () => {
    const decomposed = `${'x'.repeat(20)} `.repeat(10) + 'E\u0301te\u0301 a\u0300 Œuvres';
    expect(around(decomposed, 'été')).toContain('Été à Œuvres');
    expect(around(decomposed, 'OEUVRES')).toContain('Été à Œuvres');
  });

  test('after letters that are longer when spelled out it is still at the word', () => {
    expect(around(`${'œ '.repeat(500)}needle`, 'needle')).toMatch(/^…(œ )+needle$/);
  });

  test('one line, and no control or format characters reach the screen', () => {
    expect(around('a\n\n\tb\u001b[31m\u0007\u202e needle\u2028end', 'needle')).toBe('a b [31m needle end');
  });

  test('cuts through no character', () => {
    expect(around(`${'😀'.repeat(101)}needle${'😀'.repeat(200)}`, 'needle').isWellFormed()).toBe(true);
  });
});

test('words are the same whatever their accents, case and width', () => {
  for (const [one, other] of [
    ['Été', 'ete'],
    ['ŒUVRE', 'oeuvre'],
    ['Straße', 'STRASSE'],
    ['ＡＢ１', 'ab1'],
    ['İstanbul', 'istanbul'],
    ['e\u0301', 'é'],
  ] as const) {
    expect(foldText(one), one).toBe(foldText(other));
  }
});
