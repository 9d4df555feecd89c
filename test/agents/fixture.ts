// Owns: what each test of a fake agent needs: a folder, its clients, their clean end. Must not: assert anything.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { RawClient } from './raw-client.ts';
import { scriptedAgent } from './scripted.ts';

export class Fixture {
  folder = '';
  #clients: RawClient[] = [];

  /** A fresh folder before each test of the file; no process and no folder after it. */
  constructor() {
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), 'fake-agent-'));
      this.#clients = [];
    });
    afterEach(() => this.#end());
  }

  get pidFile(): string {
    return join(this.folder, 'pids');
  }

  /** The scripted agent with these options. */
  start(...args: readonly string[]): RawClient {
    return this.launch(process.execPath, scriptedAgent, ...args);
  }

  launch(command: string, ...args: readonly string[]): RawClient {
    const client = new RawClient(command, args);
    this.#clients.push(client);
    return client;
  }

  /** Who is in the pid file, in order. */
  pids(): { who: string; pid: number }[] {
    return linesOf(this.pidFile).map((line) => ({ who: line.split(' ')[0] ?? '', pid: Number(line.split(' ')[1]) }));
  }

  async #end(): Promise<void> {
    for (const client of this.#clients) client.kill();
    await Promise.all(this.#clients.map((client) => client.exited));
    for (const { who, pid } of this.pids()) if (who !== 'agent' && isAlive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true });
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    // No agent of this test was told to write it.
    return [];
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
