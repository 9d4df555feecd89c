// Block structure of Markdown, one line at a time (CommonMark's own method): which lines are code, and where in the line the code begins.
// micromark cannot go on where it stopped, and takes a second for one line of nested lists; test/unit holds both to the same answers.
import { indentAhead, isBlankAhead, skip, startOf, step, type Cursor } from './cursor.ts';
import { htmlStart, type HtmlEnd } from './html.ts';

/** A block quote, or a list item whose lines begin `indent` columns further in. `bare`: nothing but the marker so far. */
type Container =
  { readonly type: 'quote' } | { readonly type: 'item'; readonly indent: number; readonly bare: boolean };

type Leaf =
  | { readonly type: 'none' | 'paragraph' | 'indented' }
  | { readonly type: 'fence'; readonly sign: string; readonly length: number; readonly indent: number }
  | { readonly type: 'html'; readonly end: HtmlEnd };

/** What is open after a line. */
export interface Structure {
  readonly containers: readonly Container[];
  readonly leaf: Leaf;
}

export const documentStart: Structure = { containers: [], leaf: { type: 'none' } };

/** A quote sign or list marker of a line, in characters. */
export interface Marker {
  readonly from: number;
  readonly to: number;
  readonly role: 'quote' | 'listMarker';
}

interface Place {
  readonly markers: readonly Marker[];
  /** The character where the content begins. */
  readonly from: number;
  /** Columns of the tab at `from` that belong to the content; 0 almost always. */
  readonly tab: number;
}

/**
 * `paragraph`, `heading` and `underline` (the line that makes a heading of the paragraph before it) hold inline marks, `plain` does not.
 * `first` begins a new paragraph or a new indented block.
 */
type Content =
  | { readonly type: 'blank' | 'plain' | 'heading' | 'underline' | 'fenceEnd' | 'code' }
  | { readonly type: 'paragraph' | 'indented'; readonly first: boolean }
  | { readonly type: 'fence'; readonly lang: string };

export type Scanned = Place & Content;

export interface Step {
  readonly structure: Structure;
  readonly line: Scanned;
}

/** Nested deeper than a person would, `>` and `-` are text: each level costs time on each line. */
const deepest = 100;

interface Work {
  readonly cursor: Cursor;
  readonly markers: Marker[];
  containers: Container[];
}

export function scanLine(structure: Structure, text: string): Step {
  const work: Work = { cursor: startOf(text), markers: [], containers: [] };
  const inside = matchContainers(structure.containers, work);
  const goesOn = inside ? continueLeaf(structure.leaf, work) : undefined;
  return goesOn ?? startBlocks(structure, inside, work);
}

// ---- what is open goes on ----

/** True when the line is inside every open container. */
function matchContainers(containers: readonly Container[], work: Work): boolean {
  for (const container of containers) {
    const kept = container.type === 'quote' ? matchQuote(container, work) : matchItem(container, work.cursor);
    if (!kept) return false;
    work.containers.push(kept);
  }
  return true;
}

function matchQuote(container: Container, work: Work): Container | undefined {
  return takeQuote(work) ? container : undefined;
}

function takeQuote({ cursor, markers }: Work): boolean {
  const indent = indentAhead(cursor, 4);
  if (indent === 4) return false;
  const ahead = { ...cursor };
  skip(ahead, indent);
  if (ahead.left > 0 || ahead.text[ahead.at] !== '>') return false;
  Object.assign(cursor, ahead);
  markers.push({ from: cursor.at, to: cursor.at + 1, role: 'quote' });
  step(cursor);
  skip(cursor, 1);
  return true;
}

function matchItem(container: Container & { type: 'item' }, cursor: Cursor): Container | undefined {
  const blank = isBlankAhead(cursor);
  if (blank ? container.bare : indentAhead(cursor, container.indent) < container.indent) return undefined;
  skip(cursor, container.indent);
  return container.bare ? { ...container, bare: false } : container;
}

function continueLeaf(leaf: Leaf, work: Work): Step | undefined {
  if (leaf.type === 'fence') return continueFence(leaf, work);
  if (leaf.type === 'indented') return continueIndented(work);
  if (leaf.type === 'html') return continueHtml(leaf, work);
  return undefined;
}

function continueFence(leaf: Leaf & { type: 'fence' }, work: Work): Step {
  const { cursor } = work;
  const closing = { ...cursor };
  skip(closing, indentAhead(closing, 4));
  if (closing.column - cursor.column < 4 && isFenceEnd(closing, leaf)) return done(work, 'none', { type: 'fenceEnd' });
  skip(cursor, leaf.indent);
  return done(work, leaf, { type: 'code' });
}

function isFenceEnd({ text, at }: Cursor, { sign, length }: Leaf & { type: 'fence' }): boolean {
  let end = at;
  while (text[end] === sign) end += 1;
  return end - at >= length && isBlankAhead({ text, at: end, column: 0, left: 0 });
}

function continueIndented(work: Work): Step | undefined {
  const blank = isBlankAhead(work.cursor);
  if (!blank && indentAhead(work.cursor, 4) < 4) return undefined;
  skip(work.cursor, 4);
  return done(work, 'indented', blank ? { type: 'blank' } : { type: 'indented', first: false });
}

function continueHtml(leaf: Leaf & { type: 'html' }, work: Work): Step | undefined {
  if (leaf.end === 'blank') return isBlankAhead(work.cursor) ? undefined : done(work, leaf, { type: 'plain' });
  return done(work, endsHtml(leaf.end, work.cursor) ? 'none' : leaf, { type: 'plain' });
}

const endsHtml = (end: RegExp, { text, at }: Cursor): boolean => end.test(text.slice(at));

// ---- what begins ----

function startBlocks(structure: Structure, inside: boolean, work: Work): Step {
  const paragraph = structure.leaf.type === 'paragraph';
  let interrupts = paragraph && inside;
  const before = work.containers.length;
  while (work.containers.length < deepest && openContainer(work, interrupts)) interrupts = false;
  const opened = work.containers.length > before;
  // A paragraph goes on without its quote signs or its indent (a lazy line), unless the line can be something else.
  const lazy = paragraph && !opened && !inside;
  const { cursor } = work;
  if (isBlankAhead(cursor)) return done(work, 'none', { type: isBlankAhead(startOf(cursor.text)) ? 'blank' : 'plain' });
  if (indentAhead(cursor, 4) === 4) {
    if (interrupts || lazy) return continueParagraph(structure, work);
    skip(cursor, 4);
    return done(work, 'indented', { type: 'indented', first: true });
  }
  const indent = skip(cursor, 3);
  const leaf = startLeaf(work, indent, interrupts, lazy);
  if (leaf) return leaf;
  return interrupts || lazy
    ? continueParagraph(structure, work)
    : done(work, 'paragraph', { type: 'paragraph', first: true });
}

function continueParagraph(structure: Structure, work: Work): Step {
  skip(work.cursor, Infinity);
  if (work.containers.length < structure.containers.length) work.containers = [...structure.containers];
  return done(work, 'paragraph', { type: 'paragraph', first: false });
}

function openContainer(work: Work, interrupts: boolean): boolean {
  if (takeQuote(work)) {
    work.containers.push({ type: 'quote' });
    return true;
  }
  const item = takeItem(work, interrupts);
  if (item) work.containers.push(item);
  return item !== undefined;
}

const marker = /([-+*]|(\d{1,9})[.)])(?=[\t ]|$)/y;
const rule = /(?:\*[\t ]*){3,}$|(?:-[\t ]*){3,}$|(?:_[\t ]*){3,}$/y;
const underline = /(?:=+|-+)[\t ]*$/y;

/** `interrupts`: only an item with text, numbered 1 if at all, can end a paragraph. */
function takeItem(work: Work, interrupts: boolean): Container | undefined {
  const ahead = { ...work.cursor };
  const indent = skip(ahead, 4);
  if (indent === 4 || ahead.left > 0) return undefined;
  const found = matchAt(marker, ahead);
  if (!found || matchAt(rule, ahead) || (interrupts && matchAt(underline, ahead))) return undefined;
  const sign = found[0];
  const from = ahead.at;
  step(ahead, sign.length);
  const bare = isBlankAhead(ahead);
  if (interrupts && (bare || (found[2] !== undefined && found[2] !== '1'))) return undefined;
  const spaces = indentAhead(ahead, 5);
  const gap = bare || spaces === 5 ? 1 : spaces;
  skip(ahead, gap);
  Object.assign(work.cursor, ahead);
  work.markers.push({ from, to: from + sign.length, role: 'listMarker' });
  return { type: 'item', indent: indent + sign.length + gap, bare };
}

const heading = /#{1,6}(?:[\t ]|$)/y;
const fence = /(`{3,})([^`]*)$|(~{3,})(.*)$/y;

function startLeaf(work: Work, indent: number, interrupts: boolean, lazy: boolean): Step | undefined {
  const { cursor } = work;
  if (matchAt(heading, cursor)) return done(work, 'none', { type: 'heading' });
  const open = matchAt(fence, cursor);
  if (open) return startFence(work, indent, open[1] ?? open[3] ?? '', open[2] ?? open[4] ?? '');
  const end = htmlStart(cursor.text.slice(cursor.at), interrupts || lazy);
  if (end)
    return done(work, end !== 'blank' && endsHtml(end, cursor) ? 'none' : { type: 'html', end }, { type: 'plain' });
  if (interrupts && matchAt(underline, cursor)) return done(work, 'none', { type: 'underline' });
  return matchAt(rule, cursor) ? done(work, 'none', { type: 'plain' }) : undefined;
}

function startFence(work: Work, indent: number, sequence: string, info: string): Step {
  const leaf: Leaf = { type: 'fence', sign: sequence.charAt(0), length: sequence.length, indent };
  return done(work, leaf, { type: 'fence', lang: languageOf(info) });
}

/** The first word of what follows a fence, without what cannot be part of a language's name (`{.r}`, `lua title=x`, `js:src/a.js`). */
const languageOf = (info: string): string => /^[\t ]*\{?\.?([\w#+-]{1,40})/.exec(info)?.[1] ?? '';

function matchAt(pattern: RegExp, cursor: Cursor): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.text);
}

function done(
  { cursor, markers, containers }: Work,
  leaf: Leaf | 'none' | 'paragraph' | 'indented',
  content: Content,
): Step {
  const structure = { containers, leaf: typeof leaf === 'string' ? { type: leaf } : leaf };
  return { structure, line: { markers, from: cursor.at, tab: cursor.left, ...content } };
}
