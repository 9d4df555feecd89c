// How texts are searched: what counts as a word, whatever its accents and case, and the line shown around a match. Pure.

/** A word of a search: the pieces that must follow each other. `foo.bar` has two, `日本` has one for each character. */
export type SearchWord = readonly string[];

/** Letters that are no letter with an accent to Unicode, and what a person types for them. */
const spelledOut: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };
const spellable = /[œæßøłđı]/g;
const fullWidth = /[\uff01-\uff5e]/g;
const accents = /[\u0300-\u036f]/g;
/** Characters of scripts written without blanks: each is a word of its own, and a longer word a row of them. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu;
const pieces = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const onlyAscii = /^\p{ASCII}*$/u;

/** Lower case without accents; half-width; `œ` as `oe`. */
export function foldText(text: string): string {
  if (onlyAscii.test(text)) return text.toLowerCase();
  const bare = text.normalize('NFD').replace(accents, '').normalize('NFC').toLowerCase();
  return bare
    .replace(spellable, (letter) => spelledOut[letter] ?? letter)
    .replace(fullWidth, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** More of a row of letters is no word a person would type. */
const longest = 64;

/** The words of a text as an index has them. */
export const textWords = (text: string): string[] =>
  (foldText(text).replace(unspaced, ' $& ').match(pieces) ?? []).map((word) => word.slice(0, longest));

/** The words of what a person typed; everything typed is data, and what has no letter or digit is left out. */
export const searchWords = (typed: string): readonly SearchWord[] =>
  typed
    .split(/\s+/)
    .map(textWords)
    .filter((word) => word.length > 0);

const charactersBefore = 40;
const snippetLength = 160;

/** One line of at most 160 characters around the longest of the words; cut ends are marked by `…`. */
export function snippet(text: string, words: readonly SearchWord[]): string {
  const plain = text.normalize('NFC');
  const at = place(plain, words);
  const start = at <= charactersBefore ? 0 : wordBorder(plain, at - charactersBefore, at);
  const full = start + snippetLength;
  const end = full >= plain.length ? plain.length : wordBorder(plain, full - 20, full);
  const line = oneLine(plain.slice(start, end));
  return `${start > 0 ? '…' : ''}${line}${end < plain.length ? '…' : ''}`;
}

/** Where the longest word begins, which says most about why this text was found; 0 if it is nowhere. */
function place(plain: string, words: readonly SearchWord[]): number {
  const folded = foldText(plain);
  const [word = []] = [...words].sort((one, other) => other.join('').length - one.join('').length);
  const border = '(?<![\\p{L}\\p{N}\\p{M}\\p{Co}])';
  const spaced = word.join('[^\\p{L}\\p{N}]*');
  const found = new RegExp(border + spaced, 'u').exec(folded) ?? new RegExp(spaced, 'u').exec(folded);
  return placeBefore(plain, folded, found?.index ?? 0);
}

/** The place in the text itself of a place in its folded form, which can be longer (`œ`) or shorter (lone accents). */
function placeBefore(plain: string, folded: string, at: number): number {
  if (plain.length === folded.length) return at;
  let gained = 0;
  for (const match of plain.matchAll(/[œŒæÆßẞ\u0300-\u036f]/g)) {
    if (match.index + gained >= at) break;
    gained += foldText(match[0]).length - 1;
  }
  return Math.max(0, at - gained);
}

/** The beginning of a word between two places; the first place, but within no character, where there is none. */
function wordBorder(text: string, from: number, to: number): number {
  const blank = text.slice(from, to).search(/\s/);
  if (blank >= 0) return from + blank + 1;
  return /[\udc00-\udfff]/.test(text.charAt(from)) ? from + 1 : from;
}

/** Control and format characters must reach no screen (SPEC 19). */
const oneLine = (text: string): string =>
  text
    .replace(/(?!\u200d)[\p{Cf}\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
