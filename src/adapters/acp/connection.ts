// One agent: its process, the connection to it, and what we ask of it. Every promise it gives settles, also when the
// agent dies (STYLE section 3). Knows no conversation and keeps no message.
import type * as Sdk from '@agentclientprotocol/sdk';
import type { AgentDefinition } from '../../core/config.ts';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import type {
  AgentConnection,
  AgentInfo,
  AgentListener,
  AgentProcess,
  Exit,
  PromptBlock,
  SessionOpened,
  StopReason,
} from '../../core/ports.ts';
import type { Option } from '../../core/contract/shapes.ts';
import { Calls } from './calls.ts';
import * as failures from './failures.ts';
import { usableServers } from '../../core/mcp.ts';
import { harmless } from '../../core/harmless.ts';
import { introduction, readAuthMethods, readIntroduction } from './introduction.ts';
import { objectOf, textOf, type Json } from './json.ts';
import { LineReader } from '../../core/line-reader.ts';
import { OpenRequests } from './open-requests.ts';
import { promptBlock, stopReason } from './prompt.ts';
import { Questions } from './questions.ts';
import { serveRequests } from './requests.ts';
import { Sessions } from './sessions.ts';
import { Wire } from './wire.ts';
import type { ConnectionWorld } from './world.ts';

const maxLogLine = 4096;
/** Lines of output that a failed start is told with. */
const lastLines = 10;
/** A process that is ending closes its pipes first: its exit is the better reason. */
const closedMs = 2000;

export class Connection implements AgentConnection {
  readonly ready: Promise<Result<AgentInfo>>;
  readonly #definition: AgentDefinition;
  readonly #world: ConnectionWorld;
  readonly #listener: AgentListener;
  readonly #process: AgentProcess;
  readonly #wire: Wire;
  readonly #calls: Calls;
  readonly #sessions: Sessions;
  readonly #requests: OpenRequests;
  readonly #stopping = new AbortController();
  readonly #launchedAt: number;
  #recent: string[] = [];
  #info: AgentInfo | undefined;
  #stopped: Promise<void> | undefined;
  /** Called when the process and all it launched are gone, whoever ended them. */
  readonly #onGone: () => void;
  /** Settles when `exited` was told. */
  #exit: Promise<void> | undefined;

  constructor(
    definition: AgentDefinition,
    cwd: string,
    listener: AgentListener,
    world: ConnectionWorld,
    onGone: () => void,
  ) {
    this.#onGone = onGone;
    this.#definition = definition;
    this.#world = world;
    this.#listener = listener;
    this.#launchedAt = world.clock.now();
    this.#calls = new Calls(world.clock, world.log, (error) => this.#signInFailure(error));
    this.#sessions = new Sessions(listener, world.log, cwd);
    this.#requests = new OpenRequests(world.log);
    this.#wire = new Wire((text) => this.#process.write(text), world.maxMessage, {
      update: (params) => this.#sessions.update(params),
      noise: (line) => this.#logLine(line.slice(0, maxLogLine)),
      resumed: () => this.#sessions.flush(),
      tooLong: () => this.#break(tooLong(world.maxMessage)),
      inputClosed: () => this.#closed('agent.inputClosed'),
    });
    this.#process = this.#launch(cwd);
    this.ready = this.#start();
  }

  async newSession(cwd: string): Promise<Result<SessionOpened>> {
    return this.#open('session/new', { cwd }, (answer) => {
      const sessionId = textOf(answer['sessionId']);
      if (sessionId === '') return fail('unavailable', 'agent.noSessionId');
      this.#sessions.add(sessionId, cwd);
      return ok(this.#opened(sessionId, answer));
    });
  }

  /** Resuming is preferred: it repeats nothing. Some agents offer it and do not know it (ACP.md 5.2), so loading is next. */
  async loadSession(sessionId: string, cwd: string): Promise<Result<SessionOpened>> {
    const info = await this.ready;
    if (!info.ok) return info;
    const { resumeSession, loadSession } = info.value;
    const resumed = resumeSession ? await this.#takeUp('session/resume', sessionId, cwd) : undefined;
    if (resumed?.ok || !loadSession) return resumed ?? fail('unavailable', 'agent.cannotLoad');
    return this.#takeUp('session/load', sessionId, cwd);
  }

  async prompt(sessionId: string, blocks: readonly PromptBlock[]): Promise<Result<StopReason>> {
    if (this.#calls.ended) return { ok: false, error: this.#calls.ended };
    this.#sessions.get(sessionId).beginTurn();
    const answer = await this.#calls.ask('session/prompt', { sessionId, prompt: blocks.map(promptBlock) });
    // Once a stop was asked the turn is over, whatever the agent still says of it (SPEC section 4).
    if (wasStopped(this.#calls)) return ok('cancelled');
    if (answer.ok) return ok(stopReason(answer.value['stopReason']));
    return failures.errorCode(answer.error.cause) === failures.requestCancelled ? ok('cancelled') : answer;
  }

  cancel(sessionId: string): void {
    this.#calls.notify('session/cancel', { sessionId });
    this.#requests.cancel(sessionId);
  }

  async setOption(sessionId: string, optionId: string, value: string): Promise<Result<readonly Option[]>> {
    const { options } = this.#sessions.get(sessionId);
    const request = options.request(sessionId, optionId, value);
    if (!request.ok) return request;
    const answer = await this.#calls.ask(request.value.method, request.value.params, this.#world.timeouts.shortMs);
    if (!answer.ok) return answer;
    options.accepted(request.value, answer.value);
    return ok(options.list());
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** What the agent waits for is answered while it can still hear. */
  async #stop(): Promise<void> {
    this.#calls.ending(fail('unavailable', 'agent.stopAsked').error);
    this.#stopping.abort();
    this.#requests.cancel();
    await nextTurn();
    this.#calls.close();
    await this.#process.stop();
    await this.#exit;
    this.#onGone();
  }

  #launch(cwd: string): AgentProcess {
    const errors = new LineReader(
      maxLogLine,
      (line) => this.#logLine(line),
      (head) => this.#logLine(`${head}…`),
    );
    return this.#world.processes.launch(this.#definition, cwd, {
      output: (chunk) => this.#wire.receive(chunk),
      errors: (chunk) => errors.push(chunk),
      outputClosed: () => this.#closed('agent.outputClosed'),
      failed: (failure) => this.#calls.end(failure),
      ended: (exit) => {
        errors.end();
        this.#exit = new Promise((resolve) => this.#wire.finish(() => resolve(this.#exited(exit))));
      },
    });
  }

  async #start(): Promise<Result<AgentInfo>> {
    const info = await this.#initialize();
    if (info.ok) this.#info = info.value;
    else void this.stop();
    return info;
  }

  async #initialize(): Promise<Result<AgentInfo>> {
    const sdk = await this.#world.loadSdk();
    if (sdk.ok) this.#connect(sdk.value);
    this.#wire.start();
    if (!sdk.ok) return sdk;
    const { startTimeoutMs } = this.#definition;
    const left = startTimeoutMs - (this.#world.clock.now() - this.#launchedAt);
    const answer = await this.#calls.ask('initialize', introduction(this.#world.version), Math.max(1, left));
    if (answer.ok) return readIntroduction(answer.value, this.#definition);
    return { ok: false, error: this.#startFailure(answer.error) };
  }

  #connect(sdk: typeof Sdk): void {
    const app = serveRequests(sdk, sdk.client({ name: 'sidekicks' }), {
      listener: this.#listener,
      open: this.#requests,
      questions: new Questions(this.#listener, this.#requests),
      log: this.#world.log,
      stopping: this.#stopping.signal,
      session: (sessionId) => this.#sessions.get(sessionId),
      agentName: () => this.#info?.name ?? '',
    });
    const connection = app.connect(this.#wire.stream);
    this.#calls.connect(connection);
    void connection.closed.then(() => {
      const what = causeText(connection.signal.reason);
      if (!this.#calls.ended) this.#break(fail('internal', 'error.internal', { what }, connection.signal.reason).error);
    });
  }

  #startFailure(failure: Failure): Failure {
    const output = this.#lastOutput();
    if (failure.text === 'agent.noAnswer') {
      const seconds = this.#definition.startTimeoutMs / 1000;
      return fail('timeout', 'agent.startTimeout', { seconds, output }).error;
    }
    if (failure.text !== 'agent.said') return failure;
    return fail('unavailable', 'agent.startRefused', { ...failure.values, output }, failure.cause).error;
  }

  async #takeUp(method: string, sessionId: string, cwd: string): Promise<Result<SessionOpened>> {
    const session = this.#sessions.add(sessionId, cwd);
    session.replaying = true;
    const opened = await this.#open(method, { sessionId, cwd }, (answer) => ok(this.#opened(sessionId, answer)));
    session.replaying = false;
    return opened;
  }

  async #open(
    method: string,
    params: Json,
    read: (answer: Json) => Result<SessionOpened>,
  ): Promise<Result<SessionOpened>> {
    const info = await this.ready;
    if (!info.ok) return info;
    this.#sessions.opening();
    const mcpServers = usableServers(this.#definition, info.value);
    const answer = await this.#calls.ask(method, { ...params, mcpServers }, this.#world.timeouts.sessionMs);
    const opened = answer.ok ? read(answer.value) : answer;
    this.#sessions.opened();
    return opened;
  }

  #opened(sessionId: string, answer: Json): SessionOpened {
    const { options } = this.#sessions.get(sessionId);
    options.take(answer);
    return { sessionId, options: options.list() };
  }

  #signInFailure(error: unknown): Failure {
    const data = error instanceof Error && 'data' in error ? objectOf(error.data) : {};
    const known = this.#info?.authMethods ?? [];
    const ways = known.length > 0 ? known : readAuthMethods(data['authMethods'], this.#definition);
    this.#listener.signInNeeded(ways);
    return failures.signInFailure(error, ways, this.#definition);
  }

  #logLine(line: string): void {
    const shown = harmless(line);
    if (shown.trim() === '') return;
    this.#recent = [...this.#recent, shown].slice(-lastLines);
    this.#listener.logged(shown);
  }

  #lastOutput(): string {
    return this.#recent.map((line) => `\n${line}`).join('');
  }

  #closed(text: 'agent.inputClosed' | 'agent.outputClosed'): void {
    if (this.#calls.ended) return;
    this.#world.clock.after(closedMs, () => this.#break(fail('unavailable', text).error));
  }

  /** The connection is of no more use, whatever the process does. */
  #break(failure: Failure): void {
    if (this.#calls.ended) return;
    this.#calls.end(failure);
    void this.#tellBroken(failure);
    void this.stop();
  }

  async #tellBroken(failure: Failure): Promise<void> {
    await this.ready;
    await nextTurn();
    this.#listener.broke(failure);
  }

  /** Whoever waits for an answer hears of the end by promises alone; `exited` comes after all of them. */
  async #exited(exit: Exit): Promise<void> {
    const early = this.#info === undefined;
    this.#calls.end(early ? failures.startExitFailure(exit, this.#lastOutput()) : failures.exitFailure(exit));
    await this.ready;
    await nextTurn();
    this.#listener.exited(exit);
    void this.stop();
  }
}

/** Of the event loop: everything that waits for a promise has run by then. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const wasStopped = ({ ended }: Calls): boolean => ended?.text === 'agent.stopAsked';

const tooLong = (maxMessage: number): Failure =>
  fail('unavailable', 'agent.messageTooLong', { limit: Math.round(maxMessage / (1 << 20)) }).error;
