// Shells that the editor runs in buffers of its own (SPEC section 12). Interfaces and plain data only.
import type { Result } from '../errors.ts';
import type { Inside } from '../runtime.ts';
import type { Answered } from './commands.ts';

export interface TerminalPlan {
  /** The terminal's own; all that the shell launches carries it as its mark. */
  readonly id: string;
  readonly agent: string;
  readonly words: readonly string[];
  /** "" for any. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** For a person: where the shell runs. */
  readonly place: string;
}

export interface Terminals {
  /** Runs it in a buffer that no window shows; gives the number of its process. */
  open(plan: TerminalPlan, cols: number, rows: number): Promise<Result<number>>;
  write(id: string, data: string): Promise<Result<undefined>>;
  resize(id: string, cols: number, rows: number): Promise<Result<undefined>>;
  /** Wipes the buffer out, if it is still there. */
  close(id: string): Promise<Result<undefined>>;
}

/** Ends what editors' shells launched. */
export interface Shells {
  /** Fails with the reason when no program can run in a folder of this machine. */
  enter(folder: string): Promise<Result<undefined>>;
  /** As `CommandRunner` does it. */
  ask(inside: Inside, words: readonly string[]): Promise<Result<Answered>>;
  /** What a shell is to be started with, so that all it launches is known by it. */
  marked(id: string): Readonly<Record<string, string>>;
  /** To be called before the shell is started: from then on it ends with this process, whatever ends that. */
  watch(id: string, inside?: Inside): ShellWatch;
  /** Hangs up all of them; settles when nothing is left. */
  dispose(): Promise<void>;
}

export interface ShellWatch {
  /** The shell runs, as this process. */
  began(pid: number): void;
  /** Settles when nothing of it is left, inside its container neither (SPEC 12). Safe to call again. */
  hangUp(): Promise<void>;
}
