// Where a message names files with `@`, and how its blocks are put together (SPEC section 6). Pure: whether a file exists is asked elsewhere.
import { canBeginMention, hiddenRanges, isHidden } from './hidden-text.ts';
import type { PromptBlock } from './ports.ts';

/** Most files a message may carry (SPEC 6). */
export const maxAttachments = 10;

/** A way to read one mention: the text from `start` to `end` names `path`, and perhaps lines of it. */
export interface FileMention {
  readonly start: number;
  readonly end: number;
  readonly path: string;
  /** From 1, both included. */
  readonly lines?: { readonly first: number; readonly last: number };
}

/** The same mention read in each way that makes sense, the longest first; the first one that exists is meant. */
export type Candidates = readonly FileMention[];

const finalPunctuation = /[.,;:!?…)\]}'"»”’]+$/u;

/** Every `@` that could name a file, in order; none in code (inline, fenced, indented) or in quoted lines. */
export function fileMentions(text: string): Candidates[] {
  const found: Candidates[] = [];
  const hidden = hiddenRanges(text);
  for (const match of text.matchAll(/@/g)) {
    const start = match.index;
    if (!canBeginMention(text, start) || isHidden(hidden, start)) continue;
    const candidates = readMention(text, start);
    if (candidates.length > 0) found.push(candidates);
  }
  return found;
}

function readMention(text: string, start: number): Candidates {
  const rest = text.slice(start + 1);
  const quoted = /^"((?:[^"\\\n]|\\.)+)"(?::(\d+)(?:-(\d+))?)?/u.exec(rest);
  if (quoted) {
    const [whole, name = '', first, last] = quoted;
    return [{ start, end: start + 1 + whole.length, path: name.replace(/\\(.)/gu, '$1'), ...lineRange(first, last) }];
  }
  const word = /^[^\s"]+/u.exec(rest)?.[0] ?? '';
  const bare = word.replace(finalPunctuation, '');
  return [...new Set([word, bare])].filter(Boolean).flatMap((name) => readings(start, name));
}

function readings(start: number, name: string): FileMention[] {
  const end = start + 1 + name.length;
  const ranged = /^(.+?):(\d+)(?:-(\d+))?$/u.exec(name);
  const plain: FileMention = { start, end, path: name };
  return ranged ? [plain, { start, end, path: ranged[1] ?? '', ...lineRange(ranged[2], ranged[3]) }] : [plain];
}

function lineRange(first: string | undefined, last: string | undefined): Pick<FileMention, 'lines'> {
  if (first === undefined) return {};
  const from = Math.max(1, Number(first));
  return { lines: { first: from, last: Math.max(from, Number(last ?? first)) } };
}

/** What stands in the prompt for a mention. */
export interface Embedded {
  readonly mention: FileMention;
  readonly block: PromptBlock;
}

/** The text byte for byte, each file's block where its name stood. */
export function promptBlocks(text: string, embedded: readonly Embedded[]): PromptBlock[] {
  const blocks: PromptBlock[] = [];
  let at = 0;
  for (const { mention, block } of embedded) {
    if (mention.start > at) blocks.push({ type: 'text', text: text.slice(at, mention.start) });
    blocks.push(block);
    at = mention.end;
  }
  if (at < text.length || blocks.length === 0) blocks.push({ type: 'text', text: text.slice(at) });
  return blocks;
}

/** How completion writes a path so that it reads back to that one file. */
export function writeMention(path: string): string {
  const isPlain =
    /^[^\s"\\]+$/u.test(path) && path.replace(finalPunctuation, '') === path && !/:\d+(-\d+)?$/u.test(path);
  return isPlain ? `@${path}` : `@"${path.replace(/["\\]/gu, '\\$&')}"`;
}
