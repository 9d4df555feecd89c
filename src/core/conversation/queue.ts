// The messages that wait for the answer in progress: edited, removed, dropped (SPEC section 5). Pure.
import type { Attachment, Message } from '../contract/shapes.ts';
import { textOf } from './messages.ts';
import { route } from './routing.ts';
import type { ConversationState, Step, Stepped } from './state.ts';
import { messageUpdated, saved, stay, turnChanged } from './told.ts';

export function editQueued(
  state: ConversationState,
  messageId: string,
  text: string,
  attachments: readonly Attachment[],
): Stepped {
  const index = state.queue.findIndex((message) => message.id === messageId);
  const before = state.queue[index];
  if (!before) return stay(state);
  const edited: Message = { ...before, parts: [{ kind: 'text', text }], attachments: [...attachments] };
  return { state: { ...state, queue: state.queue.with(index, edited) }, effects: messageUpdated(edited) };
}

export function removeQueued(state: ConversationState, messageId: string): Stepped {
  const queue = state.queue.filter((message) => message.id !== messageId);
  if (queue.length === state.queue.length) return stay(state);
  const next = { ...state, queue };
  return { state: next, effects: [{ type: 'deleteMessage', messageId }, turnChanged(next)] };
}

export const dropQueue = (state: ConversationState): Stepped => drop(state, () => true);

/** What waits for this agent alone. */
export function dropQueueOf(state: ConversationState, agent: string, step: Step): Stepped {
  const room = { conversation: state.conversation, answerers: state.answerers, agents: step.agents };
  return drop(state, (message) => {
    const { agents } = route(textOf(message.parts), message.attachments.length > 0, room);
    return agents.length === 1 && agents[0] === agent;
  });
}

/** Dropped messages stay, marked `cancelled`, and can be sent again. */
function drop(state: ConversationState, isDropped: (message: Message) => boolean): Stepped {
  const dropped = state.queue
    .filter(isDropped)
    .map((message): Message => ({ ...message, queued: false, error: 'cancelled' }));
  if (dropped.length === 0) return stay(state);
  const next = { ...state, queue: state.queue.filter((message) => !isDropped(message)) };
  return { state: next, effects: [...dropped.flatMap((message) => saved(message)), turnChanged(next)] };
}
