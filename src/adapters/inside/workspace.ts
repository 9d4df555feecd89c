// A workspace whose files are reached through a container or sandbox (SPEC section 11): each act is one small program run there.
import { promises as fs } from 'node:fs';
import * as path from 'node:path';
import { randomUUID } from 'node:crypto';
import type { RuntimeDefinition } from '../../core/config.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { Clock, Workspace, WorkspaceEntry } from '../../core/ports.ts';
import { folderInside, insideWords } from '../../core/runtime.ts';
import { joined, unfollowedFolders, versionOf } from '../../core/workspace-paths.ts';
import { endFailure, notGatheredFailure, type Act } from './failures.ts';
import { gather, type Gathered } from './gather.ts';
import { entriesOf, pathsOf } from './listing.ts';
import * as scripts from './scripts.ts';

export interface InsideOptions {
  readonly clock: Clock;
}

const limitMs = 30_000;
const pollMs = 2000;
const maxListBytes = 16 << 20;
const maxWordsBytes = 4096;

export const insideWorkspace = (runtime: RuntimeDefinition, folder: string, options: InsideOptions): Workspace =>
  new InsideWorkspace(runtime, folder, options);

interface Run {
  readonly script: string;
  /** What comes behind the folder of the workspace. */
  readonly args?: readonly string[];
  readonly input?: Uint8Array;
  readonly maxBytes?: number;
  readonly act: Act;
}

class InsideWorkspace implements Workspace {
  readonly #runtime: RuntimeDefinition;
  readonly #hostFolder: string;
  readonly #folder: string;
  readonly #options: InsideOptions;

  constructor(runtime: RuntimeDefinition, folder: string, options: InsideOptions) {
    this.#runtime = runtime;
    this.#hostFolder = folder;
    this.#folder = folderInside(runtime, folder);
    this.#options = options;
  }

  async check(): Promise<Result<undefined>> {
    return nothing(await this.#run({ script: scripts.check, act: { path: '' } }));
  }

  async list(dir: string): Promise<Result<readonly WorkspaceEntry[]>> {
    const listed = await this.#run({ script: scripts.list, args: [dir], maxBytes: maxListBytes, act: { path: dir } });
    return listed.ok ? ok(entriesOf(listed.value.output, dir)) : listed;
  }

  async files(): Promise<Result<readonly string[]>> {
    const run = { script: scripts.files(unfollowedFolders), maxBytes: maxListBytes, act: { path: '' } };
    const listed = await this.#run(run);
    return listed.ok ? ok(pathsOf(listed.value.output)) : listed;
  }

  async read(file: string, limit: number): Promise<Result<Uint8Array>> {
    const act = { path: file, limit };
    const gathered = await this.#run({ script: scripts.read, args: [file, String(limit)], maxBytes: limit, act });
    return gathered.ok ? ok(gathered.value.output) : gathered;
  }

  async save(file: string, text: string, version: string): Promise<Result<boolean>> {
    if (file === '') return fail('invalid', 'file.folder', { path: this.#folder });
    const input = Buffer.from(text);
    const args = [file, version, versionOf(input), nameBeside()];
    const run = { script: scripts.save, args, input, act: { path: file, failed: 'workspace.notWritten' } } as const;
    const saved = await this.#gathered(run);
    if (saved.ok && saved.value.code === scripts.ends.isOther) return ok(false);
    const done = this.#judged(run, saved);
    return done.ok ? ok(true) : done;
  }

  async create(dir: string, name: string): Promise<Result<undefined>> {
    const act = { path: dir, name: joined(dir, name), failed: 'workspace.notMade' } as const;
    return nothing(await this.#run({ script: scripts.create, args: [dir, name], act }));
  }

  async remove(entry: string, permanent: boolean): Promise<Result<undefined>> {
    const { name } = this.#runtime;
    if (!permanent) return fail('refused', 'workspace.forGoodInside', { name, path: entry });
    const act = { path: entry, failed: 'workspace.notDeleted' } as const;
    return nothing(await this.#run({ script: scripts.remove, args: [entry], act }));
  }

  /** A folder shared with this computer has the same file at the same place. */
  async inPlace(hostPath: string): Promise<Result<string | undefined>> {
    const root = await fs.realpath(this.#hostFolder).catch(() => undefined); // it need not be there: nothing is shared then
    const inside = root === undefined ? '..' : path.relative(root, hostPath);
    if (inside === '' || inside.split(path.sep)[0] === '..') return ok(undefined);
    const digest = versionOf(await fs.readFile(hostPath));
    const run = { script: scripts.isSame, args: [inside, digest], act: { path: inside } };
    const looked = await this.#gathered(run);
    if (!looked.ok) return looked;
    const { missing, isOther, outside } = scripts.ends;
    if ([missing, isOther, outside].some((code) => code === looked.value.code)) return ok(undefined);
    const judged = this.#judged(run, looked);
    return judged.ok ? ok(inside) : judged;
  }

  async copyIn(hostPath: string, folder: string): Promise<Result<string>> {
    const { name, ext } = path.parse(path.basename(hostPath).replace(/[\s\p{Cc}]+/gu, '-'));
    const input = await fs.readFile(hostPath);
    const args = [folder, name, ext, versionOf(input), nameBeside()];
    const act = { path: joined(folder, name + ext), failed: 'workspace.notWritten' } as const;
    const copied = await this.#run({ script: scripts.copyIn, args, input, act });
    return copied.ok ? ok(joined(folder, copied.value.output.toString())) : copied;
  }

  onHost(): Promise<Result<string>> {
    return Promise.resolve(ok(''));
  }

  /** A container that is away meanwhile is a change like any other, and so is its return. */
  async watch(changed: () => void): Promise<Result<() => void>> {
    const { clock } = this.#options;
    let before = await this.#state();
    let cancel = (): void => undefined;
    let ended = false;
    const look = async (): Promise<void> => {
      const now = await this.#state();
      if (ended) return;
      if (now !== before) changed();
      before = now;
      next();
    };
    const next = (): void => {
      cancel = clock.after(pollMs, () => void look());
    };
    next();
    return ok(() => {
      ended = true;
      cancel();
    });
  }

  async #state(): Promise<string> {
    const run = { script: scripts.state(unfollowedFolders), act: { path: '' } };
    const looked = await this.#run(run);
    return looked.ok ? looked.value.output.toString() : looked.error.text;
  }

  async #run(run: Run): Promise<Result<Gathered>> {
    return this.#judged(run, await this.#gathered(run));
  }

  async #gathered({ script, args = [], input, maxBytes = maxWordsBytes, act }: Run): Promise<Result<Gathered>> {
    const words = insideWords(this.#runtime, ['sh', '-c', script, 'sh', this.#folder, ...args], { folder: '' });
    const gathered = await gather(words, { maxBytes, limitMs, ...(input && { input }) });
    if (gathered.ok) return gathered;
    return notGatheredFailure(gathered.error, { act, name: this.#runtime.name, cli: words[0] ?? '', limitMs });
  }

  #judged({ act }: Run, gathered: Result<Gathered>): Result<Gathered> {
    if (!gathered.ok || gathered.value.code === 0) return gathered;
    return endFailure(gathered.value, { act, name: this.#runtime.name, folder: this.#folder });
  }
}

const nothing = (result: Result<unknown>): Result<undefined> => (result.ok ? ok(undefined) : result);

const nameBeside = (): string => `.sidekicks-${randomUUID()}`;
