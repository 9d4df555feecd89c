// A workspace whose files are on this computer (SPEC section 11). Every path is looked at with its links before it is touched.
import { promises as fs, type Stats } from 'node:fs';
import * as path from 'node:path';
import { causeText, fail, ok, type Result } from '../../core/errors.ts';
import type { Clock, Log, Workspace, WorkspaceEntry } from '../../core/ports.ts';
import { insideWorkspace } from '../../core/workspace.ts';
import { joined, unfollowedFolders, versionOf } from '../../core/workspace-paths.ts';
import { codeOf, disk, fileFailure } from './disk.ts';
import { spelledPath } from './find-file.ts';
import { listFiles } from './list-files.ts';
import { moveToTrash, type TrashPlace } from './trash.ts';
import { watchTree } from './watch-tree.ts';

export interface LocalWorkspaceOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly trash: TrashPlace;
}

export const localWorkspace = (folder: string, options: LocalWorkspaceOptions): Workspace =>
  new LocalWorkspace(folder, options);

class LocalWorkspace implements Workspace {
  readonly #folder: string;
  readonly #options: LocalWorkspaceOptions;

  constructor(folder: string, options: LocalWorkspaceOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  async check(): Promise<Result<undefined>> {
    const folder = this.#folder;
    const found = await fs.stat(folder).catch(codeOf);
    if (found === 'ENOENT' || found === 'ENOTDIR') return fail('unavailable', 'workspace.noFolder', { folder });
    if (typeof found === 'string') return fail('unavailable', 'workspace.denied', { path: folder });
    return found.isDirectory() ? ok(undefined) : fail('unavailable', 'workspace.notFolder', { path: folder });
  }

  async list(dir: string): Promise<Result<readonly WorkspaceEntry[]>> {
    const folder = await this.#existing(dir);
    if (!folder.ok) return folder;
    try {
      // As bytes: a name that is not UTF-8 is a file all the same.
      const names = await fs.readdir(folder.value, { encoding: 'buffer' });
      const entries = await Promise.all(names.map((name) => entryOf(folder.value, dir, name)));
      return ok(entries.filter((entry) => entry !== undefined));
    } catch (cause) {
      if (codeOf(cause) === 'ENOTDIR') return fail('invalid', 'workspace.notFolder', { path: dir });
      return fileFailure(dir || this.#folder, cause);
    }
  }

  async files(): Promise<Result<readonly string[]>> {
    try {
      return ok(await listFiles(this.#folder));
    } catch (cause) {
      return fileFailure(this.#folder, cause);
    }
  }

  async read(file: string, limit: number): Promise<Result<Uint8Array>> {
    const found = await this.#existing(file);
    return found.ok ? disk.readBytes(found.value, limit) : found;
  }

  async save(file: string, text: string, version: string): Promise<Result<boolean>> {
    const found = await this.#locate(file);
    if (!found.ok) return found;
    if (version !== '') {
      const now = await disk.readBytes(found.value);
      const isOther = now.ok ? versionOf(now.value) !== version : ['not-found', 'limit'].includes(now.error.code);
      if (isOther) return ok(false);
      if (!now.ok) return now;
    }
    const written = await disk.writeText(found.value, text);
    return written.ok ? ok(true) : written;
  }

  async create(dir: string, name: string): Promise<Result<undefined>> {
    const folder = await this.#existing(dir);
    if (!folder.ok) return folder;
    try {
      const made = await fs.open(path.join(folder.value, name), 'wx');
      await made.close();
      return ok(undefined);
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') return fail('exists', 'workspace.exists', { name: joined(dir, name) });
      if (codeOf(cause) === 'ENOTDIR') return fail('invalid', 'workspace.notFolder', { path: dir });
      return fail('unavailable', 'workspace.notMade', { name: joined(dir, name), what: causeText(cause) }, cause);
    }
  }

  async remove(entry: string, permanent: boolean): Promise<Result<undefined>> {
    const found = await this.#itself(entry);
    if (!found.ok) return found;
    try {
      await fs.lstat(found.value);
      const { trash, clock } = this.#options;
      if (await moveToTrash(found.value, trash, clock.now())) return ok(undefined);
      if (!permanent) return fail('refused', 'workspace.forGood', { path: entry });
      await fs.rm(found.value, { recursive: true });
      return ok(undefined);
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return fail('not-found', 'workspace.missing', { path: entry }, cause);
      return fail('unavailable', 'workspace.notDeleted', { path: entry, what: causeText(cause) }, cause);
    }
  }

  async inPlace(hostPath: string): Promise<Result<string | undefined>> {
    const root = await disk.resolve(this.#folder);
    if (!root.ok) return root;
    return ok(insideWorkspace(root.value, hostPath).ok ? path.relative(root.value, hostPath) : undefined);
  }

  async copyIn(hostPath: string, folder: string): Promise<Result<string>> {
    const target = await this.#locate(folder);
    if (!target.ok) return target;
    const copied = await disk.copyIn(hostPath, target.value);
    return copied.ok ? ok(joined(folder, path.basename(copied.value))) : copied;
  }

  async onHost(file: string): Promise<Result<string>> {
    const found = await this.#existing(file);
    return found.ok ? ok(await spelledPath(this.#folder, file)) : found;
  }

  async watch(changed: () => void): Promise<Result<() => void>> {
    const checked = await this.check();
    if (!checked.ok) return checked;
    return ok(await watchTree(this.#folder, changed, { ...this.#options, without: unfollowedFolders }));
  }

  /** With every link resolved, also where there is nothing yet. */
  async #locate(entry: string): Promise<Result<string>> {
    const [root, file] = await Promise.all([
      disk.resolve(this.#folder),
      spelledPath(this.#folder, entry).then((spelled) => disk.resolve(spelled)),
    ]);
    if (!root.ok) return root;
    if (!file.ok) return file;
    return insideWorkspace(root.value, file.value).ok ? file : fail('refused', 'workspace.outside', { path: entry });
  }

  async #existing(entry: string): Promise<Result<string>> {
    const found = await this.#locate(entry);
    if (!found.ok || (await disk.exists(found.value))) return found;
    const checked = await this.check();
    return checked.ok ? fail('not-found', 'workspace.missing', { path: entry }) : checked;
  }

  /** The entry itself, which may be a link to anywhere, in its folder with every link resolved. */
  async #itself(entry: string): Promise<Result<string>> {
    const spelled = await spelledPath(this.#folder, entry);
    const folder = await this.#locate(path.relative(this.#folder, path.dirname(spelled)));
    return folder.ok ? ok(path.join(folder.value, path.basename(spelled))) : folder;
  }
}

/** What a link leads to says what it is, the link itself where it leads nowhere; undefined for one that is gone. */
async function entryOf(folder: string, dir: string, bytes: Buffer): Promise<WorkspaceEntry | undefined> {
  const file = Buffer.concat([Buffer.from(`${folder}/`), bytes]);
  const gone = (): undefined => undefined;
  const found: Stats | undefined = await fs.stat(file).catch(() => fs.lstat(file).catch(gone));
  if (!found) return undefined;
  const name = bytes.toString();
  const modTime = Math.trunc(found.mtimeMs);
  return { name, path: joined(dir, name), dir: found.isDirectory(), size: found.size, modTime };
}
