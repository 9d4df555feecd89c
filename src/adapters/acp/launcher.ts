// Launches agents and forgets none of them: the entry of this adapter. Loads the SDK with the first agent, because it
// costs 50 ms or more (DESIGN "The host").
import type * as Sdk from '@agentclientprotocol/sdk';
import { causeText, fail, ok, type Result } from '../../core/errors.ts';
import type { AgentConnection, AgentLauncher, Clock, Log, ProcessLauncher } from '../../core/ports.ts';
import { Connection, nextTurn } from './connection.ts';
import type { Timeouts } from './world.ts';

export interface AcpOptions {
  /** The launcher's own from here on: it is disposed of with it. */
  readonly processes: ProcessLauncher;
  readonly clock: Clock;
  readonly log: Log;
  /** Sidekicks' own version, told to agents. */
  readonly version: string;
  /** Shorter in tests. */
  readonly timeouts?: Timeouts;
  readonly maxMessage?: number;
}

const timeouts: Timeouts = { sessionMs: 60_000, shortMs: 30_000 };
const maxMessage = 256 * (1 << 20);

export function createAgentLauncher(options: AcpOptions): AgentLauncher {
  const running = new Set<AgentConnection>();
  const world = { timeouts, maxMessage, ...options, loadSdk };
  return {
    launch(definition, cwd, listener) {
      const connection = new Connection(definition, cwd, listener, world, () => running.delete(connection));
      running.add(connection);
      return connection;
    },
    async dispose() {
      const stopped = [...running].map((connection) => connection.stop());
      // By then they have answered what their agents wait for.
      await nextTurn();
      await Promise.all([...stopped, options.processes.dispose()]);
    },
  };
}

async function loadSdk(): Promise<Result<typeof Sdk>> {
  try {
    return ok(await import('@agentclientprotocol/sdk'));
  } catch (cause) {
    return fail('internal', 'error.internal', { what: causeText(cause) }, cause);
  }
}
