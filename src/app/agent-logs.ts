// The last lines of each agent's standard error, and of its sandbox's commands (SPEC section 4). Knows no process.
import type { HostEvent } from '../core/contract/events.ts';

/** Lines kept of each agent. */
const keptLines = 200;
/** Lines a failed start is told with. */
const toldLines = 5;

export class AgentLogs {
  readonly #tell: (event: HostEvent) => void;
  readonly #lines = new Map<string, string[]>();

  constructor(tell: (event: HostEvent) => void) {
    this.#tell = tell;
  }

  of(agent: string): readonly string[] {
    return this.#lines.get(agent) ?? [];
  }

  last(agent: string): readonly string[] {
    return this.of(agent).slice(-toldLines);
  }

  begin(agent: string): void {
    this.#lines.set(agent, []);
  }

  add(agent: string, line: string): void {
    const lines = this.#lines.get(agent) ?? [];
    this.#lines.set(agent, lines);
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    this.#tell({ name: 'agent:log', payload: { agent, line } });
  }

  clear(): void {
    this.#lines.clear();
  }
}
