// One part of a message as blocks; a part that did not change keeps the blocks it has.
import type { Message, Part } from '../contract/shapes.ts';
import { gapBlock, type Context, type DrawnBlock, type Piece } from './drawn.ts';
import { planBlock } from './plan.ts';
import { markdownLimits } from './sizes.ts';
import { drawText, type DrawnText, type Redrawn } from './text.ts';
import { drawThought, type DrawnThought } from './thought.ts';
import { drawTool, type DrawnTool } from './tool.ts';

type Drawing =
  | { readonly kind: 'text'; readonly drawn: DrawnText }
  | { readonly kind: 'thought'; readonly drawn: DrawnThought }
  | { readonly kind: 'tool'; readonly drawn: DrawnTool }
  | { readonly kind: 'plan'; readonly drawn: { readonly blocks: readonly DrawnBlock[] } };

export interface DrawnPart {
  readonly part: Part;
  readonly closed: boolean;
  /** The blank row in front, or nothing. */
  readonly gap: Piece;
  readonly drawing: Drawing;
}

export interface PartOf {
  readonly message: Message;
  readonly index: number;
  /** No more text will come to this part, as far as anybody knows. */
  readonly closed: boolean;
  readonly before: DrawnPart | undefined;
}

export function drawPart(context: Context, of: PartOf, part: Part): Redrawn<DrawnPart> {
  const { before, closed } = of;
  if (before?.part === part && before.closed === closed && !asksNow(context, of, part)) {
    return { drawn: before, from: { block: before.drawing.drawn.blocks.length, row: 0 } };
  }
  const { drawn, from } = drawKind(context, of, part);
  return { drawn: { part, closed, gap: before?.gap ?? [], drawing: drawn }, from };
}

export const blocksOf = ({ drawing }: DrawnPart): Piece => drawing.drawn.blocks;

/** With or without a blank row in front. */
export function withGap(drawn: DrawnPart, { message, index }: PartOf, wanted: boolean): DrawnPart {
  if (wanted === drawn.gap.length > 0) return drawn;
  return { ...drawn, gap: wanted ? [gapBlock(`${message.id}.${index}.gap`, message.id)] : [] };
}

/** Requests come and go without a change of the tool call they ask about. */
function asksNow(context: Context, { message, before }: PartOf, part: Part): boolean {
  if (part.kind !== 'tool' || before?.drawing.kind !== 'tool') return false;
  if (context.permissions.length === 0 && before.drawing.drawn.permissions.length === 0) return false;
  const asked = context.permissions.filter((one) => one.messageId === message.id && one.toolCall.id === part.tool.id);
  const shown = before.drawing.drawn.permissions;
  return asked.length !== shown.length || asked.some((one, index) => one.id !== shown[index]?.id);
}

function drawKind(context: Context, { message, index, closed, before }: PartOf, part: Part): Redrawn<Drawing> {
  const id = `${message.id}.${index}`;
  const old = before?.drawing;
  switch (part.kind) {
    case 'text': {
      const typed = message.role === 'user';
      const of = { id, message: message.id, typed, limits: markdownLimits(context.options.language) };
      const { drawn, from } = drawText(of, part.text, closed, old?.kind === 'text' ? old.drawn : undefined);
      return { drawn: { kind: 'text', drawn }, from };
    }
    case 'thought': {
      const earlier = old?.kind === 'thought' ? old.drawn : undefined;
      const { drawn, from } = drawThought(context, { id, message: message.id }, part.text, closed, earlier);
      return { drawn: { kind: 'thought', drawn }, from };
    }
    case 'tool': {
      const drawn = drawTool(context, id, message.id, part.tool, old?.kind === 'tool' ? old.drawn : undefined);
      return { drawn: { kind: 'tool', drawn }, from: { block: 0, row: 0 } };
    }
    case 'plan': {
      const blocks = part.entries.length > 0 ? [planBlock(context, `${id}.0`, message.id, part.entries)] : [];
      return { drawn: { kind: 'plan', drawn: { blocks } }, from: { block: 0, row: 0 } };
    }
  }
}
