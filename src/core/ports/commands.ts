// Lines of the configuration that `sh` runs, and containers that are reached. Interfaces and plain data only.
import type { Result } from '../errors.ts';
import type { Inside } from '../runtime.ts';
import type { Exit } from './agents.ts';

export interface Answered {
  /** -1 when a signal ended it. */
  readonly code: number;
  /** Lines of both outputs, harmless and none empty. */
  readonly said: readonly string[];
}

export interface CommandRunner {
  /**
   * Runs a line by `sh -c` in a folder, in a process group of its own; settles when it has ended, and fails when it cannot
   * be started. `printed` gets each line of both its outputs, its control characters already harmless.
   */
  run(line: string, folder: string, printed: (line: string) => void): Promise<Result<Exit>>;
  /** Whether programs can be run in a container or sandbox now; the failure says what its command line program says. */
  reach(inside: Inside): Promise<Result<undefined>>;
  /** Runs words inside; fails where no program of this machine gets an answer. */
  ask(inside: Inside, words: readonly string[]): Promise<Result<Answered>>;
  /** Stops every command still there; settles when all are gone. */
  dispose(): Promise<void>;
}
