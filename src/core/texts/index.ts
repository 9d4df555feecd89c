// Words a text of the interface in one of the languages (SPEC section 17). Owns no text itself.
import type { Failure } from '../errors.ts';
import { en, type TextKey } from './en.ts';
import { fr } from './fr.ts';

export type Language = 'en' | 'fr';
export type { TextKey };
export type Values = Readonly<Record<string, string | number>>;

const tables: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, fr };

/** Fills `{name}` from `values`; an unknown name stays as it is, so a missing value is seen. */
export function word(language: Language, key: TextKey, values: Values = {}): string {
  return tables[language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

export const wordFailure = (language: Language, failure: Failure): string =>
  word(language, failure.text, failure.values);
