// What is kept of conversations, shared by every Neovim (SPEC section 10). Interfaces and plain data only.
import type { Command, Conversation, Message } from '../contract/shapes.ts';

/** A member's ACP session in one conversation, and the position of the last message it saw there (SPEC 10). */
export interface MemberSession {
  readonly sessionId: string;
  readonly lastSeen: string;
}

/** What other runs did since the last call. A run is one host on one history, from `open` to `close` or its death. */
export interface HistoryChanges {
  /** Track was lost (a reset, a long sleep, a write of ours that failed for a while): anything may have changed. */
  readonly everything: boolean;
  /** Created, changed or deleted: those that `conversation` does not find any more. */
  readonly conversations: readonly string[];
  /** All their messages and sessions are gone. */
  readonly cleared: readonly string[];
  /** Saved or deleted: those that `message` does not find any more. */
  readonly messages: readonly { readonly conversation: string; readonly id: string }[];
  /** Conversations that were claimed or released. */
  readonly claims: readonly string[];
}

/** A message that has all the words searched for. */
export interface Hit {
  readonly channel: string;
  readonly messageId: string;
  readonly role: Message['role'];
  readonly agent: string;
  readonly createdAt: number;
  /** One line of the text around the words, without control characters. */
  readonly snippet: string;
}

export interface History {
  /** Why history lives in memory only, or why the last writes wait in memory; "" when all is well (SPEC 10). */
  readonly problem: string;
  readonly path: string;
  /** Calls back when `problem` says something else, until the function it gives is called. */
  watchProblem(changed: () => void): () => void;

  conversations(): readonly Conversation[];
  conversation(id: string): Conversation | undefined;
  /** Inserts, or replaces name, description and members. */
  saveConversation(conversation: Conversation): void;
  /** With all that belongs to it. */
  deleteConversation(id: string): void;
  /** All messages and sessions go; name, description, members and draft stay. */
  clearConversation(id: string): void;

  /** The last `count` messages before `beforeId` ("" for the end), oldest first. */
  messages(
    conversation: string,
    beforeId: string,
    count: number,
  ): { readonly messages: readonly Message[]; readonly more: boolean };
  /** The first `count` messages after `afterId`, oldest first. */
  messagesAfter(conversation: string, afterId: string, count: number): readonly Message[];
  message(id: string): Message | undefined;
  /**
   * Finished messages only; saving an id again replaces it and leaves it where it is. `position` sorts among the messages,
   * `session` is the ACP session an agent said it in. One for a conversation that was deleted meanwhile is dropped.
   */
  saveMessage(message: Message, position: string, session?: string): void;
  deleteMessage(id: string): void;
  /** The best matches, 200 at most, of messages with all `words`, the last one as a beginning; see `core/search.ts`. */
  search(words: string, limit: number): readonly Hit[];

  /**
   * The last `limit` finished messages of users and agents that a member has not been told, oldest first: placed after what it
   * saw last and not before what `forgetMemberSessions` named, without what it said itself in its present session.
   */
  unseen(conversation: string, agent: string, limit: number): readonly Message[];
  /** The agents that have answered there, the latest last. */
  answerers(conversation: string): readonly string[];
  /** This run's; else that of the last run that has ended, which becomes this run's. That of a living other run is not given. */
  memberSession(conversation: string, agent: string): MemberSession | undefined;
  /** As this run's. */
  saveMemberSession(conversation: string, agent: string, session: MemberSession): void;
  /**
   * The next turn of every member opens a new session, and nothing placed before the position `since` is told any more (SPEC 2,
   * `:Sidekicks new`). Other runs hear of a changed conversation and find no session of theirs.
   */
  forgetMemberSessions(conversation: string, since: string): void;

  /** Only one run answers a conversation: true when this one does from now on, with `agent`; saying so again changes the agent. */
  claim(conversation: string, agent: string): boolean;
  release(conversation: string): void;
  /** The agent another living run answers with there, "" when none does. */
  claimedElsewhere(conversation: string): string;
  /** Calls back once when no other living run answers there, at once or within a second, unless the function it gives is called before. */
  whenFree(conversation: string, free: () => void): () => void;
  /** Calls back within a second of what other runs did, until the function it gives is called. Costs nothing while nothing happens. */
  follow(changed: (changes: HistoryChanges) => void): () => void;

  /** This run's, and those of runs that have ended. */
  draft(conversation: string): string;
  /** As this run's; it takes the place of what `draft` gave. */
  saveDraft(conversation: string, text: string): void;
  commands(agent: string): readonly Command[];
  saveCommands(agent: string, commands: readonly Command[]): void;
  close(): void;
}
