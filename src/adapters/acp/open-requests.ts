// What one agent waits for from a person: permission requests and questions. Each gets exactly one answer, also at cancel,
// stop and death (DESIGN invariant 4). Asks by the function it is given; decides nothing.
import type { Log } from '../../core/ports.ts';

export interface OpenRequest<T> {
  readonly sessionId: string;
  /** Aborted when the agent takes the request back, or the connection ends. */
  readonly signal: AbortSignal;
  /** The answer where nobody gives one. */
  readonly cancelled: T;
  readonly show: (answer: (outcome: T) => void, withdrawn: AbortSignal) => void;
}

export class OpenRequests {
  readonly #log: Log;
  readonly #open = new Set<{ readonly sessionId: string; readonly withdraw: () => void }>();

  constructor(log: Log) {
    this.#log = log;
  }

  ask<T>({ sessionId, signal, cancelled, show }: OpenRequest<T>): Promise<T> {
    return new Promise((resolve) => {
      const withdrawn = new AbortController();
      const answer = (outcome: T): void => {
        this.#open.delete(entry);
        signal.removeEventListener('abort', entry.withdraw);
        resolve(outcome); // a promise settles once: later answers do nothing
      };
      const withdraw = (): void => {
        answer(cancelled);
        withdrawn.abort();
      };
      const entry = { sessionId, withdraw };
      this.#open.add(entry);
      signal.addEventListener('abort', withdraw);
      this.#tell(() => show(answer, withdrawn.signal), withdraw);
    });
  }

  /** Answers `cancelled` to what is open, of one session or of all. */
  cancel(sessionId?: string): void {
    for (const one of [...this.#open]) if (sessionId === undefined || one.sessionId === sessionId) one.withdraw();
  }

  #tell(ask: () => void, withdraw: () => void): void {
    try {
      ask();
    } catch (cause) {
      this.#log.write('a request to the person could not be shown', cause);
      withdraw();
    }
  }
}
