// Follows the files of one folder, not of those below it: one watch of the system's own, no timer. Reads nothing.
import { watch } from 'node:fs';
import type { Log, WatchFolder } from '../../core/ports.ts';

/** A folder that cannot be watched is looked at when a tool call or a turn ends. */
export const watchFolders =
  (log: Log): WatchFolder =>
  (folder, changed) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null) changed(name);
      });
      watcher.on('error', (cause) => {
        log.write(`${folder} cannot be watched`, cause);
      });
      return () => {
        watcher.close();
      };
    } catch (cause) {
      log.write(`${folder} cannot be watched`, cause);
      return () => undefined;
    }
  };
