// One conversation is answered by one Neovim at a time (SPEC section 10): takes and gives up this one's claims, and follows those of others.
import type { ConversationEvent, ConversationState } from '../core/conversation/state.ts';
import type { History } from '../core/ports.ts';

export class Claims {
  readonly #history: History;
  readonly #feed: (conversation: string, event: ConversationEvent) => void;
  readonly #held = new Set<string>();
  /** Conversations another Neovim answers, and how to stop waiting for its end. */
  readonly #waiting = new Map<string, () => void>();

  constructor(history: History, feed: (conversation: string, event: ConversationEvent) => void) {
    this.#history = history;
    this.#feed = feed;
  }

  /** Whether what begins a turn can be answered here now; the claim is taken then. */
  isFree({ conversation, turn, queue }: ConversationState, event: ConversationEvent): boolean {
    const { id } = conversation;
    const mayBegin =
      event.type === 'submitted' || event.type === 'resent' || (event.type === 'freed' && queue.length > 0);
    if (turn || !mayBegin) return turn !== undefined;
    if (this.#claim(id, '')) return true;
    this.#wait(id);
    return false;
  }

  /** The claim says which agent answers, and goes with the turn. */
  keep(before: ConversationState, { conversation: { id }, turn }: ConversationState): void {
    if (!turn) this.#release(id);
    else if (turn.answer.id !== before.turn?.answer.id) this.#claim(id, turn.agent);
  }

  /** Looks who answers there, and goes on looking until nobody else does. */
  look(id: string): void {
    if (this.#history.claimedElsewhere(id) !== '') this.#wait(id);
    else this.#feed(id, { type: 'answeredElsewhere', agent: '' });
  }

  forget(id: string): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
    this.#release(id);
  }

  dispose(): void {
    for (const id of [...this.#waiting.keys()]) this.forget(id);
  }

  #claim(id: string, agent: string): boolean {
    const isOurs = this.#history.claim(id, agent);
    if (isOurs) this.#held.add(id);
    return isOurs;
  }

  #release(id: string): void {
    if (this.#held.delete(id)) this.#history.release(id);
  }

  #wait(id: string): void {
    this.#feed(id, { type: 'answeredElsewhere', agent: this.#history.claimedElsewhere(id) });
    if (this.#waiting.has(id)) return;
    const stop = this.#history.whenFree(id, () => {
      this.#waiting.delete(id);
      this.#feed(id, { type: 'answeredElsewhere', agent: '' });
      this.#feed(id, { type: 'freed' });
    });
    this.#waiting.set(id, stop);
  }
}
