// The blocks for `#selection` and its like: what the editor and git found, or that there is nothing (SPEC section 6). Pure.
import type { Failure, Result } from '../errors.ts';
import type { ContextFinding, ContextLines, EditorContext, PromptBlock } from '../ports.ts';
import type { TextKey } from '../texts/index.ts';
import type { ContextWord } from './reading.ts';

/** What was found at the moment a message was sent. */
export interface Gathered {
  readonly editor: Result<EditorContext>;
  readonly diff?: Result<{ readonly text: string; readonly cut: boolean }>;
}

/** Words in the person's language. */
export interface Wording {
  word(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  wordFailure(failure: Failure): string;
}

export function contextBlocks(words: readonly ContextWord[], gathered: Gathered, say: Wording): PromptBlock[] {
  return words.map((word) => ({ type: 'text', text: `#${word}: ${describe(word, gathered, say)}\n` }));
}

function describe(word: ContextWord, gathered: Gathered, say: Wording): string {
  if (word === 'diff') return gathered.diff ? describeDiff(gathered.diff, say) : say.word('context.noDiff');
  const { editor } = gathered;
  if (!editor.ok) return say.word('context.failed', { what: say.wordFailure(editor.error) });
  switch (word) {
    case 'selection':
      return describeSelection(editor.value, say);
    case 'buffer':
      return editor.value.buffer ? describeLines(editor.value.buffer, say) : say.word('context.noWindow');
    case 'diagnostics':
      return describeDiagnostics(editor.value, say);
    case 'quickfix':
      return describeQuickfix(editor.value, say);
  }
}

function describeDiff(diff: NonNullable<Gathered['diff']>, say: Wording): string {
  if (!diff.ok) return say.wordFailure(diff.error);
  if (diff.value.text === '') return say.word('context.noDiff');
  return `git diff HEAD\n${fenced('diff', diff.value.text)}${cutNote(diff.value.cut, say)}`;
}

function describeSelection({ selection, buffer }: EditorContext, say: Wording): string {
  if (selection) return describeLines(selection, say);
  return buffer ? say.word('context.noSelection', { path: buffer.path }) : say.word('context.noWindow');
}

const describeLines = ({ path, first, last, filetype, text, cut }: ContextLines, say: Wording): string =>
  `${path}:${first}-${last}\n${fenced(filetype, text)}${cutNote(cut, say)}`;

function describeDiagnostics({ diagnostics }: EditorContext, say: Wording): string {
  if (!diagnostics) return say.word('context.noWindow');
  const { path, found } = diagnostics;
  return found.length === 0 ? say.word('context.noDiagnostics', { path }) : `${path}\n${fenced('', rows(found))}`;
}

function describeQuickfix({ quickfix }: EditorContext, say: Wording): string {
  if (!quickfix || quickfix.found.length === 0) return say.word('context.noQuickfix');
  return `${quickfix.title}\n${fenced('', rows(quickfix.found))}`;
}

const rows = (found: readonly ContextFinding[]): string =>
  found
    .map(({ path, line, column, severity, message }) => `${place(path, line, column)}${severity}${message}`)
    .join('\n');

function place(path: string, line: number, column: number): string {
  const parts = [path, ...(line > 0 ? [line, ...(column > 0 ? [column] : [])] : [])].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(':')}: `;
}

/** Longer than any run of backticks in the text, so that nothing in it closes the fence. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

const cutNote = (cut: boolean, say: Wording): string => (cut ? `\n${say.word('context.cut')}` : '');
