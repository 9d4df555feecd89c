// What Sidekicks itself says in a transcript: system messages, and how a message ended when it did not end well.
import type { Message } from '../contract/shapes.ts';
import { say, wholeRows, type Context, type DrawnBlock } from './drawn.ts';
import { oneRow, plainRows } from './plain.ts';
import type { Role } from './roles.ts';
import { rowLimits } from './sizes.ts';

/** A system message; its rows are worded here by `code`, details are the message's own words. */
export function systemBlock(context: Context, message: Message): DrawnBlock {
  const role = message.code === 'agent-unavailable' || message.code === 'attachment-unavailable' ? 'error' : 'notice';
  return noticeBlock(context, `${message.id}.head`, message.id, `— ${systemText(context, message)}`, role);
}

export function systemText(context: Context, message: Message): string {
  const { code, error } = message;
  const agent = message.agent === '' ? '' : oneRow(context.options.speaker(message.agent));
  const own = message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const what = [error, own].filter((text) => text !== '').join('\n');
  switch (code) {
    case '':
      return what;
    case 'no-recipient':
      return error === '' ? say(context, 'system.no-recipient') : say(context, 'system.no-recipientNamed', { what });
    case 'compaction':
      return [say(context, 'system.compaction', { agent }), what].filter((text) => text !== '').join('\n');
    case 'notice':
      return agent === '' ? what : say(context, 'system.notice', { agent, what });
    case 'attachment-unavailable':
      return say(context, `system.${code}`, { what: [own, error].filter((text) => text !== '').join(': ') });
    case 'agent-joined':
    case 'agent-left':
    case 'agent-unavailable':
    case 'session-started':
      return say(context, `system.${code}`, { agent, what });
  }
}

export const filesText = (attachments: Message['attachments']): string =>
  `↳ ${attachments.map(({ path }) => oneRow(path)).join(' · ')}`;

/** The files a message carries, in one row below it. */
export function attachmentBlocks({ id, attachments }: Message): readonly DrawnBlock[] {
  if (attachments.length === 0) return [];
  const rows = [filesText(attachments)];
  return [{ id: `${id}.files`, kind: 'notice', rows, marks: wholeRows(rows, 'notice'), open: false, message: id }];
}

/** Nothing for a message that grows or ended as it should. */
export function endBlocks(context: Context, message: Message, empty: boolean): readonly DrawnBlock[] {
  const end = endText(context, message, empty);
  return end ? [noticeBlock(context, `${message.id}.end`, message.id, end.text, end.role)] : [];
}

/** How a message ended, where there is something to say of it. */
export function endText(
  context: Context,
  message: Message,
  empty: boolean,
): { readonly text: string; readonly role: Role } | undefined {
  const { role, stopReason, error, done } = message;
  if (role === 'user') return error === '' ? undefined : { text: notSent(context, error), role: 'notice' };
  if (!done) return undefined;
  if (error !== '') return { text: say(context, 'end.failed', { what: error }), role: 'error' };
  if (stopReason !== '' && stopReason !== 'end_turn')
    return { text: say(context, `end.${stopReason}`), role: 'notice' };
  return empty ? { text: say(context, 'transcript.silent'), role: 'notice' } : undefined;
}

/** `cancelled` is a word of the protocol, every other error is the agent's or Sidekicks' own sentence. */
const notSent = (context: Context, error: string): string =>
  say(context, 'end.notSent', { what: error === 'cancelled' ? say(context, 'end.cancelled') : error });

function noticeBlock(context: Context, id: string, message: string, text: string, role: Role): DrawnBlock {
  const rows = plainRows(text, rowLimits.prose, context.options.language);
  return { id, kind: 'notice', rows, marks: wholeRows(rows, role), open: false, message };
}
