// The present text of a file, in its buffer or on disk, and the only way Sidekicks changes one. One change at a time per file.
import { planEdit } from '../core/edits.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { BufferSnapshot, Disk, Editor } from '../core/ports.ts';

/** `text` undefined: there is no such file. */
export interface Current {
  readonly text: string | undefined;
  readonly buffer?: BufferSnapshot;
}

/** A buffer that keeps changing under the edit is given up after so many tries. */
const maxTries = 5;

export class FileTexts {
  readonly #editor: Editor;
  readonly #disk: Disk;
  readonly #queues = new Map<string, Promise<unknown>>();
  /** Folders that were made for files of agents. */
  readonly #madeFolders = new Set<string>();
  readonly #wroteDisk: (path: string) => Promise<void>;

  /** `wroteDisk` hears of each file that was written or removed here, before anybody else is let at it. */
  constructor(editor: Editor, disk: Disk, wroteDisk: (path: string) => Promise<void>) {
    this.#editor = editor;
    this.#disk = disk;
    this.#wroteDisk = wroteDisk;
  }

  /** Whatever reads a text in order to change it does both in here. */
  async alone<T>(path: string, action: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(path) ?? Promise.resolve();
    const done = before.then(action, action);
    this.#queues.set(path, done);
    try {
      return await done;
    } finally {
      if (this.#queues.get(path) === done) this.#queues.delete(path);
    }
  }

  async current(path: string): Promise<Result<Current>> {
    const buffer = await this.#editor.readBuffer(path);
    if (!buffer.ok) return buffer;
    if (buffer.value) return ok({ text: buffer.value.text, buffer: buffer.value });
    const text = await this.#disk.readText(path);
    if (text.ok) return ok({ text: text.value });
    return text.error.text === 'file.missing' ? ok({ text: undefined }) : text;
  }

  /** What tells one state of a file's text from another, buffer or disk; a file of which that is not known is left out. */
  async versions(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const each = [...new Set(paths)];
    const buffers = await this.#editor.bufferVersions(each);
    const versions = new Map<string, string>();
    if (!buffers.ok) return versions;
    await Promise.all(
      each.map(async (path, index) => {
        versions.set(path, buffers.value[index] || `on disk ${await this.#disk.stamp(path)}`);
      }),
    );
    return versions;
  }

  /** An agent is about to make a file: folders that are not there yet go with it when it is removed again. */
  async expect(path: string): Promise<void> {
    const folder = await this.#disk.missingFolder(path);
    if (folder !== '') this.#madeFolders.add(folder);
  }

  /** Puts `text` in the place of what `current` gave; false when that has moved on. */
  async put(path: string, current: Current, text: string | undefined): Promise<Result<boolean>> {
    if (text === current.text) return ok(true);
    if (!current.buffer) {
      if (current.text === undefined) await this.expect(path);
      return this.#putOnDisk(path, text);
    }
    const plan = planEdit(path, current.buffer.text, text ?? '');
    if (!plan.ok) return plan;
    return this.#editor.changeBuffer(path, current.buffer.tick, plan.value.changes, plan.value.ended);
  }

  /** Reads and changes until nothing came in between; `change` gives the new text. */
  async change<T>(
    path: string,
    change: (current: Current) => Result<{ readonly text: string | undefined; readonly value: T }>,
  ): Promise<Result<T>> {
    for (let tries = 0; tries < maxTries; tries++) {
      const current = await this.current(path);
      if (!current.ok) return current;
      const changed = change(current.value);
      if (!changed.ok) return changed;
      const done = await this.put(path, current.value, changed.value.text);
      if (!done.ok) return done;
      if (done.value) return ok(changed.value.value);
    }
    return fail('busy', 'file.busyEditor', { path });
  }

  async #putOnDisk(path: string, text: string | undefined): Promise<Result<boolean>> {
    const top = [...this.#madeFolders].find((folder) => path.startsWith(`${folder}/`));
    const done = await (text === undefined ? this.#disk.remove(path, top) : this.#disk.writeText(path, text));
    if (!done.ok) return done;
    await this.#wroteDisk(path);
    return ok(true);
  }
}
