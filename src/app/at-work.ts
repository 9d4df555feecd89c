// Knows which agents work where, and whose a change on disk is (SPEC section 9). Reads and follows nothing.
import { insideWorkspace } from '../core/workspace.ts';
import type { TurnRef } from './running.ts';

/** So long after its last sign of life an agent is taken for the one that wrote, whatever file it is. */
const lateMs = 10_000;

/** An agent from its first turn until its process is gone; `turn` is its last one. */
export interface Work {
  readonly turn: TurnRef;
  readonly workspace: string;
  /** Files its tool calls named. */
  readonly named: Set<string>;
  /** Files in which it changed something. */
  readonly wrote: Set<string>;
  answering: boolean;
  /** When it was last heard of. */
  heard: number;
}

export class AtWork {
  readonly #now: () => number;
  /** By agent, the one that began last at the end. */
  readonly #works = new Map<string, Work>();
  readonly #gone = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  began(turn: TurnRef, workspace: string): void {
    this.#works.delete(turn.agent);
    this.#gone.delete(turn.agent);
    const work = { turn, workspace, named: new Set<string>(), wrote: new Set<string>(), answering: true };
    this.#works.set(turn.agent, { ...work, heard: this.#now() });
  }

  ended({ agent, messageId }: TurnRef): void {
    const work = this.#works.get(agent);
    if (work?.turn.messageId !== messageId) return;
    work.answering = false;
    work.heard = this.#now();
    if (this.#gone.has(agent)) this.gone(agent);
  }

  /** The process of an agent is gone; a turn that is still open ends first. */
  gone(agent: string): void {
    this.#gone.delete(agent);
    if (this.#works.get(agent)?.answering === true) this.#gone.add(agent);
    else this.#works.delete(agent);
  }

  /** It said something. */
  heardOf(agent: string): Work | undefined {
    const work = this.#works.get(agent);
    if (work) work.heard = this.#now();
    return work;
  }

  folders(): readonly string[] {
    return [...new Set([...this.#works.values()].map(({ workspace }) => workspace))];
  }

  hasWritten(file: string): boolean {
    return [...this.#works.values()].some(({ wrote }) => wrote.has(file));
  }

  /**
   * Whose change it is: of the agent whose tool call named the file, else of the one that began last and works there. Where none
   * answers, of one that had to do with the file, or ended a moment ago; else it is the person's own (a git checkout, say).
   */
  whose(file: string): Work | undefined {
    const here = this.#here(file);
    const answering = here.filter((work) => work.answering);
    if (answering.length > 0) return answering.findLast(({ named }) => named.has(file)) ?? answering.at(-1);
    return (
      here.findLast(({ named, wrote }) => named.has(file) || wrote.has(file)) ??
      here.findLast(({ heard }) => this.#now() - heard < lateMs)
    );
  }

  /** The same, but there always is one where an agent works. */
  nearest(file: string): Work | undefined {
    return this.whose(file) ?? this.#here(file).at(-1);
  }

  clear(): void {
    this.#works.clear();
    this.#gone.clear();
  }

  #here(file: string): Work[] {
    return [...this.#works.values()].filter(({ workspace }) => insideWorkspace(workspace, file).ok);
  }
}
