// Follows a folder with all that is below it, by the events of the system. Says that something changed, never what.
import type { FSWatcher } from 'chokidar';
import type { Stats } from 'node:fs';
import * as path from 'node:path';
import type { Clock, Log } from '../../core/ports.ts';

/** Changes that come together are told once they have ended. */
const quietMs = 500;

export interface TreeOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Names of folders that are not followed. */
  readonly without: readonly string[];
  /** Fewer in tests. */
  readonly maxFolders?: number;
}

/** A home folder holds more than anybody wants to have followed: what is beyond is looked at when it is looked for. */
const mostFolders = 20_000;

/** Settles when every change from now on will be told; the function it gives ends that. */
export async function watchTree(folder: string, changed: () => void, options: TreeOptions): Promise<() => void> {
  const { clock, log } = options;
  const { watch } = await import('chokidar');
  const isLeftOut = leftOut(folder, options);
  // Links are not followed: one that leads up again would be followed for ever (CASES B27).
  const watcher = watch(folder, { ignoreInitial: true, followSymlinks: false, atomic: false, ignored: isLeftOut });
  let cancel = (): void => undefined;
  watcher.on('all', () => {
    cancel();
    cancel = clock.after(quietMs, changed);
  });
  await settled(watcher, folder, log);
  return () => {
    cancel();
    void watcher.close();
  };
}

function leftOut(folder: string, { log, without, maxFolders = mostFolders }: TreeOptions) {
  const followed = new Set<string>();
  let told = false;
  const isBeyond = (file: string): boolean => {
    if (followed.has(file)) return false;
    if (followed.size < maxFolders) return !followed.add(file);
    if (!told) log.write(`${folder} has more than ${maxFolders} folders: not all are watched`);
    told = true;
    return true;
  };
  return (file: string, stats?: Stats): boolean => {
    const names = path.relative(folder, file).split(path.sep);
    return names.some((name) => without.includes(name)) || (stats?.isDirectory() === true && isBeyond(file));
  };
}

/** Where the system has no watch left, what it has is kept: it is told once, and the others are followed. */
function settled(watcher: FSWatcher, folder: string, log: Log): Promise<void> {
  let told = false;
  watcher.on('error', (cause) => {
    if (!told) log.write(`not all of ${folder} can be watched`, cause);
    told = true;
  });
  return new Promise((resolve) => {
    watcher.once('ready', resolve);
  });
}
