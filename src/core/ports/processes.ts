// Where an agent runs; this machine, containers and sandboxes fulfil the same. Interfaces and plain data only.
import type { AgentDefinition } from '../config.ts';
import type { Failure } from '../errors.ts';
import type { Exit } from './agents.ts';

/** What a process tells, in order: `failed` alone, or `ended` once, after the last byte. Never called inside `launch`. */
export interface ProcessListener {
  /** Bytes of standard output, cut anywhere. */
  output(chunk: Uint8Array): void;
  /** Bytes of standard error, cut anywhere. */
  errors(chunk: Uint8Array): void;
  /** Standard output was closed; mostly `ended` follows. */
  outputClosed(): void;
  ended(exit: Exit): void;
  /** It could not be started; the true cause. */
  failed(failure: Failure): void;
}

export interface AgentProcess {
  /** Settles when the text was taken; false when standard input is closed. */
  write(text: string): Promise<boolean>;
  /** The sequence of SPEC 4; settles when the group and all it launched are gone and `ended` was told. Safe to call again. */
  stop(): Promise<void>;
}

export interface ProcessLauncher {
  /** Runs the command of `definition` in the folder `cwd`. Never throws. */
  launch(definition: AgentDefinition, cwd: string, listener: ProcessListener): AgentProcess;
  /** Stops every process still there and lets go of what watches over them. */
  dispose(): Promise<void>;
}
