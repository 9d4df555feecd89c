// The files that are followed, the state each was last seen in, and the watching of their folders. Reads none of them.
import * as path from 'node:path';
import type { Clock, WatchFolder } from '../core/ports.ts';

/** A file that is being written is looked at when it has come to rest. */
const restMs = 15;

/** The file as the buffer last read or wrote it, or as it was when it was first looked at. */
export interface Followed {
  /** undefined: there is no file, or its text cannot be given. */
  readonly text: string | undefined;
  readonly stamp: string;
  /** Not UTF-8, or too large. */
  readonly opaque?: true;
}

export interface FollowedFilesOptions {
  readonly clock: Clock;
  readonly watchFolder: WatchFolder;
  /** A file has changed, and come to rest. */
  readonly changed: (file: string) => void;
}

export class FollowedFiles {
  readonly #options: FollowedFilesOptions;
  readonly #states = new Map<string, Followed>();
  readonly #folders = new Map<string, () => void>();
  readonly #timers = new Map<string, () => void>();

  constructor(options: FollowedFilesOptions) {
    this.#options = options;
  }

  get(file: string): Followed | undefined {
    return this.#states.get(file);
  }

  all(): readonly string[] {
    return [...this.#states.keys()];
  }

  set(file: string, state: Followed): void {
    this.#states.set(file, state);
    const folder = path.dirname(file);
    if (this.#folders.has(folder)) return;
    const unwatch = this.#options.watchFolder(folder, (name) => {
      this.lookSoon(path.join(folder, name));
    });
    this.#folders.set(folder, unwatch);
  }

  /** Once, however often it is asked for meanwhile. */
  lookSoon(file: string, inMs = restMs): void {
    if (!this.#states.has(file) || this.#timers.has(file)) return;
    const cancel = this.#options.clock.after(inMs, () => {
      this.#timers.delete(file);
      this.#options.changed(file);
    });
    this.#timers.set(file, cancel);
  }

  keepOnly(wanted: (file: string) => boolean): void {
    for (const file of this.all()) if (!wanted(file)) this.#drop(file);
    const used = new Set(this.all().map((file) => path.dirname(file)));
    for (const [folder, unwatch] of this.#folders) {
      if (used.has(folder)) continue;
      unwatch();
      this.#folders.delete(folder);
    }
  }

  #drop(file: string): void {
    this.#states.delete(file);
    this.#timers.get(file)?.();
    this.#timers.delete(file);
  }
}
