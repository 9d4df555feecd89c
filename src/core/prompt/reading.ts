// Which files and contexts a message names (SPEC section 6). Pure: whether a file exists is asked elsewhere.
import { canBeginMention, codeRanges, hiddenRanges, isHidden, type Range } from '../hidden-text.ts';

/** `@` stands for the file itself, `$` only attaches it. */
export type Sign = '@' | '$';

/** A way to read one name: the text from `start` to `end`, its sign included, names `path`, and perhaps lines of it. */
export interface NamedFile {
  readonly sign: Sign;
  readonly start: number;
  readonly end: number;
  readonly path: string;
  /** From 1, both included. */
  readonly lines?: { readonly first: number; readonly last: number };
  /** It can be nothing but a file: where there is none, the person hears of it. */
  readonly certain: boolean;
}

/** The same name read in each way that makes sense, the longest first; the first one that exists is meant. */
export type Candidates = readonly NamedFile[];

export const contextWords = ['selection', 'buffer', 'diagnostics', 'quickfix', 'diff'] as const;
export type ContextWord = (typeof contextWords)[number];

export const finalPunctuation = /[.,;:!?…)\]}'"»”’]+$/u;

/** Every file a message may name, in order. `mentions`: where agents are mentioned, which wins over a file of that name. */
export function namedFiles(text: string, mentions: readonly Range[] = []): Candidates[] {
  const found = [...atFiles(text, mentions), ...dollarFiles(text)];
  return found.sort(([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0));
}

/** Whether a file may be named with `@`, so that a message that begins with an unknown name is looked at again. */
export const mayNameFile = (text: string, mentions: readonly Range[] = []): boolean =>
  atFiles(text, mentions).length > 0;

// ---- @path ----

function atFiles(text: string, mentions: readonly Range[]): Candidates[] {
  if (!text.includes('@')) return [];
  const hidden = hiddenRanges(text);
  const found: Candidates[] = [];
  for (const { index: start } of text.matchAll(/@/g)) {
    if (!canBeginMention(text, start) || isHidden(hidden, start) || isHidden(mentions, start)) continue;
    const candidates = readAt(text, start);
    if (candidates.length > 0) found.push(candidates);
  }
  return found;
}

const quotedPath = /^"((?:[^"\\\n]|\\.)+)"/u;
const lineSuffix = /^:(\d+)(?:-(\d+))?/u;

function readAt(text: string, start: number): Candidates {
  const rest = text.slice(start + 1);
  const quoted = quotedPath.exec(rest);
  if (quoted) {
    const [whole, name = ''] = quoted;
    const [suffix = '', first, last] = lineSuffix.exec(rest.slice(whole.length)) ?? [];
    const end = start + 1 + whole.length + suffix.length;
    return [{ sign: '@', start, end, path: unescape(name), certain: false, ...lineRange(first, last) }];
  }
  const word = /^[^\s"]+/u.exec(rest)?.[0] ?? '';
  const bare = word.replace(finalPunctuation, '');
  return [...new Set([word, bare])].filter(Boolean).flatMap((name) => readings(start, name));
}

function readings(start: number, name: string): NamedFile[] {
  const plain: NamedFile = { sign: '@', start, end: start + 1 + name.length, path: name, certain: false };
  const [, path, first, last] = /^(.+?):(\d+)(?:-(\d+))?$/u.exec(name) ?? [];
  return path === undefined ? [plain] : [plain, { ...plain, path, ...lineRange(first, last) }];
}

function lineRange(first: string | undefined, last: string | undefined): Pick<NamedFile, 'lines'> {
  if (first === undefined) return {};
  const from = Math.max(1, Number(first));
  return { lines: { first: from, last: Math.max(from, Number(last ?? first)) } };
}

/** A backslash before anything else is a part of the name. */
const unescape = (name: string): string => name.replace(/\\(["\\])/gu, '$1');

// ---- $path ----

function dollarFiles(text: string): Candidates[] {
  if (!text.includes('$')) return [];
  const code = codeRanges(text);
  return [...text.matchAll(/(?<!\S)\$/gu)].flatMap(({ index }): Candidates[] => {
    const file = isHidden(code, index) ? undefined : readDollar(text, index);
    return file ? [[file]] : [];
  });
}

/** A bare word without `.` and `/` may be anything (`$HOME`); any other path can only be meant for one. */
function readDollar(text: string, start: number): NamedFile | undefined {
  const rest = text.slice(start + 1);
  const quoted = quotedPath.exec(rest);
  if (quoted) {
    const [whole, name = ''] = quoted;
    return { sign: '$', start, end: start + 1 + whole.length, path: unescape(name), certain: true };
  }
  const word = /^[\p{L}._/]\S*/u.exec(rest)?.[0] ?? '';
  const path = word.replace(finalPunctuation, '');
  return path === '' ? undefined : { sign: '$', start, end: start + 1 + path.length, path, certain: /[./]/.test(path) };
}

// ---- #context ----

const contextPattern = new RegExp(
  `(?<![^\\s\\p{Ps}\\p{Pi}"'«:])#(${contextWords.join('|')})(?![\\p{L}\\p{M}\\p{N}_/-]|[.:][\\p{L}\\p{N}])`,
  'gu',
);

const isContextWord = (word: string | undefined): word is ContextWord => contextWords.some((known) => known === word);

/** The contexts a message asks for, each once, in order. */
export function namedContexts(text: string): ContextWord[] {
  if (!text.includes('#')) return [];
  const code = codeRanges(text);
  const words = [...text.matchAll(contextPattern)].map(({ index, 1: word }) => (isHidden(code, index) ? '' : word));
  return [...new Set(words.filter(isContextWord))];
}
