// What must be remembered of one session to read its updates: its folder, its choices, what terminals printed.
// Holds data only; updates.ts and tools.ts read by it.
import { SessionOptions } from './options.ts';

/** What an agent's own terminals printed is kept up to here, to be shown again when a tool call refers to one. */
const maxTerminal = 1 << 24;

export class Session {
  readonly cwd: string;
  readonly options = new SessionOptions();
  /** True while the agent tells again what the history already holds (ACP.md 5.5). */
  replaying = false;
  /** Tool calls that were given content: what they return raw is not shown beside it. */
  readonly withContent = new Set<string>();
  readonly summaries = new Map<string, string>();
  readonly #terminals = new Map<string, string>();
  #lastMessage: { readonly type: string; readonly id: string } | undefined;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  beginTurn(): void {
    this.withContent.clear();
    this.#terminals.clear();
    this.#lastMessage = undefined;
  }

  /** True when a message of the same kind follows one with another id and nothing else came between. */
  startsMessage(type: string, id: string): boolean {
    const last = this.#lastMessage;
    this.#lastMessage = { type, id };
    return id !== '' && last?.type === type && last.id !== '' && last.id !== id;
  }

  breakMessage(): void {
    this.#lastMessage = undefined;
  }

  terminal(id: string): string {
    return this.#terminals.get(id) ?? '';
  }

  printed(id: string, text: string): void {
    this.#terminals.set(id, (this.terminal(id) + text).slice(0, maxTerminal));
  }
}
