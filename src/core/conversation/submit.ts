// A person's message comes in: it begins a turn, or waits (SPEC section 5). Pure.
import type { Message } from '../contract/shapes.ts';
import { userMessage } from './messages.ts';
import type { ConversationState, Step, Stepped } from './state.ts';
import { andThen, messageUpdated, turnChanged } from './told.ts';
import { beginTurn } from './turns.ts';

export function submit(state: ConversationState, message: Message, step: Step): Stepped {
  const mustWait = state.turn !== undefined || state.queue.length > 0 || !step.free;
  if (!mustWait) return beginTurn(state, message, step);
  const queued = { ...message, queued: true };
  const next = { ...state, queue: [...state.queue, queued] };
  return { state: next, effects: [...messageUpdated(queued), turnChanged(next)] };
}

/** A message that was not sent is sent again as a new one; the old one goes, so that it stands once. */
export function resend(state: ConversationState, old: Message, step: Step): Stepped {
  const again = { ...userMessage(state.conversation.id, '', step, old.attachments), parts: old.parts };
  const removed: Stepped = { state, effects: [{ type: 'deleteMessage', messageId: old.id }] };
  return andThen(removed, (now) => submit(now, again, step));
}
