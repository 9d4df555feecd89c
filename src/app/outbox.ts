// Gathers events for Neovim and sends those of one turn of the event loop as one message, in order. Knows no event's meaning.
import type { HostEvent } from '../core/contract/events.ts';
import type { Editor } from '../core/ports.ts';

export class Outbox {
  readonly #editor: Pick<Editor, 'send'>;
  #waiting: HostEvent[] = [];

  constructor(editor: Pick<Editor, 'send'>) {
    this.#editor = editor;
  }

  add(event: HostEvent): void {
    if (this.#waiting.length === 0)
      queueMicrotask(() => {
        this.#flush();
      });
    this.#waiting.push(event);
  }

  #flush(): void {
    const events = this.#waiting;
    this.#waiting = [];
    this.#editor.send(events);
  }
}
