// Owns: bytes and lines between the scripted agent and its client, and the log of both. Must not: know the protocol.
import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export class Wire {
  #log;
  #sizes;
  #pause;
  #keepOnEof;
  #cuts;
  #tail = Promise.resolve();

  /** `split`: sizes of the pieces every message is cut into, over and over; `pause`: ms between two pieces. */
  constructor({ log, split, pause = 0, keepOnEof = false }) {
    this.#log = log ? openSync(log, 'a') : undefined;
    this.#sizes = split;
    this.#pause = pause;
    this.#keepOnEof = keepOnEof;
    process.stdout.on('error', (error) => this.#clientIsGone(error));
  }

  listen(onMessage) {
    let rest = '';
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines.filter((one) => one.trim() !== '')) this.#receive(line, onMessage);
    });
    process.stdin.on('end', () => this.#clientIsGone());
    process.stdin.on('error', (error) => this.#clientIsGone(error));
  }

  /** Stops and starts reading what the client sends. */
  deaf(isDeaf) {
    if (isDeaf) process.stdin.pause();
    else process.stdin.resume();
  }

  send(message) {
    this.#note('out', message);
    return this.#write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  /** Bytes as they are; no line end is added. */
  sendRaw(bytes) {
    this.#note('out', undefined, bytes.subarray(0, 200).toString('utf8'));
    return this.#write(bytes);
  }

  /** The byte positions at which the next message is cut, each piece being a write of its own. */
  cutNext(positions, pause = this.#pause) {
    this.#cuts = { positions, pause };
  }

  /** Resolves when everything sent so far has left this process. */
  flush() {
    return this.#tail;
  }

  closeOutput() {
    return this.flush().then(() => closeSync(1));
  }

  #receive(line, onMessage) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#note('in', undefined, line);
      void this.send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'not JSON' } });
      return;
    }
    this.#note('in', message);
    onMessage(message);
  }

  #note(dir, msg, raw) {
    if (this.#log !== undefined) writeSync(this.#log, `${JSON.stringify({ dir, t: Date.now(), msg, raw })}\n`);
  }

  #write(bytes) {
    const cuts = this.#cuts ?? { positions: this.#ends(bytes.length), pause: this.#pause };
    this.#cuts = undefined;
    this.#tail = this.#tail.then(() => this.#writeAll(pieces(bytes, cuts.positions), cuts.pause));
    return this.#tail;
  }

  async #writeAll(all, pause) {
    for (const [index, piece] of all.entries()) {
      if (index > 0) await sleep(pause);
      await new Promise((resolve) => process.stdout.write(piece, resolve));
    }
  }

  #ends(length) {
    const ends = [];
    if (this.#sizes === undefined) return ends;
    for (let at = 0, turn = 0; at < length; turn += 1) {
      at += Math.max(1, this.#sizes[turn % this.#sizes.length]);
      ends.push(at);
    }
    return ends;
  }

  #clientIsGone(error) {
    if (error && error.code !== 'EPIPE' && error.code !== 'EBADF') process.stderr.write(`wire: ${error.message}\n`);
    if (!this.#keepOnEof) process.exit(0);
  }
}

function pieces(bytes, positions) {
  const borders = [0, ...positions.filter((at) => at > 0 && at < bytes.length), bytes.length];
  return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
}
