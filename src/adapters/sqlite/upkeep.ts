// When a history does what can wait, in slices with rests between them: after something was written, and once after it was
// opened, as whoever wrote last may have been killed. Knows no tables.
import type Database from 'better-sqlite3';
import { isOfTheFile } from './file.ts';

const firstMs = 2000;
/** Moving the log into the file waits for the disk: best done when nothing has been written for a while. */
const quietMs = 1000;
/** In pages; so much is moved without waiting for a pause, before SQLite does it within a write, at twice as much. */
const longLog = 500;
/** Between what is being said there is time enough: a slice, then twice as long nothing. */
const restMs = (workedMs: number): number => Math.max(10, 2 * workedMs);
const unwritableMs = 5000;

export interface Upkeep {
  readonly wrote: () => void;
  readonly close: () => void;
}

/** `slice` does a little: true if there is more to do, undefined while nothing can be written. */
export function startUpkeep(database: Database.Database, slice: () => boolean | undefined): Upkeep {
  const log = logOf(database);
  let timer: NodeJS.Timeout | undefined;
  let written = -Infinity;
  const work = (): void => {
    const began = performance.now();
    const more = slice();
    if (more === false && began - written >= quietMs) {
      timer = undefined;
      log.move(1);
      return;
    }
    log.move(longLog);
    later(more ? restMs(performance.now() - began) : more === false ? quietMs : unwritableMs);
  };
  const later = (ms: number): void => {
    timer = setTimeout(work, ms).unref();
  };
  later(firstMs);
  return {
    wrote: () => {
      written = performance.now();
      if (!timer) later(quietMs);
    },
    close: () => {
      clearTimeout(timer);
    },
  };
}

/** The write-ahead log, moved into the file when it holds at least so many pages that are not there yet. */
function logOf(database: Database.Database): { readonly move: (pages: number) => void } {
  const ask = (mode: string): number => {
    const [state] = database.pragma(`wal_checkpoint(${mode})`) as {
      readonly log: number;
      readonly checkpointed: number;
    }[];
    return state ? state.log - state.checkpointed : 0;
  };
  return {
    // Where that fails nothing is lost: all is in the log, and the next write tells of it.
    move: (pages) => {
      try {
        if (ask('NOOP') >= pages) ask('PASSIVE');
      } catch (cause) {
        if (!isOfTheFile(cause)) throw cause;
      }
    },
  };
}
