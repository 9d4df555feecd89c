// What an agent reads and writes through the protocol: buffers before disk, never outside its workspace (SPEC section 9).
// Remembers, per agent and file, the text an edit starts from. Decides no merge: text the agent has not seen is not written over.
import { keepForm, planEdit, readPart, sameText } from '../core/edits.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { BufferSnapshot, Disk, Editor, ReadRequest } from '../core/ports.ts';
import { absolutePath, insideWorkspace } from '../core/workspace.ts';

/** A buffer that keeps changing under the edit is given up after so many tries. */
const maxTries = 5;

export class AgentFiles {
  readonly #editor: Editor;
  readonly #disk: Disk;
  /** Agent, then resolved path: what the agent last read or wrote. */
  readonly #bases = new Map<string, Map<string, string>>();
  /** One write at a time per file, so that two agents never interleave. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(editor: Editor, disk: Disk) {
    this.#editor = editor;
    this.#disk = disk;
  }

  /** A new process has read nothing yet. */
  forget(agent: string): void {
    this.#bases.delete(agent);
  }

  async read(agent: string, workspace: string, request: ReadRequest): Promise<Result<string>> {
    const path = await this.#allowed(workspace, request.path);
    if (!path.ok) return path;
    const text = await this.#current(path.value);
    if (!text.ok) return text;
    this.#remember(agent, path.value, text.value);
    return ok(readPart(text.value, request));
  }

  async write(agent: string, workspace: string, requested: string, content: string): Promise<Result<undefined>> {
    const path = await this.#allowed(workspace, requested);
    if (!path.ok) return path;
    const before = this.#writing.get(path.value) ?? Promise.resolve();
    const written = before.then(() => this.#write(agent, path.value, content));
    this.#writing.set(path.value, written);
    const result = await written;
    if (this.#writing.get(path.value) === written) this.#writing.delete(path.value);
    if (result.ok) this.#remember(agent, path.value, content);
    return result;
  }

  async #write(agent: string, path: string, content: string): Promise<Result<undefined>> {
    for (let tries = 0; tries < maxTries; tries++) {
      const buffer = await this.#editor.readBuffer(path);
      if (!buffer.ok) return buffer;
      if (!buffer.value) return this.#writeDisk(path, content);
      const done = await this.#writeBuffer(agent, path, buffer.value, content);
      if (!done.ok) return done;
      if (done.value) return ok(undefined);
    }
    return fail('busy', 'file.busyEditor', { path });
  }

  /** False when the buffer moved on between reading and changing it. */
  async #writeBuffer(agent: string, path: string, buffer: BufferSnapshot, content: string): Promise<Result<boolean>> {
    const base = await this.#base(agent, path, buffer);
    if (!base.ok) return base;
    if (!sameText(base.value, buffer.text)) return fail('conflict', 'file.movedOn', { path });
    const plan = planEdit(path, buffer.text, content);
    return plan.ok ? this.#editor.changeBuffer(path, buffer.tick, plan.value.changes, plan.value.ended) : plan;
  }

  async #base(agent: string, path: string, buffer: BufferSnapshot): Promise<Result<string>> {
    const known = this.#bases.get(agent)?.get(path);
    if (known !== undefined) return ok(known);
    if (!buffer.modified) return ok(buffer.text);
    const disk = await this.#disk.readText(path);
    return !disk.ok && disk.error.text === 'file.missing' ? ok('') : disk;
  }

  async #writeDisk(path: string, content: string): Promise<Result<undefined>> {
    const before = await this.#disk.readText(path);
    if (!before.ok && before.error.text !== 'file.missing') return before;
    return this.#disk.writeText(path, before.ok ? keepForm(before.value, content) : content);
  }

  async #current(path: string): Promise<Result<string>> {
    const buffer = await this.#editor.readBuffer(path);
    if (!buffer.ok) return buffer;
    return buffer.value ? ok(buffer.value.text) : this.#disk.readText(path);
  }

  async #allowed(workspace: string, requested: string): Promise<Result<string>> {
    const absolute = absolutePath(requested);
    if (!absolute.ok) return absolute;
    const [root, path] = await Promise.all([this.#disk.resolve(workspace), this.#disk.resolve(absolute.value)]);
    if (!root.ok) return root;
    return path.ok ? insideWorkspace(root.value, path.value) : path;
  }

  #remember(agent: string, path: string, text: string): void {
    const bases = this.#bases.get(agent) ?? new Map<string, string>();
    this.#bases.set(agent, bases);
    bases.set(path, text);
  }
}
