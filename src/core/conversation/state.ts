// What the host knows of one conversation while it works: its queue, its turn, its permission requests. Data only.
import type { Attachment, Conversation, Message, Permission, Question, Usage } from '../contract/shapes.ts';
import type { HostEvent } from '../contract/events.ts';
import type {
  PermissionOutcome,
  PermissionRequest,
  QuestionOutcome,
  QuestionRequest,
  SessionUpdate,
  StopReason,
} from '../ports.ts';
import type { Field } from '../question/fields.ts';

/** A question that waits, with what is needed to check its answer. */
export interface OpenQuestion {
  readonly question: Question;
  readonly fields: readonly Field[];
}

/** One agent answering one user message. */
export interface Turn {
  readonly agent: string;
  readonly prompt: Message;
  readonly answer: Message;
  /** `opening` until the prompt is on its way to the agent. */
  readonly phase: 'opening' | 'running' | 'cancelling';
  /** What is sent alone in place of the prompt's text, "" where it is no command (SPEC 5). */
  readonly command: string;
  /** Ids that sort before the answer's: for what is told of the prompt's files once they are read. */
  readonly notes: readonly string[];
  /** Whether an agent got the prompt before this one. */
  readonly reached: boolean;
  /** The mentioned agents that answer the same prompt after this one. */
  readonly next: readonly string[];
  readonly permissions: readonly Permission[];
  readonly questions: readonly OpenQuestion[];
  /** Ids of the tool calls the person refused in this turn. */
  readonly rejected: readonly string[];
}

export interface ConversationState {
  readonly conversation: Conversation;
  /** The user's messages that wait for the answer in progress, in order. */
  readonly queue: readonly Message[];
  readonly turn?: Turn;
  /** The agent that answers here for another Neovim, "" where none does (SPEC 10). */
  readonly elsewhere: string;
  /** The last finished answer of each agent: text that arrives late joins it (SPEC 5). */
  readonly lastAnswers: ReadonlyMap<string, Message>;
  /** The agents that have answered, the latest last. */
  readonly answerers: readonly string[];
  readonly usage: Readonly<Record<string, Usage>>;
}

/** `turn` is the id of the answer the event belongs to; an event of another turn changes nothing. */
export type ConversationEvent =
  | { readonly type: 'submitted'; readonly text: string; readonly attachments: readonly Attachment[] }
  | {
      readonly type: 'queuedEdited';
      readonly messageId: string;
      readonly text: string;
      readonly attachments: readonly Attachment[];
    }
  | { readonly type: 'queuedRemoved'; readonly messageId: string }
  | { readonly type: 'resent'; readonly message: Message }
  /** Neovim leaves: what waits goes back into the draft. */
  | { readonly type: 'queueTaken' }
  | { readonly type: 'promptSent'; readonly turn: string }
  | { readonly type: 'updated'; readonly agent: string; readonly updates: readonly SessionUpdate[] }
  | { readonly type: 'promptEnded'; readonly turn: string; readonly stopReason: StopReason }
  | { readonly type: 'promptFailed'; readonly turn: string; readonly words: string; readonly unavailable: boolean }
  | { readonly type: 'cancelRequested' }
  /** The agent is being stopped, or leaves the configuration. */
  | { readonly type: 'agentStopped'; readonly agent: string }
  | { readonly type: 'memberAdded'; readonly agent: string }
  | { readonly type: 'memberRemoved'; readonly agent: string }
  | { readonly type: 'renamed'; readonly name: string; readonly description: string }
  | { readonly type: 'cleared' }
  /** No other Neovim answers here any more: what waits can be sent. */
  | { readonly type: 'freed' }
  | { readonly type: 'answeredElsewhere'; readonly agent: string }
  /** Another Neovim changed the name, the description or the members. */
  | { readonly type: 'conversationReplaced'; readonly conversation: Conversation }
  /** Another Neovim kept a message, new or changed. */
  | { readonly type: 'arrived'; readonly message: Message }
  /** A file named with `$` could not be given to the agent; `path` and `why` are told (SPEC 6). */
  | { readonly type: 'attachmentFailed'; readonly turn: string; readonly path: string; readonly why: string }
  | { readonly type: 'sessionForgotten' }
  | { readonly type: 'permissionRequested'; readonly id: string; readonly request: PermissionRequest }
  | { readonly type: 'permissionAnswered'; readonly id: string; readonly optionId: string }
  | { readonly type: 'permissionWithdrawn'; readonly id: string }
  | { readonly type: 'questionAsked'; readonly id: string; readonly request: QuestionRequest }
  | { readonly type: 'questionAnswered'; readonly id: string; readonly outcome: QuestionOutcome }
  | { readonly type: 'questionWithdrawn'; readonly id: string };

export type ConversationEffect =
  | { readonly type: 'openTurn'; readonly agent: string; readonly prompt: Message }
  | { readonly type: 'cancelPrompt'; readonly agent: string }
  | { readonly type: 'answerPermission'; readonly id: string; readonly outcome: PermissionOutcome }
  | { readonly type: 'answerQuestion'; readonly id: string; readonly outcome: QuestionOutcome }
  /** `position` sorts it among the messages of its conversation; only the first save of a message decides. */
  | { readonly type: 'saveMessage'; readonly message: Message; readonly position: string }
  | { readonly type: 'deleteMessage'; readonly messageId: string }
  | { readonly type: 'releaseAgent'; readonly agent: string }
  /** Name, description or members changed. */
  | { readonly type: 'saveConversation'; readonly conversation: Conversation }
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
  /** The names of all configured agents. */
  readonly agents: readonly string[];
  /** Whether this Neovim may answer here now; where not, a message waits (SPEC 10). */
  readonly free: boolean;
}

export interface Stepped {
  readonly state: ConversationState;
  readonly effects: readonly ConversationEffect[];
}

export const newConversationState = (
  conversation: Conversation,
  answerers: readonly string[] = [],
): ConversationState => ({
  conversation,
  queue: [],
  elsewhere: '',
  lastAnswers: new Map(),
  answerers,
  usage: {},
});
