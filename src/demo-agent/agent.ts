// Owns: the ACP face of the demo agent: its handlers, its sessions, one turn a session. Must not: decide what is said.
import { isAbsolute } from 'node:path';
import { agent, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type {
  AgentApp,
  AgentContext,
  AgentRequestContext,
  ClientCapabilities,
  InitializeRequest,
  InitializeResponse,
  LoadSessionRequest,
  PromptRequest,
  PromptResponse,
  SessionConfigOption,
  SessionInfo,
  SessionModeState,
  SetSessionConfigOptionRequest,
  StopReason,
  Stream,
} from '@agentclientprotocol/sdk';
import { Cancels } from './cancels.ts';
import { answer, availableCommands } from './commands.ts';
import { readPrompt } from './prompt.ts';
import type { Asked } from './prompt.ts';
import { newSession, recordPrompt } from './session.ts';
import type { Session } from './session.ts';
import { configOptions, modeState, withMode, withOption } from './settings.ts';
import type { Store } from './store.ts';
import type { Texts } from './texts/texts.ts';
import { Cancelled, Turn } from './turn.ts';

export const agentVersion = '0.1.0';

export interface DemoParts {
  readonly texts: Texts;
  readonly pace: number;
  readonly store: Store;
  readonly log: (line: string) => void;
}

interface Offer {
  modes: SessionModeState;
  configOptions: SessionConfigOption[];
}

export class DemoAgent {
  readonly #parts: DemoParts;
  readonly #sessions = new Map<string, Session>();
  readonly #cancels = new Cancels();
  #can: ClientCapabilities = {};

  constructor(parts: DemoParts) {
    this.#parts = parts;
  }

  connect(stream: Stream): void {
    this.#app().connect(this.#cancels.watch(stream));
  }

  /** Keeps what was said so far; for the end of the process in mid-turn. */
  keepAll(): void {
    for (const session of this.#sessions.values()) {
      if (session.isAnswering) this.#parts.store.save(session);
    }
  }

  #app(): AgentApp {
    return agent({ name: 'sidekicks-demo' })
      .onRequest(methods.agent.initialize, ({ params }) => this.#initialize(params))
      .onRequest(methods.agent.session.new, ({ params, client }) => this.#new(params.cwd, client))
      .onRequest(methods.agent.session.load, ({ params, client }) => this.#load(params, client))
      .onRequest(methods.agent.session.resume, ({ params, client }) => this.#resume(params, client))
      .onRequest(methods.agent.session.list, ({ params }) => ({ sessions: this.#list(params.cwd) }))
      .onRequest(methods.agent.session.setMode, ({ params, client }) =>
        this.#setMode(params.sessionId, params.modeId, client),
      )
      .onRequest(methods.agent.session.setConfigOption, ({ params }) => this.#setOption(params))
      .onRequest(methods.agent.session.prompt, (context) => this.#prompt(context));
  }

  #initialize(params: InitializeRequest): InitializeResponse {
    this.#can = params.clientCapabilities ?? {};
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'sidekicks-demo', title: this.#parts.texts.title, version: agentVersion },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {} },
      },
      authMethods: [],
    };
  }

  #new(cwd: string, client: AgentContext): { sessionId: string } & Offer {
    mustBeAbsolute(cwd);
    const session = newSession(cwd);
    this.#sessions.set(session.id, session);
    this.#parts.store.save(session);
    this.#announceCommands(session, client);
    return { sessionId: session.id, ...this.#offer(session) };
  }

  async #load(params: LoadSessionRequest, client: AgentContext): Promise<Offer> {
    const session = this.#takeUp(params);
    for (const update of session.entries) {
      await client.notify(methods.client.session.update, replayed(session.id, update));
    }
    this.#announceCommands(session, client);
    return this.#offer(session);
  }

  #resume(params: { sessionId: string; cwd: string }, client: AgentContext): Offer {
    const session = this.#takeUp(params);
    this.#announceCommands(session, client);
    return this.#offer(session);
  }

  #takeUp(params: { sessionId: string; cwd: string }): Session {
    mustBeAbsolute(params.cwd);
    const session = this.#sessions.get(params.sessionId) ?? this.#parts.store.load(params.sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(params.sessionId);
    session.cwd = params.cwd;
    this.#sessions.set(session.id, session);
    return session;
  }

  #list(cwd: string | null | undefined): SessionInfo[] {
    return this.#parts.store
      .list()
      .filter((session) => cwd == null || session.cwd === cwd)
      .map(({ id, cwd: folder, title, updatedAt }) => ({ sessionId: id, cwd: folder, title, updatedAt }));
  }

  async #setMode(sessionId: string, modeId: string, client: AgentContext): Promise<void> {
    const session = this.#session(sessionId);
    const settings = withMode(session.settings, modeId);
    if (settings === undefined) throw RequestError.invalidParams({ modeId });
    session.settings = settings;
    const update = { sessionUpdate: 'current_mode_update', currentModeId: settings.mode };
    await client.notify(methods.client.session.update, replayed(sessionId, update));
  }

  #setOption(params: SetSessionConfigOptionRequest): { configOptions: SessionConfigOption[] } {
    const session = this.#session(params.sessionId);
    const settings = withOption(session.settings, params.configId, params.value);
    if (settings === undefined) throw RequestError.invalidParams({ configId: params.configId, value: params.value });
    session.settings = settings;
    return { configOptions: this.#offer(session).configOptions };
  }

  async #prompt({ params, client, requestId, signal }: AgentRequestContext<PromptRequest>): Promise<PromptResponse> {
    const { texts, pace, store, log } = this.#parts;
    const turnSignal = AbortSignal.any([this.#cancels.signalOf(requestId), signal]);
    let outcome: StopReason | 'error' = 'error';
    try {
      const session = this.#session(params.sessionId);
      if (session.isAnswering) throw RequestError.invalidRequest(undefined, texts.busy);
      const asked = readPrompt(params.prompt);
      const turn = new Turn({ session, client, can: this.#can, texts, pace, signal: turnSignal });
      outcome = await keeping(session, store, asked, () => stopReason(turn, asked));
      return { stopReason: outcome };
    } finally {
      this.#cancels.forget(requestId);
      log(`session ${params.sessionId.slice(0, 8)}: ${outcome}`);
    }
  }

  #session(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  #offer(session: Session): Offer {
    const withBooleans = this.#can.session?.configOptions?.boolean != null;
    return {
      modes: modeState(session.settings, this.#parts.texts),
      configOptions: configOptions(session.settings, this.#parts.texts, withBooleans),
    };
  }

  /** After the answer that makes the session known to the client. */
  #announceCommands(session: Session, client: AgentContext): void {
    const commands = availableCommands(this.#parts.texts, this.#can);
    const update = { sessionUpdate: 'available_commands_update', availableCommands: commands };
    setImmediate(() => {
      client
        .notify(methods.client.session.update, replayed(session.id, update))
        .catch((error: unknown) => this.#parts.log(`commands not announced: ${String(error)}`));
    });
  }
}

/** Runs a turn of a session that is kept before and after it. */
async function keeping<T>(session: Session, store: Store, asked: Asked, work: () => Promise<T>): Promise<T> {
  session.isAnswering = true;
  recordPrompt(session, asked.text);
  store.save(session);
  try {
    return await work();
  } finally {
    session.isAnswering = false;
    store.save(session);
  }
}

async function stopReason(turn: Turn, asked: Asked): Promise<StopReason> {
  try {
    await answer(turn, asked);
    await turn.reportUsage();
    return 'end_turn';
  } catch (error) {
    if (error instanceof Cancelled) return 'cancelled';
    throw error;
  } finally {
    await turn.close();
  }
}

/** The parameters of an update that is not typed: read from disk, or built from several places. */
function replayed(sessionId: string, update: unknown): { sessionId: string; update: unknown } {
  return { sessionId, update };
}

function mustBeAbsolute(cwd: string): void {
  if (!isAbsolute(cwd)) throw RequestError.invalidParams({ cwd });
}
