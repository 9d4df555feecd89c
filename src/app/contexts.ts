// What `#selection` and its like held when a message was sent, kept until its turns have come (SPEC section 6).
import { ok } from '../core/errors.ts';
import type { Editor, PromptBlock, WorkspaceFiles } from '../core/ports.ts';
import { contextBlocks, type Wording } from '../core/prompt/context.ts';
import { namedContexts, type ContextWord } from '../core/prompt/reading.ts';

/** A longer difference is cut. */
const maxDiffBytes = 1 << 20;
/** Messages whose contexts are kept; an older one that still waits gets what there is at its turn. */
const keptMessages = 32;

export interface ContextsPorts {
  readonly editor: Editor;
  readonly files: Pick<WorkspaceFiles, 'diff'>;
  readonly say: Wording;
}

type Taken = ReadonlyMap<ContextWord, PromptBlock>;

export class Contexts {
  readonly #ports: ContextsPorts;
  readonly #kept = new Map<string, Taken>();

  constructor(ports: ContextsPorts) {
    this.#ports = ports;
  }

  /** What the contexts a text asks for hold now. */
  take(text: string, workspace: string): Promise<Taken> {
    return this.#take(namedContexts(text), workspace);
  }

  keep(messageId: string, taken: Taken): void {
    if (taken.size === 0) return;
    this.#kept.set(messageId, taken);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMessages && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The blocks of a message; what was not kept (its text was changed, or Neovim restarted) is taken now. */
  async of(messageId: string, text: string, workspace: string): Promise<readonly PromptBlock[]> {
    const words = namedContexts(text);
    const kept = this.#kept.get(messageId);
    const now = await this.#take(
      words.filter((word) => !kept?.has(word)),
      workspace,
    );
    return words.flatMap((word) => kept?.get(word) ?? now.get(word) ?? []);
  }

  async #take(words: readonly ContextWord[], workspace: string): Promise<Taken> {
    if (words.length === 0) return new Map();
    const { editor, files, say } = this.#ports;
    const asked = words.filter((word) => word !== 'diff');
    const [found, diff] = await Promise.all([
      asked.length > 0 ? editor.context(asked) : ok({}),
      words.includes('diff') ? files.diff(workspace, maxDiffBytes) : undefined,
    ]);
    const blocks = contextBlocks(words, { editor: found, ...(diff && { diff }) }, say);
    return new Map(words.flatMap((word, index) => (blocks[index] ? [[word, blocks[index]] as const] : [])));
  }
}
