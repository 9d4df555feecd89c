// The sessions of one agent, and the updates of those that are only being opened (ACP.md 5.2). Tells updates on, in order.
import type { AgentListener, Log, SessionUpdate } from '../../core/ports.ts';
import { objectOf, textOf } from './json.ts';
import { Session } from './session.ts';
import { readUpdate } from './updates.ts';

/** More updates than this before an answer to session/new are no announcement any more. */
const maxHeld = 1000;

export class Sessions {
  readonly #listener: AgentListener;
  readonly #log: Log;
  readonly #cwd: string;
  readonly #sessions = new Map<string, Session>();
  #opening = 0;
  #held: unknown[] = [];

  constructor(listener: AgentListener, log: Log, cwd: string) {
    this.#listener = listener;
    this.#log = log;
    this.#cwd = cwd;
  }

  get(sessionId: string): Session {
    return this.#sessions.get(sessionId) ?? this.add(sessionId, this.#cwd);
  }

  add(sessionId: string, cwd: string): Session {
    const session = new Session(cwd);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Until `opened`, updates of sessions nobody knows are kept. */
  opening(): void {
    this.#opening += 1;
  }

  /** Whoever asked for the session hears of it first, by promises alone; what was kept follows, before the next line. */
  opened(): void {
    this.#opening -= 1;
    setImmediate(() => this.flush());
  }

  flush(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    for (const params of held) this.update(params);
  }

  update(params: unknown): void {
    const { sessionId: id, update } = objectOf(params);
    const sessionId = textOf(id);
    if (sessionId === '') return;
    if (this.#opening > 0 && !this.#sessions.has(sessionId) && this.#held.length < maxHeld) this.#held.push(params);
    else this.#tell(sessionId, readUpdate(this.get(sessionId), update));
  }

  #tell(sessionId: string, update: SessionUpdate | undefined): void {
    if (!update) return;
    try {
      this.#listener.updated(sessionId, update);
    } catch (cause) {
      this.#log.write(`an update (${update.type}) could not be taken`, cause);
    }
  }
}
