// Follows what agents write straight to disk (SPEC section 9): the files of loaded buffers in their workspaces and those their tool
// calls name, from an agent's first turn until its process is gone, as some write after they answered. Decides which state of a
// file is new; what is done with it, `DiskTaking` does.
import * as path from 'node:path';
import { textBefore, type ToolDiff } from '../core/changes/disk-base.ts';
import { ok, type Failure, type Result } from '../core/errors.ts';
import type { Clock, Disk, DiskState, Editor, ToolPatch, WatchFolder } from '../core/ports.ts';
import { insideWorkspace } from '../core/workspace.ts';
import { AtWork, type Work } from './at-work.ts';
import type { Changes } from './changes.ts';
import type { TurnRef } from './running.ts';
import { DiskTaking } from './disk-taking.ts';
import type { FileTexts } from './file-texts.ts';
import { FollowedFiles, type Followed } from './followed-files.ts';

/** While Neovim waits for a key, nothing can be brought into its buffers. */
const retryMs = 250;
/** Most programs empty a file before they write it: one that is empty is given so long to be filled. */
const emptyMs = 100;
/** A file that changes all the time is taken as it is. */
const mostLooks = 5;

export interface DiskFollowOptions {
  readonly clock: Clock;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly texts: FileTexts;
  readonly changes: Changes;
  readonly watchFolder: WatchFolder;
  /** The agent wrote this itself: its next edit starts from it. */
  readonly known: (agent: string, path: string, text: string) => void;
  readonly failed: (failure: Failure) => void;
}

export class DiskFollow {
  readonly #options: DiskFollowOptions;
  readonly #atWork: AtWork;
  readonly #files: FollowedFiles;
  readonly #taking: DiskTaking;
  readonly #told = new Set<string>();
  /** Files that were found empty, and are looked at again. */
  readonly #emptied = new Set<string>();
  /** What tool calls named is looked up in order, before the turn can end. */
  #naming: Promise<unknown> = Promise.resolve();
  /** Buffers of which one has heard, and that are not known yet. */
  readonly #seeing = new Set<Promise<void>>();
  /** One file after the other, so that keys come in between when many change at once. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: DiskFollowOptions) {
    this.#options = options;
    this.#atWork = new AtWork(() => options.clock.now());
    const changed = (file: string): void => void this.#changed(file);
    this.#files = new FollowedFiles({ ...options, changed });
    this.#taking = new DiskTaking({ ...options, files: this.#files, atWork: this.#atWork });
  }

  /** Settles when what is open is known as it was before the agent could change it. */
  async turnBegan(turn: TurnRef, folder: string): Promise<void> {
    const workspace = await this.#options.disk.resolve(folder);
    if (!workspace.ok) return;
    await this.#syncAll();
    this.#atWork.began(turn, workspace.value);
    const loaded = await this.#followBuffers();
    await Promise.all(loaded.map((file) => this.#see(file, undefined)));
  }

  /** A buffer was read or written, as `stamp` tells of its file. */
  async bufferRead(file: string, stamp: string): Promise<void> {
    const seen = this.#see(file, stamp);
    this.#seeing.add(seen);
    try {
      await seen;
    } finally {
      this.#seeing.delete(seen);
    }
    this.#options.changes.conflicts.settleOnDisk(file);
  }

  /** A buffer is about to be written: its file is looked at first. Gives the agent whose change it cannot be merged with. */
  async bufferWrites(file: string): Promise<string> {
    const { conflicts } = this.#options.changes;
    const before = conflicts.on(file);
    await this.#sync(file);
    const now = conflicts.on(file);
    return now.find((one) => one.onDisk || !before.includes(one))?.agent ?? '';
  }

  toolChanged(agent: string, patch: ToolPatch): void {
    const work = this.#atWork.heardOf(agent);
    if (!work) return;
    this.#naming = this.#naming
      .then(() => this.#named(work, patch))
      .catch((cause: unknown) => {
        this.#options.failed({ code: 'internal', text: 'error.internal', values: { what: String(cause) }, cause });
      });
  }

  /** Settles when the files that tool calls have named so far are known as they were then. */
  async named(): Promise<void> {
    await this.#naming;
  }

  /** Settles when all the turn wrote so far is where it belongs. */
  async turnEnded(turn: TurnRef): Promise<void> {
    await this.#naming;
    await Promise.all(this.#seeing);
    await this.#syncAll();
    this.#atWork.ended(turn);
    await this.#forgetUnused();
  }

  /** The agent's process is gone. */
  async agentGone(agent: string): Promise<void> {
    this.#atWork.gone(agent);
    await this.#forgetUnused();
  }

  /** Sidekicks itself wrote a file, or removed it. */
  async wrote(file: string): Promise<void> {
    if (!this.#files.get(file)) return;
    const state = await this.#look(file);
    if (state.ok) this.#files.set(file, state.value);
  }

  dispose(): void {
    this.#atWork.clear();
    this.#files.keepOnly(() => false);
  }

  async #followBuffers(): Promise<readonly string[]> {
    const loaded = await this.#options.editor.followBuffers(this.#atWork.folders());
    if (!loaded.ok) this.#options.failed(loaded.error);
    return loaded.ok ? loaded.value : [];
  }

  /** Files that are open nowhere are followed only as long as the turn that wrote them is the last one of its agent. */
  async #forgetUnused(): Promise<void> {
    const loaded = new Set(await this.#followBuffers());
    this.#files.keepOnly((file) => {
      if (!this.#atWork.nearest(file)) return false;
      return loaded.has(file) || this.#atWork.hasWritten(file);
    });
    this.#told.clear();
  }

  async #see(file: string, stamp: string | undefined): Promise<void> {
    if (!this.#atWork.nearest(file)) return;
    if (!this.#files.get(file)) await this.#begin(file, stamp);
    await this.#sync(file);
  }

  /** What the buffer was read from is where it begins, also if the file is another one by now. */
  async #begin(file: string, stamp: string | undefined): Promise<void> {
    const state = await this.#look(file);
    if (!state.ok || this.#files.get(file)) return;
    if (stamp === undefined || stamp === state.value.stamp) {
      this.#files.set(file, state.value);
      return;
    }
    const base = stamp === '' ? ok(undefined) : await this.#options.editor.bufferBase(file);
    if (base.ok && !this.#files.get(file)) this.#files.set(file, { text: base.value, stamp });
  }

  async #named(work: Work, { locations = [], diffs = [], status }: ToolPatch): Promise<void> {
    for (const diff of diffs) await this.#nameFile(work, diff.path, diff);
    for (const location of locations) await this.#nameFile(work, location.path, undefined);
    if (status === 'completed' || status === 'failed') await this.#syncAll();
  }

  async #nameFile(work: Work, named: string, diff: ToolDiff | undefined): Promise<void> {
    const file = await this.#options.disk.resolve(path.resolve(work.workspace, named));
    if (!file.ok || !insideWorkspace(work.workspace, file.value).ok) return;
    work.named.add(file.value);
    if (this.#files.get(file.value)) return;
    const state = await this.#look(file.value);
    if (!state.ok || this.#files.get(file.value)) return;
    if (state.value.stamp === '') await this.#options.texts.expect(file.value);
    const before = diff && !state.value.opaque ? textBefore(state.value.text, diff) : state.value.text;
    this.#files.set(file.value, before === state.value.text ? state.value : { text: before, stamp: '' });
    if (before !== state.value.text) await this.#sync(file.value);
  }

  async #changed(file: string): Promise<void> {
    const size = await this.#options.disk.fileSize(file);
    const isEmptied = size.ok && size.value === 0 && this.#files.get(file)?.text !== '';
    const isNew = isEmptied && !this.#emptied.has(file);
    if (isNew) this.#emptied.add(file);
    else this.#emptied.delete(file);
    if (isNew) this.#files.lookSoon(file, emptyMs);
    else await this.#sync(file);
  }

  async #syncAll(): Promise<void> {
    await Promise.all(this.#files.all().map((file) => this.#sync(file)));
  }

  async #sync(file: string): Promise<void> {
    const known = this.#atWork.nearest(file) && this.#files.get(file);
    if (!known || known.stamp === (await this.#options.disk.stamp(file))) return;
    const take = () => this.#options.texts.alone(file, () => this.#take(file));
    const taken = this.#queue.then(take, take);
    this.#queue = taken;
    const done = await taken;
    if (done.ok) return;
    if (done.error.code === 'busy') this.#files.lookSoon(file, retryMs);
    else if (!this.#told.has(file)) this.#options.failed(done.error);
    this.#told.add(file);
  }

  /** File and buffer are to be of one moment: a person's own write may lie between the two. */
  async #take(file: string): Promise<Result<undefined>> {
    const known = this.#files.get(file);
    if (!known) return ok(undefined);
    for (let looks = 1; ; looks++) {
      const state = await this.#look(file);
      if (!state.ok) return state;
      if (state.value.stamp === known.stamp) return ok(undefined);
      const buffer = await this.#options.editor.readBuffer(file);
      const isSettled = looks === mostLooks || state.value.stamp === (await this.#options.disk.stamp(file));
      if (isSettled) return this.#taking.take({ file, known, now: state.value }, buffer);
    }
  }

  async #look(file: string): Promise<Result<Followed>> {
    const state: Result<DiskState> = await this.#options.disk.look(file);
    if (state.ok) return state;
    if (state.error.text === 'file.missing') return ok({ text: undefined, stamp: '' });
    const isOpaque = state.error.text === 'file.notText' || state.error.text === 'file.tooLarge';
    return isOpaque ? ok({ text: undefined, stamp: await this.#options.disk.stamp(file), opaque: true }) : state;
  }
}
