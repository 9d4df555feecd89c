// Saves what agents wrote into buffers, as `edits.save` asks (SPEC section 9): never a buffer that held the person's own unsaved text.
import type { Failure, Result } from '../core/errors.ts';
import type { BufferSnapshot, Editor } from '../core/ports.ts';

export interface SaverOptions {
  readonly editor: Editor;
  readonly when: () => 'never' | 'turn' | 'always';
  readonly failed: (failure: Failure) => void;
}

export class Saver {
  readonly #options: SaverOptions;
  /** Buffers whose unsaved text is only agents', with their changedtick. */
  readonly #agentsOnly = new Map<string, number>();

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** An agent's text went into a buffer that was as `before` says. */
  async wrote(path: string, before: BufferSnapshot): Promise<void> {
    const when = this.#options.when();
    if (when === 'never') return;
    const isAgents = !before.modified || this.#agentsOnly.get(path) === before.tick;
    this.#agentsOnly.delete(path);
    if (!isAgents) return;
    const now = await this.#options.editor.readBuffer(path);
    if (!now.ok || !now.value?.modified) return;
    this.#agentsOnly.set(path, now.value.tick);
    if (when === 'always') await this.#save(path, now.value.tick);
  }

  async turnEnded(): Promise<void> {
    for (const [path, tick] of [...this.#agentsOnly]) await this.#save(path, tick);
  }

  async #save(path: string, tick: number): Promise<void> {
    const saved: Result<boolean> = await this.#options.editor.saveBuffer(path, tick);
    this.#agentsOnly.delete(path);
    if (!saved.ok) this.#options.failed(saved.error);
  }
}
