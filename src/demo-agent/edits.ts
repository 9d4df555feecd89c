// Owns: the one edit the demo agent makes: a greeting in a comment, counted up when it is there already.
// Must not: read or write files, or know the protocol.
import { commentLine, commentSyntax } from './comment-syntax.ts';
import type { CommentSyntax } from './comment-syntax.ts';

export interface Edit {
  readonly text: string;
  /** The line that changed, from 1. */
  readonly line: number;
}

const wholeFileBytes = 64 * 1024;
const contextLines = 3;

/** The text with its greeting, or undefined where a comment could break the file. */
export function withGreeting(path: string, text: string, greeting: (visit: number) => string): Edit | undefined {
  const syntax = commentSyntax(path);
  if (syntax === undefined) return undefined;
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = text.slice(mark.length).split('\n');
  const bare = lines.map((line) => line.replace(/\r$/, ''));
  const known = knownGreeting(bare, syntax);
  const index = known?.index ?? commentLine(path, bare);
  if (index === undefined) return undefined;
  const line = syntax.open + greeting((known?.visit ?? 0) + 1) + syntax.close;
  placeLine(lines, index, line, known !== undefined);
  return { text: mark + lines.join('\n'), line: index + 1 };
}

/** Puts `line` at `index`, with the line ending of its file. */
function placeLine(lines: string[], index: number, line: string, replace: boolean): void {
  const carriage = lines[0]?.endsWith('\r') ? '\r' : '';
  const atEnd = index === lines.length;
  if (atEnd) lines[index - 1] = `${lines[index - 1] ?? ''}${carriage}`;
  const isLast = replace && index === lines.length - 1;
  lines.splice(index, replace ? 1 : 0, isLast ? line : line + carriage);
  if (atEnd) lines.push('');
}

/** The greeting in either language: a person may change the language between two visits. */
function knownGreeting(lines: readonly string[], syntax: CommentSyntax): { index: number; visit: number } | undefined {
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith(syntax.open) || !line.endsWith(syntax.close)) continue;
    const inner = line.slice(syntax.open.length, line.length - syntax.close.length);
    const match = /^(?:Hello from Sidekicks: visit|Bonjour de Sidekicks : visite) (\d{1,6})$/.exec(inner);
    if (match) return { index, visit: Number(match[1]) };
  }
  return undefined;
}

/** What a diff shows: the whole of a small file, else the changed lines with a few around them. */
export function shownDiff(before: string, after: Edit): { oldText: string; newText: string } {
  if (after.text.length <= wholeFileBytes) return { oldText: before, newText: after.text };
  const [oldLines, newLines] = [before.split('\n'), after.text.split('\n')];
  const first = Math.max(0, after.line - 1 - contextLines);
  const last = after.line + contextLines;
  return {
    oldText: oldLines.slice(first, last - (newLines.length - oldLines.length)).join('\n'),
    newText: newLines.slice(first, last).join('\n'),
  };
}
