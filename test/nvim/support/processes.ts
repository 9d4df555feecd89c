// Owns looking at the machine's processes: which ones a test has started, and whether they are gone. It ends only those.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './wait.ts';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly command: string;
}

/** Set in the environment of every child Neovim; all that it starts inherits it, whatever group or parent it is in. */
export const MARK = 'SIDEKICKS_TEST_MARK';

/** Everything that one child Neovim has started: a process counts by its mark, its ancestry, or its process group. */
export class ProcessFamily {
  readonly #root: number;
  readonly #mark: string;
  readonly #groups = new Set<number>();

  constructor(root: number, mark: string) {
    this.#root = root;
    this.#mark = mark;
  }

  /** Its living members, Neovim itself included. Groups once seen stay known, so that no orphan gets away. */
  alive(): ProcessInfo[] {
    const all = listProcesses();
    const descendants = descendantsOf(this.#root, all);
    const members = all.filter(
      (info) => descendants.has(info.pid) || this.#groups.has(info.group) || this.#isMarked(info),
    );
    for (const { group } of members) this.#groups.add(group);
    return members;
  }

  /** Throws, naming the survivors, if anything still runs when the limit is over. */
  async waitUntilGone(limitMs: number): Promise<void> {
    try {
      await waitFor('the end of all processes', () => this.alive().length === 0, limitMs);
    } catch (error) {
      const names = this.alive().map(describeProcess).join('\n');
      throw new Error(`still running after ${limitMs / 1000} s:\n${names}`, { cause: error });
    }
  }

  /** Ends whatever still runs, at once. */
  async kill(): Promise<void> {
    for (const { pid } of this.alive()) kill(pid);
    await waitFor('the end of what was killed', () => this.alive().length === 0);
  }

  #isMarked({ pid }: ProcessInfo): boolean {
    return environmentOf(pid).includes(`${MARK}=${this.#mark}\0`);
  }
}

/** Ends one process at once; one that is already gone is no error. */
export function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  // A missing one must not stand for 0, which would be the group of the tests themselves.
  if (pid === undefined || pid <= 1) throw new Error(`no process to send ${signal} to`);
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

export function describeProcess({ pid, group, command }: ProcessInfo): string {
  return `${pid} (group ${group}): ${command}`;
}

function descendantsOf(root: number, all: readonly ProcessInfo[]): Set<number> {
  const found = new Set([root]);
  const addChildren = (of: number): void => {
    for (const { pid, parent } of all) {
      if (parent !== of || found.has(pid)) continue;
      found.add(pid);
      addChildren(pid);
    }
  };
  addChildren(root);
  return found;
}

/** All running processes; one that has ended and only waits to be collected by its parent does not run. */
function listProcesses(): ProcessInfo[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

function fromProc(): ProcessInfo[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readProc(name, 'stat');
    // The program's name stands in parentheses and may hold blanks and parentheses itself.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (stat === '' || state === 'Z' || state === 'X') return [];
    const command = readProc(name, 'cmdline').replaceAll('\0', ' ').trim();
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), command }];
  });
}

function fromPs(): ProcessInfo[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, group, state = 'Z', ...words] = line.trim().split(/\s+/);
    if (state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command: words.join(' ') }];
  });
}

/** Empty where it cannot be read: another user's process, or a system without /proc. */
function environmentOf(pid: number): string {
  return readProc(String(pid), 'environ');
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    if (isGone(error)) return '';
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM';
}
