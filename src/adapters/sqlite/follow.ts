// Notices what other runs write, by the write-ahead log of the file growing; costs nothing while nobody writes. Reads no table.
import type Database from 'better-sqlite3';
import * as fs from 'node:fs';

/** Writes that come together are looked at together. */
const gatherMs = 30;
/** The log grows a moment before what was written can be read, and that moment can be long on a machine under load. */
const againMs = 500;

export interface Follower {
  /** Calls back for each look that finds something new, until the function it gives is called. */
  follow(look: () => void): () => void;
  close(): void;
}

export function followFile(database: Database.Database, file: string): Follower {
  const version = (): number => Number(database.pragma('data_version', { simple: true }));
  const looks = new Set<() => void>();
  let seen = version();
  let watching: (() => void) | undefined;
  const check = (): void => {
    const now = version();
    if (now === seen) return;
    seen = now;
    for (const look of looks) look();
  };
  const stop = (): void => {
    watching?.();
    watching = undefined;
  };
  return {
    follow: (look) => {
      looks.add(look);
      watching ??= watchLog(`${file}-wal`, check);
      return () => {
        looks.delete(look);
        if (looks.size === 0) stop();
      };
    },
    close: stop,
  };
}

function watchLog(file: string, check: () => void): () => void {
  let soon: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  const touched = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      check();
    }, gatherMs).unref();
    clearTimeout(later);
    later = setTimeout(check, againMs).unref();
  };
  const unwatch = watchOrLook(file, touched, check);
  // What was written since the file was opened.
  touched();
  return () => {
    clearTimeout(soon);
    clearTimeout(later);
    unwatch();
  };
}

/** Where nothing can be watched (a limit of the system, a file system without notice) it is looked at now and then. */
function watchOrLook(file: string, touched: () => void, check: () => void): () => void {
  let looking: NodeJS.Timeout | undefined;
  const look = (): void => {
    looking ??= setInterval(check, againMs).unref();
  };
  try {
    const watcher = fs.watch(file, { persistent: false }, touched);
    watcher.on('error', look);
    return () => {
      watcher.close();
      clearInterval(looking);
    };
  } catch {
    look();
    return () => {
      clearInterval(looking);
    };
  }
}
