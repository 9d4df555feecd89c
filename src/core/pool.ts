// The pool of running agents (SPEC section 4): which state each is in, and what is to be done next. Launches nothing itself.
import { changeDefinitions, forgetRemoved } from './pool/definitions.ts';
import { launchPending, noteStarted, noteStartFailed, requestStart } from './pool/start.ts';
import {
  change,
  findAgent,
  idleAgents,
  andThen,
  unchanged,
  type Pool,
  type PoolAgent,
  type PoolEffect,
  type PoolEvent,
  type Step,
} from './pool/state.ts';
import { noteBroken, noteExited, noteGone, requestStop, stopAgent, stopAll } from './pool/stop.ts';
import { reports } from './pool/summary.ts';

export { findAgent, firstPool, wouldStopAnother } from './pool/state.ts';
export type { AgentError, AgentState, Limits, Pool, PoolAgent, PoolEffect, PoolEvent } from './pool/state.ts';
export { errorText, isOutdated, summaries } from './pool/summary.ts';

/** How often idle agents are looked for (SPEC 4), as far as one could be idle by then. */
export const tickMs = 30_000;
/** A timer knows no longer one than some weeks, and does not count the time a computer sleeps. */
const longestWaitMs = 3_600_000;

/** An event that does not fit gives the very same pool and no effects. */
export function step(pool: Pool, event: PoolEvent, now: number): Step {
  const moved = move(pool, event, now);
  if (moved.pool === pool) return moved;
  const isOtherLimit = moved.pool.limits.stopIdleAgentsAfterMs !== pool.limits.stopIdleAgentsAfterMs;
  const settled = andThen(andThen(andThen(moved, launchPending), forgetRemoved), (next) =>
    settleTick(next, isOtherLimit, now),
  );
  return { pool: settled.pool, effects: inOrder(settled.effects, reports(pool, settled.pool)) };
}

/** Callers are answered last: what they look at next has been reported by then. */
function inOrder(effects: readonly PoolEffect[], reported: readonly PoolEffect[]): readonly PoolEffect[] {
  const isReply = (effect: PoolEffect): boolean => effect.type === 'reply';
  return [...effects.filter((effect) => !isReply(effect)), ...reported, ...effects.filter(isReply)];
}

function move(pool: Pool, event: PoolEvent, now: number): Step {
  switch (event.type) {
    case 'startRequested':
      return andThen(requestStart(pool, event.agent, event.waiter), (next) => useFrom(next, event, now));
    case 'stopRequested':
      return requestStop(pool, event.agent, event.waiter);
    case 'restartRequested':
      return andThen(stopAgent(pool, event.agent), (next) => requestStart(next, event.agent, event.waiter));
    case 'stopAllRequested':
      return stopAll(pool);
    case 'definitionsChanged':
      return changeDefinitions(pool, event.definitions, event.limits);
    case 'ticked':
      return pool.ticking ? stopIdle({ ...pool, ticking: false }, now) : unchanged(pool);
    case 'used':
    case 'released':
      return changeUse(pool, event, now);
    default:
      return hearOfProcess(pool, event, now);
  }
}

type StartRequest = Extract<PoolEvent, { readonly type: 'startRequested' }>;

/** A start that was refused leaves no user behind. */
const useFrom = (pool: Pool, { agent, conversation = '' }: StartRequest, now: number): Step =>
  conversation === '' ? unchanged(pool) : changeUse(pool, { type: 'used', agent, conversation }, now);

type ProcessEvent = Extract<PoolEvent, { readonly run: number }>;

/** News of another run than the present one is old. */
function hearOfProcess(pool: Pool, event: ProcessEvent, now: number): Step {
  const agent = findAgent(pool, event.agent);
  if (agent?.process?.run !== event.run) return unchanged(pool);
  switch (event.type) {
    case 'started':
      return noteStarted(pool, agent, event.info, now);
    case 'startFailed':
      return noteStartFailed(pool, agent, { failure: event.failure, lines: event.lines });
    case 'exited':
      return noteExited(pool, agent, event.exit);
    case 'broke':
      return noteBroken(pool, agent, event.failure);
    case 'stopped':
      return noteGone(pool, agent);
  }
}

type UseEvent = Extract<PoolEvent, { readonly type: 'used' | 'released' }>;

function changeUse(pool: Pool, event: UseEvent, now: number): Step {
  const agent = findAgent(pool, event.agent);
  if (!agent || agent.users.includes(event.conversation) === (event.type === 'used')) return unchanged(pool);
  const users =
    event.type === 'used'
      ? [...agent.users, event.conversation]
      : agent.users.filter((user) => user !== event.conversation);
  const state = stateInUse(pool, agent, users);
  return state ? unchanged(change(pool, event.agent, { state, users, lastUsed: now })) : unchanged(pool);
}

/** Undefined for an agent that cannot be used now; one that starts may be spoken for. */
function stateInUse(pool: Pool, agent: PoolAgent, users: readonly string[]): PoolAgent['state'] | undefined {
  switch (agent.state) {
    case 'ready':
    case 'busy':
      return users.length > 0 ? 'busy' : 'ready';
    case 'starting':
      return agent.process?.leaving === false || pool.pending.includes(agent.definition.name) ? 'starting' : undefined;
    case 'stopped':
    case 'error':
      return undefined;
  }
}

function stopIdle(pool: Pool, now: number): Step {
  const { stopIdleAgentsAfterMs: after } = pool.limits;
  const unused = idleAgents(pool).filter((agent) => after > 0 && now - agent.lastUsed >= after);
  return unused.reduce(
    (step, agent) => andThen(step, (next) => stopAgent(next, agent.definition.name)),
    unchanged(pool),
  );
}

/** One timer, and only while an agent runs that could become idle. */
function settleTick(pool: Pool, isOtherLimit: boolean, now: number): Step {
  const running = pool.agents.filter((agent) => agent.state === 'ready' || agent.state === 'busy');
  const isNeeded = running.length > 0 && pool.limits.stopIdleAgentsAfterMs > 0;
  if (isNeeded === pool.ticking && !(isNeeded && isOtherLimit)) return unchanged(pool);
  const stop: readonly PoolEffect[] = pool.ticking ? [{ type: 'stopTick' }] : [];
  const start: readonly PoolEffect[] = isNeeded
    ? [{ type: 'scheduleTick', afterMs: untilLook(pool, running, now) }]
    : [];
  return { pool: { ...pool, ticking: isNeeded }, effects: [...stop, ...start] };
}

/** Looks at which nothing could be idle yet are left out: a host at rest sleeps. */
function untilLook({ limits }: Pool, running: readonly PoolAgent[], now: number): number {
  const lastUsed = running.map((agent) => (agent.state === 'ready' ? agent.lastUsed : now));
  const soonest = Math.min(...lastUsed) + limits.stopIdleAgentsAfterMs - now;
  return Math.min(Math.max(1, Math.ceil(soonest / tickMs)) * tickMs, longestWaitMs);
}
