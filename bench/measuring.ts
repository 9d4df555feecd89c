// Owns: what every measurement is given. Must not: measure.
import type { Running } from './running.ts';

export interface Measuring {
  readonly running: Running;
  /** How often it is taken; each measurement has a usual count. */
  readonly runs: number | undefined;
  /** Says what is measured next. */
  readonly step: (what: string) => void;
  /** An empty folder for processor profiles, if they are wanted. */
  readonly profile: (name: string) => string | undefined;
}
