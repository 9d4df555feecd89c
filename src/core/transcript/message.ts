// One message as blocks: a blank row, its header, its parts, how it ended; and what changed since it was drawn last.
import type { Message, PatchOperation } from '../contract/shapes.ts';
import { gapBlock, type Context, type Piece } from './drawn.ts';
import { headerBlock } from './header.ts';
import { attachmentBlocks, endBlocks, systemBlock } from './notice.ts';
import { changedBlocks } from './operations.ts';
import { blocksOf, drawPart, withGap, type DrawnPart } from './part.ts';
import type { Unchanged } from './text.ts';

export interface DrawnMessage {
  readonly message: Message;
  readonly head: Piece;
  readonly parts: readonly DrawnPart[];
  readonly end: Piece;
  /** Blocks in all. */
  readonly count: number;
}

export interface RedrawnMessage {
  readonly drawn: DrawnMessage;
  /** `from` of each part, compared with the part it was drawn after. */
  readonly unchanged: readonly Unchanged[];
}

/** `first`: nothing stands above it. */
export function drawMessageBlocks(
  context: Context,
  message: Message,
  first: boolean,
  before: DrawnMessage | undefined,
): RedrawnMessage {
  const gap = first ? [] : [gapBlock(`${message.id}.gap`, message.id)];
  if (message.role === 'system') return whole(message, [...gap, systemBlock(context, message)]);
  const { parts, unchanged } = drawParts(context, message, before);
  const head = [...gap, headerBlock(context, message)];
  const empty = parts.every((part) => blocksOf(part).length === 0);
  const notices = endBlocks(context, message, empty);
  const apart = notices.length > 0 && !empty ? [gapBlock(`${message.id}.end.gap`, message.id)] : [];
  const end = [...attachmentBlocks(message), ...apart, ...notices];
  return { drawn: counted({ message, head, parts, end }), unchanged };
}

const whole = (message: Message, head: Piece): RedrawnMessage => ({
  drawn: counted({ message, head, parts: [], end: [] }),
  unchanged: [],
});

/** A message that takes no room. */
export const undrawn = (message: Message): RedrawnMessage => whole(message, []);

const counted = (drawn: Omit<DrawnMessage, 'count'>): DrawnMessage => {
  let count = drawn.head.length + drawn.end.length;
  for (const part of drawn.parts) count += part.gap.length + blocksOf(part).length;
  return { ...drawn, count };
};

const pieces = ({ head, parts, end }: DrawnMessage): readonly Piece[] => [
  head,
  ...parts.flatMap((part) => [part.gap, blocksOf(part)]),
  end,
];

export const allBlocks = (drawn: DrawnMessage): Piece => pieces(drawn).flat();

function drawParts(
  context: Context,
  message: Message,
  before: DrawnMessage | undefined,
): { parts: readonly DrawnPart[]; unchanged: readonly Unchanged[] } {
  const parts: DrawnPart[] = [];
  const unchanged: Unchanged[] = [];
  let above: DrawnPart | undefined;
  message.parts.forEach((part, index) => {
    const closed = message.done || index < message.parts.length - 1;
    const of = { message, index, closed, before: before?.parts[index] };
    const { drawn, from } = drawPart(context, of, part);
    const seen = blocksOf(drawn).length > 0;
    const placed = withGap(drawn, of, seen && above !== undefined && !isToolAfterTool(above, drawn));
    if (seen) above = placed;
    parts.push(placed);
    unchanged.push(from);
  });
  return { parts, unchanged };
}

/** The calls of one row are a list. */
const isToolAfterTool = (above: DrawnPart, { part }: DrawnPart): boolean =>
  part.kind === 'tool' && above.part.kind === 'tool';

/** The operations that make the new drawing of the old one, which begins at block `at`. */
export function changedMessage(
  at: number,
  before: DrawnMessage,
  { drawn, unchanged }: RedrawnMessage,
): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  let place = at;
  const compare = (old: Piece, now: Piece, from?: Unchanged): void => {
    if (old !== now) operations.push(...changedBlocks(place, old, now, from));
    place += now.length;
  };
  compare(before.head, drawn.head);
  drawn.parts.forEach((part, index) => {
    const old = before.parts[index];
    compare(old?.gap ?? [], part.gap);
    compare(old ? blocksOf(old) : [], blocksOf(part), old ? unchanged[index] : undefined);
  });
  const gone = before.parts.slice(drawn.parts.length).flatMap((part) => [...part.gap, ...blocksOf(part)]);
  compare([...gone, ...before.end], drawn.end);
  return operations;
}
