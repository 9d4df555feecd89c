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

/** Characters of text kept for review, all turns together. */
const mostKept = 128 << 20;

/** One agent answering: `messageId` is the message it writes. */
export interface TurnRef {
  readonly messageId: string;
  readonly channel: string;
  readonly agent: string;
}

interface KeptTurn extends TurnRef {
  readonly files: Map<string, FileChange>;
  /** The hunks of each file as they were listed last. */
  readonly listed: Map<string, readonly Hunk[]>;
}

export interface ChangesOptions {
  readonly texts: FileTexts;
  readonly nextId: () => string;
  readonly tell: (event: HostEvent) => void;
  readonly word: (key: TextKey, values?: Readonly<Record<string, string>>) => string;
  readonly wordFailure: (failure: Failure) => string;
}

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
    const kept: KeptTurn = this.#turns.get(turn.messageId) ?? { ...turn, files: new Map(), listed: new Map() };
    this.#turns.set(turn.messageId, kept);
    kept.files.set(path, written(kept.files.get(path), was, now));
    this.#forgetOldest();
    this.#changed(turn.channel);
  }

  async list(channel: string | undefined): Promise<{ turns: ChangedTurn[]; conflicts: Conflict[] }> {
    const here = (one: { readonly channel: string }) => channel === undefined || one.channel === channel;
    const turns: ChangedTurn[] = [];
    for (const turn of [...this.#turns.values()].filter(here)) {
      const files = await this.#filesOf(turn);
      const { messageId, channel: id, agent } = turn;
      if (files.length > 0) turns.push({ messageId, channel: id, agent, files });
    }
    return { turns, conflicts: this.conflicts.list(channel) };
  }

  accept(messageId: string, path: string | undefined, hunk: number | undefined): Promise<Result<undefined>> {
    return this.#each(messageId, path, async (turn, file) => {
      const choose = this.#chooser(turn, file, hunk);
      return this.#options.texts.alone(file, () => this.#acceptIn(turn, file, choose));
    });
  }

  reject(messageId: string, path: string | undefined, hunk: number | undefined): Promise<Result<undefined>> {
    return this.#each(messageId, path, async (turn, file) => {
      const done = await this.#rejectIn(turn, file, this.#chooser(turn, file, hunk));
      return done.ok ? ok(undefined) : done;
    });
  }

  /** Undoes a turn over all its files, but for what was changed since (SPEC 9). */
  async restore(messageId: string): Promise<Result<{ refused: RefusedHunk[] }>> {
    const turn = this.#turns.get(messageId);
    if (!turn) return fail('not-found', 'changes.unknownTurn');
    const refused: RefusedHunk[] = [];
    for (const path of [...turn.files.keys()]) {
      let touched: readonly PresentHunk[] = [];
      const done = await this.#rejectIn(turn, path, (hunks) => {
        touched = hunks.filter((hunk) => hunk.touched);
        return ok(hunks.filter((hunk) => !hunk.touched));
      });
      const reason = this.#options.word('changes.touched');
      refused.push(...touched.map(({ line }) => ({ path, line, reason })));
      if (!done.ok) refused.push({ path, line: 1, reason: this.#options.wordFailure(done.error) });
    }
    this.#changed(turn.channel);
    return ok({ refused });
  }

  async #filesOf(turn: KeptTurn): Promise<ChangedFile[]> {
    const files: ChangedFile[] = [];
    for (const [path, change] of turn.files) {
      const current = await this.#options.texts.current(path);
      if (!current.ok) continue; // not readable now: nothing can be shown in place
      if (isSettled(change, current.value.text)) continue;
      const hunks = hunksOf(change, current.value.text).map(shape);
      turn.listed.set(path, hunks);
      files.push({ path, status: statusOf(change, current.value.text), hunks });
    }
    return files;
  }

  async #each(
    messageId: string,
    path: string | undefined,
    action: (turn: KeptTurn, path: string) => Promise<Result<undefined>>,
  ): Promise<Result<undefined>> {
    const turn = this.#turns.get(messageId);
    if (!turn) return fail('not-found', 'changes.unknownTurn');
    if (path !== undefined && !turn.files.has(path)) return fail('not-found', 'changes.unknownFile', { path });
    let failed: Result<undefined> = ok(undefined);
    for (const file of path === undefined ? [...turn.files.keys()] : [path]) {
      const done = await action(turn, file);
      if (!done.ok && failed.ok) failed = done;
    }
    this.#changed(turn.channel);
    return failed;
  }

  async #acceptIn(turn: KeptTurn, path: string, choose: Choose): Promise<Result<undefined>> {
    const current = await this.#options.texts.current(path);
    const change = turn.files.get(path);
    if (!current.ok) return current;
    if (!change) return fail('not-found', 'changes.unknownFile', { path });
    const chosen = choose(hunksOf(change, current.value.text));
    if (!chosen.ok) return chosen;
    this.#keep(turn, path, accepted(change, current.value.text, regionsOf(chosen.value)), current.value.text);
    return ok(undefined);
  }

  #rejectIn(turn: KeptTurn, path: string, choose: Choose): Promise<Result<undefined>> {
    const { texts } = this.#options;
    return texts.alone(path, async () => {
      const change = turn.files.get(path);
      if (!change) return fail('not-found', 'changes.unknownFile', { path });
      const done = await texts.change(path, ({ text, buffer }) => {
        const chosen = choose(hunksOf(change, text));
        if (!chosen.ok) return chosen;
        // Text that somebody wrote into a file without a buffer has no undo that could bring it back.
        const safe = chosen.value.filter((hunk) => buffer || !hunk.touched);
        if (safe.length < chosen.value.length) return fail('refused', 'changes.touched');
        const after = rejected(change, text, regionsOf(chosen.value));
        return ok({ text: buffer ? (after.text ?? '') : after.text, value: after });
      });
      if (!done.ok) return done;
      this.#keep(turn, path, done.value.change, done.value.text);
      return ok(undefined);
    });
  }

  #keep(turn: KeptTurn, path: string, change: FileChange, current: string | undefined): void {
    if (isSettled(change, current)) turn.files.delete(path);
    else turn.files.set(path, change);
    if (turn.files.size === 0) this.#turns.delete(turn.messageId);
  }

  /** All hunks, or the one listed last under this index, as long as it is still there as it was. */
  #chooser(turn: KeptTurn, path: string, index: number | undefined): Choose {
    if (index === undefined) return ok;
    const listed = turn.listed.get(path);
    return (hunks) => {
      const wanted = (listed ?? hunks.map(shape))[index];
      const found = wanted && nearest(hunks, wanted);
      return found ? ok([found]) : fail('conflict', 'changes.unknownHunk', { path });
    };
  }

  #forgetOldest(): void {
    const sizeOf = ({ files }: KeptTurn): number =>
      [...files.values()].reduce((sum, { before = '', left = '' }) => sum + before.length + left.length, 0);
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

const regionsOf = (hunks: readonly PresentHunk[]): ReadonlySet<number> => new Set(hunks.map(({ region }) => region));

const shape = ({ line, oldLines, newLines }: PresentHunk): Hunk => ({
  line,
  oldLines: [...oldLines],
  newLines: [...newLines],
});

function statusOf({ before, left }: FileChange, current: string | undefined): ChangedFile['status'] {
  if (before === undefined) return 'added';
  return left === undefined && current === undefined ? 'deleted' : 'modified';
}

/** The hunk with the same lines that stands closest to where it was. */
function nearest(hunks: readonly PresentHunk[], wanted: Hunk): PresentHunk | undefined {
  const same = (a: readonly string[], b: readonly string[]) =>
    a.length === b.length && a.every((line, at) => line === b[at]);
  return hunks
    .filter((hunk) => same(hunk.oldLines, wanted.oldLines) && same(hunk.newLines, wanted.newLines))
    .sort((a, b) => Math.abs(a.line - wanted.line) - Math.abs(b.line - wanted.line))[0];
}
