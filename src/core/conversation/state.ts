// What the host knows of one conversation while it works: its queue, its turn, its permission requests. Data only.
import type { Attachment, Conversation, Message, Permission, Usage } from '../contract/shapes.ts';
import type { HostEvent } from '../contract/events.ts';
import type { PermissionOutcome, PermissionRequest, SessionUpdate, StopReason } from '../ports.ts';

/** One agent answering one user message. */
export interface Turn {
  readonly agent: string;
  readonly prompt: Message;
  readonly answer: Message;
  /** `opening` until the prompt is on its way to the agent. */
  readonly phase: 'opening' | 'running' | 'cancelling';
  readonly permissions: readonly Permission[];
  /** Ids of the tool calls the person refused in this turn. */
  readonly rejected: readonly string[];
}

export interface ConversationState {
  readonly conversation: Conversation;
  /** The user's messages that wait for the answer in progress, in order. */
  readonly queue: readonly Message[];
  readonly turn?: Turn;
  /** The last finished answer: text that arrives late joins it (SPEC 5). */
  readonly lastAnswer?: Message;
  readonly usage: Readonly<Record<string, Usage>>;
}

/** `turn` is the id of the answer the event belongs to; an event of another turn changes nothing. */
export type ConversationEvent =
  | { readonly type: 'submitted'; readonly text: string; readonly attachments: readonly Attachment[] }
  | { readonly type: 'queuedEdited'; readonly messageId: string; readonly text: string }
  | { readonly type: 'queuedRemoved'; readonly messageId: string }
  | { readonly type: 'resent'; readonly message: Message }
  | { readonly type: 'promptSent'; readonly turn: string }
  | { readonly type: 'updated'; readonly agent: string; readonly updates: readonly SessionUpdate[] }
  | { readonly type: 'promptEnded'; readonly turn: string; readonly stopReason: StopReason }
  | { readonly type: 'promptFailed'; readonly turn: string; readonly words: string; readonly unavailable: boolean }
  | { readonly type: 'cancelRequested' }
  | { readonly type: 'sessionForgotten' }
  | { readonly type: 'permissionRequested'; readonly id: string; readonly request: PermissionRequest }
  | { readonly type: 'permissionAnswered'; readonly id: string; readonly optionId: string }
  | { readonly type: 'permissionWithdrawn'; readonly id: string };

export type ConversationEffect =
  | { readonly type: 'openTurn'; readonly agent: string; readonly prompt: Message }
  | { readonly type: 'cancelPrompt'; readonly agent: string }
  | { readonly type: 'answerPermission'; readonly id: string; readonly outcome: PermissionOutcome }
  /** `position` sorts it among the messages of its conversation; only the first save of a message decides. */
  | { readonly type: 'saveMessage'; readonly message: Message; readonly position: string }
  | { readonly type: 'deleteMessage'; readonly messageId: string }
  | { readonly type: 'releaseAgent'; readonly agent: string }
  /** It will be drawn again, at the end. */
  | { readonly type: 'undraw'; readonly messageId: string }
  /** The drawn form of this message changed. */
  | { readonly type: 'draw'; readonly message: Message }
  | { readonly type: 'tell'; readonly event: HostEvent };

/** What a step needs of the world. */
export interface Step {
  /** Whole milliseconds since 1970. */
  readonly now: number;
  /** A new sortable id. */
  readonly nextId: () => string;
}

export interface Stepped {
  readonly state: ConversationState;
  readonly effects: readonly ConversationEffect[];
}

export const newConversationState = (conversation: Conversation): ConversationState => ({
  conversation,
  queue: [],
  usage: {},
});
