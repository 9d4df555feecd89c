// Reads and writes what is kept. A write that fails (a full disk, a lock that is held too long) waits in memory and is tried
// again; meanwhile all is read as if it had been written. Knows nothing of what the tables hold.
import type Database from 'better-sqlite3';
import { causeText, type Failure } from '../../core/errors.ts';
import type { Change } from './change.ts';
import { isOfTheFile } from './file.ts';
import type { Run } from './runs.ts';
import type { Tables } from './tables.ts';
import { Unsaved, type Reading } from './unsaved.ts';

const againMs = 1000;
/** How long another process may hold the file before a write waits in memory: longer would be felt in what is being said. */
const writeMs = 100;
const lastMs = 2000;

export interface StoreOptions {
  readonly database: Database.Database;
  readonly path: string;
  readonly tables: Tables;
  readonly run: Run;
  /** `problem` says something else; `caughtUp`: what waited is written. */
  readonly changed: (caughtUp: boolean) => void;
  /** Something new is in the file. */
  readonly wrote: () => void;
}

export class Store {
  problem: Failure | undefined;
  readonly #options: StoreOptions;
  readonly #transact: Database.Transaction<(action: () => unknown) => unknown>;
  #unsaved: Unsaved | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#transact = options.database.transaction((action: () => unknown) => action());
    this.#wait(writeMs);
  }

  /** `nothing` where the file cannot be read. */
  read<T>(nothing: T, action: (reading: Reading) => T): T {
    try {
      return action(this.#unsaved?.reading ?? this.#options.tables);
    } catch (cause) {
      this.#failed('history.notRead', cause);
      return nothing;
    }
  }

  write(change: Change): void {
    if (!this.#unsaved) {
      const failure = this.#attempt(() => {
        change.apply(this.#options.tables);
      });
      if (!failure.failed) {
        this.#options.wrote();
        return;
      }
      this.#begin(failure.cause);
    }
    this.#unsaved?.add(change);
  }

  /** At once or not at all: `otherwise` where the file cannot be written. */
  take<T>(action: (tables: Tables) => T, otherwise: () => T): T {
    const taken = this.#take(action);
    if (!taken) return otherwise();
    this.#options.wrote();
    return taken.value;
  }

  /** A little of what can wait; true: there is more, undefined: not now. Nobody waits for another process for this. */
  keepUp(): boolean | undefined {
    this.#wait(0);
    const kept = this.#take((tables) => tables.keepUp());
    this.#wait(writeMs);
    return kept?.value;
  }

  /** What waits is tried a last time. */
  close(): void {
    this.#again(lastMs);
    clearTimeout(this.#timer);
    this.#unsaved?.dispose();
  }

  #take<T>(action: (tables: Tables) => T): { readonly value: T } | undefined {
    let taken: { readonly value: T } | undefined;
    if (!this.#unsaved) {
      this.#attempt(() => {
        taken = { value: action(this.#options.tables) };
      });
    }
    return taken;
  }

  /** Begins as a writer: a transaction that becomes one later can fail although nobody holds the file for long. */
  #attempt(action: () => void): { readonly failed: boolean; readonly cause?: unknown } {
    try {
      this.#transact.immediate(action);
      return { failed: false };
    } catch (cause) {
      if (!isOfTheFile(cause)) throw cause;
      return { failed: true, cause };
    }
  }

  #begin(cause: unknown): void {
    const { database, tables, run } = this.#options;
    this.#unsaved = new Unsaved(database, tables, run);
    this.#failed('history.notWritten', cause);
    this.#tryLater();
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#again(0);
    }, againMs).unref();
  }

  #again(waitMs: number): void {
    const unsaved = this.#unsaved;
    if (!unsaved) return;
    this.#wait(waitMs);
    const { failed } = this.#attempt(() => {
      for (const change of unsaved.changes) change.apply(this.#options.tables);
    });
    this.#wait(writeMs);
    if (failed) {
      this.#tryLater();
      return;
    }
    this.#unsaved = undefined;
    unsaved.dispose();
    this.problem = undefined;
    this.#options.changed(true);
    this.#options.wrote();
  }

  #failed(text: 'history.notRead' | 'history.notWritten', cause: unknown): void {
    if (!isOfTheFile(cause)) throw cause;
    const before = this.problem;
    this.problem = { code: 'unavailable', text, values: { path: this.#options.path, what: causeText(cause) }, cause };
    if (before?.text !== text) this.#options.changed(false);
  }

  #wait(ms: number): void {
    this.#options.database.pragma(`busy_timeout = ${ms}`);
  }
}
