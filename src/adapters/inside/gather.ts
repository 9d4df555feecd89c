// Runs words to their end and gathers what they print, within a limit of time and of bytes. Knows no container.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { harmless } from '../../core/harmless.ts';

export interface GatherOptions {
  readonly input?: Uint8Array;
  readonly maxBytes: number;
  readonly limitMs: number;
}

export interface Gathered {
  /** -1 when a signal ended it. */
  readonly code: number;
  readonly output: Buffer;
  /** The end of what it said on standard error, harmless to show. */
  readonly errors: string;
}

/** Why nothing was gathered; `cause` of `notStarted` is what the system said. */
export type NotGathered =
  | { readonly type: 'notStarted'; readonly cause: unknown }
  | { readonly type: 'tooLong' }
  | { readonly type: 'tooMuch' };

const maxErrorBytes = 4096;

export function gather(
  words: readonly string[],
  options: GatherOptions,
): Promise<{ readonly ok: true; readonly value: Gathered } | { readonly ok: false; readonly error: NotGathered }> {
  const [command = '', ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'pipe', cwd: '/' });
    const kill = (): void => void child.kill('SIGKILL');
    // It must not outlive this process, which may end at any time.
    process.once('exit', kill);
    const timer = setTimeout(() => end({ type: 'tooLong' }), options.limitMs);
    const forget = (): void => {
      clearTimeout(timer);
      process.off('exit', kill);
    };
    const end = (error: NotGathered): void => {
      forget();
      kill();
      resolve({ ok: false, error });
    };
    const output = collect(child, options.maxBytes, () => end({ type: 'tooMuch' }));
    const errors = lastWords(child);
    child.on('error', (cause) => end({ type: 'notStarted', cause }));
    child.on('close', (code) => {
      forget();
      resolve({ ok: true, value: { code: code ?? -1, output: Buffer.concat(output), errors: errors() } });
    });
    // What is written to a program that ended fails there; its code says why it ended.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(options.input);
  });
}

function collect(child: ChildProcessWithoutNullStreams, maxBytes: number, onTooMuch: () => void): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else onTooMuch();
  });
  return chunks;
}

function lastWords(child: ChildProcessWithoutNullStreams): () => string {
  let said = Buffer.alloc(0);
  child.stderr.on('data', (chunk: Buffer) => {
    said = Buffer.concat([said, chunk]).subarray(-maxErrorBytes);
  });
  return () => harmless(said.toString()).trim();
}
