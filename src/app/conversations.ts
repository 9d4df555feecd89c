// Holds the state of every conversation in use, feeds events to core and carries its effects out. Talks to agents only through `TurnPorts`.
import type { Conversation, Message } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import { stepConversation } from '../core/conversation/step.ts';
import {
  newConversationState,
  type ConversationEffect,
  type ConversationEvent,
  type ConversationState,
} from '../core/conversation/state.ts';
import type { Clock, History, PermissionOutcome, SessionUpdate } from '../core/ports.ts';

/** Streamed updates are gathered this long, so that drawing never follows single tokens (DESIGN "Drawing"). */
const gatherMs = 30;

/** What a conversation asks of the agents. */
export interface TurnPorts {
  openTurn(state: ConversationState): void;
  cancelPrompt(agent: string, conversation: string): void;
  release(agent: string, conversation: string): void;
}

export interface ConversationsOptions {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly history: History;
  readonly tell: (event: HostEvent) => void;
  readonly draw: (message: Message) => void;
  readonly undraw: (conversation: string, messageId: string) => void;
  readonly permissionsChanged: (conversation: string) => void;
}

interface Gathered {
  readonly agent: string;
  readonly updates: SessionUpdate[];
  readonly stopTimer: () => void;
}

export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #states = new Map<string, ConversationState>();
  readonly #gathered = new Map<string, Gathered>();
  readonly #lastFlush = new Map<string, number>();
  readonly #answers = new Map<string, (outcome: PermissionOutcome) => void>();
  readonly #untilIdle = new Set<() => void>();
  #turns: TurnPorts | undefined;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    for (const conversation of options.history.conversations()) {
      this.#states.set(conversation.id, newConversationState(conversation));
    }
  }

  /** The agents are known after the conversations: each needs the other. */
  connect(turns: TurnPorts): void {
    this.#turns = turns;
  }

  list(): ConversationState[] {
    return [...this.#states.values()];
  }

  get(id: string): ConversationState | undefined {
    return this.#states.get(id);
  }

  create(conversation: Conversation): ConversationState {
    const state = newConversationState(conversation);
    this.#states.set(conversation.id, state);
    this.#options.history.saveConversation(conversation);
    this.#options.tell({ name: 'channels:changed', payload: { channels: this.list().map((one) => one.conversation) } });
    return state;
  }

  /** Feeds one event; updates gathered before it are fed first, so that the order of the wire holds. */
  step(id: string, event: ConversationEvent): void {
    this.#flush(id);
    this.#step(id, event);
  }

  /** An update of a session, gathered with its neighbours. */
  updated(id: string, agent: string, update: SessionUpdate): void {
    const waiting = this.#gathered.get(id);
    if (waiting && waiting.agent !== agent) this.#flush(id);
    const gathered = this.#gathered.get(id) ?? this.#startGathering(id, agent);
    const last = gathered.updates.at(-1);
    if (last && (last.type === 'text' || last.type === 'thought') && last.type === update.type) {
      gathered.updates[gathered.updates.length - 1] = { type: last.type, text: last.text + update.text };
    } else {
      gathered.updates.push(update);
    }
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

  /** Settles when no conversation has a turn. */
  async idle(): Promise<void> {
    while (this.list().some(({ turn }) => turn)) await new Promise<void>((resolve) => this.#untilIdle.add(resolve));
  }

  /** Nothing comes later: what was gathered is taken now. */
  stop(): void {
    for (const id of [...this.#gathered.keys()]) this.#flush(id);
  }

  /** The last messages of a conversation, those in memory included, oldest first. */
  recent(id: string, count: number): { readonly messages: readonly Message[]; readonly more: boolean } {
    const state = this.#states.get(id);
    const stored = this.#options.history.messages(id, '', count);
    const live = state?.turn ? [state.turn.answer, ...state.queue] : (state?.queue ?? []);
    const messages = [...stored.messages.filter((one) => !live.some((other) => other.id === one.id)), ...live];
    return { messages, more: stored.more };
  }

  #startGathering(id: string, agent: string): Gathered {
    const { clock } = this.#options;
    const wait = Math.max(0, gatherMs - (clock.now() - (this.#lastFlush.get(id) ?? 0)));
    const gathered: Gathered = {
      agent,
      updates: [],
      stopTimer: clock.after(wait, () => {
        this.#flush(id);
      }),
    };
    this.#gathered.set(id, gathered);
    return gathered;
  }

  #flush(id: string): void {
    const gathered = this.#gathered.get(id);
    if (!gathered) return;
    gathered.stopTimer();
    this.#gathered.delete(id);
    this.#lastFlush.set(id, this.#options.clock.now());
    this.#step(id, { type: 'updated', agent: gathered.agent, updates: gathered.updates });
  }

  #step(id: string, event: ConversationEvent): void {
    const state = this.#states.get(id);
    if (!state) return;
    const { clock, nextId } = this.#options;
    const stepped = stepConversation(state, event, { now: clock.now(), nextId });
    this.#states.set(id, stepped.state);
    for (const effect of stepped.effects) this.#carryOut(id, effect);
    if (state.turn && !stepped.state.turn) this.#turnEnded();
    if (stepped.state.turn?.permissions !== state.turn?.permissions) this.#options.permissionsChanged(id);
  }

  #turnEnded(): void {
    for (const resolve of this.#untilIdle) resolve();
    this.#untilIdle.clear();
  }

  #carryOut(id: string, effect: ConversationEffect): void {
    const { history, tell, draw, undraw } = this.#options;
    switch (effect.type) {
      case 'saveMessage':
        history.saveMessage(effect.message, effect.position);
        return;
      case 'deleteMessage':
        history.deleteMessage(effect.messageId);
        undraw(id, effect.messageId);
        return;
      case 'undraw':
        undraw(id, effect.messageId);
        return;
      case 'draw':
        draw(effect.message);
        return;
      case 'tell':
        tell(effect.event);
        return;
      case 'answerPermission':
        this.#answers.get(effect.id)?.(effect.outcome);
        this.#answers.delete(effect.id);
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
    }
  }

  #mustGet(id: string): ConversationState {
    const state = this.#states.get(id);
    if (!state) throw new Error(`conversation ${id} is gone`);
    return state;
  }
}
