// The real clock and real identifiers. Decides nothing.
import { v7 } from 'uuid';
import type { Clock } from '../../core/ports.ts';

export const clock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Sortable by the time of making, also within a millisecond (UUID version 7). */
export const nextId = (): string => v7();
