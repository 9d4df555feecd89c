// Gathers streamed updates for a moment, so that drawing never follows single tokens (DESIGN "Drawing"). Folds nothing into messages.
import type { Clock, SessionUpdate } from '../core/ports.ts';

const gatherMs = 30;

interface Gathered {
  readonly agent: string;
  readonly updates: SessionUpdate[];
  readonly stopTimer: () => void;
}

export type Flush = (conversation: string, agent: string, updates: readonly SessionUpdate[]) => void;

export class UpdateGatherer {
  readonly #clock: Clock;
  readonly #flushed: Flush;
  readonly #gathered = new Map<string, Gathered>();
  readonly #lastFlush = new Map<string, number>();

  constructor(clock: Clock, flushed: Flush) {
    this.#clock = clock;
    this.#flushed = flushed;
  }

  /** Text is joined to text; another agent's updates begin anew. */
  add(conversation: string, agent: string, update: SessionUpdate): void {
    if (this.#gathered.get(conversation)?.agent !== agent) this.flush(conversation);
    const { updates } = this.#gathered.get(conversation) ?? this.#begin(conversation, agent);
    const last = updates.at(-1);
    if (last && (last.type === 'text' || last.type === 'thought') && last.type === update.type) {
      updates[updates.length - 1] = { type: last.type, text: last.text + update.text };
    } else {
      updates.push(update);
    }
  }

  /** Hands on what was gathered, at once. */
  flush(conversation: string): void {
    const gathered = this.#gathered.get(conversation);
    if (!gathered) return;
    gathered.stopTimer();
    this.#gathered.delete(conversation);
    this.#lastFlush.set(conversation, this.#clock.now());
    this.#flushed(conversation, gathered.agent, gathered.updates);
  }

  flushAll(): void {
    for (const conversation of [...this.#gathered.keys()]) this.flush(conversation);
  }

  #begin(conversation: string, agent: string): Gathered {
    const wait = Math.max(0, gatherMs - (this.#clock.now() - (this.#lastFlush.get(conversation) ?? 0)));
    const stopTimer = this.#clock.after(wait, () => {
      this.flush(conversation);
    });
    const gathered: Gathered = { agent, updates: [], stopTimer };
    this.#gathered.set(conversation, gathered);
    return gathered;
  }
}
