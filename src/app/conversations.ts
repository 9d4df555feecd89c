// Holds the state of every conversation in use, feeds events to core and carries its effects out. Talks to agents only through `TurnPorts`.
import type { Conversation, Message } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import { turnSummary } from '../core/conversation/told.ts';
import { stepConversation } from '../core/conversation/step.ts';
import {
  newConversationState,
  type ConversationEffect,
  type ConversationEvent,
  type ConversationState,
} from '../core/conversation/state.ts';
import type { Clock, History, PermissionOutcome, QuestionOutcome, SessionUpdate } from '../core/ports.ts';
import { Claims } from './claims.ts';
import { UpdateGatherer } from './update-gatherer.ts';

/** What a conversation asks of the agents. */
export interface TurnPorts {
  openTurn(state: ConversationState): void;
  cancelPrompt(agent: string, conversation: string): void;
  release(agent: string, conversation: string): void;
  /** The conversation an agent answers before this one, "" when it is its turn. */
  waitingFor(agent: string, conversation: string): string;
}

/** What is kept, drawn or told. */
type ShownEffect = Extract<
  ConversationEffect,
  { type: 'saveMessage' | 'deleteMessage' | 'saveConversation' | 'undraw' | 'draw' | 'tell' }
>;

export type TurnSummary = ReturnType<typeof turnSummary>;

export interface ConversationsOptions {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly history: History;
  /** The names of all configured agents. */
  readonly agents: () => readonly string[];
  /** The ACP session in which an agent answers a conversation, "" where there is none. */
  readonly sessionOf: (agent: string, conversation: string) => string;
  readonly tell: (event: HostEvent) => void;
  readonly draw: (message: Message) => void;
  readonly undraw: (conversation: string, messageId: string) => void;
  readonly permissionsChanged: (conversation: string) => void;
}

export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #states = new Map<string, ConversationState>();
  readonly #answers = new Map<string, (outcome: PermissionOutcome) => void>();
  readonly #questions = new Map<string, (outcome: QuestionOutcome) => void>();
  readonly #untilIdle = new Set<() => void>();
  /** Deleted while an agent answered: what it still says is let go, and its end is awaited. */
  readonly #deleted = new Set<string>();
  readonly #claims: Claims;
  readonly #gatherer: UpdateGatherer;
  #turns: TurnPorts | undefined;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#gatherer = new UpdateGatherer(options.clock, (id, agent, updates) => {
      this.#step(id, { type: 'updated', agent, updates });
    });
    this.#claims = new Claims(options.history, (id, event) => {
      this.step(id, event);
    });
    for (const conversation of options.history.conversations()) this.add(conversation);
  }

  /** The agents are known after the conversations: each needs the other. */
  connect(turns: TurnPorts): void {
    this.#turns = turns;
  }

  list(): ConversationState[] {
    return [...this.#states.values()].filter(({ conversation }) => !this.#deleted.has(conversation.id));
  }

  get(id: string): ConversationState | undefined {
    return this.#deleted.has(id) ? undefined : this.#states.get(id);
  }

  create(conversation: Conversation): void {
    this.#options.history.saveConversation(conversation);
    this.add(conversation);
    this.#tellList();
  }

  /** One that history holds already. */
  add(conversation: Conversation): void {
    const { id, direct } = conversation;
    const answerers = direct === '' ? this.#options.history.answerers(id) : [];
    this.#states.set(id, newConversationState(conversation, answerers));
    this.#claims.look(id);
  }

  /** It is gone at once; an agent that answers there is cancelled, and freed when it has ended (SPEC 5, `Delete`). */
  remove(id: string): void {
    if (!this.get(id)) return;
    this.step(id, { type: 'cancelRequested' });
    this.#deleted.add(id);
    this.#claims.forget(id);
    this.#forgetIfOver(id);
    this.#tellList();
  }

  /** Another Neovim made it, or changed its name or members. */
  replace(conversation: Conversation): void {
    if (this.#states.has(conversation.id)) this.step(conversation.id, { type: 'conversationReplaced', conversation });
    else this.add(conversation);
    this.#tellList();
  }

  /** Looks who answers there in another Neovim. */
  look(id: string): void {
    if (this.get(id)) this.#claims.look(id);
  }

  /** Tells whose turn it is in a conversation that waits for an agent. */
  tellTurn(id: string): void {
    const state = this.get(id);
    if (state) this.#options.tell({ name: 'turn:changed', payload: this.turnSummary(state) });
  }

  turnSummary(state: ConversationState): TurnSummary {
    const { turn, conversation } = state;
    const waitingFor = turn ? (this.#turns?.waitingFor(turn.agent, conversation.id) ?? '') : '';
    return { ...turnSummary(state), waitingFor };
  }

  /** Name, members or the whole list changed. */
  #tellList(): void {
    this.#options.tell({ name: 'channels:changed', payload: { channels: this.list().map((one) => one.conversation) } });
  }

  #forgetIfOver(id: string): void {
    if (!this.#deleted.has(id) || this.#states.get(id)?.turn) return;
    this.#states.delete(id);
    this.#deleted.delete(id);
  }

  /** Feeds one event; updates gathered before it are fed first, so that the order of the wire holds. */
  step(id: string, event: ConversationEvent): void {
    this.#gatherer.flush(id);
    this.#step(id, event);
  }

  /** An update of a session, gathered with its neighbours. */
  updated(id: string, agent: string, update: SessionUpdate): void {
    this.#gatherer.add(id, agent, update);
  }

  /** `answer` is called exactly once, by the person, a cancel or the end of the turn. */
  permissionRequested(
    id: string,
    event: Extract<ConversationEvent, { type: 'permissionRequested' }>,
    answer: (outcome: PermissionOutcome) => void,
  ): void {
    this.#answers.set(event.id, answer);
    this.step(id, event);
  }

  permissionWithdrawn(id: string, permission: string): void {
    this.#answers.delete(permission);
    this.step(id, { type: 'permissionWithdrawn', id: permission });
  }

  /** `answer` is called exactly once, as that of a permission request. */
  questionAsked(
    id: string,
    event: Extract<ConversationEvent, { type: 'questionAsked' }>,
    answer: (outcome: QuestionOutcome) => void,
  ): void {
    this.#questions.set(event.id, answer);
    this.step(id, event);
  }

  questionWithdrawn(id: string, question: string): void {
    this.#questions.delete(question);
    this.step(id, { type: 'questionWithdrawn', id: question });
  }

  /** Settles when no conversation has a turn. */
  async idle(): Promise<void> {
    while (this.list().some(({ turn }) => turn)) await new Promise<void>((resolve) => this.#untilIdle.add(resolve));
  }

  /** Nothing comes later: what was gathered is taken now. */
  stop(): void {
    this.#gatherer.flushAll();
    this.#claims.dispose();
  }

  /** The last messages of a conversation, those in memory included, oldest first. */
  recent(id: string, count: number): { readonly messages: readonly Message[]; readonly more: boolean } {
    const state = this.#states.get(id);
    const stored = this.#options.history.messages(id, '', count);
    const live = state?.turn ? [state.turn.answer, ...state.queue] : (state?.queue ?? []);
    const messages = [...stored.messages.filter((one) => !live.some((other) => other.id === one.id)), ...live];
    return { messages, more: stored.more };
  }

  #step(id: string, event: ConversationEvent): void {
    const state = this.#states.get(id);
    if (!state) return;
    const { clock, nextId, agents } = this.#options;
    const free = this.#claims.isFree(state, event);
    const stepped = stepConversation(state, event, { now: clock.now(), nextId, agents: agents(), free });
    this.#states.set(id, stepped.state);
    for (const effect of stepped.effects) this.#carryOut(id, effect);
    this.#claims.keep(state, stepped.state);
    if (state.turn && !stepped.state.turn) this.#turnEnded(id);
    if (stepped.state.turn?.permissions !== state.turn?.permissions) this.#options.permissionsChanged(id);
  }

  #turnEnded(id: string): void {
    this.#forgetIfOver(id);
    for (const resolve of this.#untilIdle) resolve();
    this.#untilIdle.clear();
  }

  #carryOut(id: string, effect: ConversationEffect): void {
    switch (effect.type) {
      case 'answerPermission':
        this.#answers.get(effect.id)?.(effect.outcome);
        this.#answers.delete(effect.id);
        return;
      case 'answerQuestion':
        this.#questions.get(effect.id)?.(effect.outcome);
        this.#questions.delete(effect.id);
        return;
      case 'openTurn':
        this.#turns?.openTurn(this.#mustGet(id));
        return;
      case 'cancelPrompt':
        this.#turns?.cancelPrompt(effect.agent, id);
        return;
      case 'releaseAgent':
        this.#turns?.release(effect.agent, id);
        return;
      case 'saveMessage':
      case 'deleteMessage':
      case 'saveConversation':
      case 'undraw':
      case 'draw':
      case 'tell':
        if (!this.#deleted.has(id)) this.#show(id, effect);
        return;
    }
  }

  #show(id: string, effect: ShownEffect): void {
    const { history, tell, draw, undraw, sessionOf } = this.#options;
    switch (effect.type) {
      case 'saveMessage':
        history.saveMessage(effect.message, effect.position, sessionOf(effect.message.agent, id));
        return;
      case 'deleteMessage':
        history.deleteMessage(effect.messageId);
        undraw(id, effect.messageId);
        return;
      case 'saveConversation':
        history.saveConversation(effect.conversation);
        this.#tellList();
        return;
      case 'undraw':
        undraw(id, effect.messageId);
        return;
      case 'draw':
        draw(effect.message);
        return;
      case 'tell':
        if (effect.event.name === 'turn:changed') this.tellTurn(id);
        else tell(effect.event);
        return;
    }
  }

  #mustGet(id: string): ConversationState {
    const state = this.#states.get(id);
    if (!state) throw new Error(`conversation ${id} is gone`);
    return state;
  }
}
