// Owns: the sessions on disk, one private file each. Must not: know the protocol or keep sessions in memory.
import { chmodSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Entry, Session } from './session.ts';
import { defaultSettings, withMode, withOption } from './settings.ts';
import type { Settings } from './settings.ts';

const maxFiles = 100;
const idPattern = /^[0-9a-f-]{1,64}$/;

export interface Store {
  save(session: Session): void;
  load(id: string): Session | undefined;
  /** Newest first. */
  list(): Session[];
}

export function storeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const state = environment['XDG_STATE_HOME'] || join(environment['HOME'] || homedir(), '.local', 'state');
  return join(state, 'sidekicks-demo');
}

/** A disk that fails costs only the memory of sessions, so it is told in the log and the answer goes on. */
export function openStore(folder: string, log: (line: string) => void): Store {
  const load = (id: string): Session | undefined => {
    if (!idPattern.test(id)) return undefined;
    try {
      const session = sessionOf(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')), id);
      if (session === undefined) log(`session ${id}: its file is not one of mine`);
      return session;
    } catch (error) {
      if (!isMissing(error)) log(`session ${id} cannot be read: ${String(error)}`);
      return undefined;
    }
  };
  return {
    load,
    save: (session) => {
      try {
        write(folder, session);
      } catch (error) {
        log(`session ${session.id} cannot be kept: ${String(error)}`);
      }
    },
    list: () =>
      files(folder)
        .map((file) => load(file.id))
        .filter((session) => session !== undefined),
  };
}

function write(folder: string, session: Session): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const file = join(folder, `${session.id}.json`);
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, JSON.stringify({ ...session, isAnswering: undefined }), { mode: 0o600 });
  renameSync(beside, file);
  for (const old of files(folder).slice(maxFiles)) rmSync(old.path, { force: true });
}

function files(folder: string): { id: string; path: string; time: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith('.json') && idPattern.test(name.slice(0, -5)))
    .map((name) => ({ id: name.slice(0, -5), path: join(folder, name) }))
    .map((file) => ({ ...file, time: statSync(file.path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time);
}

function sessionOf(value: unknown, id: string): Session | undefined {
  if (!isRecord(value) || value['id'] !== id || typeof value['cwd'] !== 'string') return undefined;
  if (!Array.isArray(value['entries'])) return undefined;
  const text = (key: string): string => (typeof value[key] === 'string' ? value[key] : '');
  return {
    id,
    cwd: value['cwd'],
    title: text('title'),
    updatedAt: text('updatedAt'),
    settings: settingsOf(value['settings']),
    entries: value['entries'].filter(isRecord).map(settled),
    characters: typeof value['characters'] === 'number' ? value['characters'] : 0,
    isAnswering: false,
  };
}

function settingsOf(value: unknown): Settings {
  if (!isRecord(value)) return defaultSettings;
  let settings = withMode(defaultSettings, value['mode']) ?? defaultSettings;
  for (const id of ['model', 'verbosity', 'thoughts']) settings = withOption(settings, id, value[id]) ?? settings;
  return settings;
}

/** A tool call whose process was killed under it never ended well. */
function settled(entry: Entry): Entry {
  const open = entry['status'] === 'pending' || entry['status'] === 'in_progress';
  return open ? { ...entry, status: 'failed' } : entry;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
