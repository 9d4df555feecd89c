// Plays events into the state machine of a conversation and keeps what it asks for.
import type { Conversation, Message } from '../../../src/core/contract/shapes.ts';
import { stepConversation } from '../../../src/core/conversation/step.ts';
import {
  newConversationState,
  type ConversationEffect,
  type ConversationEvent,
  type ConversationState,
} from '../../../src/core/conversation/state.ts';

export type Move = ConversationEvent | ((state: ConversationState) => ConversationEvent);

export const directWithBob: Conversation = {
  id: 'c1',
  name: '',
  description: '',
  direct: 'bob',
  members: ['bob'],
  project: '/p',
};

export interface Played {
  readonly state: ConversationState;
  readonly effects: ConversationEffect[];
}

/** A direct conversation with bob. */
export const play = (...moves: Move[]): Played => playIn({ conversation: directWithBob, agents: ['bob'] }, ...moves);

/** `agents` are the configured ones; `free` tells whether no other Neovim answers there when an event comes. */
export interface Scene {
  readonly conversation: Conversation;
  readonly agents: readonly string[];
  readonly answerers?: readonly string[];
  readonly free?: (event: ConversationEvent) => boolean;
}

/** Feeds events one after the other and keeps everything asked for. */
export function playIn({ conversation, agents, answerers = [], free = () => true }: Scene, ...moves: Move[]): Played {
  let state = newConversationState(conversation, answerers);
  const effects: ConversationEffect[] = [];
  let count = 0;
  for (const event of moves) {
    const next = typeof event === 'function' ? event(state) : event;
    const stepped = stepConversation(state, next, {
      now: 1000 + count,
      nextId: () => `m${++count}`,
      agents,
      free: free(next),
    });
    state = stepped.state;
    effects.push(...stepped.effects);
  }
  return { state, effects };
}

export const submitted = (text: string): ConversationEvent => ({ type: 'submitted', text, attachments: [] });
export const turnOf = (state: ConversationState): string => state.turn?.answer.id ?? '';
export const promptSent = (state: ConversationState): ConversationEvent => ({
  type: 'promptSent',
  turn: turnOf(state),
});
export const ended =
  (stopReason: 'end_turn' | 'cancelled' | 'refusal' = 'end_turn') =>
  (state: ConversationState): ConversationEvent => ({ type: 'promptEnded', turn: turnOf(state), stopReason });
export const failed =
  (words: string, unavailable = false) =>
  (state: ConversationState): ConversationEvent => ({ type: 'promptFailed', turn: turnOf(state), words, unavailable });
export const said = (text: string): ConversationEvent => ({
  type: 'updated',
  agent: 'bob',
  updates: [{ type: 'text', text }],
});
export const cancelled: ConversationEvent = { type: 'cancelRequested' };
export const asked = (id: string, toolCallId = 't1'): ConversationEvent => ({
  type: 'permissionRequested',
  id,
  request: {
    toolCallId,
    patch: { title: 'Run tests', kind: 'execute' },
    options: [
      { optionId: 'ok-session', name: 'For this session', kind: 'allow_always' },
      { optionId: 'ok-forever', name: 'For ever', kind: 'allow_always' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  },
});

export const savedMessages = (effects: ConversationEffect[]): Message[] => {
  const byId = new Map<string, Message>();
  for (const effect of effects) if (effect.type === 'saveMessage') byId.set(effect.message.id, effect.message);
  return [...byId.values()];
};
export const answers = (effects: ConversationEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'answerPermission' ? [[effect.id, effect.outcome]] : []));
export const busyTold = (effects: ConversationEffect[]) =>
  effects.flatMap((effect) =>
    effect.type === 'tell' && effect.event.name === 'turn:changed' ? [effect.event.payload.busy] : [],
  );
export const toolOf = (message: Message | undefined, id: string) =>
  message?.parts.flatMap((part) => (part.kind === 'tool' && part.tool.id === id ? [part.tool] : [])) ?? [];
