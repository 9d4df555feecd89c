// Reads tool calls and their updates: title, kind, status, content, locations (ACP.md 3.4 and 5.4). Never throws.
// A field left out or null stays as it was; a list replaces the whole list.
import { fileURLToPath } from 'node:url';
import * as path from 'node:path';
import type { Location } from '../../core/contract/shapes.ts';
import type { ToolPatch } from '../../core/ports.ts';
import { outputText } from './content.ts';
import { isCount, isObject, objectOf, only, textOf, type Json } from './json.ts';
import type { Session } from './session.ts';

type Diff = NonNullable<ToolPatch['diffs']>[number];

const kinds = new Set(['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'other']);
const statuses = new Set(['pending', 'in_progress', 'completed', 'failed']);

export function readTool(session: Session, id: string, raw: Json): ToolPatch {
  const delta = readTerminalMeta(session, objectOf(raw['_meta']));
  return {
    ...only('title', textOf(raw['title']) || textOf(raw['name'])),
    ...only('kind', kindOf(raw['kind'])),
    ...only('status', statusOf(raw['status'])),
    ...only('input', inputOf(raw['rawInput'])),
    ...readOutput(session, id, raw, delta),
    ...(Array.isArray(raw['locations']) && { locations: raw['locations'].flatMap((one) => location(session, one)) }),
  };
}

function kindOf(kind: unknown): string {
  if (typeof kind !== 'string') return '';
  return kinds.has(kind) ? kind : 'other';
}

const statusOf = (status: unknown): string => (typeof status === 'string' && statuses.has(status) ? status : '');

/** Many agents announce a call with `{}` and fill it in later (ACP.md 5.3). */
function inputOf(input: unknown): string {
  if (input === undefined || input === null) return '';
  return isObject(input) && Object.keys(input).length === 0 ? '' : JSON.stringify(input);
}

function readOutput(session: Session, id: string, raw: Json, delta: string): ToolPatch {
  const { content } = raw;
  if (Array.isArray(content)) {
    if (content.length > 0) session.withContent.add(id);
    return {
      output: join(content.map((one) => itemText(session, one))),
      diffs: content.flatMap((one) => diff(session, one)),
    };
  }
  if (delta !== '') {
    session.withContent.add(id);
    return { outputDelta: delta };
  }
  return session.withContent.has(id) ? {} : only('output', rawText(raw['rawOutput']));
}

function itemText(session: Session, value: unknown): string {
  const item = objectOf(value);
  switch (item['type']) {
    case 'content':
      return outputText(item['content']);
    case 'diff':
      return '';
    case 'terminal':
      return session.terminal(textOf(item['terminalId']));
    default:
      return outputText(item);
  }
}

const join = (pieces: readonly string[]): string =>
  pieces
    .filter((piece) => piece !== '')
    .reduce((whole, piece) => (whole === '' || whole.endsWith('\n') ? whole + piece : `${whole}\n${piece}`), '');

/** An absent, null or empty old text means a new file (ACP.md 5.4). */
function diff(session: Session, value: unknown): Diff[] {
  const item = objectOf(value);
  const { path: file, newText } = item;
  if (item['type'] !== 'diff' || typeof file !== 'string' || typeof newText !== 'string') return [];
  const oldText = textOf(item['oldText']);
  return [{ path: absolute(session, file), oldText, newText, newFile: oldText === '' }];
}

function location(session: Session, value: unknown): Location[] {
  const { path: file, line } = objectOf(value);
  if (typeof file !== 'string' || file === '') return [];
  return [{ path: absolute(session, file), ...(isCount(line) && { line: Math.max(1, line) }) }];
}

function absolute(session: Session, file: string): string {
  try {
    return file.startsWith('file://') ? fileURLToPath(file) : path.resolve(session.cwd, file);
  } catch {
    return path.resolve(session.cwd, file);
  }
}

/** What a call that never showed content returned, where it is plainly text. */
function rawText(output: unknown): string {
  if (typeof output === 'string') return output;
  const { output: text, error, message } = objectOf(output);
  return [text, error, message].find((one) => typeof one === 'string') ?? '';
}

/** Terminals of the agent's own print through `_meta` (ACP.md 5.4); gives what was printed now. */
function readTerminalMeta(session: Session, meta: Json): string {
  const printed = [meta['terminal_output'], meta['terminal_output_delta']].map((one) => {
    const { terminal_id: id, data } = objectOf(one);
    return { id: textOf(id), text: textOf(data) };
  });
  const exit = objectOf(meta['terminal_exit']);
  const ended = { id: textOf(exit['terminal_id']), text: exitText(exit) };
  for (const { id, text } of [...printed, ended]) if (text !== '') session.printed(id, text);
  return [...printed, ended].map(({ text }) => text).join('');
}

function exitText(exit: Json): string {
  const { exit_code: code, signal } = exit;
  if (typeof signal === 'string' && signal !== '') return `\n[${signal}]`;
  return isCount(code) && code !== 0 ? `\n[exit ${String(code)}]` : '';
}
