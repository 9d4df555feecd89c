// What was changed in a folder since the last commit, as git tells it; bounded in size and time (SPEC section 6, `#diff`).
import { fail, ok, type Result } from '../../core/errors.ts';

const limitMs = 10_000;

/** `cut`: there is more than `maxBytes` of it. */
export interface Diff {
  readonly text: string;
  readonly cut: boolean;
}

/** Nothing the folder configures for showing differences is run. */
const quiet = ['--no-color', '--no-ext-diff', '--no-textconv'];

export async function gitDiff(folder: string, maxBytes: number): Promise<Result<Diff>> {
  const inside = await git(folder, ['rev-parse', '--is-inside-work-tree'], maxBytes);
  if (!inside.ok) return inside;
  const hasCommit = await git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD'], maxBytes);
  // Before the first commit there is only what is staged, and what changed since.
  return git(folder, ['diff', ...quiet, ...(hasCommit.ok ? ['HEAD'] : []), '--', '.'], maxBytes);
}

async function git(folder: string, args: readonly string[], maxBytes: number): Promise<Result<Diff>> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn('git', ['-C', folder, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', (cause) => {
      resolve(fail('unavailable', 'context.noGit', { what: cause.message }, cause));
    });
    child.on('close', (code, signal) => {
      const text = Buffer.concat(chunks).toString();
      if (size > maxBytes) resolve(ok({ text: wholeLines(text.slice(0, maxBytes)), cut: true }));
      else if (code === 0) resolve(ok({ text, cut: false }));
      else resolve(fail('unavailable', 'context.noGit', { what: problem(errors, signal) }));
    });
  });
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

const problem = (errors: readonly Buffer[], signal: string | null): string =>
  Buffer.concat(errors)
    .toString()
    .trim()
    .split('\n')[0]
    ?.replace(/^fatal: /, '') || `git: ${signal ?? '?'}`;
