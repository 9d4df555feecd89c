// What a session's updates do to the running answer, or to the last one where they come late (SPEC section 5). Pure.
import type { Message } from '../contract/shapes.ts';
import type { SessionUpdate } from '../ports.ts';
import { systemMessage } from './messages.ts';
import { foldUpdate, type Folded } from './parts.ts';
import type { ConversationEffect, ConversationState, Step, Stepped } from './state.ts';
import { andThen, deltas, queueToEnd, save, saved, stay } from './told.ts';

/** Late text joins the last answer; what comes during a turn of the same agent belongs to that turn (CASES B06). */
export function update(
  state: ConversationState,
  agent: string,
  updates: readonly SessionUpdate[],
  step: Step,
): Stepped {
  return updates.reduce((done, one) => andThen(done, (now) => updateOne(now, agent, one, step)), stay(state));
}

function updateOne(state: ConversationState, agent: string, one: SessionUpdate, step: Step): Stepped {
  switch (one.type) {
    case 'usage':
      return usageChanged(state, agent, one.usage);
    case 'notice':
    case 'compaction':
      return note(state, agent, one, step);
    case 'text':
    case 'thought':
    case 'tool':
    case 'plan':
      return grow(state, agent, (parts) => foldUpdate(parts, one));
    case 'userText':
    case 'commands':
    case 'options':
      return stay(state);
  }
}

export function usageChanged(state: ConversationState, agent: string, usage: { used: number; size: number }): Stepped {
  const next = { ...state, usage: { ...state.usage, [agent]: usage } };
  const payload = { channel: state.conversation.id, agent, usage };
  return { state: next, effects: [{ type: 'tell', event: { name: 'usage:changed', payload } }] };
}

function note(
  state: ConversationState,
  agent: string,
  one: Extract<SessionUpdate, { type: 'notice' | 'compaction' }>,
  step: Step,
): Stepped {
  const text = one.type === 'notice' ? [one.title, one.description].filter(Boolean).join('\n') : one.text;
  if (one.type === 'compaction' && one.status !== 'completed') return stay(state);
  const message = systemMessage(state.conversation.id, agent, one.type, { text }, step);
  return { state, effects: [...saved(message), ...queueToEnd(state)] };
}

/** A turn whose prompt is not sent yet is no place for what the session still says of the one before. */
export function grow(state: ConversationState, agent: string, fold: (parts: Message['parts']) => Folded): Stepped {
  const last = state.lastAnswers.get(agent);
  const isRunning = state.turn?.agent === agent && (state.turn.phase !== 'opening' || !last);
  const turn = isRunning ? state.turn : undefined;
  const message = turn?.answer ?? last;
  if (!message) return stay(state);
  const folded = fold(message.parts);
  if (folded.changes.length === 0) return stay(state);
  const grown = { ...message, parts: [...folded.parts] };
  const next = turn
    ? { ...state, turn: { ...turn, answer: grown } }
    : { ...state, lastAnswers: new Map(state.lastAnswers).set(agent, grown) };
  const late: ConversationEffect[] = turn ? [] : [save(grown)];
  return { state: next, effects: [...late, ...deltas(grown, folded.changes)] };
}
