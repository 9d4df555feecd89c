// Keeps what agents changed, by turn, with the conflicts beside it (SPEC section 9): lists, accepts, rejects, restores. Writes only by `FileTexts`.
// All of it lives in memory: it ends with the host, and the oldest turns are let go when their texts grow large.
import type { ChangedFile, ChangedTurn, Conflict, Hunk, RefusedHunk } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import {
  accepted,
  hunksOf,
  isSettled,
  rejected,
  written,
  type FileChange,
  type PresentHunk,
} from '../core/changes/file-change.ts';
import { fail, ok, type Failure, type Result } from '../core/errors.ts';
import type { TextKey } from '../core/texts/index.ts';
import { Conflicts } from './conflicts.ts';
import type { FileTexts } from './file-texts.ts';
import { hunkLike, ListedHunks, shape } from './listed-hunks.ts';
import type { TurnRef } from './running.ts';

/** Characters of text kept for review, all turns together. */
const mostKept = 128 << 20;

interface KeptFile {
  readonly change: FileChange;
  readonly listed: ListedHunks;
  /** What was listed of the change in this state of the file; nothing where nothing is left. */
  readonly shown?: { readonly version: string; readonly file: ChangedFile | undefined };
}

interface KeptTurn extends TurnRef {
  readonly files: Map<string, KeptFile>;
}

export interface ListedChanges {
  readonly turns: ChangedTurn[];
  readonly conflicts: Conflict[];
}

export interface ChangesOptions {
  readonly texts: FileTexts;
  readonly nextId: () => string;
  readonly tell: (event: HostEvent) => void;
  readonly word: (key: TextKey, values?: Readonly<Record<string, string>>) => string;
  readonly wordFailure: (failure: Failure) => string;
}

/** All hunks of a file, the one under an index of the list given last, or one by what it is. */
export type Which = undefined | number | Hunk;

type Choose = (hunks: readonly PresentHunk[]) => Result<readonly PresentHunk[]>;

export class Changes {
  readonly conflicts: Conflicts;
  readonly #options: ChangesOptions;
  readonly #turns = new Map<string, KeptTurn>();

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.conflicts = new Conflicts({
      ...options,
      wrote: (turn, path, was, now) => {
        this.wrote(turn, path, was, now);
      },
    });
  }

  /** An agent's write arrived: `was` stood there just before, `now` stands there since; undefined for no file. */
  wrote(turn: TurnRef, path: string, was: string | undefined, now: string | undefined): void {
    if (was === now) return;
    const kept: KeptTurn = this.#turns.get(turn.messageId) ?? { ...turn, files: new Map() };
    this.#turns.set(turn.messageId, kept);
    const file = kept.files.get(path);
    const change = written(file?.change, was, now);
    kept.files.set(path, { change, listed: file?.listed ?? new ListedHunks() });
    this.#forgetOldest();
    this.#changed(turn.channel);
  }

  /** For scripts, which name hunks by their index in it. */
  async list(channel: string | undefined): Promise<ListedChanges> {
    const listed = await this.review(channel);
    for (const { messageId, files } of listed.turns) {
      const kept = this.#turns.get(messageId);
      for (const { path, hunks } of files) kept?.files.get(path)?.listed.add(hunks);
    }
    return listed;
  }

  /** The same for those who name hunks by what they are. */
  async review(channel: string | undefined): Promise<ListedChanges> {
    const here = [...this.#turns.values()].filter((one) => channel === undefined || one.channel === channel);
    const versions = await this.#options.texts.versions(here.flatMap(({ files }) => [...files.keys()]));
    const turns: ChangedTurn[] = [];
    for (const turn of here) {
      const files = await this.#filesOf(turn, versions);
      const { messageId, channel: id, agent } = turn;
      if (files.length > 0) turns.push({ messageId, channel: id, agent, files });
    }
    return { turns, conflicts: this.conflicts.list(channel) };
  }

  accept(messageId: string, path: string | undefined, which: Which): Promise<Result<undefined>> {
    return this.#each(messageId, path, async (turn, file) => {
      const choose = this.#chooser(turn, file, which);
      return this.#options.texts.alone(file, () => this.#acceptIn(turn, file, choose));
    });
  }

  reject(messageId: string, path: string | undefined, which: Which): Promise<Result<undefined>> {
    return this.#each(messageId, path, async (turn, file) => {
      const done = await this.#rejectIn(turn, file, this.#chooser(turn, file, which));
      return done.ok ? ok(undefined) : done;
    });
  }

  /** Undoes a turn over all its files, but for what was changed since (SPEC 9). */
  async restore(messageId: string): Promise<Result<{ refused: RefusedHunk[] }>> {
    const turn = this.#turns.get(messageId);
    if (!turn) return fail('not-found', 'changes.unknownTurn');
    const refused: RefusedHunk[] = [];
    let settled = 0;
    for (const path of [...turn.files.keys()]) {
      let touched: readonly PresentHunk[] = [];
      const done = await this.#rejectIn(turn, path, (hunks) => {
        touched = hunks.filter((hunk) => hunk.touched);
        return ok(hunks.filter((hunk) => !hunk.touched));
      });
      const reason = this.#options.word('changes.touched');
      refused.push(...touched.map(({ line }) => ({ path, line, reason })));
      if (isOfSettled(done)) settled++;
      else if (!done.ok) refused.push({ path, line: 1, reason: this.#options.wordFailure(done.error) });
    }
    this.#changed(turn.channel);
    if (settled === turn.files.size) return fail('not-found', 'changes.unknownTurn');
    return ok({ refused });
  }

  async #filesOf(turn: KeptTurn, versions: ReadonlyMap<string, string>): Promise<ChangedFile[]> {
    const files: ChangedFile[] = [];
    for (const [path, kept] of turn.files) {
      const version = versions.get(path);
      const known = kept.shown;
      const file = known && known.version === version ? known.file : await this.#show(turn, path, kept, version);
      if (file) files.push(file);
    }
    return files;
  }

  async #show(turn: KeptTurn, path: string, kept: KeptFile, version = ''): Promise<ChangedFile | undefined> {
    const current = await this.#options.texts.current(path);
    if (!current.ok) return undefined; // not readable now: nothing can be shown in place
    const { change } = kept;
    const { text } = current.value;
    const file = isSettled(change, text)
      ? undefined
      : { path, status: statusOf(change, text), hunks: hunksOf(change, text).map(shape) };
    if (turn.files.get(path) === kept) turn.files.set(path, { ...kept, shown: { version, file } });
    return file;
  }

  async #each(
    messageId: string,
    path: string | undefined,
    action: (turn: KeptTurn, path: string) => Promise<Result<undefined>>,
  ): Promise<Result<undefined>> {
    const turn = this.#turns.get(messageId);
    if (!turn) return fail('not-found', 'changes.unknownTurn');
    if (path !== undefined && !turn.files.has(path)) return fail('not-found', 'changes.unknownFile', { path });
    const done: Result<undefined>[] = [];
    for (const file of path === undefined ? [...turn.files.keys()] : [path]) done.push(await action(turn, file));
    this.#changed(turn.channel);
    if (path === undefined && done.every(isOfSettled)) return fail('not-found', 'changes.unknownTurn');
    return done.find((one) => !one.ok && (path !== undefined || !isOfSettled(one))) ?? ok(undefined);
  }

  async #acceptIn(turn: KeptTurn, path: string, choose: Choose): Promise<Result<undefined>> {
    const current = await this.#options.texts.current(path);
    const kept = turn.files.get(path);
    if (!current.ok) return current;
    if (!kept) return fail('not-found', 'changes.unknownFile', { path });
    const { text } = current.value;
    if (isSettled(kept.change, text)) return fail('not-found', 'changes.unknownFile', { path });
    const chosen = choose(hunksOf(kept.change, text));
    if (!chosen.ok) return chosen;
    const change = accepted(kept.change, text, regionsOf(chosen.value));
    turn.files.set(path, { change, listed: kept.listed });
    if (change.before === change.left) this.#forget(turn, path);
    return ok(undefined);
  }

  #forget(turn: KeptTurn, path: string): void {
    turn.files.delete(path);
    if (turn.files.size === 0) this.#turns.delete(turn.messageId);
  }

  #rejectIn(turn: KeptTurn, path: string, choose: Choose): Promise<Result<undefined>> {
    const { texts } = this.#options;
    return texts.alone(path, async () => {
      const kept = turn.files.get(path);
      if (!kept) return fail('not-found', 'changes.unknownFile', { path });
      return texts.change(path, ({ text, buffer }) => {
        if (isSettled(kept.change, text)) return fail('not-found', 'changes.unknownFile', { path });
        const chosen = choose(hunksOf(kept.change, text));
        if (!chosen.ok) return chosen;
        // Text that somebody wrote into a file without a buffer has no undo that could bring it back.
        const safe = chosen.value.filter((hunk) => buffer || !hunk.touched);
        if (safe.length < chosen.value.length) return fail('refused', 'changes.touched');
        const after = rejected(kept.change, text, regionsOf(chosen.value));
        return ok({ text: buffer ? (after ?? '') : after, value: undefined });
      });
    });
  }

  #chooser(turn: KeptTurn, path: string, which: Which): Choose {
    if (which === undefined) return ok;
    const listed = turn.files.get(path)?.listed;
    return (hunks) => {
      const found = typeof which === 'number' ? listed?.meant(which, hunks) : hunkLike(hunks, which);
      if (!found) return fail('conflict', 'changes.unknownHunk', { path });
      if (typeof which === 'number') listed?.decided();
      return ok([found]);
    };
  }

  #forgetOldest(): void {
    const sizeOf = ({ files }: KeptTurn): number =>
      [...files.values()].reduce((sum, { change: { before = '', left = '' } }) => sum + before.length + left.length, 0);
    let size = [...this.#turns.values()].reduce((sum, turn) => sum + sizeOf(turn), 0);
    for (const turn of this.#turns.values()) {
      if (size <= mostKept || this.#turns.size === 1) return;
      size -= sizeOf(turn);
      this.#turns.delete(turn.messageId);
    }
  }

  #changed(channel: string): void {
    this.#options.tell({ name: 'changes:changed', payload: { channel } });
  }
}

/** Nothing of the file is left to decide, but what an undo may bring back. */
const isOfSettled = (done: Result<unknown>): boolean => !done.ok && done.error.text === 'changes.unknownFile';

const regionsOf = (hunks: readonly PresentHunk[]): ReadonlySet<number> => new Set(hunks.map(({ region }) => region));

function statusOf({ before, left }: FileChange, current: string | undefined): ChangedFile['status'] {
  if (before === undefined) return 'added';
  return left === undefined && current === undefined ? 'deleted' : 'modified';
}
