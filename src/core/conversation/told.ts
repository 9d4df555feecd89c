// How the steps of a conversation are put together, and what each tells the views. Decides nothing.
import type { Message } from '../contract/shapes.ts';
import type { PartChange } from './parts.ts';
import type { ConversationEffect, ConversationState, Stepped } from './state.ts';

export const stay = (state: ConversationState): Stepped => ({ state, effects: [] });

/** Not named `then`: a module that exports that is taken for a promise. */
export function andThen(first: Stepped, next: (state: ConversationState) => Stepped): Stepped {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

export const messageUpdated = (message: Message): ConversationEffect[] => [
  { type: 'draw', message },
  { type: 'tell', event: { name: 'message:updated', payload: { channel: message.channel, message } } },
];

/** What `turn:changed` and the snapshot say of a conversation. `waitingFor` is filled where the pool is known. */
export function turnSummary(state: ConversationState) {
  return {
    channel: state.conversation.id,
    busy: state.turn !== undefined || state.elsewhere !== '',
    queued: state.queue.length,
    answering: state.turn?.agent ?? state.elsewhere,
    cancelling: state.turn?.phase === 'cancelling',
    waitingFor: '',
  };
}

export const turnChanged = (state: ConversationState): ConversationEffect => ({
  type: 'tell',
  event: { name: 'turn:changed', payload: turnSummary(state) },
});

export const save = (message: Message, position = message.id): ConversationEffect => ({
  type: 'saveMessage',
  message,
  position,
});

export const saved = (message: Message, position?: string): ConversationEffect[] => [
  save(message, position),
  ...messageUpdated(message),
];

/** Draws a message below what was just drawn. */
export const toEnd = (message: Message): ConversationEffect[] => [
  { type: 'undraw', messageId: message.id },
  { type: 'draw', message },
];

/** What waits stays at the end, below what was just drawn. */
export const queueToEnd = ({ queue }: ConversationState): ConversationEffect[] => queue.flatMap(toEnd);

export function deltas(message: Message, changes: readonly PartChange[]): ConversationEffect[] {
  const told = changes.map((change): ConversationEffect => ({
    type: 'tell',
    event: { name: 'message:delta', payload: { channel: message.channel, messageId: message.id, ...change } },
  }));
  return [{ type: 'draw', message }, ...told];
}
