// Runs a program to its end for the tests of the scripts. Knows none of them.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Its process group too. */
  readonly pid: number;
  readonly ended: Promise<Outcome>;
}

export function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd = root): Running {
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
  return { pid: child.pid ?? 0, ended };
}

export const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd = root): Promise<Outcome> =>
  start(program, args, env, cwd).ended;
