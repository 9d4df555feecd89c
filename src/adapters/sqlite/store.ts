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
/** Moving the log into the file waits for the disk: best done when nothing has been written for a while. */
const quietMs = 1000;
/** In pages; it is moved within a write only when it has grown by so much without a pause. */
const longestLog = 4000;

export interface StoreOptions {
  readonly database: Database.Database;
  readonly path: string;
  readonly tables: Tables;
  readonly run: Run;
  /** `problem` says something else; `caughtUp`: what waited is written. */
  readonly changed: (caughtUp: boolean) => void;
}

export class Store {
  problem: Failure | undefined;
  readonly #options: StoreOptions;
  readonly #transact: Database.Transaction<(action: () => unknown) => unknown>;
  #unsaved: Unsaved | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tidying: NodeJS.Timeout | undefined;
  #written = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#transact = options.database.transaction((action: () => unknown) => action());
    this.#wait(writeMs);
    options.database.pragma(`wal_autocheckpoint = ${longestLog}`);
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
      if (!failure.failed) return;
      this.#begin(failure.cause);
    }
    this.#unsaved?.add(change);
  }

  /** At once or not at all: `otherwise` where the file cannot be written. */
  take<T>(action: (tables: Tables) => T, otherwise: () => T): T {
    let taken: T | undefined;
    if (this.#unsaved) return otherwise();
    const { failed } = this.#attempt(() => {
      taken = action(this.#options.tables);
    });
    return failed ? otherwise() : (taken as T);
  }

  /** What waits is tried a last time. */
  close(): void {
    this.#again(lastMs);
    clearTimeout(this.#timer);
    clearTimeout(this.#tidying);
    this.#unsaved?.dispose();
  }

  /** Begins as a writer: a transaction that becomes one later can fail although nobody holds the file for long. */
  #attempt(action: () => void): { readonly failed: boolean; readonly cause?: unknown } {
    try {
      this.#transact.immediate(action);
      this.#written = performance.now();
      this.#tidyLater();
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
  }

  #failed(text: 'history.notRead' | 'history.notWritten', cause: unknown): void {
    if (!isOfTheFile(cause)) throw cause;
    const before = this.problem;
    this.problem = { code: 'unavailable', text, values: { path: this.#options.path, what: causeText(cause) }, cause };
    if (before?.text !== text) this.#options.changed(false);
  }

  #tidyLater(): void {
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined;
      if (performance.now() - this.#written < quietMs) this.#tidyLater();
      else this.#tidy();
    }, quietMs).unref();
  }

  /** Where that fails nothing is lost: all is in the log, and the next write tells of it. */
  #tidy(): void {
    try {
      this.#options.database.pragma('wal_checkpoint(PASSIVE)');
    } catch (cause) {
      if (!isOfTheFile(cause)) throw cause;
    }
  }

  #wait(ms: number): void {
    this.#options.database.pragma(`busy_timeout = ${ms}`);
  }
}
