// The transcript: messages in, blocks out, and the patch operations that keep a view equal to them. Knows no window, no clock.
import type { Message, PatchOperation, Permission, Tool } from '../contract/shapes.ts';
import { gapBlock, say, type Context, type DrawnBlock, type Piece, type TranscriptOptions } from './drawn.ts';
import { allBlocks, changedMessage, drawMessageBlocks, type DrawnMessage } from './message.ts';
import { changedBlocks, splice } from './operations.ts';
import { permissionBlock } from './permission.ts';

export type { DrawnBlock, TranscriptOptions } from './drawn.ts';
export { regionText } from './region.ts';
export { roles, type Role } from './roles.ts';
export { wholeTool } from './whole-tool.ts';

export interface Transcript {
  readonly options: TranscriptOptions;
  /** The row that says there are older messages, or nothing. */
  readonly top: Piece;
  readonly messages: readonly DrawnMessage[];
  readonly permissions: readonly Permission[];
  /** Requests about tool calls nobody announced. */
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

/** Everything anew; `more`: there are older messages. Waiting permission requests stay. */
export function drawAll(transcript: Transcript, messages: readonly Message[], more: boolean): Drawn {
  const top = topPiece(transcript, more);
  const context = contextOf(transcript);
  const drawn = messages.map(
    (message, index) => drawMessageBlocks(context, message, !more && index === 0, undefined).drawn,
  );
  const next = withBottom({ ...transcript, top, messages: drawn });
  return { transcript: next, operations: [splice(0, countAll(transcript), blocks(next))] };
}

/** Draws a message that is new, at the end, or what changed in one that is there. */
export function drawMessage(transcript: Transcript, message: Message): Drawn {
  const { messages, top } = transcript;
  const index = messages.findLastIndex((drawn) => drawn.message.id === message.id);
  const before = messages[index];
  const first = top.length === 0 && (before ? index === 0 : messages.length === 0);
  const redrawn = drawMessageBlocks(contextOf(transcript), message, first, before);
  if (!before) {
    const at = top.length + countBlocks(messages);
    const added = { ...transcript, messages: [...messages, redrawn.drawn] };
    return settleBottom(transcript, added, [splice(at, 0, allBlocks(redrawn.drawn))]);
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
  const { transcript: next, operations } = redrawFirst(left);
  return settleBottom(transcript, next, [splice(at, removed.count, []), ...operations]);
}

/** Puts older messages above; `more`: there are still older ones. */
export function prepend(transcript: Transcript, older: readonly Message[], more: boolean): Drawn {
  const top = topPiece(transcript, more);
  const context = contextOf(transcript);
  const added = older.map(
    (message, index) => drawMessageBlocks(context, message, !more && index === 0, undefined).drawn,
  );
  const above = [...top, ...added.flatMap(allBlocks)];
  // The row at the top goes first: a view that stands on it then stays with the messages it showed.
  const placed = [splice(0, transcript.top.length, []), splice(0, 0, above)];
  const next = { ...transcript, top, messages: [...added, ...transcript.messages] };
  const { transcript: joined, operations } = redrawAt(next, added.length);
  return settleBottom(transcript, joined, [...placed, ...operations]);
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
  const redrawn = drawMessageBlocks(contextOf(transcript), before.message, first, before);
  return {
    transcript: { ...transcript, messages: messages.with(index, redrawn.drawn) },
    operations: changedMessage(top.length + countBlocks(messages.slice(0, index)), before, redrawn),
  };
}

function topPiece({ options, permissions }: Transcript, more: boolean): Piece {
  if (!more) return [];
  const rows = [`⋯ ${say({ options, permissions }, 'transcript.older')}`];
  return [{ id: 'older', kind: 'notice', rows, marks: [[0, 0, -1, 'notice']], open: false }];
}

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
  return transcript.permissions
    .filter((permission) => !hasTool(transcript, permission))
    .flatMap((permission): readonly DrawnBlock[] => [
      gapBlock(`permission.${permission.id}.gap`, permission.messageId),
      permissionBlock(context, permission, false),
    ]);
}

function hasTool({ messages }: Transcript, { messageId, toolCall }: Permission): boolean {
  const drawn = messages.findLast(({ message }) => message.id === messageId);
  return drawn?.message.parts.some((part) => part.kind === 'tool' && part.tool.id === toolCall.id) ?? false;
}
