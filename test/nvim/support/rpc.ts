// Owns msgpack-RPC with one Neovim over a pair of streams. Knows no method by name.
import type { Writable } from 'node:stream';
import { decode, decodeMultiStream, encode, ExtensionCodec } from '@msgpack/msgpack';

/** Buffers, windows and tab pages arrive as extension types; here they are plain numbers, which Neovim takes as well. */
const handles = new ExtensionCodec();
for (const type of [0, 1, 2]) {
  handles.register({ type, encode: () => null, decode: (data) => decode(data) });
}

const REQUEST = 0;
const RESPONSE = 1;
const NOTIFICATION = 2;

interface Waiting {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Neovim's own answer that a request failed. */
export class NvimError extends Error {
  override readonly name = 'NvimError';
}

export class RpcChannel {
  /** Settles when Neovim has closed the channel; every request that still waits has failed by then. */
  readonly closed: Promise<void>;
  readonly #output: Writable;
  readonly #onNotification: (method: string, params: readonly unknown[]) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isClosed = false;

  constructor(
    input: AsyncIterable<Uint8Array>,
    output: Writable,
    onNotification: (method: string, params: readonly unknown[]) => void,
  ) {
    this.#output = output;
    this.#onNotification = onNotification;
    // A Neovim that is gone is noticed when the input ends; the broken pipe says nothing more.
    output.on('error', () => this.#close());
    this.closed = this.#read(input);
  }

  request(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error(`${method}: Neovim is gone`));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      this.#output.write(encode([REQUEST, id, method, params]));
    });
  }

  async #read(input: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const message of decodeMultiStream(input, { extensionCodec: handles })) {
        if (Array.isArray(message)) this.#take(message);
      }
    } finally {
      this.#close();
    }
  }

  #take(message: readonly unknown[]): void {
    const [type, second, third, fourth] = message;
    if (type === RESPONSE && typeof second === 'number') this.#settle(second, third, fourth);
    else if (type === NOTIFICATION) this.#onNotification(String(second), Array.isArray(third) ? third : []);
    else if (type === REQUEST)
      this.#output.write(encode([RESPONSE, second, `the test answers no ${String(third)}`, null]));
  }

  #settle(id: number, error: unknown, result: unknown): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) waiting?.resolve(result);
    else waiting?.reject(new NvimError(`${waiting.method}: ${errorText(error)}`));
  }

  #close(): void {
    this.#isClosed = true;
    for (const { method, reject } of this.#waiting.values()) reject(new Error(`${method}: Neovim went away`));
    this.#waiting.clear();
  }
}

/** Neovim's errors are a kind and a text. */
function errorText(error: unknown): string {
  return Array.isArray(error) ? String(error[1]) : String(error);
}
