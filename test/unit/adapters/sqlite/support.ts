// A history in a folder of its own, what goes into it, and other processes that have it open. Asserts nothing.
import Database from 'better-sqlite3';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { openHistory } from '../../../../src/adapters/sqlite/history.ts';
import type { Conversation, Message } from '../../../../src/core/contract/shapes.ts';
import type { History } from '../../../../src/core/ports.ts';
import { wordFailure } from '../../../../src/core/texts/index.ts';

export const configPath = '/somewhere/sidekicks.yaml';
const module = path.resolve(import.meta.dirname, '../../../../src/adapters/sqlite/history.ts');

/** An empty folder, gone after the test. */
export function dataFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidekicks-history-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Closed after the test, if it was not before. */
export function open(folder: string): History {
  const history = openHistory({ dataFolder: folder, configPath, word: (failure) => wordFailure('en', failure) });
  let closed = false;
  const close = (): void => {
    if (!closed) history.close();
    closed = true;
  };
  onTestFinished(close);
  return Object.assign(Object.create(history) as History, { close });
}

/** The file of a history as SQLite sees it. */
export function lookInto(history: History): Database.Database {
  const database = new Database(history.path, { readonly: true });
  onTestFinished(() => void database.close());
  return database;
}

export const conversation = (id: string, members: string[] = ['ann', 'bob']): Conversation => ({
  id,
  name: id,
  description: '',
  direct: '',
  members,
  project: '/p',
});

export const message = (id: string, text = id, more: Partial<Message> = {}): Message => ({
  id,
  channel: 'c',
  createdAt: 5,
  agent: '',
  role: 'user',
  parts: [{ kind: 'text', text }],
  done: true,
  queued: false,
  stopReason: '',
  error: '',
  code: '',
  attachments: [],
  ...more,
});

export const answer = (id: string, agent: string, text = id): Message => message(id, text, { role: 'agent', agent });

export const ids = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);

/** A host of another Neovim: a process that has the history open and does what it is told. */
export class Other {
  readonly process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  /** `within`: a command line that runs the one that follows it. */
  constructor(folder: string, within: readonly string[] = []) {
    const program = `
      import { createInterface } from 'node:readline';
      const { openHistory } = await import(${JSON.stringify(module)});
      const options = { dataFolder: ${JSON.stringify(folder)}, configPath: ${JSON.stringify(configPath)}, word: ({ text }) => text };
      const history = openHistory(options);
      for await (const line of createInterface({ input: process.stdin })) {
        const value = new Function('history', 'return ' + line)(history);
        console.log(JSON.stringify(await value ?? null));
      }
      history.close();`;
    this.process = spawn('env', [...within, process.execPath, '--input-type=module', '--eval', program]);
    this.process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => void this.process.kill('SIGKILL'));
  }

  /** What an expression of `history` gives there. */
  async ask(expression: string): Promise<unknown> {
    this.process.stdin.write(`${expression}\n`);
    const line = await this.#lines.next();
    if (line.done) throw new Error(`the other process ended at ${expression}`);
    return JSON.parse(line.value) as unknown;
  }

  async kill(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  /** As a host ends when its Neovim does. */
  async leave(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.stdin.end();
    await ended;
  }
}
