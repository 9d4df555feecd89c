// The lines between one agent and the SDK, in the order of the wire. Updates never reach the SDK: they are told at once.
// Anything else is handed to it, and no further line is read until all that follows from that has run, so nothing overtakes.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { LineReader } from '../../core/line-reader.ts';
import { readLine } from './messages.ts';

export interface WireListener {
  update(params: unknown): void;
  /** A line that is no message of ACP. */
  noise(line: string): void;
  /** All that followed from the last message has run; the next line comes. */
  resumed(): void;
  /** A message over the size limit; nothing is read after it. */
  tooLong(): void;
  /** The agent no longer reads its standard input. */
  inputClosed(): void;
}

type Entry = string | (() => void);

export class Wire {
  /** What the SDK reads and writes. */
  readonly stream: Stream;
  readonly #listener: WireListener;
  readonly #lines: LineReader;
  /** Ids of our requests that have no answer yet: an answer to any other is noise. */
  readonly #asked = new Set<unknown>();
  readonly #waiting = new Queue<Entry>();
  #held = true;
  #broken = false;
  #toSdk: ReadableStreamDefaultController<AnyMessage> | undefined;

  constructor(write: (text: string) => Promise<boolean>, maxMessage: number, listener: WireListener) {
    this.#listener = listener;
    this.#lines = new LineReader(
      maxMessage,
      (line) => this.#next(line),
      () => this.#next(() => this.#tooLong()),
    );
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        start: (controller) => void (this.#toSdk = controller),
        // The SDK stopped listening: the connection is over.
        cancel: () => void (this.#toSdk = undefined),
      }),
      writable: new WritableStream<AnyMessage>({ write: (message) => this.#send(message, write) }),
    };
  }

  /** Lines are kept until the SDK listens. */
  start(): void {
    this.#release();
  }

  receive(chunk: Uint8Array): void {
    if (!this.#broken) this.#lines.push(chunk);
  }

  /** Calls `then` after the last line has done all it does. */
  finish(then: () => void): void {
    this.#lines.end();
    this.#next(then);
  }

  #next(entry: Entry): void {
    if (this.#held) this.#waiting.push(entry);
    else this.#take(entry);
  }

  #release(): void {
    this.#held = false;
    this.#listener.resumed();
    let entry = this.#waiting.take();
    while (entry !== undefined) entry = this.#take(entry) ? undefined : this.#waiting.take();
  }

  /** True when the next must wait. */
  #take(entry: Entry): boolean {
    if (typeof entry === 'string') return !this.#broken && this.#takeLine(entry);
    entry();
    return false;
  }

  #takeLine(line: string): boolean {
    const incoming = readLine(line);
    if (incoming.type === 'message') return this.#hand(incoming.message, line);
    if (incoming.type === 'update') this.#listener.update(incoming.params);
    else if (incoming.type === 'noise' && line.trim() !== '') this.#listener.noise(line);
    return false;
  }

  #hand(message: AnyMessage, line: string): boolean {
    if (!('method' in message) && !this.#asked.delete(message.id)) {
      this.#listener.noise(line);
      return false;
    }
    this.#held = true;
    this.#toSdk?.enqueue(message);
    // The SDK and everybody who waits for it go on by promises alone: by then they are done.
    setImmediate(() => this.#release());
    return true;
  }

  #tooLong(): void {
    this.#broken = true;
    this.#listener.tooLong();
  }

  /** Is not waited for: an answer must be on its way before the agent is stopped. */
  #send(message: AnyMessage, write: (text: string) => Promise<boolean>): void {
    if ('method' in message && 'id' in message) this.#asked.add(message.id);
    // The process may have ended, and its end is told with its true cause: an error here would come before it.
    void write(`${JSON.stringify(message)}\n`).then((taken) => taken || this.#listener.inputClosed());
  }
}

/** First in, first out, at the same cost however long it is. */
class Queue<T> {
  #entries: T[] = [];
  #first = 0;

  push(entry: T): void {
    this.#entries.push(entry);
  }

  take(): T | undefined {
    const entry = this.#entries[this.#first];
    this.#first += 1;
    if (this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    return entry;
  }
}
