// The files of an agent, wherever they are (SPEC section 11). Interfaces and plain data only.
import type { RuntimeDefinition } from '../config.ts';
import type { Result } from '../errors.ts';

/** `path` is relative to the workspace, with `/` between the names; `modTime` in milliseconds since 1970. */
export interface WorkspaceEntry {
  readonly name: string;
  readonly path: string;
  readonly dir: boolean;
  readonly size: number;
  readonly modTime: number;
}

/**
 * The folder an agent works in. Paths come as `pathInside` gives them, names as `newName` does; what links lead out of the
 * folder is refused here.
 */
export interface Workspace {
  /** Whether it can be shown at all. */
  check(): Promise<Result<undefined>>;
  /** In no order. */
  list(dir: string): Promise<Result<readonly WorkspaceEntry[]>>;
  /** Every file below the folder that git would consider, where it is in a git work tree; else all but the usual heaps. */
  files(): Promise<Result<readonly string[]>>;
  /** Only of a regular file; more than `limit` bytes are refused. */
  read(path: string, limit: number): Promise<Result<Uint8Array>>;
  /** Writes if the file still has `version`, whatever it has if that is ""; false where it has another or is gone. */
  save(path: string, text: string, version: string): Promise<Result<boolean>>;
  /** An empty file. */
  create(dir: string, name: string): Promise<Result<undefined>>;
  /** A link itself, never what it leads to. Where it would be for good: refused unless `permanent`. */
  remove(path: string, permanent: boolean): Promise<Result<undefined>>;
  /** The path of a file of this computer (its links resolved) that is one of the workspace already, else undefined. */
  inPlace(hostPath: string): Promise<Result<string | undefined>>;
  /** Copies a file of this computer to a free name in `folder`, which is made where it is missing; gives its path. */
  copyIn(hostPath: string, folder: string): Promise<Result<string>>;
  /** Where a file is on this computer; "" where it is reached only through a container or sandbox. */
  onHost(path: string): Promise<Result<string>>;
  /** Calls back when files changed, from when it settles until the function it gives is called. */
  watch(changed: () => void): Promise<Result<() => void>>;
}

/** `folder`: that of this computer. */
export type OpenWorkspace = (runtime: RuntimeDefinition, folder: string) => Promise<Workspace>;
