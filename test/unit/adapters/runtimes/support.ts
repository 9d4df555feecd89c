// What the tests of the local runtime share: an agent's definition, a listener that remembers, process numbers from files.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Failure } from '../../../../src/core/errors.ts';
import type { Exit, Log, ProcessLauncher } from '../../../../src/core/ports.ts';
import { localProcesses, type LocalOptions } from '../../../../src/adapters/runtimes/local.ts';
import { clock } from '../../../../src/adapters/system/clock.ts';
import { definition, quickStop } from './definition.ts';

export { definition, quickStop };

export function temporaryFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'sidekicks-test-')));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export class Remembering implements Log {
  readonly lines: string[] = [];

  write(text: string): void {
    this.lines.push(text);
  }
}

export function testProcesses(more: Partial<LocalOptions> = {}): ProcessLauncher & { readonly log: Remembering } {
  const log = new Remembering();
  const processes = localProcesses({ clock, log, times: quickStop, ...more });
  onTestFinished(() => processes.dispose());
  return Object.assign(processes, { log });
}

/** What one process told, and promises of its end. */
export class Heard {
  readonly order: string[] = [];
  output = '';
  errors = '';
  readonly #ended = Promise.withResolvers<Exit>();
  readonly #failed = Promise.withResolvers<Failure>();
  readonly ended = this.#ended.promise;
  readonly failed = this.#failed.promise;
  readonly listener = {
    output: (chunk: Uint8Array) => {
      this.order.push('output');
      this.output += Buffer.from(chunk).toString();
    },
    errors: (chunk: Uint8Array) => {
      this.errors += Buffer.from(chunk).toString();
    },
    outputClosed: () => void this.order.push('outputClosed'),
    ended: (exit: Exit) => {
      this.order.push('ended');
      this.#ended.resolve(exit);
    },
    failed: (failure: Failure) => {
      this.order.push('failed');
      this.#failed.resolve(failure);
    },
  };
}

/** One that has ended and waits for its parent to take note is gone. */
export const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !fs.existsSync('/proc/self/stat') || !/\) Z /.test(fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Lines `who PID`, once there are as many as expected. */
export const pidsIn = (file: string, count: number): Promise<Record<string, number>> =>
  vi.waitFor(
    () => {
      const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
      if (lines.length < count) throw new Error(`${String(lines.length)} of ${String(count)} processes`);
      const pairs = lines.map((line) => line.split(' '));
      return Object.fromEntries(pairs.map(([who = '', pid]): [string, number] => [who, Number(pid)]));
    },
    { timeout: 10_000, interval: 20 },
  );

export const waitGone = (pids: readonly number[], timeout: number): Promise<void> =>
  vi.waitFor(
    () => {
      const left = pids.filter(isThere);
      if (left.length > 0) throw new Error(`still there: ${left.join(' ')}`);
    },
    { timeout, interval: 20 },
  );
