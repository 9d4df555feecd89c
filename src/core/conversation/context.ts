// What an agent is told of a conversation it has not seen (SPEC section 5). Pure; which messages those are is found elsewhere.
import type { Message } from '../contract/shapes.ts';
import { textOf } from './messages.ts';

/** Messages told at most. */
export const contextLimit = 20;
const maxCodePoints = 1500;

/** One text with each message under its author; "" where there is nothing to tell. */
export function contextText(messages: readonly Message[], heading: string, user: string): string {
  const told = messages.flatMap(({ role, agent, parts }) => {
    const text = cut(textOf(parts).trim());
    return text === '' ? [] : [`${role === 'agent' ? `@${agent}` : user}:\n${text}`];
  });
  return told.length === 0 ? '' : [heading, ...told].join('\n\n');
}

function cut(text: string): string {
  // A code point has at most two code units.
  if (text.length <= maxCodePoints) return text;
  const kept = Array.from(text.slice(0, maxCodePoints * 2))
    .slice(0, maxCodePoints)
    .join('');
  return kept.length < text.length ? `${kept}…` : text;
}
