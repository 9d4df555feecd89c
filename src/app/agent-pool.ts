// The pool at work: feeds its events to core, carries its effects out with real processes, and hands running agents to turns.
import type { AgentDefinition, Config } from '../core/config.ts';
import type { AgentSummary } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import {
  errorText,
  findAgent,
  firstPool,
  step as stepPool,
  summaries,
  wouldStopAnother,
  type Pool,
  type PoolEffect,
  type PoolEvent,
} from '../core/pool.ts';
import { leftOutServers } from '../core/mcp.ts';
import type { AgentConnection, AgentInfo, AgentLauncher, AgentListener, AuthMethod, Clock } from '../core/ports.ts';
import { listenerFor } from './agent-listener.ts';
import { AgentLogs } from './agent-logs.ts';
import type { Agents } from './agents.ts';
import type { Desk } from './desk.ts';
import type { RunningAgent } from './running.ts';
import type { Settings } from './settings.ts';
import { Warnings } from './warnings.ts';

export interface AgentPoolOptions {
  readonly clock: Clock;
  /** Where a process runs whose agent has no workspace of its own. */
  readonly folder: string;
  readonly settings: Settings;
  readonly openLauncher: () => Promise<AgentLauncher>;
  /** Sees to it that the container or sandbox of an agent is there. */
  readonly bring: (definition: AgentDefinition) => Promise<Result<undefined>>;
  readonly tell: (event: HostEvent) => void;
}

type Launch = Extract<PoolEffect, { readonly type: 'launch' }>;

interface Process {
  readonly run: number;
  readonly connection: AgentConnection;
}

export class AgentPool implements Agents {
  readonly #options: AgentPoolOptions;
  readonly #processes = new Map<string, Process>();
  readonly #logs: AgentLogs;
  /** What agents that want a sign-in offered last. */
  readonly #signIns = new Map<string, readonly AuthMethod[]>();
  readonly #warnings: Warnings;
  readonly #waiters = new Map<string, (result: Result<undefined>) => void>();
  #pool: Pool;
  #launcher: AgentLauncher | undefined;
  #desk: Desk | undefined;
  #lastWaiter = 0;
  /** Another one begins when all agents are to be forgotten. */
  #era = 0;
  #stopTick: () => void = () => undefined;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
    this.#logs = new AgentLogs(options.tell);
    this.#warnings = new Warnings(options.settings, options.tell);
    // The agents one begins with are no news.
    const { agents: definitions, limits } = options.settings.config;
    this.#pool = stepPool(
      firstPool(limits),
      { type: 'definitionsChanged', definitions, limits },
      options.clock.now(),
    ).pool;
    options.settings.onChange((config) => {
      this.configure(config);
    });
  }

  /**
   * Conversations are there only once somebody uses them. The launcher is loaded by then, so that a use is noted before
   * anything can release it.
   */
  async connect(desk: Desk): Promise<void> {
    this.#desk = desk;
    this.#launcher ??= await this.#options.openLauncher();
  }

  configure(config: Config): void {
    this.#feed({ type: 'definitionsChanged', definitions: config.agents, limits: config.limits });
  }

  list(): AgentSummary[] {
    return [...summaries(this.#pool, this.#options.settings.config.language)];
  }

  logs(name: string): Result<readonly string[]> {
    return findAgent(this.#pool, name)
      ? ok(this.#logs.of(name))
      : fail('not-found', 'error.unknownAgent', { agent: name });
  }

  note(name: string, line: string): void {
    if (findAgent(this.#pool, name)) this.#logs.add(name, line);
  }

  start(name: string): Promise<Result<undefined>> {
    return this.#ask(name, (waiter) => ({ type: 'startRequested', agent: name, waiter }));
  }

  stop(name: string): Promise<Result<undefined>> {
    return this.#ask(name, (waiter) => ({ type: 'stopRequested', agent: name, waiter }));
  }

  restart(name: string): Promise<Result<undefined>> {
    return this.#ask(name, (waiter) => ({ type: 'restartRequested', agent: name, waiter }));
  }

  async signIn(name: string): Promise<Result<readonly AuthMethod[]>> {
    const known = this.#signIns.get(name);
    if (known) return ok(known);
    const started = await this.start(name);
    const methods = this.#signIns.get(name) ?? this.running(name)?.info.authMethods ?? [];
    if (methods.length > 0) return ok(methods);
    return started.ok ? fail('unavailable', 'signIn.none', { agent: name }) : started;
  }

  async use(name: string, user: string): Promise<Result<RunningAgent>> {
    const started = await this.#ask(name, (waiter) => ({
      type: 'startRequested',
      agent: name,
      waiter,
      conversation: user,
    }));
    if (!started.ok) return started;
    const running = this.running(name);
    return running ? ok(running) : fail('unavailable', 'agent.gone', { agent: name });
  }

  release(name: string, user: string): void {
    this.#feed({ type: 'released', agent: name, conversation: user });
  }

  running(name: string): RunningAgent | undefined {
    const agent = findAgent(this.#pool, name);
    const process = this.#processes.get(name);
    if (!agent?.info || !process || process.run !== agent.process?.run) return undefined;
    return {
      definition: agent.definition,
      info: agent.info,
      connection: process.connection,
      warn: (text, values) => this.#warnings.once(text, { agent: name, ...values }),
      word: (failure) => this.#options.settings.wordFailure(failure),
    };
  }

  startsFreely(name: string): boolean {
    return !wouldStopAnother(this.#pool, name);
  }

  isRunning(): boolean {
    return this.#processes.size > 0;
  }

  /** Forgets every agent, once nothing of it is left: another configuration, or another history, is to come. */
  async clear(): Promise<void> {
    this.#era += 1;
    this.#feed({ type: 'stopAllRequested' });
    await Promise.all([...this.#processes.values()].map(({ connection }) => connection.stop()));
    this.#feed({ type: 'definitionsChanged', definitions: [], limits: this.#pool.limits });
    this.#logs.clear();
    this.#signIns.clear();
    this.#desk = undefined;
  }

  async dispose(): Promise<void> {
    this.#era += 1;
    this.#stopTick();
    this.#feed({ type: 'stopAllRequested' });
    await this.#launcher?.dispose();
  }

  async #ask(name: string, event: (waiter: string) => PoolEvent): Promise<Result<undefined>> {
    if (!findAgent(this.#pool, name)) return fail('not-found', 'error.unknownAgent', { agent: name });
    this.#launcher ??= await this.#options.openLauncher();
    const waiter = String(++this.#lastWaiter);
    const answered = new Promise<Result<undefined>>((resolve) => this.#waiters.set(waiter, resolve));
    this.#feed(event(waiter));
    return answered;
  }

  #feed(event: PoolEvent): void {
    const stepped = stepPool(this.#pool, event, this.#options.clock.now());
    this.#pool = stepped.pool;
    for (const effect of stepped.effects) this.#carryOut(effect);
  }

  #carryOut(effect: PoolEffect): void {
    switch (effect.type) {
      case 'launch':
        this.#launch(effect);
        return;
      case 'stop':
        void this.#stopProcess(effect.agent, effect.run);
        return;
      case 'cancelTurns':
        this.#desk?.cancelTurnsOf(effect.agent);
        return;
      case 'failTurns':
        this.#desk?.agentGone(effect.agent);
        return;
      case 'report':
        this.#report(effect);
        return;
      case 'reply':
        this.#waiters.get(effect.waiter)?.(effect.result);
        this.#waiters.delete(effect.waiter);
        return;
      case 'scheduleTick':
        this.#stopTick = this.#options.clock.after(effect.afterMs, () => {
          this.#feed({ type: 'ticked' });
        });
        return;
      case 'stopTick':
        this.#stopTick();
        return;
    }
  }

  #launch(launch: Launch): void {
    const { agent, definition } = launch;
    this.#logs.begin(agent);
    if (definition.runtime.type === 'local') this.#connectTo(launch);
    else void this.#bringAndConnect(launch, this.#era);
  }

  /** Whoever is told to forget or to leave meanwhile launches nothing any more. */
  async #bringAndConnect(launch: Launch, era: number): Promise<void> {
    const { agent, run, definition } = launch;
    const brought = await this.#options.bring(definition);
    const failure = brought.ok ? fail('unavailable', 'agent.gone', { agent }).error : brought.error;
    if (brought.ok && era === this.#era) this.#connectTo(launch);
    else this.#feed({ type: 'startFailed', agent, run, failure, lines: this.#logs.last(agent) });
  }

  #connectTo({ agent, run, definition }: Launch): void {
    if (!this.#launcher) throw new Error('an agent is launched before the launcher is there');
    const cwd = definition.workspace || this.#options.folder;
    const connection = this.#launcher.launch(definition, cwd, this.#listener(agent, run));
    this.#processes.set(agent, { run, connection });
    void connection.ready.then((ready) => {
      if (ready.ok) this.#started(definition, run, ready.value);
      else this.#feed({ type: 'startFailed', agent, run, failure: ready.error, lines: this.#logs.last(agent) });
    });
  }

  #started(definition: AgentDefinition, run: number, info: AgentInfo): void {
    const left = leftOutServers(definition, info);
    if (left) this.#warnings.once('agent.serversLeftOut', { agent: definition.name, ...left });
    this.#feed({ type: 'started', agent: definition.name, run, info });
  }

  async #stopProcess(agent: string, run: number): Promise<void> {
    const process = this.#processes.get(agent);
    if (process?.run === run) await process.connection.stop();
    if (this.#processes.get(agent)?.run === run) this.#processes.delete(agent);
    this.#desk?.agentGone(agent);
    this.#feed({ type: 'stopped', agent, run });
  }

  #listener(agent: string, run: number): AgentListener {
    const listener = () => this.#desk?.listener(agent);
    return listenerFor(agent, listener, {
      signInNeeded: (methods) => {
        this.#signInNeeded(agent, methods);
      },
      logged: (line) => {
        this.#logs.add(agent, line);
      },
      exited: (exit) => {
        this.#feed({ type: 'exited', agent, run, exit });
      },
      broke: (failure) => {
        this.#feed({ type: 'broke', agent, run, failure });
      },
    });
  }

  #signInNeeded(agent: string, methods: readonly AuthMethod[]): void {
    this.#signIns.set(agent, methods);
    if (methods.some(({ terminal }) => terminal)) this.#options.tell({ name: 'agent:sign-in', payload: { agent } });
  }

  #report({ agent, state, error }: Extract<PoolEffect, { type: 'report' }>): void {
    const words = error && errorText(this.#options.settings.config.language, error);
    this.#options.tell({
      name: 'agent:state',
      payload: { agent, state, ...(words !== undefined && { error: words }) },
    });
  }
}
