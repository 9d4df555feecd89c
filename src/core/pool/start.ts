// Starts of agents: who may start, who is stopped to make room, when a waiting one is launched (SPEC section 4).
import { definitionFingerprint } from '../config/fingerprint.ts';
import { fail, ok, type Result } from '../errors.ts';
import type { AgentInfo } from '../ports.ts';
import {
  change,
  findAgent,
  idleAgents,
  processCount,
  replies,
  takenPlaces,
  andThen,
  unchanged,
  type AgentError,
  type Pool,
  type PoolAgent,
  type PoolEffect,
  type Step,
} from './state.ts';
import { failTurns, leave, stopAgent } from './stop.ts';

export function requestStart(pool: Pool, name: string, waiter: string): Step {
  const agent = findAgent(pool, name);
  if (!agent || agent.removed) {
    return { pool, effects: replies([waiter], fail('not-found', 'error.unknownAgent', { agent: name })) };
  }
  if (agent.state === 'ready' || agent.state === 'busy') return { pool, effects: replies([waiter], ok(undefined)) };
  const isUnderWay = pool.pending.includes(name) || agent.process?.leaving === false;
  const made = isUnderWay ? ok(unchanged(pool)) : makePending(pool, name);
  if (!made.ok) return { pool, effects: replies([waiter], made) };
  return andThen(made.value, (now) => unchanged(change(now, name, { startWaiters: [...agent.startWaiters, waiter] })));
}

/** Stops as many idle agents as it takes, the one used least recently first. */
function makePending(pool: Pool, name: string): Result<Step> {
  const excess = takenPlaces(pool).length + 1 - pool.limits.maxRunningAgents;
  const idle = idleAgents(pool);
  if (excess > idle.length) return tooMany(pool, idle);
  const evicted = idle.slice(0, Math.max(0, excess));
  const starting = change(pool, name, { state: 'starting', error: undefined });
  return ok(
    evicted.reduce(
      (step, agent) => andThen(step, (now) => stopAgent(now, agent.definition.name)),
      unchanged({ ...starting, pending: [...pool.pending, name] }),
    ),
  );
}

function tooMany(pool: Pool, idle: readonly PoolAgent[]): Result<Step> {
  const names = takenPlaces(pool)
    .filter((agent) => !idle.includes(agent))
    .map((agent) => agent.definition.name);
  const values = { count: names.length, names: names.join(', '), limit: pool.limits.maxRunningAgents };
  return fail('limit', 'error.tooManyAgents', values);
}

/** Until an old group is gone it counts as running: its place is not given away before. */
export function launchPending(pool: Pool): Step {
  return pool.pending.reduce((step, name) => andThen(step, (now) => launchIfRoom(now, name)), unchanged(pool));
}

function launchIfRoom(pool: Pool, name: string): Step {
  const agent = findAgent(pool, name);
  if (!agent || agent.process || processCount(pool) >= pool.limits.maxRunningAgents) return unchanged(pool);
  const { definition } = agent;
  const run = pool.nextRun;
  const process = { run, fingerprint: definitionFingerprint(definition), leaving: false, exit: undefined };
  const launched = change(pool, name, { process });
  return {
    pool: { ...launched, nextRun: run + 1, pending: pool.pending.filter((pending) => pending !== name) },
    effects: [{ type: 'launch', agent: name, run, definition }],
  };
}

export function noteStarted(pool: Pool, agent: PoolAgent, info: AgentInfo, now: number): Step {
  const { name } = agent.definition;
  if (agent.state !== 'starting' || pool.pending.includes(name)) return unchanged(pool);
  // The stop came first: the start has ended, and so has the agent.
  if (agent.process?.leaving) return unchanged(change(pool, name, { state: 'stopped' }));
  const state = agent.users.length > 0 ? 'busy' : 'ready';
  return {
    pool: change(pool, name, { state, info, lastUsed: now, startWaiters: [] }),
    effects: replies(agent.startWaiters, ok(undefined)),
  };
}

export function noteStartFailed(pool: Pool, agent: PoolAgent, error: AgentError): Step {
  const { name } = agent.definition;
  if (agent.state !== 'starting' || pool.pending.includes(name)) return unchanged(pool);
  const isStopAsked = agent.process?.leaving === true && !agent.process.exit;
  if (isStopAsked) return unchanged(change(pool, name, { state: 'stopped' }));
  return failStart(pool, agent, error);
}

/** The group is stopped too: a program that failed to start may have launched others. */
export function failStart(pool: Pool, agent: PoolAgent, error: AgentError): Step {
  const { name } = agent.definition;
  const effects: readonly PoolEffect[] = [
    ...failTurns(agent, error.failure),
    ...replies(agent.startWaiters, { ok: false, error: error.failure }),
  ];
  const failed = change(pool, name, { state: 'error', error, users: [], startWaiters: [] });
  return andThen({ pool: failed, effects }, (now) => leave(now, name));
}
