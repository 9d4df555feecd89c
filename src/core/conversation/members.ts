// Who belongs to a conversation, and what it is called (SPEC section 5). Pure.
import type { Conversation } from '../contract/shapes.ts';
import { systemMessage } from './messages.ts';
import type { ConversationState, Step, Stepped } from './state.ts';
import { andThen, queueToEnd, saved, stay } from './told.ts';

/** Those that are no members yet become members; each is told. */
export function join(state: ConversationState, agents: readonly string[], step: Step): Stepped {
  return agents.reduce((done, agent) => andThen(done, (now) => joinOne(now, agent, step)), stay(state));
}

function joinOne(state: ConversationState, agent: string, step: Step): Stepped {
  const { conversation } = state;
  if (conversation.members.includes(agent)) return stay(state);
  const joined = change(state, { ...conversation, members: [...conversation.members, agent] });
  return andThen(joined, (now) => note(now, agent, 'agent-joined', step));
}

export function leave(state: ConversationState, agent: string, step: Step): Stepped {
  const { conversation } = state;
  if (!conversation.members.includes(agent)) return stay(state);
  const left = change(state, { ...conversation, members: conversation.members.filter((one) => one !== agent) });
  return andThen(left, (now) => note(now, agent, 'agent-left', step));
}

export const rename = (state: ConversationState, name: string, description: string): Stepped =>
  change(state, { ...state.conversation, name, description });

function change(state: ConversationState, conversation: Conversation): Stepped {
  return { state: { ...state, conversation }, effects: [{ type: 'saveConversation', conversation }] };
}

function note(state: ConversationState, agent: string, code: 'agent-joined' | 'agent-left', step: Step): Stepped {
  const told = systemMessage(state.conversation.id, agent, code, {}, step);
  return { state, effects: [...saved(told), ...queueToEnd(state)] };
}
