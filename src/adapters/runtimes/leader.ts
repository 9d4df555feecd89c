// What is known of a process group that was started here: how it is found again, and how long it may take to end. Data only.
import type { Inside } from '../../core/runtime.ts';

export interface StopTimes {
  /** From the end of input to SIGTERM. */
  readonly inputMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number;
}

export const stopTimes: StopTimes = { inputMs: 5000, termMs: 3000 };

/** What was launched inside with a mark in its environment, which everything it launches inherits. */
export interface Marked {
  readonly inside: Inside;
  readonly mark: string;
}

/** The process that leads a group, and what all it launches carries. */
export interface Leader {
  readonly pid: number;
  readonly started: string;
  readonly mark: string;
  /** What it runs inside a container or sandbox. */
  readonly inside?: Marked;
}
