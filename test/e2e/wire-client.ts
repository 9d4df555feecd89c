// Owns the smallest ACP client that can see a turn through: it allows everything and serves files from disk.
// It uses no SDK on purpose, so that it shows the wire as it is; only run.ts uses it.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { asObject, asObjects, asText, parseObject, type JsonObject } from './fake-model/json.ts';

export interface WireClientOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly missingFileReadsEmpty: boolean;
  /** Print whole messages and the agent's standard error instead of one short line a message. */
  readonly raw: boolean;
}

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

type Outcome = { result: JsonObject } | { error: JsonObject };

export class WireClient {
  readonly received: JsonObject[] = [];
  readonly #options: WireClientOptions;
  readonly #agent: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #started = performance.now();
  #lastId = 0;
  #failure: Error | undefined;

  constructor(options: WireClientOptions) {
    this.#options = options;
    const { command, args, cwd, env } = options;
    this.#agent = spawn(command, args, { cwd, env, detached: true, stdio: 'pipe' });
    this.#ended = new Promise((resolve) => this.#agent.once('close', () => resolve()));
    this.#agent.once('error', (error) => this.fail(error));
    this.#agent.once('exit', (code, signal) => this.fail(new Error(`the agent ended: ${signal ?? `status ${code}`}`)));
    this.#agent.stdin.on('error', (error) => this.fail(error));
    this.#agent.stderr.on('data', (data: Buffer) => options.raw && process.stderr.write(data));
    createInterface({ input: this.#agent.stdout }).on('line', (line) => this.#receive(line));
  }

  call(method: string, params: JsonObject): Promise<JsonObject> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /** Ends every call that still waits, and every later one. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const call of this.#waiting.values()) call.reject(this.#failure);
    this.#waiting.clear();
  }

  /** Closes its input, then signals its whole process group: one of these agents is only a wrapper, some stay on. */
  async stop(): Promise<void> {
    this.#agent.stdin.end();
    if (await this.#endsWithin(2500)) {
      this.#signal('SIGKILL');
      return;
    }
    this.#signal('SIGTERM');
    await this.#endsWithin(1000);
    this.#signal('SIGKILL');
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const tooLate = new AbortController();
    const late = sleep(ms, false, { signal: tooLate.signal }).catch(() => false);
    const inTime = await Promise.race([this.#ended.then(() => true), late]);
    tooLate.abort();
    return inTime;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#agent.pid === undefined) return;
    try {
      process.kill(-this.#agent.pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }

  #send(message: JsonObject): void {
    this.#print('->', message);
    this.#agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(line: string): void {
    const message = parseObject(line);
    this.#print('<-', message);
    this.received.push(message);
    const { id, method } = message;
    if (typeof method === 'string') {
      if (id !== undefined) this.#send({ id, ...this.#serve(method, asObject(message['params'])) });
    } else if (typeof id === 'number') this.#settle(id, message);
  }

  #settle(id: number, message: JsonObject): void {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (message['error'] === undefined) call?.resolve(asObject(message['result']));
    else call?.reject(new Error(JSON.stringify(message['error'])));
  }

  #serve(method: string, params: JsonObject): Outcome {
    switch (method) {
      case 'session/request_permission':
        return { result: allow(params) };
      case 'fs/read_text_file':
        return this.#read(params);
      case 'fs/write_text_file':
        return write(params);
      default:
        return { error: { code: -32601, message: `there is no method ${method}` } };
    }
  }

  #read(params: JsonObject): Outcome {
    const path = asText(params['path']);
    if (!existsSync(path)) {
      if (this.#options.missingFileReadsEmpty) return { result: { content: '' } };
      return { error: { code: -32002, message: `there is no file ${path}` } };
    }
    const { line, limit } = params;
    const text = readFileSync(path, 'utf8');
    if (typeof line !== 'number' && typeof limit !== 'number') return { result: { content: text } };
    const first = typeof line === 'number' ? Math.max(0, line - 1) : 0;
    const last = typeof limit === 'number' ? first + limit : undefined;
    return { result: { content: text.split('\n').slice(first, last).join('\n') } };
  }

  #print(direction: string, message: JsonObject): void {
    const time = ((performance.now() - this.#started) / 1000).toFixed(2).padStart(6);
    const text = JSON.stringify(message);
    console.log(`${time} ${direction} ${this.#options.raw ? text : text.slice(0, 160)}`);
  }
}

function allow(params: JsonObject): JsonObject {
  const options = asObjects(params['options']);
  const option = options.find((candidate) => candidate['kind'] === 'allow_once') ?? options[0];
  return { outcome: { outcome: 'selected', optionId: option?.['optionId'] } };
}

function write(params: JsonObject): Outcome {
  const path = asText(params['path']);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, asText(params['content']));
  return { result: {} };
}
