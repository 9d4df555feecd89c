// Plays events to a pool as the app does, and keeps what it asks for. Only for tests.
import type { AgentDefinition } from '../../../src/core/config.ts';
import type { AgentSummary } from '../../../src/core/contract/shapes.ts';
import { wordFailure } from '../../../src/core/texts/index.ts';
import {
  findAgent,
  firstPool,
  step,
  summaries,
  type Pool,
  type PoolAgent,
  type PoolEffect,
  type PoolEvent,
} from '../../../src/core/pool.ts';
import { fail } from '../../../src/core/errors.ts';
import type { AgentInfo } from '../../../src/core/ports.ts';
import { agentDefinition as definition } from '../agent-definition.ts';

export const info: AgentInfo = {
  name: 'fake',
  version: '1',
  loadSession: false,
  resumeSession: false,
  prompt: { image: false, audio: false, embeddedContext: false },
  mcp: { http: false, sse: false },
  authMethods: [],
};

export { definition };

export const minute = 60_000;
export const failure = fail('unavailable', 'agent.commandMissing', { command: 'node' }).error;

/** A pool whose clock is turned by hand. `effects` holds what the last event asked for. */
export class Play {
  pool: Pool;
  now = 0;
  effects: readonly PoolEffect[] = [];

  constructor(names: readonly string[], limits = { maxRunningAgents: 4, stopIdleAgentsAfterMs: 15 * minute }) {
    this.pool = firstPool(limits);
    this.configure(names.map((name) => definition(name)));
  }

  feed(event: PoolEvent): this {
    const stepped = step(this.pool, event, this.now);
    this.pool = stepped.pool;
    this.effects = stepped.effects;
    return this;
  }

  configure(definitions: readonly AgentDefinition[], limits = this.pool.limits): this {
    return this.feed({ type: 'definitionsChanged', definitions, limits });
  }

  start = (agent: string, waiter = `start ${agent}`) => this.feed({ type: 'startRequested', agent, waiter });
  stop = (agent: string, waiter = `stop ${agent}`) => this.feed({ type: 'stopRequested', agent, waiter });
  restart = (agent: string) => this.feed({ type: 'restartRequested', agent, waiter: `restart ${agent}` });
  started = (agent: string, run = this.run(agent)) => this.feed({ type: 'started', agent, run, info });
  use = (agent: string, conversation = 'c1') => this.feed({ type: 'used', agent, conversation });
  release = (agent: string, conversation = 'c1') => this.feed({ type: 'released', agent, conversation });
  gone = (agent: string, run = this.run(agent)) => this.feed({ type: 'stopped', agent, run });
  startFailed = (agent: string, lines: readonly string[] = []) =>
    this.feed({ type: 'startFailed', agent, run: this.run(agent), failure, lines });
  exited = (agent: string, code = 3, signal = '') =>
    this.feed({ type: 'exited', agent, run: this.run(agent), exit: { code, signal } });
  broke = (agent: string) => this.feed({ type: 'broke', agent, run: this.run(agent), failure });
  tick = () => this.feed({ type: 'ticked' });

  ready(...agents: readonly string[]): this {
    for (const agent of agents) this.start(agent).started(agent);
    return this;
  }

  busy = (agent: string, conversation = 'c1') => this.ready(agent).use(agent, conversation);

  run = (agent: string): number => findAgent(this.pool, agent)?.process?.run ?? -1;
  agent = (name: string): PoolAgent | undefined => findAgent(this.pool, name);
  summary = (name: string): AgentSummary | undefined =>
    summaries(this.pool, 'en').find((summary) => summary.name === name);
  state = (name: string) => this.summary(name)?.state;

  /** Effects in short: `launch bob`, `stop bob`, `report bob ready`, `reply start bob: ok` … */
  get asked(): readonly string[] {
    return this.effects.map(shorten);
  }

  /** The same without reports and the timer. */
  get done(): readonly string[] {
    return this.asked.filter((effect) => !/^(report|scheduleTick|stopTick)/.test(effect));
  }
}

function shorten(effect: PoolEffect): string {
  switch (effect.type) {
    case 'launch':
    case 'stop':
      return `${effect.type} ${effect.agent}`;
    case 'cancelTurns':
      return `cancelTurns ${effect.agent}: ${effect.conversations.join(' ')}`;
    case 'failTurns':
      return `failTurns ${effect.agent}: ${effect.conversations.join(' ')}: ${wordFailure('en', effect.failure)}`;
    case 'report':
      return `report ${effect.agent} ${effect.state}`;
    case 'reply':
      return `reply ${effect.waiter}: ${effect.result.ok ? 'ok' : wordFailure('en', effect.result.error)}`;
    case 'scheduleTick':
    case 'stopTick':
      return effect.type;
  }
}
