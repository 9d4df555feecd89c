// Owns: a client that sees an agent's lines and bytes as they come, so that also the bad ones can be looked at.
// Must not: use a library of the protocol.
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { script } from './scripted.ts';
import type { Step } from './scripted.ts';

export type Message = Readonly<Record<string, unknown>>;

export class RawClient {
  readonly lines: string[] = [];
  readonly chunks: Buffer[] = [];
  stderr = '';
  readonly exited: Promise<number | NodeJS.Signals | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #rest = Buffer.alloc(0);
  #nextId = 100;
  #look: (() => void)[] = [];

  constructor(command: string, args: readonly string[]) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdout.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#child.stderr.on('data', (bytes: Buffer) => {
      this.stderr += bytes.toString();
      this.#wake();
    });
    this.#child.stdin.on('error', () => this.#wake()); // the agent may have closed its end: that is what is tested
    this.exited = new Promise((resolve) => this.#child.on('exit', (code, signal) => resolve(code ?? signal)));
    void this.exited.then(() => this.#wake());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get messages(): Message[] {
    return this.lines.flatMap((line) => {
      try {
        const message: unknown = JSON.parse(line);
        return isMessage(message) ? [message] : [];
      } catch {
        return [];
      }
    });
  }

  write(message: Message): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  send(method: string, params: unknown = {}): number {
    const id = this.#nextId++;
    this.write({ id, method, params });
    return id;
  }

  async request(method: string, params: unknown = {}): Promise<Message> {
    const id = this.send(method, params);
    return this.until((message) => message['id'] === id && message['method'] === undefined);
  }

  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined) return found;
      await this.#change();
    }
  }

  async untilText(text: string): Promise<void> {
    while (!this.text.includes(text)) await this.#change();
  }

  async untilStderr(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await this.#change();
  }

  updates(): Message[] {
    return this.messages
      .filter((one) => one['method'] === 'session/update')
      .map((one) => field(one, 'params', 'update'));
  }

  get text(): string {
    return this.updates()
      .filter((update) => update['sessionUpdate'] === 'agent_message_chunk')
      .map((update) => String(field(update, 'content')['text']))
      .join('');
  }

  async open(cwd = '/'): Promise<string> {
    await this.request('initialize', { protocolVersion: 1 });
    const answer = await this.request('session/new', { cwd, mcpServers: [] });
    return String(field(answer, 'result')['sessionId']);
  }

  prompt(sessionId: string, ...steps: readonly Step[]): Promise<Message> {
    return this.request('session/prompt', promptOf(sessionId, script(...steps)));
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  #take(bytes: Buffer): void {
    this.chunks.push(bytes);
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (let at = this.#rest.indexOf(10); at >= 0; at = this.#rest.indexOf(10)) {
      this.lines.push(this.#rest.subarray(0, at).toString('utf8'));
      this.#rest = this.#rest.subarray(at + 1);
    }
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#look.push(resolve));
  }

  #wake(): void {
    for (const look of this.#look.splice(0)) look();
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function field(message: Message, ...path: readonly string[]): Message {
  let value: unknown = message;
  for (const key of path) value = isMessage(value) ? value[key] : undefined;
  return isMessage(value) ? value : {};
}

export function promptOf(sessionId: string, text: string): Message {
  return { sessionId, prompt: [{ type: 'text', text }] };
}
