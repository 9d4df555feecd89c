// Follows what agents write straight to disk while they answer (SPEC section 9): the files of loaded buffers in their workspaces
// and those their tool calls name. Brings each change into its buffer, or lists the conflict. Nothing is watched while no agent
// is at work: then Neovim's own ways with changed files remain, also for what the person changes outside (git checkout).
import * as path from 'node:path';
import { merge } from '../core/changes/merge.ts';
import { textBefore, type ToolDiff } from '../core/changes/disk-base.ts';
import { ok, type Failure, type Result } from '../core/errors.ts';
import type { Clock, Disk, DiskState, Editor, ToolPatch, WatchFolder } from '../core/ports.ts';
import { insideWorkspace } from '../core/workspace.ts';
import type { Changes, TurnRef } from './changes.ts';
import type { Current, FileTexts } from './file-texts.ts';

/** A file that is being written is looked at when it has come to rest. */
const restMs = 15;
/** While Neovim waits for a key, nothing can be brought into its buffers. */
const retryMs = 250;

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

/** The file as the buffer last read or wrote it, or as it was when it was first looked at; undefined for no file. */
interface Followed {
  readonly text: string | undefined;
  readonly stamp: string;
}

interface ActiveTurn {
  readonly turn: TurnRef;
  readonly workspace: string;
  /** Files its tool calls named. */
  readonly named: Set<string>;
}

export class DiskFollow {
  readonly #options: DiskFollowOptions;
  readonly #turns = new Map<string, ActiveTurn>();
  readonly #files = new Map<string, Followed>();
  readonly #folders = new Map<string, () => void>();
  readonly #timers = new Map<string, () => void>();
  readonly #told = new Set<string>();
  /** What tool calls named is looked up in order, before the turn can end. */
  #naming: Promise<unknown> = Promise.resolve();
  /** One file after the other, so that keys come in between when many change at once. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(options: DiskFollowOptions) {
    this.#options = options;
  }

  /** Settles when what is open is known as it was before the agent could change it. */
  async turnBegan(turn: TurnRef, folder: string): Promise<void> {
    const workspace = await this.#options.disk.resolve(folder);
    if (!workspace.ok) return;
    this.#turns.set(turn.messageId, { turn, workspace: workspace.value, named: new Set() });
    const loaded = await this.#followBuffers();
    await Promise.all(loaded.map((file) => this.bufferRead(file)));
  }

  /** A buffer was read or written while agents are at work. */
  async bufferRead(file: string): Promise<void> {
    if (!this.#turnFor(file)) return;
    if (this.#files.has(file)) {
      await this.#sync(file);
      return;
    }
    const state = await this.#look(file);
    if (state.ok && !this.#files.has(file)) this.#begin(file, state.value);
  }

  toolChanged(agent: string, patch: ToolPatch): void {
    const active = this.#activeOf(agent);
    if (!active) return;
    this.#naming = this.#naming
      .then(() => this.#named(active, patch))
      .catch((cause: unknown) => {
        this.#options.failed({ code: 'internal', text: 'error.internal', values: { what: String(cause) }, cause });
      });
  }

  /** Settles when all the turn wrote so far is where it belongs. */
  async turnEnded(turn: TurnRef): Promise<void> {
    await this.#naming;
    await this.#syncAll();
    this.#turns.delete(turn.messageId);
    if (this.#turns.size > 0) return;
    this.#stop();
    await this.#followBuffers();
  }

  /** Sidekicks itself wrote a file, or removed it. */
  async wrote(file: string): Promise<void> {
    if (!this.#files.has(file)) return;
    const state = await this.#look(file);
    if (state.ok) this.#files.set(file, state.value);
  }

  dispose(): void {
    this.#turns.clear();
    this.#stop();
  }

  #stop(): void {
    for (const unwatch of this.#folders.values()) unwatch();
    for (const cancel of this.#timers.values()) cancel();
    for (const kept of [this.#folders, this.#timers, this.#files, this.#told]) kept.clear();
  }

  async #followBuffers(): Promise<readonly string[]> {
    const folders = [...new Set([...this.#turns.values()].map(({ workspace }) => workspace))];
    const loaded = await this.#options.editor.followBuffers(folders);
    if (!loaded.ok) this.#options.failed(loaded.error);
    return loaded.ok ? loaded.value : [];
  }

  #activeOf(agent: string): ActiveTurn | undefined {
    return [...this.#turns.values()].find(({ turn }) => turn.agent === agent);
  }

  /** Whose change it is: of the agent whose tool call named the file, else of the one that began last and works there. */
  #turnFor(file: string): ActiveTurn | undefined {
    const here = [...this.#turns.values()].filter(({ workspace }) => insideWorkspace(workspace, file).ok);
    return here.findLast(({ named }) => named.has(file)) ?? here.at(-1);
  }

  async #named(active: ActiveTurn, { locations = [], diffs = [], status }: ToolPatch): Promise<void> {
    for (const diff of diffs) await this.#nameFile(active, diff.path, diff);
    for (const location of locations) await this.#nameFile(active, location.path, undefined);
    if (status === 'completed' || status === 'failed') await this.#syncAll();
  }

  async #nameFile(active: ActiveTurn, named: string, diff: ToolDiff | undefined): Promise<void> {
    const file = await this.#options.disk.resolve(path.resolve(active.workspace, named));
    if (!file.ok || !insideWorkspace(active.workspace, file.value).ok) return;
    active.named.add(file.value);
    if (this.#files.has(file.value)) return;
    const state = await this.#look(file.value);
    if (!state.ok || this.#files.has(file.value)) return;
    const before = diff ? textBefore(state.value.text, diff) : state.value.text;
    this.#begin(file.value, before === state.value.text ? state.value : { text: before, stamp: '' });
    if (before !== state.value.text) await this.#sync(file.value);
  }

  #begin(file: string, state: Followed): void {
    this.#files.set(file, state);
    const folder = path.dirname(file);
    if (this.#folders.has(folder)) return;
    const unwatch = this.#options.watchFolder(folder, (name) => {
      this.#changed(path.join(folder, name));
    });
    this.#folders.set(folder, unwatch);
  }

  #changed(file: string, inMs = restMs): void {
    if (!this.#files.has(file) || this.#timers.has(file)) return;
    const cancel = this.#options.clock.after(inMs, () => {
      this.#timers.delete(file);
      void this.#sync(file);
    });
    this.#timers.set(file, cancel);
  }

  async #syncAll(): Promise<void> {
    await Promise.all([...this.#files.keys()].map((file) => this.#sync(file)));
  }

  async #sync(file: string): Promise<void> {
    const known = this.#files.get(file);
    if (!known || known.stamp === (await this.#options.disk.stamp(file))) return;
    const take = () => this.#options.texts.alone(file, () => this.#take(file));
    const taken = this.#taking.then(take, take);
    this.#taking = taken;
    const done = await taken;
    if (done.ok) return;
    if (done.error.code === 'busy') this.#changed(file, retryMs);
    else if (!this.#told.has(file)) this.#options.failed(done.error);
    this.#told.add(file);
  }

  /** Brings the file as it is now into its buffer. */
  async #take(file: string): Promise<Result<undefined>> {
    const known = this.#files.get(file);
    if (!known) return ok(undefined);
    const state = await this.#look(file);
    if (!state.ok) return state;
    if (state.value.stamp === known.stamp) return ok(undefined);
    const buffer = await this.#options.editor.readBuffer(file);
    if (!buffer.ok) return buffer;
    const now = state.value;
    if (buffer.value?.modified === true)
      return this.#takeModified(file, known, now, { text: buffer.value.text, buffer: buffer.value });
    // A file that is gone leaves its buffer as it was; it may come again.
    this.#files.set(file, buffer.value && now.text === undefined ? { text: known.text, stamp: now.stamp } : now);
    const isOwn = buffer.value?.wrote === now.stamp && now.stamp !== '';
    if (!isOwn && (!buffer.value || now.text !== undefined)) this.#record(file, known.text, now.text);
    return ok(undefined);
  }

  async #takeModified(
    file: string,
    known: Followed,
    now: Followed,
    current: Current & { readonly text: string },
  ): Promise<Result<undefined>> {
    const { texts, changes } = this.#options;
    const { buffer } = current;
    if (now.text === undefined) {
      this.#files.set(file, { text: known.text, stamp: now.stamp });
      return ok(undefined);
    }
    if (buffer?.wrote === now.stamp || buffer?.read === now.stamp) {
      // The buffer has this already; what is in it beside was typed since.
      this.#files.set(file, now);
      if (buffer.wrote !== now.stamp) this.#record(file, known.text, now.text);
      return ok(undefined);
    }
    const base = await this.#base(file, known, current);
    if (!base.ok) return base;
    const merged = merge(base.value, current.text, now.text);
    const turn = this.#turnFor(file)?.turn;
    if (merged.type === 'overlap') {
      this.#files.set(file, { text: base.value, stamp: now.stamp });
      if (turn) changes.conflict(turn, file, { base: base.value, mine: current.text, theirs: now.text });
      return ok(undefined);
    }
    const done = await texts.put(file, current, merged.text);
    if (!done.ok) return done;
    if (!done.value) {
      this.#changed(file);
      return ok(undefined);
    }
    this.#files.set(file, now);
    if (turn) changes.settleConflict(turn.agent, file);
    this.#record(file, current.text, merged.text, now.text);
    return ok(undefined);
  }

  /** The file as the buffer last read or wrote it, which may have been between two of our looks. */
  async #base(file: string, known: Followed, { buffer }: Current): Promise<Result<string>> {
    const last = buffer?.read !== '' ? buffer?.read : buffer.wrote;
    if (last === '' || last === known.stamp) return ok(known.text ?? '');
    const base = await this.#options.editor.bufferBase(file);
    return base.ok ? ok(base.value ?? known.text ?? '') : base;
  }

  #record(file: string, was: string | undefined, now: string | undefined, onDisk = now): void {
    const turn = this.#turnFor(file)?.turn;
    if (!turn) return;
    this.#options.changes.wrote(turn, file, was, now);
    if (onDisk !== undefined) this.#options.known(turn.agent, file, onDisk);
  }

  async #look(file: string): Promise<Result<Followed>> {
    const state: Result<DiskState> = await this.#options.disk.look(file);
    if (state.ok) return state;
    return state.error.text === 'file.missing' ? ok({ text: undefined, stamp: '' }) : state;
  }
}
