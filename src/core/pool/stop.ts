// Ends of agents: asked for, by themselves, and when nothing of them is left (SPEC section 4).
import { fail, ok, type Failure } from '../errors.ts';
import type { Exit } from '../ports.ts';
import {
  change,
  findAgent,
  replies,
  andThen,
  unchanged,
  type Pool,
  type PoolAgent,
  type PoolEffect,
  type Step,
} from './state.ts';

/** Also an agent that is starting, or waits to; one that does not run stays as it is. */
export function stopAgent(pool: Pool, name: string): Step {
  const agent = findAgent(pool, name);
  switch (agent?.state) {
    case 'ready':
    case 'busy':
      return stopRunning(pool, agent);
    case 'starting':
      return stopStarting(pool, agent);
    case 'stopped':
    case 'error':
    case undefined:
      return unchanged(pool);
  }
}

function stopRunning(pool: Pool, agent: PoolAgent): Step {
  const { name } = agent.definition;
  const stopped = change(pool, name, { state: 'stopped', users: [], info: undefined });
  return andThen({ pool: stopped, effects: cancelTurns(agent) }, (now) => leave(now, name));
}

/** A pending start ends at once, one under way when its process has heard of it. */
function stopStarting(pool: Pool, agent: PoolAgent): Step {
  const { name } = agent.definition;
  const isPending = pool.pending.includes(name);
  const effects = [...cancelTurns(agent), ...replies(agent.startWaiters, fail('unavailable', 'agent.stopAsked'))];
  const asked = change(pool, name, {
    state: isPending ? 'stopped' : 'starting',
    users: [],
    startWaiters: [],
    process: agent.process && { ...agent.process, exit: undefined },
  });
  const freed = { ...asked, pending: pool.pending.filter((pending) => pending !== name) };
  return andThen({ pool: freed, effects }, (now) => leave(now, name));
}

const cancelTurns = (agent: PoolAgent): readonly PoolEffect[] =>
  agent.users.length === 0 ? [] : [{ type: 'cancelTurns', agent: agent.definition.name, conversations: agent.users }];

/** From here on its process is on its way out; asked for once. */
export function leave(pool: Pool, name: string): Step {
  const process = findAgent(pool, name)?.process;
  if (!process || process.leaving) return unchanged(pool);
  return {
    pool: change(pool, name, { process: { ...process, leaving: true } }),
    effects: [{ type: 'stop', agent: name, run: process.run }],
  };
}

export function requestStop(pool: Pool, name: string, waiter: string): Step {
  const agent = findAgent(pool, name);
  if (!agent || agent.removed) {
    return { pool, effects: replies([waiter], fail('not-found', 'error.unknownAgent', { agent: name })) };
  }
  return andThen(stopAgent(pool, name), (now) => awaitGone(now, name, waiter));
}

function awaitGone(pool: Pool, name: string, waiter: string): Step {
  const agent = findAgent(pool, name);
  if (!agent?.process) return { pool, effects: replies([waiter], ok(undefined)) };
  return unchanged(change(pool, name, { stopWaiters: [...agent.stopWaiters, waiter] }));
}

export const stopAll = (pool: Pool): Step =>
  pool.agents.reduce((step, agent) => andThen(step, (now) => stopAgent(now, agent.definition.name)), unchanged(pool));

export function exitFailure({ code, signal }: Exit): Failure {
  const { error } =
    signal === '' ? fail('unavailable', 'agent.exited', { code }) : fail('unavailable', 'agent.killed', { signal });
  return error;
}

/** While it starts, the reason is still to come: whoever waits for the handshake knows it. */
export function noteExited(pool: Pool, agent: PoolAgent, exit: Exit): Step {
  const { name } = agent.definition;
  if (!agent.process || agent.process.leaving) return unchanged(pool);
  if (agent.state === 'starting') {
    return leave(change(pool, name, { process: { ...agent.process, exit } }), name);
  }
  return die(pool, agent, exitFailure(exit));
}

/** While it starts, the handshake fails of it. */
export function noteBroken(pool: Pool, agent: PoolAgent, failure: Failure): Step {
  const isInUse = agent.state === 'ready' || agent.state === 'busy';
  return isInUse ? die(pool, agent, failure) : unchanged(pool);
}

function die(pool: Pool, agent: PoolAgent, failure: Failure): Step {
  const { name } = agent.definition;
  const dead = change(pool, name, { state: 'error', error: { failure, lines: [] }, users: [], info: undefined });
  return andThen({ pool: dead, effects: failTurns(agent, failure) }, (now) => leave(now, name));
}

export const failTurns = (agent: PoolAgent, failure: Failure): readonly PoolEffect[] =>
  agent.users.length === 0
    ? []
    : [{ type: 'failTurns', agent: agent.definition.name, conversations: agent.users, failure }];

export function noteGone(pool: Pool, agent: PoolAgent): Step {
  const { name } = agent.definition;
  const gone = change(pool, name, { process: undefined, stopWaiters: [] });
  const effects = replies(agent.stopWaiters, ok(undefined));
  return andThen({ pool: gone, effects }, (now) => settleGone(now, agent));
}

/** What its end means, where nothing has said so before. */
function settleGone(pool: Pool, agent: PoolAgent): Step {
  const { definition, process, state } = agent;
  if (pool.pending.includes(definition.name) || state === 'stopped' || state === 'error') return unchanged(pool);
  const failure = process?.exit && exitFailure(process.exit);
  const effects = failure
    ? [...failTurns(agent, failure), ...replies(agent.startWaiters, { ok: false, error: failure })]
    : [...cancelTurns(agent), ...replies(agent.startWaiters, fail('unavailable', 'agent.stopAsked'))];
  return {
    pool: change(pool, definition.name, {
      state: failure ? 'error' : 'stopped',
      error: failure && { failure, lines: [] },
      users: [],
      startWaiters: [],
      info: undefined,
    }),
    effects,
  };
}
