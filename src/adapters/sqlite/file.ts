// Finds, checks and opens the file of a history; falls back to memory and says why (SPEC section 10). Knows no messages.
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import { applicationId, migrations } from './migrations.ts';

export interface OpenedFile {
  readonly database: Database.Database;
  readonly path: string;
  readonly problem?: Failure;
}

/** `<data>/<first 16 hex digits of the SHA-256 of the configuration's absolute path>/history.db` (SPEC 10). */
export function historyPath(dataFolder: string, configPath: string): string {
  const digest = createHash('sha256').update(path.resolve(configPath)).digest('hex').slice(0, 16);
  return path.join(dataFolder, digest, 'history.db');
}

/** Opens the file, or a history in memory with the reason why; a file that is not ours is not touched. */
export function openFile(dataFolder: string, file: string): OpenedFile {
  const opened = tryOpen(dataFolder, file);
  if (opened.ok) return { database: opened.value, path: file };
  const database = new Database(':memory:');
  migrate(database);
  return { database, path: file, problem: opened.error };
}

/** Fails for a file that is not ours, is broken or newer. */
export const openExisting = (dataFolder: string, file: string): Result<Database.Database> => tryOpen(dataFolder, file);

function tryOpen(dataFolder: string, file: string): Result<Database.Database> {
  const checked = checkHeader(file);
  if (!checked.ok) return checked;
  try {
    prepareFolders(dataFolder, path.dirname(file));
    const database = new Database(file, { timeout: 5000 });
    fs.chmodSync(file, 0o600);
    // Before the write-ahead log: the header that says whose file it is must not wait there for a checkpoint.
    migrate(database);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    return ok(database);
  } catch (cause) {
    return fail('unavailable', 'history.unusable', { path: file, what: causeText(cause) }, cause);
  }
}

function prepareFolders(dataFolder: string, folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.chmodSync(folder, 0o700);
  const ignore = path.join(dataFolder, '.gitignore');
  if (!fs.existsSync(ignore)) fs.writeFileSync(ignore, '*\n', { mode: 0o600 });
}

/** Reads SQLite's header itself, because opening a foreign file could already change what lies beside it. */
function checkHeader(file: string): Result<undefined> {
  const header = readHeader(file);
  if (!header.ok) return header;
  if (!header.value) return ok(undefined);
  const magic = header.value.subarray(0, 16).toString('latin1') === 'SQLite format 3\0';
  if (!magic || header.value.readUInt32BE(68) !== applicationId)
    return fail('unavailable', 'history.foreign', { path: file });
  if (header.value.readUInt32BE(60) > migrations.length) return fail('unavailable', 'history.newer', { path: file });
  return ok(undefined);
}

function readHeader(file: string): Result<Buffer | undefined> {
  try {
    if (!fs.existsSync(file) || fs.statSync(file).size === 0) return ok(undefined);
    const header = Buffer.alloc(100);
    const descriptor = fs.openSync(file, 'r');
    fs.readSync(descriptor, header, 0, 100, 0);
    fs.closeSync(descriptor);
    return ok(header);
  } catch (cause) {
    return fail('unavailable', 'history.unusable', { path: file, what: causeText(cause) }, cause);
  }
}

function migrate(database: Database.Database): void {
  const from = Number(database.pragma('user_version', { simple: true }));
  const run = database.transaction(() => {
    for (const step of migrations.slice(from)) database.exec(step);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${migrations.length}`);
  });
  if (from < migrations.length) run.immediate();
}
