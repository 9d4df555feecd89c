// What a connection needs from outside: processes, time, a log, limits. Types only.
import type * as Sdk from '@agentclientprotocol/sdk';
import type { Result } from '../../core/errors.ts';
import type { Clock, Log, ProcessLauncher } from '../../core/ports.ts';

export interface Timeouts {
  /** session/new, load and resume. */
  readonly sessionMs: number;
  /** Other requests, except a prompt. */
  readonly shortMs: number;
}

export interface ConnectionWorld {
  readonly processes: ProcessLauncher;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly timeouts: Timeouts;
  /** In characters. */
  readonly maxMessage: number;
  readonly loadSdk: () => Promise<Result<typeof Sdk>>;
}
