// The transcript: messages in, blocks out, and the patch operations that keep a view equal to them. Knows no window, no clock.
import type { Message, PatchOperation, Permission, Tool } from '../contract/shapes.ts';
import { gapBlock, say, type Context, type DrawnBlock, type Piece, type TranscriptOptions } from './drawn.ts';
import {
  allBlocks,
  changedMessage,
  drawMessageBlocks,
  undrawn,
  type DrawnMessage,
  type RedrawnMessage,
} from './message.ts';
import { changedBlocks, splice } from './operations.ts';
import { permissionBlock } from './permission.ts';

export type { DrawnBlock, TranscriptOptions } from './drawn.ts';
export { regionText } from './region.ts';
export { roles, speakerRole, type Role } from './roles.ts';
export { wholeTool } from './whole-tool.ts';

export interface Transcript {
  readonly options: TranscriptOptions;
  /** The row that says there are older messages, or nothing. */
  readonly top: Piece;
  readonly messages: readonly DrawnMessage[];
  /** There are newer messages, which are not drawn. */
  readonly newer: boolean;
  readonly permissions: readonly Permission[];
  /** Requests about tool calls nobody announced; the row that says there are newer messages. */
  readonly bottom: Piece;
}

export interface Drawn {
  readonly transcript: Transcript;
  /** To be applied in order. */
  readonly operations: readonly PatchOperation[];
}

export const emptyTranscript = (options: TranscriptOptions): Transcript => ({
  options,
  top: [],
  messages: [],
  newer: false,
  permissions: [],
  bottom: [],
});

const contextOf = ({ options, permissions }: Transcript): Context => ({ options, permissions });

export const blocks = ({ top, messages, bottom }: Transcript): Piece => [
  ...top,
  ...messages.flatMap(allBlocks),
  ...bottom,
];

const countBlocks = (messages: readonly DrawnMessage[]): number =>
  messages.reduce((sum, message) => sum + message.count, 0);

const countAll = ({ top, messages, bottom }: Transcript): number => top.length + countBlocks(messages) + bottom.length;

/** What a view needs that shows nothing yet. */
export const drawnSoFar = (transcript: Transcript): readonly PatchOperation[] => [splice(0, 0, blocks(transcript))];

/** Everything anew; `more`: there are older messages, `newer`: and newer ones. Waiting permission requests stay. */
export function drawAll(transcript: Transcript, messages: readonly Message[], more: boolean, newer = false): Drawn {
  const top = topPiece(transcript, more);
  const drawn = drawEach(transcript, messages, messages.length, more);
  const next = withBottom({ ...transcript, top, messages: drawn, newer });
  return { transcript: next, operations: [splice(0, countAll(transcript), blocks(next))] };
}

/** Draws a message that is new, at the end, or what changed in one that is there. */
export function drawMessage(transcript: Transcript, message: Message): Drawn {
  const { messages, top } = transcript;
  const index = messages.findLastIndex((drawn) => drawn.message.id === message.id);
  const before = messages[index];
  const first = top.length === 0 && (before ? index === 0 : messages.length === 0);
  const below = before ? messagesOf(messages.slice(index + 1)) : [];
  const redrawn = drawUnlessRepeated(transcript, message, below, first, before);
  if (!before) {
    const at = top.length + countBlocks(messages);
    const added = { ...transcript, messages: [...messages, redrawn.drawn] };
    const { transcript: next, operations } = redrawRepeated(added);
    return settleBottom(transcript, next, [splice(at, 0, allBlocks(redrawn.drawn)), ...operations]);
  }
  const operations = changedMessage(top.length + countBlocks(messages.slice(0, index)), before, redrawn);
  return settleBottom(transcript, { ...transcript, messages: messages.with(index, redrawn.drawn) }, operations);
}

export function removeMessage(transcript: Transcript, id: string): Drawn {
  const { messages, top } = transcript;
  const index = messages.findIndex((drawn) => drawn.message.id === id);
  const removed = messages[index];
  if (!removed) return { transcript, operations: [] };
  const at = top.length + countBlocks(messages.slice(0, index));
  const left = { ...transcript, messages: messages.toSpliced(index, 1) };
  const first = redrawFirst(left);
  const { transcript: next, operations } = redrawRepeated(first.transcript);
  return settleBottom(transcript, next, [splice(at, removed.count, []), ...first.operations, ...operations]);
}

/** Puts older messages above; `more`: there are still older ones. */
export function prepend(transcript: Transcript, older: readonly Message[], more: boolean): Drawn {
  const top = topPiece(transcript, more);
  const all = [...older, ...messagesOf(transcript.messages)];
  const added = drawEach(transcript, all, older.length, more);
  const above = [...top, ...added.flatMap(allBlocks)];
  // The row at the top goes first: a view that stands on it then stays with the messages it showed.
  const placed = [splice(0, transcript.top.length, []), splice(0, 0, above)];
  const next = { ...transcript, top, messages: [...added, ...transcript.messages] };
  const { transcript: joined, operations } = redrawAt(next, added.length);
  return settleBottom(transcript, joined, [...placed, ...operations]);
}

/** Puts newer messages below; `newer`: there are still newer ones. */
export function append(transcript: Transcript, messages: readonly Message[], newer: boolean): Drawn {
  const { top, messages: above } = transcript;
  const added = drawEach(transcript, messages, messages.length, true);
  const next = withBottom({ ...transcript, newer, messages: [...above, ...added] });
  // In one piece: a view that stands on the row at the bottom then goes on to the first of the new messages.
  const rows = [...added.flatMap(allBlocks), ...next.bottom];
  const placed = splice(top.length + countBlocks(above), transcript.bottom.length, rows);
  const { transcript: joined, operations } = redrawAt(next, above.length - 1);
  return { transcript: joined, operations: [placed, ...operations] };
}

/** Shows the requests that wait, each at its tool call, else at the end. */
export function setPermissions(transcript: Transcript, permissions: readonly Permission[]): Drawn {
  const asked = new Set([...transcript.permissions, ...permissions].map((one) => one.messageId));
  let next: Transcript = { ...transcript, permissions };
  const operations: PatchOperation[] = [];
  transcript.messages.forEach((drawn, index) => {
    if (!asked.has(drawn.message.id)) return;
    const redrawn = redrawAt(next, index);
    next = redrawn.transcript;
    operations.push(...redrawn.operations);
  });
  return settleBottom(transcript, next, operations);
}

const redrawFirst = (transcript: Transcript): Drawn => redrawAt(transcript, 0);

/** Draws a message again that itself did not change. */
function redrawAt(transcript: Transcript, index: number): Drawn {
  const { messages, top } = transcript;
  const before = messages[index];
  if (!before) return { transcript, operations: [] };
  const first = top.length === 0 && index === 0;
  const below = messagesOf(messages.slice(index + 1));
  const redrawn = drawUnlessRepeated(transcript, before.message, below, first, before);
  return {
    transcript: { ...transcript, messages: messages.with(index, redrawn.drawn) },
    operations: changedMessage(top.length + countBlocks(messages.slice(0, index)), before, redrawn),
  };
}

/** The first `count` of all messages; `more`: there are older ones. */
function drawEach(
  transcript: Transcript,
  all: readonly Message[],
  count: number,
  more: boolean,
): readonly DrawnMessage[] {
  return all.slice(0, count).map((message, index) => {
    const first = !more && index === 0;
    return drawUnlessRepeated(transcript, message, all.slice(index + 1, index + 1 + nearby), first, undefined).drawn;
  });
}

// ---- an answer that never was: the agent could not be reached ----

/** Between an answer and what is said of it stand only the messages that waited meanwhile. */
const nearby = 50;

function drawUnlessRepeated(
  transcript: Transcript,
  message: Message,
  below: readonly Message[],
  first: boolean,
  before: DrawnMessage | undefined,
): RedrawnMessage {
  if (isRepeated(message, below)) return undrawn(message);
  return drawMessageBlocks(contextOf(transcript), message, first, before);
}

/** Its error is the very text of the message `agent-unavailable` below it, where it reads better: it is drawn there alone. */
function isRepeated(answer: Message, below: readonly Message[]): boolean {
  if (answer.role !== 'agent' || answer.error === '' || answer.parts.length > 0) return false;
  const told = below.slice(0, nearby).find(({ role }) => role !== 'user');
  return told?.code === 'agent-unavailable' && told.agent === answer.agent && told.error === answer.error;
}

/** A message came or went that may say what the last answer says. */
function redrawRepeated(transcript: Transcript): Drawn {
  const { messages } = transcript;
  const index = messages.findLastIndex(({ message }) => message.role === 'agent');
  const answer = messages[index];
  const isNews = answer && isRepeated(answer.message, messagesOf(messages.slice(index + 1))) !== (answer.count === 0);
  return isNews ? redrawAt(transcript, index) : { transcript, operations: [] };
}

const messagesOf = (drawn: readonly DrawnMessage[]): readonly Message[] => drawn.map(({ message }) => message);

function topPiece({ options, permissions }: Transcript, more: boolean): Piece {
  if (!more) return [];
  return [furtherRow('older', say({ options, permissions }, 'transcript.older'))];
}

const furtherRow = (id: string, text: string): DrawnBlock => ({
  id,
  kind: 'notice',
  rows: [`⋯ ${text}`],
  marks: [[0, 0, -1, 'notice']],
  open: false,
});

/** A tool call by its id, the newest of that id. */
export function toolOf({ messages }: Transcript, id: string): Tool | undefined {
  const parts = messages.flatMap(({ message }) => message.parts);
  const found = parts.findLast((part) => part.kind === 'tool' && part.tool.id === id);
  return found?.kind === 'tool' ? found.tool : undefined;
}

// ---- requests without a tool call ----

const withBottom = (transcript: Transcript): Transcript => ({ ...transcript, bottom: bottomPiece(transcript) });

function settleBottom(before: Transcript, after: Transcript, operations: readonly PatchOperation[]): Drawn {
  const next = withBottom(after);
  const at = next.top.length + countBlocks(next.messages);
  return { transcript: next, operations: [...operations, ...changedBlocks(at, before.bottom, next.bottom)] };
}

function bottomPiece(transcript: Transcript): Piece {
  const context = contextOf(transcript);
  const requests = transcript.permissions
    .filter((permission) => !hasTool(transcript, permission))
    .flatMap((permission): readonly DrawnBlock[] => [
      gapBlock(`permission.${permission.id}.gap`, permission.messageId),
      permissionBlock(context, permission, false),
    ]);
  if (!transcript.newer) return requests;
  return [...requests, gapBlock('newer.gap', ''), furtherRow('newer', say(context, 'transcript.newer'))];
}

function hasTool({ messages }: Transcript, { messageId, toolCall }: Permission): boolean {
  const drawn = messages.findLast(({ message }) => message.id === messageId);
  return drawn?.message.parts.some((part) => part.kind === 'tool' && part.tool.id === toolCall.id) ?? false;
}
