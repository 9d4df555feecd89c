// Owns how an answer travels: whole as JSON, or as server-sent events with a pause between pieces. No dialect here.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from './json.ts';
import type { Answer } from './model.ts';

export function sendJson(response: ServerResponse, body: JsonObject, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The text in pieces of 12 characters, as a model would stream it. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/gu) ?? [''];
}

let lastId = 0;

export function newId(prefix: string): string {
  lastId += 1;
  return `${prefix}_${Date.now().toString(36)}${lastId.toString(36)}`;
}

/** A stream of server-sent events. After the agent hung up, every method returns at once and writes nothing. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #delayMs: number;
  readonly #hungUp = new AbortController();

  constructor(answer: Answer) {
    this.#response = answer.response;
    this.#delayMs = answer.delayMs;
    this.#response.once('close', () => this.#hungUp.abort());
    this.#response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  }

  async send(data: JsonObject, type?: string): Promise<void> {
    const head = type === undefined ? '' : `event: ${type}\n`;
    this.#write(`${head}data: ${JSON.stringify(data)}\n\n`);
    await this.pause(this.#delayMs);
  }

  async pause(ms: number): Promise<void> {
    try {
      await sleep(ms, undefined, { signal: this.#hungUp.signal });
    } catch (error) {
      if (!this.#hungUp.signal.aborted) throw error;
    }
  }

  end(lastLine = ''): void {
    this.#write(lastLine);
    this.#response.end();
  }

  #write(text: string): void {
    if (!this.#hungUp.signal.aborted) this.#response.write(text);
  }
}
