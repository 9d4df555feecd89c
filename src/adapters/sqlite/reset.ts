// Empties histories (SPEC section 15, `reset`), each kept as a dated copy first. Other Neovims may have them open meanwhile.
import Database from 'better-sqlite3';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { causeText, fail, ok, type Result } from '../../core/errors.ts';
import { historyPath, openExisting } from './file.ts';
import { emptyTables } from './migrations.ts';

/** One that is copied, and what is left to do once all are. */
interface Kept {
  readonly copy: string;
  readonly empty: () => void;
}

/** Those of one configuration, or of all; gives the copies. Nothing is emptied unless everything was copied. */
export function resetHistories(
  dataFolder: string,
  configPath: string | undefined,
  stamp: string,
): Result<readonly string[]> {
  let file = dataFolder;
  try {
    const kept: Kept[] = [];
    for (file of historyFiles(dataFolder, configPath)) kept.push(keep(dataFolder, file, stamp));
    for (const one of kept) one.empty();
    return ok(kept.map(({ copy }) => copy));
  } catch (cause) {
    return fail('unavailable', 'history.notReset', { path: file, what: causeText(cause) }, cause);
  }
}

function historyFiles(dataFolder: string, configPath: string | undefined): readonly string[] {
  const all = fs.existsSync(dataFolder) ? fs.readdirSync(dataFolder) : [];
  const files =
    configPath === undefined
      ? all.map((name) => path.join(dataFolder, name, 'history.db'))
      : [historyPath(dataFolder, configPath)];
  return files.filter((file) => fs.existsSync(file));
}

function keep(dataFolder: string, file: string, stamp: string): Kept {
  const copy = freeName(file, stamp);
  const opened = openExisting(dataFolder, file);
  // What is not ours, broken or newer is moved out of the way as it is.
  if (!opened.ok) return { copy, empty: () => moveAway(file, copy) };
  opened.value.prepare('vacuum into ?').run(copy);
  opened.value.close();
  fs.chmodSync(copy, 0o600);
  return { copy, empty: () => empty(file) };
}

function freeName(file: string, stamp: string): string {
  const { dir, name, ext } = path.parse(file);
  for (let count = 1; ; count++) {
    const copy = path.join(dir, `${name}.${stamp}${count === 1 ? '' : `-${count}`}${ext}`);
    if (!fs.existsSync(copy)) return copy;
  }
}

function moveAway(file: string, copy: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, copy + suffix);
  }
}

/** In place, as another Neovim would go on writing to a file that was moved. */
function empty(file: string): void {
  const database = new Database(file, { timeout: 5000 });
  try {
    database.pragma('foreign_keys = ON');
    database.pragma('secure_delete = ON');
    database.transaction(() => database.exec(emptyTables)).immediate();
  } finally {
    database.close();
  }
}
