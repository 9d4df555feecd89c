// Ends the shells that the editor runs in terminals, with all they launched, and looks where a shell can run (SPEC section 12).
// It starts no shell: the editor does.
import { ok, type Result } from '../../core/errors.ts';
import type { Answered, Clock, CommandRunner, Log, Shells, ShellWatch } from '../../core/ports.ts';
import type { Inside } from '../../core/runtime.ts';
import { commandRunner } from './commands.ts';
import { markVariable, type Environment } from './environment.ts';
import { folderFailure } from './launch-failure.ts';
import { hangUpTimes, type Leader, type Marked, type StopTimes } from './leader.ts';
import type { LocalLauncher } from './local.ts';
import { processTable, shared, StartedWith, startOf, type ProcessTable } from './process-table.ts';
import { Reaper } from './reaper.ts';
import { stopGroup, type Stopping } from './stopping.ts';
import { sweep } from './sweep.ts';

export interface ShellsOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Runs what only looks. */
  readonly processes: LocalLauncher;
  readonly times?: StopTimes;
  readonly table?: ProcessTable;
  readonly environment?: Environment;
}

/** What all of them end by. */
interface Ends {
  readonly stopping: Stopping;
  /** Runs what reaches inside. */
  readonly processes: LocalLauncher;
  readonly reaper: Reaper;
}

export class EditorShells implements Shells {
  readonly #commands: CommandRunner;
  readonly #ends: Ends;
  readonly #watched = new Set<Watched>();
  #leaving = false;

  constructor(options: ShellsOptions) {
    const { clock, log, processes, times = hangUpTimes, table = processTable, environment = process.env } = options;
    const marks = new StartedWith(markVariable);
    const stopping = { clock, log, times, table: shared(table), marks, isLeaving: () => this.#leaving };
    this.#commands = commandRunner(processes, clock);
    this.#ends = { stopping, processes, reaper: new Reaper(times, log, environment) };
  }

  async enter(folder: string): Promise<Result<undefined>> {
    const error = await folderFailure(folder);
    return error ? { ok: false, error } : ok(undefined);
  }

  ask(inside: Inside, words: readonly string[]): Promise<Result<Answered>> {
    return this.#commands.ask(inside, words);
  }

  marked(id: string): Readonly<Record<string, string>> {
    return { [markVariable]: id };
  }

  watch(id: string, inside?: Inside): ShellWatch {
    const watched = new Watched(id, inside, this.#ends, () => this.#watched.delete(watched));
    this.#watched.add(watched);
    return watched;
  }

  async dispose(): Promise<void> {
    this.#leaving = true;
    await Promise.all([...this.#watched].map((watched) => watched.hangUp()));
    this.#ends.reaper.dispose();
    await this.#commands.dispose();
  }
}

class Watched implements ShellWatch {
  readonly #mark: string;
  readonly #inside: Marked | undefined;
  readonly #ends: Ends;
  readonly #onGone: () => void;
  #leader: Leader | undefined;
  #ending: Promise<void> | undefined;

  constructor(mark: string, inside: Inside | undefined, ends: Ends, onGone: () => void) {
    this.#mark = mark;
    this.#inside = inside && { inside, mark };
    this.#ends = ends;
    this.#onGone = onGone;
    ends.reaper.expect(mark, this.#inside);
  }

  began(pid: number): void {
    if (this.#leader || this.#ending || pid <= 1) return;
    const leader = { pid, started: startOf(pid), mark: this.#mark };
    this.#leader = leader;
    this.#ends.reaper.watch(this.#inside ? { ...leader, inside: this.#inside } : leader);
    this.#ends.reaper.settled(this.#mark);
  }

  hangUp(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** First what reaches inside: until that is gone it may still start something there. */
  async #end(): Promise<void> {
    const { stopping, processes, reaper } = this.#ends;
    const leader = this.#leader ?? (await this.#carrier());
    if (leader) await stopGroup(leader, () => undefined, stopping);
    if (this.#inside) await sweep(processes, this.#inside, stopping.times, stopping.log);
    reaper.settled(this.#mark);
    if (this.#leader) reaper.forget(this.#leader.pid);
    this.#onGone();
  }

  /** Nobody told of the shell yet: any process that carries its mark leads to all the others. */
  async #carrier(): Promise<Leader | undefined> {
    const { table, marks } = this.#ends.stopping;
    const carriers = [...marks.in(await table())].filter(([, mark]) => mark === this.#mark);
    const first = carriers[0]?.[0];
    return first && { pid: first.pid, started: first.started, mark: this.#mark };
  }
}
