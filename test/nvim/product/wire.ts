// Owns reading what a scripted agent was answered to the requests it made. Starts and sends nothing.
import { wireLog } from '../support/agents.ts';
import type { Place } from '../support/place.ts';

/** An answer by the id of its request: the result, or the error. */
export type Answer = readonly [id: unknown, answer: unknown];

/** All answers so far, in the order of the wire. */
export function answers(own: Place, name: string): Answer[] {
  return wireLog(own, name).flatMap(({ dir, msg }): Answer[] => {
    if (dir !== 'in' || msg === undefined || 'method' in msg) return [];
    return [[msg['id'], msg['result'] ?? msg['error']]];
  });
}

export const answerTo = (own: Place, name: string, id: unknown): unknown =>
  answers(own, name).find(([other]) => other === id)?.[1];

export const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });
export const CANCELLED = { outcome: { outcome: 'cancelled' } };
