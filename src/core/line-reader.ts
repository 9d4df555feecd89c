// Bytes to lines, cut anywhere, also inside a character. Keeps no more of a line than it may have. Knows no JSON.

const longestHead = 4096;

export class LineReader {
  readonly #decoder = new TextDecoder();
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  readonly #onLong: (head: string) => void;
  #pieces: string[] = [];
  #length = 0;
  #skipping = false;

  /** A line longer than `limit` is given to `onLong`, cut; the rest of it is skipped. */
  constructor(limit: number, onLine: (line: string) => void, onLong: (head: string) => void) {
    this.#limit = limit;
    this.#onLine = onLine;
    this.#onLong = onLong;
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** A last line may have no end. */
  end(): void {
    this.#take(this.#decoder.decode());
    if (this.#length > 0) this.#finish('');
  }

  #take(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#finish(text.slice(from, end));
      from = end + 1;
    }
    if (from < text.length) this.#keep(text.slice(from));
  }

  #finish(last: string): void {
    this.#keep(last);
    if (!this.#skipping) this.#onLine(this.#pieces.length === 1 ? last : this.#pieces.join(''));
    this.#forget();
    this.#skipping = false;
  }

  #keep(piece: string): void {
    if (this.#skipping) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length <= this.#limit) return;
    this.#skipping = true;
    const head = this.#head();
    this.#forget();
    this.#onLong(head);
  }

  /** Enough to be recognised; the whole may be hundreds of megabytes. */
  #head(): string {
    const wanted = Math.min(this.#limit, longestHead);
    let head = '';
    for (const piece of this.#pieces) {
      head += piece.slice(0, wanted - head.length);
      if (head.length === wanted) break;
    }
    return head;
  }

  #forget(): void {
    this.#pieces = [];
    this.#length = 0;
  }
}
