// Finds, checks and opens the file of a history; falls back to memory and says why (SPEC section 10). Knows no messages.
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import { applicationId, migrations } from './migrations.ts';

/** Another Neovim may be bringing the file to today's form. */
const openMs = 2000;

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
  let database: Database.Database | undefined;
  try {
    prepareFolders(dataFolder, path.dirname(file));
    // SQLite would open it all the same, and say so only when something is written.
    for (const needed of [path.dirname(file), file]) {
      if (fs.existsSync(needed)) fs.accessSync(needed, fs.constants.R_OK | fs.constants.W_OK);
    }
    database = new Database(file, { timeout: openMs });
    tighten(file, 0o600);
    // Before the write-ahead log: the header that says whose file it is must not wait there for a checkpoint.
    migrate(database);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    // A broken or locked file says so now.
    database.exec('begin immediate; select count(*) from sqlite_schema; rollback');
    return ok(database);
  } catch (cause) {
    database?.close();
    return fail('unavailable', 'history.unusable', { path: file, what: causeText(cause) }, cause);
  }
}

function prepareFolders(dataFolder: string, folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  tighten(folder, 0o700);
  const ignore = path.join(dataFolder, '.gitignore');
  if (!fs.existsSync(ignore)) fs.writeFileSync(ignore, '*\n', { mode: 0o600 });
}

/** Takes away what others may do, and gives nothing: what a person made read-only stays so. */
function tighten(file: string, most: number): void {
  const mode = fs.statSync(file).mode & 0o777;
  if ((mode & ~most) !== 0) fs.chmodSync(file, mode & most);
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

export function migrate(database: Database.Database): void {
  const from = Number(database.pragma('user_version', { simple: true }));
  const run = database.transaction(() => {
    for (const step of migrations.slice(from)) database.exec(step);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${migrations.length}`);
  });
  if (from < migrations.length) run.immediate();
}

const ofTheFile = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|AUTH|PROTOCOL|NOMEM)/;

/** The file or the system failed, not the program. */
export function isOfTheFile(cause: unknown): boolean {
  if (cause instanceof Database.SqliteError) return ofTheFile.test(cause.code);
  return cause instanceof Error && 'syscall' in cause;
}
