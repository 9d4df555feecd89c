// The pool at work: feeds its events to core, carries its effects out with real processes, and hands running agents to turns.
import type { Config } from '../core/config.ts';
import type { AgentSummary } from '../core/contract/shapes.ts';
import type { Result } from '../core/errors.ts';
import type { AuthMethod } from '../core/ports.ts';
import type { RunningAgent } from './running.ts';

export interface Agents {
  list(): AgentSummary[];
  /** The last 200 lines of standard error. */
  logs(name: string): Result<readonly string[]>;
  /** Adds a line to its log that it has not written itself. */
  note(name: string, line: string): void;
  /** Settles when the agent is ready. */
  start(name: string): Promise<Result<undefined>>;
  /** The ways an agent offers to sign in; it is started to be asked where it has not said so yet. */
  signIn(name: string): Promise<Result<readonly AuthMethod[]>>;
  /** Settles when the old process group is gone. */
  stop(name: string): Promise<Result<undefined>>;
  restart(name: string): Promise<Result<undefined>>;
  /** Marks the agent used by `user` and starts it where needed; `release` is owed whatever the outcome. */
  use(name: string, user: string): Promise<Result<RunningAgent>>;
  release(name: string, user: string): void;
  running(name: string): RunningAgent | undefined;
  /** Whether starting it now would stop no other agent (SPEC 5, `open`). */
  startsFreely(name: string): boolean;
  configure(config: Config): void;
  dispose(): Promise<void>;
}
