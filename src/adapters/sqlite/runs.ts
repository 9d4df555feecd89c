// Which runs are alive. Each holds a lock on a small file of its own, which the system lets go when the process ends, however
// it ends: no process id is guessed at. Knows nothing of what runs keep.
import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

export interface Run {
  readonly id: string;
  /** From now on the others see this run as alive. Cheap when called again; a run that keeps nothing needs no file. */
  hold(): void;
  isAlive(id: string): boolean;
  end(): void;
}

/** The run of a history in memory, which no other run sees. */
export const loneRun = (): Run => ({
  id: randomUUID(),
  hold: () => undefined,
  isAlive: () => false,
  end: () => undefined,
});

export function startRun(folder: string): Run {
  const id = randomUUID();
  const file = path.join(folder, id);
  let lock: Database.Database | undefined;
  return {
    id,
    hold: () => {
      if (lock) return;
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      lock = holdFile(file);
      for (const other of fs.readdirSync(folder)) if (other !== id) fileIsHeld(path.join(folder, other));
    },
    isAlive: (other) => other === id || (other !== '' && fileIsHeld(path.join(folder, other))),
    end: () => {
      if (!lock) return;
      fs.rmSync(file, { force: true });
      lock.close();
      lock = undefined;
    },
  };
}

/** Nothing is written, so no journal is needed beside the file. */
const takeLock = 'pragma journal_mode = memory; begin exclusive';
const attempts = 5;
/** Whoever looks whether a file is held lets go of it at once. */
const lookMs = 200;

/** The file can be taken for a dead run's, and removed, until it is locked. */
function holdFile(file: string): Database.Database {
  for (let attempt = 1; ; attempt++) {
    fs.closeSync(fs.openSync(file, 'a', 0o600));
    const lock = new Database(file, { timeout: lookMs });
    try {
      lock.exec(takeLock);
      if (fs.existsSync(file)) return lock;
    } catch (cause) {
      if (attempt === attempts) throw cause;
    }
    lock.close();
  }
}

/** Removes a file that nobody holds. */
function fileIsHeld(file: string): boolean {
  if (!fs.existsSync(file)) return false;
  let lock: Database.Database | undefined;
  try {
    lock = new Database(file, { timeout: 0, fileMustExist: true });
    lock.exec(takeLock);
    fs.rmSync(file, { force: true });
    return false;
  } catch (cause) {
    return isBusy(cause);
  } finally {
    lock?.close();
  }
}

export const isBusy = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY');
