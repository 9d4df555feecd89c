// Which ACP session serves a conversation at an agent's process, and how one is opened or taken up again (SPEC sections 5 and 10).
import type { AgentDefinition } from '../core/config.ts';
import type { Conversation, Message, Option } from '../core/contract/shapes.ts';
import { contextLimit } from '../core/conversation/context.ts';
import { ok, type Result } from '../core/errors.ts';
import type { History, SessionOpened } from '../core/ports.ts';
import type { OpenSession, RunningAgent } from './running.ts';
import { applyDefaults } from './session-defaults.ts';

export class Sessions {
  readonly #history: History;
  readonly #nextId: () => string;
  readonly #changed: (agent: string, session: OpenSession) => void;
  /** Agent, then conversation. */
  readonly #opening = new Map<string, Map<string, Promise<Result<OpenSession>>>>();
  /** Agent, then session id. */
  readonly #open = new Map<string, Map<string, OpenSession>>();

  /** `changed` is called when a session is open and its options are known. */
  constructor(history: History, nextId: () => string, changed: (agent: string, session: OpenSession) => void) {
    this.#history = history;
    this.#nextId = nextId;
    this.#changed = changed;
  }

  /** The session of a conversation, opened the first time; an attempt that failed is not remembered. */
  open(agent: RunningAgent, conversation: Conversation): Promise<Result<OpenSession>> {
    const { name } = agent.definition;
    const opening = this.#opening.get(name) ?? new Map<string, Promise<Result<OpenSession>>>();
    this.#opening.set(name, opening);
    const known = opening.get(conversation.id);
    if (known) return known;
    const attempt = this.#openNew(agent, conversation);
    opening.set(conversation.id, attempt);
    void attempt.then((result) => {
      if (!result.ok && opening.get(conversation.id) === attempt) opening.delete(conversation.id);
    });
    return attempt;
  }

  find(agent: string, sessionId: string): OpenSession | undefined {
    return this.#open.get(agent)?.get(sessionId);
  }

  of(agent: string, conversation: string): OpenSession | undefined {
    return [...(this.#open.get(agent)?.values() ?? [])].find((session) => session.conversation === conversation);
  }

  setOptions(agent: string, session: OpenSession, options: readonly Option[]): void {
    session.options = options;
    this.#changed(agent, session);
  }

  /** The messages this member has not seen, oldest first: those its next prompt tells it of (SPEC 5). */
  unseen(agent: string, session: OpenSession, prompt: string): readonly Message[] {
    const known = session.commands.size + 1;
    const messages = this.#history.unseen(session.conversation, agent, contextLimit + known);
    return messages.filter(({ id }) => id !== prompt && !session.commands.has(id)).slice(-contextLimit);
  }

  /** It was told all that is in the conversation now. */
  sawAll(agent: string, { conversation, sessionId, commands }: OpenSession): void {
    commands.clear();
    this.#history.saveMemberSession(conversation, agent, { sessionId, lastSeen: this.#nextId() });
  }

  /** A command goes alone: what it has not seen is told with its next prompt. */
  sawCommand(agent: string, session: OpenSession, prompt: string): void {
    if (this.unseen(agent, session, prompt).length === 0) this.sawAll(agent, session);
    else session.commands.add(prompt);
  }

  /** The agent's process is gone. */
  forgetAgent(agent: string): void {
    this.#opening.delete(agent);
    this.#open.delete(agent);
  }

  /** The conversation begins anew with every agent: nothing said before is told them. */
  forgetConversation(conversation: string): void {
    this.close(conversation);
    this.#history.forgetMemberSessions(conversation, this.#nextId());
  }

  /** Another Neovim changed the conversation: where it let the agents forget, a session of ours is used no more. */
  conversationChanged(conversation: string): void {
    const isForgotten = [...this.#open.keys()].some(
      (agent) => this.of(agent, conversation) && !this.#history.memberSession(conversation, agent),
    );
    if (isForgotten) this.close(conversation);
  }

  /** Its sessions are used no more. */
  close(conversation: string): void {
    for (const opening of this.#opening.values()) opening.delete(conversation);
    for (const sessions of this.#open.values()) {
      for (const [id, session] of sessions) if (session.conversation === conversation) sessions.delete(id);
    }
  }

  async #openNew(agent: RunningAgent, conversation: Conversation): Promise<Result<OpenSession>> {
    const { name } = agent.definition;
    const workspace = workspaceOf(agent.definition, conversation);
    const loaded = await this.#load(agent, conversation, workspace);
    if (loaded) return ok(this.#opened(name, loaded));
    const opened = await agent.connection.newSession(workspace);
    if (!opened.ok) return opened;
    this.#history.saveMemberSession(conversation.id, name, { sessionId: opened.value.sessionId, lastSeen: '' });
    const session = this.#register(name, newSession(opened.value, conversation.id, workspace));
    session.options = await applyDefaults(agent, session);
    return ok(this.#opened(name, session));
  }

  /** Undefined when the agent cannot take the session up, or does not know it any more: then a new one serves. */
  async #load(agent: RunningAgent, conversation: Conversation, workspace: string): Promise<OpenSession | undefined> {
    const { name } = agent.definition;
    const stored = this.#history.memberSession(conversation.id, name);
    if (!stored || !(agent.info.loadSession || agent.info.resumeSession)) return undefined;
    const session = this.#register(
      name,
      newSession({ sessionId: stored.sessionId, options: [] }, conversation.id, workspace),
    );
    session.replaying = true;
    const loaded = await agent.connection.loadSession(stored.sessionId, workspace);
    session.replaying = false;
    if (!loaded.ok) {
      this.#open.get(name)?.delete(stored.sessionId);
      return undefined;
    }
    session.options = loaded.value.options;
    return session;
  }

  #register(agent: string, session: OpenSession): OpenSession {
    const sessions = this.#open.get(agent) ?? new Map<string, OpenSession>();
    this.#open.set(agent, sessions);
    sessions.set(session.sessionId, session);
    return session;
  }

  #opened(agent: string, session: OpenSession): OpenSession {
    this.#changed(agent, session);
    return session;
  }
}

/** An agent without a workspace of its own works in the conversation's project (SPEC 5). */
export const workspaceOf = (definition: AgentDefinition, conversation: Conversation): string =>
  definition.workspace || conversation.project;

const newSession = (opened: SessionOpened, conversation: string, workspace: string): OpenSession => ({
  sessionId: opened.sessionId,
  options: opened.options,
  conversation,
  workspace,
  replaying: false,
  commands: new Set(),
});
