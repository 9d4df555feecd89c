// What the pool knows: each agent's definition, state, process and users (SPEC section 4). Only data and questions about it.
import type { AgentDefinition, Config } from '../config.ts';
import type { AgentSummary } from '../contract/shapes.ts';
import type { Failure, Result } from '../errors.ts';
import type { AgentInfo, Exit } from '../ports.ts';

export type AgentState = AgentSummary['state'];
export type Limits = Config['limits'];

/** One process and the group it leads, from its launch until the group is gone. Meanwhile it counts as running. */
export interface Process {
  /** Tells the launches of the whole pool apart, so that news of an old process never reaches a new one. */
  readonly run: number;
  /** What it was launched with. */
  readonly fingerprint: string;
  /** It is being stopped, or what it left behind is. In state `starting`: the stop was asked meanwhile, unless the agent is pending. */
  readonly leaving: boolean;
  /** It ended by itself while starting; why the start failed is still to come. */
  readonly exit: Exit | undefined;
}

export interface AgentError {
  readonly failure: Failure;
  /** The last lines of standard error, of a failed start. */
  readonly lines: readonly string[];
}

export interface PoolAgent {
  readonly definition: AgentDefinition;
  readonly state: AgentState;
  readonly error: AgentError | undefined;
  readonly process: Process | undefined;
  /** What the agent said of itself; there while `ready` or `busy`. */
  readonly info: AgentInfo | undefined;
  /** Conversations that use it. */
  readonly users: readonly string[];
  /** When it was last used, or became ready. */
  readonly lastUsed: number;
  /** No longer in the configuration; here until its process group is gone. */
  readonly removed: boolean;
  /** Callers to answer once it is ready, or cannot be. */
  readonly startWaiters: readonly string[];
  /** Callers to answer once its process group is gone. */
  readonly stopWaiters: readonly string[];
}

export interface Pool {
  /** In configuration order, removed ones last. */
  readonly agents: readonly PoolAgent[];
  readonly limits: Limits;
  /** Agents that are to start as soon as there is room or their old group is gone, first come first. */
  readonly pending: readonly string[];
  readonly nextRun: number;
  readonly ticking: boolean;
}

export type PoolEvent =
  /** `waiter` is answered by a `reply`; "" for nobody. `conversation` uses the agent from now on, unless the start is refused or fails. */
  | {
      readonly type: 'startRequested';
      readonly agent: string;
      readonly waiter: string;
      readonly conversation?: string;
    }
  | { readonly type: 'stopRequested'; readonly agent: string; readonly waiter: string }
  | { readonly type: 'restartRequested'; readonly agent: string; readonly waiter: string }
  /** Neovim leaves, or another configuration is opened. */
  | { readonly type: 'stopAllRequested' }
  | { readonly type: 'started'; readonly agent: string; readonly run: number; readonly info: AgentInfo }
  | {
      readonly type: 'startFailed';
      readonly agent: string;
      readonly run: number;
      readonly failure: Failure;
      /** The last lines of standard error. */
      readonly lines: readonly string[];
    }
  /** The process ended, for whatever reason. */
  | { readonly type: 'exited'; readonly agent: string; readonly run: number; readonly exit: Exit }
  /** It cannot be spoken with any more; its process may run on. */
  | { readonly type: 'broke'; readonly agent: string; readonly run: number; readonly failure: Failure }
  /** Its process group is gone. */
  | { readonly type: 'stopped'; readonly agent: string; readonly run: number }
  /** Fits an agent that runs or is starting; one that is not gives no user. */
  | { readonly type: 'used'; readonly agent: string; readonly conversation: string }
  | { readonly type: 'released'; readonly agent: string; readonly conversation: string }
  | { readonly type: 'definitionsChanged'; readonly definitions: readonly AgentDefinition[]; readonly limits: Limits }
  | { readonly type: 'ticked' };

export type PoolEffect =
  | { readonly type: 'launch'; readonly agent: string; readonly run: number; readonly definition: AgentDefinition }
  /** Stop the process group and say `stopped` once it is gone; also for one that ended by itself. */
  | { readonly type: 'stop'; readonly agent: string; readonly run: number }
  /** The turns of these conversations end `cancelled`, their permission requests too; messages that waited for the agent are not sent. */
  | { readonly type: 'cancelTurns'; readonly agent: string; readonly conversations: readonly string[] }
  /** The agent died: the turns of these conversations end with `failure`; messages that waited for it are not sent. */
  | {
      readonly type: 'failTurns';
      readonly agent: string;
      readonly conversations: readonly string[];
      readonly failure: Failure;
    }
  /** `agent:state`: state, error, `outdated` or what is shown of an agent changed. */
  | { readonly type: 'report'; readonly agent: string; readonly state: AgentState; readonly error?: AgentError }
  | { readonly type: 'reply'; readonly waiter: string; readonly result: Result<undefined> }
  /** Say `ticked` once after this time. */
  | { readonly type: 'scheduleTick'; readonly afterMs: number }
  | { readonly type: 'stopTick' };

/** What one step gives: a pool and what is to be done, in order. */
export interface Step {
  readonly pool: Pool;
  readonly effects: readonly PoolEffect[];
}

export const findAgent = (pool: Pool, name: string): PoolAgent | undefined =>
  pool.agents.find((agent) => agent.definition.name === name);

/** The pool with some fields of one agent replaced. */
export const change = (pool: Pool, name: string, fields: Partial<PoolAgent>): Pool => ({
  ...pool,
  agents: pool.agents.map((agent) => (agent.definition.name === name ? { ...agent, ...fields } : agent)),
});

export const unchanged = (pool: Pool): Step => ({ pool, effects: [] });

/** A further move, from where the last one ended. */
export function andThen(step: Step, move: (pool: Pool) => Step): Step {
  const next = move(step.pool);
  return { pool: next.pool, effects: [...step.effects, ...next.effects] };
}

export const replies = (waiters: readonly string[], result: Result<undefined>): readonly PoolEffect[] =>
  waiters.filter((waiter) => waiter !== '').map((waiter) => ({ type: 'reply', waiter, result }));

const isIdle = (agent: PoolAgent): boolean => agent.state === 'ready' && agent.process?.leaving === false;

/** Agents whose place stays taken once all that is leaving has left. */
export const takenPlaces = (pool: Pool): readonly PoolAgent[] =>
  pool.agents.filter((agent) => agent.process?.leaving === false || pool.pending.includes(agent.definition.name));

export const processCount = (pool: Pool): number => pool.agents.filter((agent) => agent.process).length;

/** Idle agents, the one used least recently first. */
export const idleAgents = (pool: Pool): readonly PoolAgent[] =>
  pool.agents.filter(isIdle).sort((a, b) => a.lastUsed - b.lastUsed);

/** Whether a start of this agent would stop another one, or be refused (SPEC 5: an agent is not prepared at that price). */
export function wouldStopAnother(pool: Pool, name: string): boolean {
  const isTaken = takenPlaces(pool).some((agent) => agent.definition.name === name);
  return !isTaken && takenPlaces(pool).length >= pool.limits.maxRunningAgents;
}

export function firstPool(limits: Limits): Pool {
  return { agents: [], limits, pending: [], nextRun: 1, ticking: false };
}

export function newAgent(definition: AgentDefinition): PoolAgent {
  return {
    definition,
    state: 'stopped',
    error: undefined,
    process: undefined,
    info: undefined,
    users: [],
    lastUsed: 0,
    removed: false,
    startWaiters: [],
    stopWaiters: [],
  };
}
