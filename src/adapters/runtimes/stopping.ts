// How an agent and all it launched is ended: end of input, then SIGTERM, then SIGKILL (SPEC section 4).
// Signals nothing but the group it is given and the descendants of that group.
import type { Clock, Log } from '../../core/ports.ts';
import { gentleSignals, type Leader, type StopTimes } from './leader.ts';
import { findFamily, type ProcessEntry, type ProcessTable, type StartedWith } from './process-table.ts';

export interface Stopping {
  readonly clock: Clock;
  readonly log: Log;
  readonly times: StopTimes;
  readonly table: ProcessTable;
  /** Of the variable that carries an agent's mark. */
  readonly marks: StartedWith;
  /** Neovim is gone: nobody asks any more for what has ended and is only still listed. */
  readonly isLeaving: () => boolean;
}

/** What not even SIGKILL ends within this is left to the system (a process that waits for a dead disk). */
const killedMs = 10_000;
/** How long a process that has ended may wait for its parent to take note before it counts as gone. */
const unreapedMs = 2500;
const firstLookMs = 10;
const longestLookMs = 200;

/** False when something is still there after all of it. */
export async function stopGroup(leader: Leader, endInput: () => void, by: Stopping): Promise<boolean> {
  const family = new Family(leader, by);
  // Looked at before input ends: a child in a group of its own is found by its parent only while that lives.
  await family.look();
  endInput();
  if (await family.gone(by.times.inputMs)) return true;
  for (const name of gentleSignals(by.times)) family.signal(name);
  if (await family.gone(by.times.termMs)) return true;
  family.signal('SIGKILL');
  if (await family.gone(killedMs, () => family.signal('SIGKILL'))) return true;
  by.log.write(`process group ${String(leader.pid)} is still there after SIGKILL`);
  return false;
}

class Family {
  readonly #leader: number;
  readonly #by: Stopping;
  readonly #mark: string;
  readonly #known: Map<number, string>;
  #members: readonly ProcessEntry[] = [];
  #blind = false;

  constructor({ pid, started, mark }: Leader, by: Stopping) {
    this.#leader = pid;
    this.#mark = mark;
    this.#by = by;
    this.#known = new Map([[pid, started]]);
  }

  async look(): Promise<void> {
    const table = await this.#by.table();
    this.#blind = table.length === 0;
    for (const [one, mark] of this.#by.marks.in(table)) if (mark === this.#mark) this.#known.set(one.pid, one.started);
    this.#members = findFamily(table, this.#leader, this.#known);
    for (const one of this.#members) this.#known.set(one.pid, one.started);
  }

  /** Looks again and again until nothing is left; false when `ms` passed. `again` is called after each look in vain. */
  async gone(ms: number, again?: () => void): Promise<boolean> {
    const { clock, isLeaving } = this.#by;
    const end = clock.now() + ms;
    let unreaped: number | undefined;
    for (let wait = firstLookMs; ; wait = Math.min(wait * 2, longestLookMs)) {
      await this.look();
      if (this.#isEmpty()) return true;
      unreaped = this.#isRunning() ? undefined : (unreaped ?? clock.now());
      if (unreaped !== undefined && (isLeaving() || clock.now() - unreaped > unreapedMs)) return true;
      if (clock.now() >= end) return false;
      again?.();
      await new Promise<void>((resolve) => clock.after(Math.max(1, Math.min(wait, end - clock.now())), resolve));
    }
  }

  /** To the group at once, and to each that left it: those found by the last look, which is only just over. */
  signal(signal: NodeJS.Signals): void {
    const running = this.#members.filter((one) => !one.ended);
    if (this.#blind || running.some((one) => one.group === this.#leader)) send(-this.#leader, signal);
    for (const one of running) if (one.group !== this.#leader) send(one.pid, signal);
  }

  #isRunning(): boolean {
    return this.#blind || this.#members.some((one) => !one.ended);
  }

  #isEmpty(): boolean {
    return this.#blind ? !send(-this.#leader, 0) : this.#members.length === 0;
  }
}

/** False when there is nothing to signal, or it is no longer ours to signal. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
