// Files on disk, their watching, and the files of a workspace for completion. Interfaces and plain data only.
import type { Result } from '../errors.ts';

/** A file as it is on disk; `stamp` tells this state from any other. */
export interface DiskState {
  readonly text: string;
  readonly stamp: string;
}

export interface Disk {
  /** Tells one state of a file from another, also of the same size in the same second; "" when there is none. */
  stamp(path: string): Promise<string>;
  /** Text and stamp that belong together. */
  look(path: string): Promise<Result<DiskState>>;
  exists(path: string): Promise<boolean>;
  /** In bytes; fails for what is no regular file. */
  fileSize(path: string): Promise<Result<number>>;
  /** Only of a regular file; more than `limit` bytes (64 MB where none is given) are refused. */
  readBytes(path: string, limit?: number): Promise<Result<Uint8Array>>;
  /** Fails with `file.missing`, `file.folder`, `file.binary`, `file.unreadable` … */
  readText(path: string): Promise<Result<string>>;
  /** Written beside and moved into place, parents made, mode and links kept (SPEC 9). */
  writeText(path: string, text: string): Promise<Result<undefined>>;
  /** The path with every link and `..` resolved, also where the last parts do not exist yet. */
  resolve(path: string): Promise<Result<string>>;
  /** Copies a file to a free name beside it that holds `stamp`; gives its path, "" when there is no such file. */
  keepCopy(path: string, stamp: string): Promise<Result<string>>;
  /** Copies a file into a folder, made if missing, under its own name or the next free one; gives the path of the copy. */
  copyIn(path: string, folder: string): Promise<Result<string>>;
  /** The topmost folder above a path that is not there yet; "" where its own folder is. */
  missingFolder(path: string): Promise<string>;
  /** Its folders go with it, up to `top`, as far as nothing else is in them. */
  remove(path: string, top?: string): Promise<Result<undefined>>;
}

/** Calls back with the name of each file in a folder that changed, until the function it gives is called. */
export type WatchFolder = (folder: string, changed: (name: string) => void) => () => void;

/** Calls back when it begins and after each change of a file, until the function it gives is called. */
export type WatchFile = (path: string, changed: () => void) => () => void;

export interface WorkspaceFiles {
  /** The absolute path of a file as it is spelled on disk, where accents are written another way (CASES B14). */
  spelled(folder: string, path: string): Promise<string>;
  /** What git says was changed in `folder` since the last commit; `cut` where it is longer than `maxBytes`. */
  diff(folder: string, maxBytes: number): Promise<Result<{ readonly text: string; readonly cut: boolean }>>;
  /**
   * The best matches first among what `list` gives, which is kept for the workspace of this name and brought up to date in
   * the background; `complete` false while it is still being read.
   */
  find(
    workspace: string,
    list: () => Promise<Result<readonly string[]>>,
    query: string,
    limit: number,
  ): Promise<{ readonly files: readonly string[]; readonly complete: boolean }>;
}
