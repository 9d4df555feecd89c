// Reads the plain YAML most configurations are written in, many times faster than the library: block mappings and lists, values of
// one line, no anchors, tags or escapes. Gives up on anything else, right or wrong: then the library reads it, and its word counts.
import type { Entry, ListTree, MapTree, TextTree, Tree } from './yaml-shapes.ts';

/** A line that says something. */
interface Line {
  /** Of its first character that is no blank. */
  readonly at: number;
  readonly end: number;
  readonly indent: number;
}

interface Reading {
  readonly text: string;
  readonly lines: readonly Line[];
  next: number;
}

const maxDepth = 32;
/** Nobody writes more between braces; comparing all with all would take long. */
const maxFlowEntries = 200;

/** Undefined: the library must read it. The tree is the very one the library's reader gives. */
export function readPlainYaml(text: string): Tree | undefined {
  const lines = splitLines(text);
  const first = lines?.[0];
  if (!lines || !first) return undefined;
  const reading: Reading = { text, lines, next: 0 };
  const tree = readMap(reading, first.indent, 0);
  return reading.next === lines.length ? tree : undefined;
}

/** Undefined where a character or a line stands that means more than itself. */
function splitLines(text: string): readonly Line[] | undefined {
  if (/[\t\r\u0085\u2028\u2029\uFEFF]|^(?:---|\.\.\.|%)/m.test(text)) return undefined;
  const lines: Line[] = [];
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    let at = from;
    while (text.charCodeAt(at) === blank) at++;
    if (at < end && text.charCodeAt(at) !== hash) lines.push({ at, end, indent: at - from });
    from = end + 1;
  }
  return lines;
}

const blank = 0x20;
const hash = 0x23;
const dash = 0x2d;

// ---- blocks ----

/** A word, then a colon and a blank or the end. Anything quoted, and `<<`, is left to the library. */
const keyPattern = /(?!<<:)[^\s\-?:,[\]{}#&*!|>'"%@`=][^\s:#,[\]{}&*!|>'"%@`]{0,99}(?=: |:$)/my;

function readMap(reading: Reading, indent: number, depth: number): MapTree | undefined {
  const { text, lines } = reading;
  const entries: Entry[] = [];
  const keys = new Set<string>();
  const at = lines[reading.next]?.at ?? 0;
  for (let line = lines[reading.next]; line?.indent === indent; line = lines[reading.next]) {
    keyPattern.lastIndex = line.at;
    const key = keyPattern.exec(text)?.[0].normalize('NFC');
    if (key === undefined || keys.has(key) || depth > maxDepth) return undefined;
    keys.add(key);
    const value = readValue(reading, line, keyPattern.lastIndex + 1, depth);
    if (!value) return undefined;
    entries.push({ key, keyAt: line.at, value });
  }
  return { kind: 'map', at, entries };
}

/** What stands behind a key: on its line, or below it. */
function readValue(reading: Reading, line: Line, from: number, depth: number): Tree | undefined {
  const at = skipBlanks(reading.text, from, line.end);
  reading.next++;
  const below = reading.lines[reading.next];
  if (at < line.end && reading.text.charCodeAt(at) !== hash) {
    // Deeper lines would continue it.
    return below && below.indent > line.indent ? undefined : readInline(reading.text, at, line.end, depth);
  }
  if (below && isItem(reading.text, below) && below.indent >= line.indent)
    return readList(reading, below.indent, depth + 1);
  if (below && below.indent > line.indent) return readMap(reading, below.indent, depth + 1);
  return { kind: 'text', at: line.at, end: line.at, text: '', plain: true };
}

const isItem = (text: string, { at, end }: Line): boolean =>
  text.charCodeAt(at) === dash && (at + 1 === end || text.charCodeAt(at + 1) === blank);

/** A list whose items stand on one line each. */
function readList(reading: Reading, indent: number, depth: number): ListTree | undefined {
  const { text, lines } = reading;
  const items: Tree[] = [];
  const at = lines[reading.next]?.at ?? 0;
  for (let line = lines[reading.next]; line?.indent === indent && isItem(text, line); line = lines[reading.next]) {
    const from = skipBlanks(text, line.at + 1, line.end);
    const below = lines[++reading.next];
    if (from >= line.end || (below && below.indent > indent)) return undefined;
    const item = readInline(text, from, line.end, depth);
    if (!item) return undefined;
    items.push(item);
  }
  return { kind: 'list', at, items };
}

// ---- what stands on one line ----

/** A value up to the end of its line or a comment. */
function readInline(text: string, at: number, end: number, depth: number): Tree | undefined {
  const opening = text[at];
  if (opening === '[' || opening === '{') {
    const flow = readFlow(text, at, end, depth + 1);
    return flow && isOver(text, flow.end, end) ? flow.tree : undefined;
  }
  if (opening === '"' || opening === "'") {
    const quoted = readQuoted(text, at, end);
    return quoted && isOver(text, quoted.end, end) ? quoted : undefined;
  }
  return readPlain(text, at, end, plainPattern);
}

/** Nothing but blanks follows, or a comment after a blank. */
function isOver(text: string, from: number, end: number): boolean {
  const at = skipBlanks(text, from, end);
  return at >= end || (text.charCodeAt(at) === hash && at > from);
}

/** Quotes around anything but quotes and backslashes. */
function readQuoted(text: string, at: number, end: number): TextTree | undefined {
  const close = text.indexOf(text.charAt(at), at + 1);
  if (close < 0 || close >= end || text.charAt(close + 1) === text.charAt(at)) return undefined;
  const inside = text.slice(at + 1, close);
  return inside.includes('\\') ? undefined : { kind: 'text', at, end: close + 1, text: inside, plain: false };
}

/** Begins with what begins nothing else; a `-` only before a letter, digit or another one. */
const plainPattern = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[\w-]))(?:[^:#\n]|:(?=[^\s])|(?<! )#)*/y;
/** The same between brackets and braces. */
const flowPattern = /(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-(?=[\w-]))(?:[^:#\n,[\]{}]|:(?=[^\s,[\]{}])|(?<! )#)*/y;

/** Up to the end of the line, a comment or a sign; a colon that is followed by a blank is left to the library. */
function readPlain(text: string, at: number, end: number, pattern: RegExp): TextTree | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0];
  if (found === undefined) return undefined;
  const stop = at + found.length;
  let last = stop;
  while (text.charCodeAt(last - 1) === blank) last--;
  const isComment = text.charCodeAt(stop) === hash && stop > last;
  if (pattern === plainPattern && stop < end && !isComment) return undefined;
  return { kind: 'text', at, end: last, text: text.slice(at, last), plain: true };
}

// ---- brackets and braces ----

interface Flow {
  readonly tree: Tree;
  /** After the closing sign. */
  readonly end: number;
}

function readFlow(text: string, at: number, end: number, depth: number): Flow | undefined {
  if (depth > maxDepth) return undefined;
  const isMap = text[at] === '{';
  const close = isMap ? '}' : ']';
  const items: Tree[] = [];
  const entries: Entry[] = [];
  for (let from = skipBlanks(text, at + 1, end); from < end;) {
    if (text[from] === close && items.length + entries.length === 0) return closeFlow(isMap, at, from, entries, items);
    const taken = isMap ? takeEntry(text, from, end, depth, entries) : takeItem(text, from, end, depth, items);
    if (taken === undefined) return undefined;
    const sign = skipBlanks(text, taken, end);
    if (text[sign] === close) return closeFlow(isMap, at, sign, entries, items);
    if (text[sign] !== ',') return undefined;
    from = skipBlanks(text, sign + 1, end);
  }
  return undefined;
}

const closeFlow = (
  isMap: boolean,
  at: number,
  close: number,
  entries: readonly Entry[],
  items: readonly Tree[],
): Flow => ({
  tree: isMap ? { kind: 'map', at, entries } : { kind: 'list', at, items },
  end: close + 1,
});

function takeItem(text: string, at: number, end: number, depth: number, items: Tree[]): number | undefined {
  const item = readFlowValue(text, at, end, depth);
  if (item) items.push(item.tree);
  return item?.end;
}

function takeEntry(text: string, at: number, end: number, depth: number, entries: Entry[]): number | undefined {
  keyPattern.lastIndex = at;
  const key = keyPattern.exec(text)?.[0].normalize('NFC');
  if (key === undefined || entries.length > maxFlowEntries || entries.some((entry) => entry.key === key))
    return undefined;
  const from = skipBlanks(text, keyPattern.lastIndex + 1, end);
  const value = from < end ? readFlowValue(text, from, end, depth) : undefined;
  if (value) entries.push({ key, keyAt: at, value: value.tree });
  return value?.end;
}

function readFlowValue(text: string, at: number, end: number, depth: number): Flow | undefined {
  const opening = text[at];
  if (opening === '[' || opening === '{') return readFlow(text, at, end, depth + 1);
  const tree = opening === '"' || opening === "'" ? readQuoted(text, at, end) : readPlain(text, at, end, flowPattern);
  return tree && { tree, end: tree.end };
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text.charCodeAt(at) === blank) at++;
  return at;
}
