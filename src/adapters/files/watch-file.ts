// Follows one file, there or not, through every way it is saved; calls back once more when it begins to. Reads nothing of it.
import type { FSWatcher } from 'chokidar';
import type { Log, WatchFile } from '../../core/ports.ts';

export const watchFiles =
  (log: Log): WatchFile =>
  (path, changed) => {
    const watching = begin(path, changed, log);
    return () => {
      void watching.then((watcher) => watcher?.close());
    };
  };

/** Undefined where it cannot be watched: what depends on it is then noticed at the next use. */
async function begin(path: string, changed: () => void, log: Log): Promise<FSWatcher | undefined> {
  try {
    const { watch } = await import('chokidar');
    const watcher = watch(path, { ignoreInitial: true, depth: 0, atomic: false });
    watcher.on('all', () => {
      changed();
    });
    // Something may have changed before it was watched.
    watcher.on('ready', changed);
    watcher.on('error', (cause) => {
      log.write(`${path} cannot be watched`, cause);
    });
    return watcher;
  } catch (cause) {
    log.write(`${path} cannot be watched`, cause);
    return undefined;
  }
}
