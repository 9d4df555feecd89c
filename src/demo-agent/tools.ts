// Owns: the two things the demo agent does to a file, as tool calls: reading it and proposing an edit of it.
// Must not: choose the file.
import { join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type {
  PermissionOption,
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { shownDiff, withGreeting } from './edits.ts';
import type { Edit } from './edits.ts';
import type { ReadResult } from './files.ts';
import { shortName } from './prompt.ts';
import { toolText } from './turn.ts';
import type { Turn } from './turn.ts';

export type EditOutcome =
  | { type: 'written'; line: number }
  | { type: 'rejected' }
  | { type: 'noGoodPlace' }
  | { type: 'failed'; reason: string };

const shownLines = 12;
export const newFileName = 'hello.md';

/** Reads a file under the eyes of the person: a tool call with its first lines. */
export async function readFile(turn: Turn, path: string): Promise<ReadResult> {
  const toolCallId = await turn.openTool({
    title: turn.texts.tools.read(shortName(path, turn.session.cwd)),
    kind: 'read',
    status: 'in_progress',
    locations: [{ path, line: 1 }],
    rawInput: { path },
  });
  const result = await turn.read(path);
  if (result.ok) await turn.endTool(toolCallId, 'completed', toolText(firstLines(turn, result.text)));
  else await turn.endTool(toolCallId, 'failed', toolText(result.reason));
  return result;
}

function firstLines(turn: Turn, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= shownLines) return lines.join('\n');
  return [...lines.slice(0, shownLines), turn.texts.tools.moreLines(lines.length - shownLines)].join('\n');
}

export function newFilePath(turn: Turn): string {
  return join(turn.session.cwd, newFileName);
}

/** Proposes the greeting in a file, asks where the mode says so, and writes it. */
export async function editFile(turn: Turn, path: string): Promise<EditOutcome> {
  const before = await turn.read(path);
  if (!before.ok && !(before.missing && path === newFilePath(turn))) return { type: 'failed', reason: before.reason };
  const proposal = proposed(turn, path, before);
  if (proposal === undefined) return { type: 'noGoodPlace' };
  const call = toolCall(turn, path, before, proposal);
  const toolCallId = await turn.openTool({ ...call, status: 'pending' });
  const answer = await permission(turn, { toolCallId, ...call, status: 'pending' });
  if (answer.type === 'allowed') return carryOut(turn, path, toolCallId, before);
  if (answer.type === 'failed') return failTool(turn, toolCallId, answer.reason);
  await turn.updateTool({ toolCallId, status: 'failed', rawOutput: { rejected: turn.texts.tools.rejected } });
  return { type: 'rejected' };
}

/** The person may have typed while the question was open: the edit is made on the text as it is now. */
async function carryOut(turn: Turn, path: string, toolCallId: string, before: ReadResult): Promise<EditOutcome> {
  await turn.updateTool({ toolCallId, status: 'in_progress' });
  const now = await turn.read(path);
  if (!now.ok && !now.missing) return failTool(turn, toolCallId, now.reason);
  const edit = proposed(turn, path, now);
  if (edit === undefined) return failTool(turn, toolCallId, turn.texts.reasons.missing);
  if (textOf(now) !== textOf(before)) await turn.updateTool({ toolCallId, ...shape(path, now, edit) });
  const written = await turn.write(path, edit.text);
  if (!written.ok) return failTool(turn, toolCallId, written.reason);
  await turn.updateTool({ toolCallId, status: 'completed', rawOutput: { line: edit.line } });
  return { type: 'written', line: edit.line };
}

async function failTool(turn: Turn, toolCallId: string, reason: string): Promise<EditOutcome> {
  await turn.updateTool({ toolCallId, status: 'failed', rawOutput: { error: reason } });
  return { type: 'failed', reason };
}

function proposed(turn: Turn, path: string, found: ReadResult): Edit | undefined {
  const { texts } = turn;
  if (found.ok) return withGreeting(path, found.text, texts.greeting);
  if (path !== newFilePath(turn)) return undefined;
  const text = texts.newFile(texts.greeting(1));
  return { text, line: text.split('\n').length - 1 };
}

function toolCall(turn: Turn, path: string, found: ReadResult, edit: Edit): Omit<ToolCall, 'toolCallId'> {
  const { tools } = turn.texts;
  const name = shortName(path, turn.session.cwd);
  const title = found.ok ? tools.edit(name) : tools.create(name);
  return { title, kind: 'edit', rawInput: { path }, ...shape(path, found, edit) };
}

function shape(
  path: string,
  found: ReadResult,
  edit: Edit,
): { locations: ToolCallLocation[]; content: ToolCallContent[] } {
  const texts = found.ok ? shownDiff(found.text, edit) : { oldText: null, newText: edit.text };
  return { locations: [{ path, line: edit.line }], content: [{ type: 'diff', path, ...texts }] };
}

function textOf(found: ReadResult): string | undefined {
  return found.ok ? found.text : undefined;
}

type Permission = { type: 'allowed' } | { type: 'rejected' } | { type: 'failed'; reason: string };

async function permission(turn: Turn, toolCall: ToolCallUpdate): Promise<Permission> {
  if (turn.session.settings.mode === 'auto') return { type: 'allowed' };
  const sessionId = turn.session.id;
  try {
    const asked = turn.client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall,
      options: permissionOptions(turn),
    });
    return await permissionOf(turn, chosenOption(await turn.heed(asked)));
  } catch (error) {
    // A client that cannot ask has not allowed anything.
    if (error instanceof RequestError) return { type: 'failed', reason: error.message };
    throw error;
  }
}

function permissionOptions(turn: Turn): PermissionOption[] {
  const { allow, always, reject } = turn.texts.permission;
  return [
    { optionId: 'allow', name: allow, kind: 'allow_once' },
    { optionId: 'always', name: always, kind: 'allow_always' },
    { optionId: 'reject', name: reject, kind: 'reject_once' },
  ];
}

/** The SDK does not check what a client answers, so it may hold no outcome at all. */
function chosenOption(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('outcome' in answer)) return 'reject';
  const { outcome } = answer;
  if (typeof outcome !== 'object' || outcome === null || !('optionId' in outcome)) return 'reject';
  return typeof outcome.optionId === 'string' ? outcome.optionId : 'reject';
}

async function permissionOf(turn: Turn, optionId: string): Promise<Permission> {
  if (optionId === 'always') await editWithoutAsking(turn);
  return { type: optionId === 'allow' || optionId === 'always' ? 'allowed' : 'rejected' };
}

async function editWithoutAsking(turn: Turn): Promise<void> {
  turn.session.settings = { ...turn.session.settings, mode: 'auto' };
  await turn.update({ sessionUpdate: 'current_mode_update', currentModeId: 'auto' });
  if (turn.can.session?.notices) {
    await turn.update({ sessionUpdate: 'notice', severity: 'info', ...turn.texts.notices.auto });
  }
}
