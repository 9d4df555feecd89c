// What can be written to a history, as values that can be applied to the file, to memory, or to one after the other.
import type { History } from '../../core/ports.ts';
import type { Tables } from './tables.ts';

export interface Change {
  /** "" for one of no conversation, or of whichever has the message `removes`. */
  readonly conversation: string;
  readonly apply: (tables: Tables) => void;
  /** The id of a message that is gone after it. */
  readonly removes?: string;
  /** All messages of the conversation are gone after it. */
  readonly empties?: boolean;
}

export type Changing = Pick<
  History,
  | 'saveConversation'
  | 'deleteConversation'
  | 'clearConversation'
  | 'saveMessage'
  | 'deleteMessage'
  | 'saveMemberSession'
  | 'forgetMemberSessions'
  | 'release'
  | 'saveDraft'
  | 'saveCommands'
>;

/** The methods of a history that write and give nothing. */
export function changing(write: (change: Change) => void): Changing {
  const change =
    (conversation: string, more: Omit<Change, 'conversation' | 'apply'> = {}) =>
    (apply: Change['apply']): void => {
      write({ conversation, apply, ...more });
    };
  return {
    saveConversation: (conversation) => change(conversation.id)((tables) => tables.saveConversation(conversation)),
    deleteConversation: (id) => change(id, { empties: true })((tables) => tables.deleteConversation(id)),
    clearConversation: (id) => change(id, { empties: true })((tables) => tables.clearConversation(id)),
    saveMessage: (message, position, session) =>
      change(message.channel)((tables) => tables.saveMessage(message, position, session)),
    deleteMessage: (id) => change('', { removes: id })((tables) => tables.deleteMessage(id)),
    saveMemberSession: (conversation, agent, session) =>
      change(conversation)((tables) => tables.saveMemberSession(conversation, agent, session)),
    forgetMemberSessions: (conversation, since) =>
      change(conversation)((tables) => tables.forgetMemberSessions(conversation, since)),
    release: (conversation) => change(conversation)((tables) => tables.release(conversation)),
    saveDraft: (conversation, text) => change(conversation)((tables) => tables.saveDraft(conversation, text)),
    saveCommands: (agent, commands) => change('')((tables) => tables.saveCommands(agent, commands)),
  };
}
