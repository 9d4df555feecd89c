// What app knows of an agent that runs, of a session that is open there, and of its turns. Data only.
import type { AgentDefinition } from '../core/config.ts';
import type { Option } from '../core/contract/shapes.ts';
import type { Failure } from '../core/errors.ts';
import type { AgentConnection, AgentInfo } from '../core/ports.ts';
import type { TextKey, Values } from '../core/texts/index.ts';

/** A running agent as the pool knows it. */
export interface RunningAgent {
  readonly definition: AgentDefinition;
  readonly connection: AgentConnection;
  readonly info: AgentInfo;
  /** Tells the person something about this agent, the same only once. */
  readonly warn: (text: TextKey, values: Values) => void;
  readonly word: (failure: Failure) => string;
}

export interface OpenSession {
  readonly sessionId: string;
  readonly conversation: string;
  readonly workspace: string;
  options: readonly Option[];
  /** While a session is taken up, the agent repeats what history already holds. */
  replaying: boolean;
  /** Commands it was sent: they went alone, before what it had not seen yet (SPEC 5). */
  readonly commands: Set<string>;
}

/** One agent answering: `messageId` is the message it writes. */
export interface TurnRef {
  readonly messageId: string;
  readonly channel: string;
  readonly agent: string;
}
