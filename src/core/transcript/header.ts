// The row above a message: who speaks, when, and whether it still waits. A region of its own, never copied with what follows.
import type { Message } from '../contract/shapes.ts';
import { utf8Length } from '../markdown/bytes.ts';
import { say, type Context, type DrawnBlock, type Mark } from './drawn.ts';
import { oneRow } from './plain.ts';

export function headerBlock(context: Context, message: Message): DrawnBlock {
  const { options } = context;
  const user = message.role === 'user';
  const label = `‣ ${user ? say(context, 'transcript.you') : oneRow(options.speaker(message.agent))}`;
  const queued = message.queued ? ` · ${say(context, 'transcript.queued')}` : '';
  const end = utf8Length(label);
  const marks: Mark[] = [[0, 0, end, user ? 'user' : (options.speakerRole?.(message.agent) ?? 'speaker')]];
  if (queued !== '') marks.push([0, end, end + utf8Length(queued), 'queued']);
  return {
    id: `${message.id}.head`,
    kind: 'header',
    rows: [label + queued],
    marks,
    open: false,
    right: options.timeOfDay(message.createdAt),
    message: message.id,
  };
}
