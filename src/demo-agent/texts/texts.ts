// Owns: the choice of the demo agent's language. Must not: hold sentences.
import { en, type Texts } from './en.ts';
import { fr } from './fr.ts';

export type { Texts };

/** The first locale variable that is set decides, as POSIX has it. */
export function textsFor(environment: Readonly<Record<string, string | undefined>>): Texts {
  const locale = environment['LC_ALL'] || environment['LC_MESSAGES'] || environment['LANG'] || '';
  return /^fr(?![a-z])/i.test(locale) ? fr : en;
}
