// The tables of texts: the languages say the same things with the same values, each in its own typography.
import { describe, expect, test } from 'vitest';
import { en } from '../../../src/core/texts/en.ts';
import { fr } from '../../../src/core/texts/fr.ts';

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
const offending = (texts: object, pattern: RegExp): string[] =>
  Object.entries(texts).flatMap(([key, text]) => (pattern.test(String(text)) ? [`${key}: ${String(text)}`] : []));

describe('texts', () => {
  test('take the same values in both languages', () => {
    const values = (texts: object) => Object.entries(texts).map(([key, text]) => [key, placeholders(String(text))]);
    expect(Object.fromEntries(values(fr))).toEqual(Object.fromEntries(values(en)));
  });

  test('in French have no-break spaces at : ; ! ? « », and the typographic apostrophe', () => {
    // A command such as `:Sidekicks` is no punctuation.
    expect(offending(fr, / [:;!?](?![A-Za-z])| »|« /)).toEqual([]);
    expect(offending(fr, /[a-zé]'[a-zéêh]/i)).toEqual([]);
  });

  test('in English have the typographic quotes', () => {
    expect(offending(en, /"|[a-z]'[a-z]/i)).toEqual([]);
  });
});
