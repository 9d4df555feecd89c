// Carries a turn out: gets the agent, its session, sends the prompt, reports how it ended. Decides nothing about the conversation.
import type { Conversation, Message } from '../core/contract/shapes.ts';
import type { ConversationState, Turn } from '../core/conversation/state.ts';
import type { Failure, Result } from '../core/errors.ts';
import { fail } from '../core/errors.ts';
import type { Agents } from './agents.ts';
import type { Conversations, TurnPorts } from './conversations.ts';
import type { PromptContent } from './prompts.ts';
import type { OpenSession, RunningAgent, TurnRef } from './running.ts';
import type { Sessions } from './sessions.ts';

export interface TurnsOptions {
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly conversations: Conversations;
  /** The blocks of a prompt for an agent, read when its turn comes (SPEC 6). */
  readonly blocks: (prompt: Message, conversation: Conversation, agent: RunningAgent) => Promise<PromptContent>;
  /** What tells an agent of messages it has not seen, "" for none. */
  readonly contextText: (messages: readonly Message[]) => string;
  readonly word: (failure: Failure) => string;
  readonly observer: TurnObserver;
}

/** Who has to know when an agent works: `turnBegan` settles before it is asked, `turnEnded` before its answer is over. */
export interface TurnObserver {
  turnBegan(turn: TurnRef, workspace: string): Promise<void>;
  turnEnded(turn: TurnRef): Promise<void>;
}

export class Turns implements TurnPorts {
  readonly #options: TurnsOptions;
  /** Agent, then the conversations that wait for it; the first one is being answered (DESIGN invariant 2). */
  readonly #lines = new Map<string, { readonly conversation: string; readonly begin: () => void }[]>();

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  openTurn(state: ConversationState): void {
    const { turn, conversation } = state;
    if (!turn) return;
    this.#enqueue(turn.agent, conversation.id, () => {
      void this.#run(state, turn.answer.id, turn.agent);
    });
  }

  cancelPrompt(agent: string, conversation: string): void {
    const session = this.#options.sessions.of(agent, conversation);
    if (session) this.#options.agents.running(agent)?.connection.cancel(session.sessionId);
  }

  release(agent: string, conversation: string): void {
    const line = this.#lines.get(agent) ?? [];
    const first = line[0]?.conversation === conversation;
    this.#lines.set(
      agent,
      line.filter((one) => one.conversation !== conversation),
    );
    this.#options.agents.release(agent, conversation);
    const next = first ? this.#lines.get(agent)?.[0] : undefined;
    if (!next) return;
    this.#options.conversations.tellTurn(next.conversation);
    next.begin();
  }

  /** Whether it answers somewhere now. */
  isAnswering(agent: string): boolean {
    return (this.#lines.get(agent) ?? []).length > 0;
  }

  waitingFor(agent: string, conversation: string): string {
    const first = this.#lines.get(agent)?.[0]?.conversation ?? '';
    return first === conversation ? '' : first;
  }

  /** Opens the session of a conversation without a prompt, so that its commands and options are known. */
  async prepare(agent: string, conversation: Conversation): Promise<Result<undefined>> {
    const running = await this.#options.agents.use(agent, preparing(conversation.id));
    try {
      if (!running.ok) return running;
      const session = await this.#options.sessions.open(running.value, conversation);
      return session.ok ? { ok: true, value: undefined } : session;
    } finally {
      this.#options.agents.release(agent, preparing(conversation.id));
    }
  }

  #enqueue(agent: string, conversation: string, begin: () => void): void {
    const line = [...(this.#lines.get(agent) ?? []), { conversation, begin }];
    this.#lines.set(agent, line);
    if (line.length === 1) begin();
  }

  async #run(state: ConversationState, turn: string, agentName: string): Promise<void> {
    const { agents, sessions } = this.#options;
    const { conversation } = state;
    const agent = await agents.use(agentName, conversation.id);
    if (!this.#current(conversation.id, turn)) return;
    if (!agent.ok) {
      this.#unavailable(conversation.id, turn, agent.error);
      return;
    }
    const session = await sessions.open(agent.value, conversation);
    if (!this.#current(conversation.id, turn)) return;
    if (!session.ok) {
      this.#unavailable(conversation.id, turn, session.error);
      return;
    }
    await this.#prompt(state, turn, agent.value, session.value);
  }

  async #prompt(state: ConversationState, turn: string, agent: RunningAgent, session: OpenSession): Promise<void> {
    const { conversations, word, observer } = this.#options;
    const { id } = state.conversation;
    if (!state.turn) return;
    const content = await this.#content(state.turn, state.conversation, agent, session);
    const observed = { messageId: turn, channel: id, agent: agent.definition.name };
    await observer.turnBegan(observed, session.workspace);
    if (!this.#current(id, turn)) return observer.turnEnded(observed);
    for (const { path, why } of content.unavailable) {
      conversations.step(id, { type: 'attachmentFailed', turn, path, why: word(why) });
    }
    conversations.step(id, { type: 'promptSent', turn });
    const ended = await agent.connection.prompt(session.sessionId, content.blocks);
    await observer.turnEnded(observed);
    if (ended.ok) conversations.step(id, { type: 'promptEnded', turn, stopReason: ended.value });
    else conversations.step(id, { type: 'promptFailed', turn, words: word(ended.error), unavailable: false });
  }

  /** A command goes alone; any other message with what this agent has not seen (SPEC 5). */
  async #content(
    { prompt, command }: Turn,
    conversation: Conversation,
    agent: RunningAgent,
    session: OpenSession,
  ): Promise<PromptContent> {
    const { sessions, blocks, contextText } = this.#options;
    const { name } = agent.definition;
    if (command !== '') {
      sessions.sawCommand(name, session, prompt.id);
      return { blocks: [{ type: 'text', text: command }], unavailable: [] };
    }
    const context = contextText(sessions.unseen(name, session, prompt.id));
    sessions.sawAll(name, session);
    const own = await blocks(prompt, conversation, agent);
    return context === '' ? own : { ...own, blocks: [{ type: 'text', text: context }, ...own.blocks] };
  }

  #unavailable(id: string, turn: string, failure: Failure): void {
    const words = this.#options.word(failure);
    this.#options.conversations.step(id, { type: 'promptFailed', turn, words, unavailable: true });
  }

  #current(conversation: string, turn: string): boolean {
    return this.#options.conversations.get(conversation)?.turn?.answer.id === turn;
  }
}

/** Preparing is a use of its own: a turn that begins meanwhile must not lose the agent when preparing ends. */
const preparing = (conversation: string): string => `prepare ${conversation}`;

export const noConversation = () => fail('not-found', 'error.unknownConversation');
