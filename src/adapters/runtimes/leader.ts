// What is known of a process group that was started here: how it is found again, by what and how fast it is ended. Runs nothing.
import type { Inside } from '../../core/runtime.ts';

export interface StopTimes {
  /** From the end of input to SIGTERM. */
  readonly inputMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number;
  /** What is sent in the place of SIGTERM. */
  readonly gentle?: readonly NodeJS.Signals[];
}

export const stopTimes: StopTimes = { inputMs: 5000, termMs: 3000 };

/** A shell in a terminal is hung up, which has no input to end; what was suspended is to hear of it too (SPEC section 12). */
export const hangUpTimes: StopTimes = { inputMs: 0, termMs: 1000, gentle: ['SIGHUP', 'SIGCONT'] };

export const gentleSignals = ({ gentle = ['SIGTERM'] }: StopTimes): readonly NodeJS.Signals[] => gentle;

/** As `kill -s` of every shell takes them, in one word. */
export const gentleNames = (times: StopTimes): string =>
  gentleSignals(times)
    .map((name) => name.replace('SIG', ''))
    .join(' ');

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
