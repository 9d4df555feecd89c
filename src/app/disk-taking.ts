// Brings a file that changed on disk into its buffer, or lists the conflict (SPEC section 9), and records whose change it was.
import { merge } from '../core/changes/merge.ts';
import { ok, type Failure, type Result } from '../core/errors.ts';
import type { BufferSnapshot, Editor } from '../core/ports.ts';
import type { AtWork } from './at-work.ts';
import type { Changes } from './changes.ts';
import type { FileTexts } from './file-texts.ts';
import type { Followed, FollowedFiles } from './followed-files.ts';

export interface DiskTakingOptions {
  readonly editor: Editor;
  readonly texts: FileTexts;
  readonly changes: Changes;
  readonly files: FollowedFiles;
  readonly atWork: AtWork;
  readonly known: (agent: string, path: string, text: string) => void;
}

/** A file as it was known, and as it is now. */
export interface Taken {
  readonly file: string;
  readonly known: Followed;
  readonly now: Followed;
}

export class DiskTaking {
  readonly #options: DiskTakingOptions;

  constructor(options: DiskTakingOptions) {
    this.#options = options;
  }

  async take(taken: Taken, buffer: Result<BufferSnapshot | undefined>): Promise<Result<undefined>> {
    if (!buffer.ok) return cannotBeGiven(buffer.error) ? this.#takeOpaque(taken) : buffer;
    if (taken.now.opaque && buffer.value) return this.#takeOpaque(taken);
    if (buffer.value?.modified === true) return this.#takeModified(taken, buffer.value);
    this.#takeClean(taken, buffer.value);
    return ok(undefined);
  }

  /** A file that is gone leaves its buffer as it was; it may come again. */
  #takeClean({ file, known, now }: Taken, buffer: BufferSnapshot | undefined): void {
    this.#options.files.set(file, buffer && now.text === undefined ? { text: known.text, stamp: now.stamp } : now);
    const isOwn = buffer?.wrote === now.stamp && now.stamp !== '';
    if (known.opaque || now.opaque || isOwn) return;
    if (!buffer || now.text !== undefined) this.#record(file, known.text, now.text);
  }

  /** Texts that cannot be given cannot be merged: the buffer keeps what is unsaved in it, and the person is told. */
  async #takeOpaque({ file, now }: Taken): Promise<Result<undefined>> {
    const { editor, files, changes, atWork } = this.#options;
    const modified = await editor.isModified(file);
    if (!modified.ok) return modified;
    files.set(file, now);
    const turn = atWork.nearest(file)?.turn;
    if (modified.value && turn && now.stamp !== '') changes.conflicts.addOnDisk(turn, file);
    return ok(undefined);
  }

  async #takeModified(taken: Taken, buffer: BufferSnapshot): Promise<Result<undefined>> {
    const { file, known, now } = taken;
    const { files } = this.#options;
    if (now.text === undefined) {
      files.set(file, { text: known.text, stamp: now.stamp });
      return ok(undefined);
    }
    if (buffer.wrote !== now.stamp && buffer.read !== now.stamp) return this.#merge(taken, now.text, buffer);
    // The buffer has this already; what is in it beside was typed since.
    files.set(file, now);
    if (buffer.wrote !== now.stamp) this.#record(file, known.text, now.text);
    return ok(undefined);
  }

  async #merge({ file, known, now }: Taken, theirs: string, buffer: BufferSnapshot): Promise<Result<undefined>> {
    const { texts, files, changes, atWork } = this.#options;
    const base = await this.#base(file, known, buffer);
    if (!base.ok) return base;
    const merged = merge(base.value, buffer.text, theirs);
    const turn = atWork.nearest(file)?.turn;
    if (merged.type === 'overlap') {
      files.set(file, { text: base.value, stamp: now.stamp });
      if (turn) changes.conflicts.add(turn, file, { base: base.value, mine: buffer.text, theirs });
      return ok(undefined);
    }
    const done = await texts.put(file, { text: buffer.text, buffer }, merged.text);
    if (!done.ok) return done;
    if (!done.value) {
      files.lookSoon(file);
      return ok(undefined);
    }
    files.set(file, now);
    if (turn) changes.conflicts.settle(turn.agent, file);
    this.#record(file, buffer.text, merged.text, theirs);
    return ok(undefined);
  }

  /** The file as the buffer last read or wrote it, which may have been between two of our looks. */
  async #base(file: string, known: Followed, buffer: BufferSnapshot): Promise<Result<string>> {
    const last = buffer.read !== '' ? buffer.read : buffer.wrote;
    if (last === '' || last === known.stamp) return ok(known.text ?? '');
    const base = await this.#options.editor.bufferBase(file);
    return base.ok ? ok(base.value ?? known.text ?? '') : base;
  }

  /** What is nobody's is only brought into the buffer. */
  #record(file: string, was: string | undefined, now: string | undefined, onDisk = now): void {
    const work = this.#options.atWork.whose(file);
    if (!work) return;
    work.wrote.add(file);
    this.#options.changes.wrote(work.turn, file, was, now);
    if (onDisk !== undefined) this.#options.known(work.turn.agent, file, onDisk);
  }
}

const cannotBeGiven = ({ text }: Failure): boolean =>
  text === 'edits.encoding' || text === 'edits.binary' || text === 'file.tooLarge';
