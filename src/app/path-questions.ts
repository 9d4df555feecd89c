// Questions for a path that wait for the person (SPEC section 14, `Choose`). Knows nothing of what is done with the answer.
import { ok, type Result } from '../core/errors.ts';
import type { Editor } from '../core/ports.ts';

export class PathQuestions {
  readonly #editor: Editor;
  readonly #waiting = new Map<number, (path: string) => void>();
  #lastId = 0;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  /** "" when the person gave up; fails where nobody can be asked. */
  async ask(prompt: string): Promise<Result<string>> {
    const id = ++this.#lastId;
    const answered = new Promise<string>((resolve) => this.#waiting.set(id, resolve));
    const asked = await this.#editor.askPath(id, prompt);
    if (asked.ok) return ok(await answered);
    this.#waiting.delete(id);
    return asked;
  }

  /** An answer to a question nobody waits for changes nothing. */
  answer(id: number, path: string): void {
    this.#waiting.get(id)?.(path);
    this.#waiting.delete(id);
  }
}
