// Shows what adding an agent would write into a configuration: the lines, and where they begin. Writes nothing.
import { ok, type Result } from '../errors.ts';
import { addAgent, type NewAgent } from './add-agent.ts';
import { parseConfig } from './parse.ts';
import type { Setting } from './resolve.ts';

export interface AgentDraft {
  /** Of the first of the lines, from 1. */
  readonly line: number;
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
}

export function draft(text: string, agent: NewAgent, setting: Setting): Result<AgentDraft> {
  const added = addAgent(text, agent, setting);
  if (!added.ok) return added;
  const { line, lines } = linesAdded(text, added.value);
  const warnings = parseConfig(added.value, setting).warnings.filter(
    (warning) => warning.line >= line && warning.line < line + lines.length,
  );
  return ok({ line, lines, warnings: warnings.map(({ message }) => message) });
}

function linesAdded(before: string, after: string): { readonly line: number; readonly lines: readonly string[] } {
  const old = splitLines(before);
  const now = splitLines(after);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  while (now[head] === '') head++;
  return { line: head + 1, lines: now.slice(head, now.length - tail) };
}

const splitLines = (text: string): readonly string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
