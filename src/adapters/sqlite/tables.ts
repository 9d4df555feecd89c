// All that a history keeps, in one database, whether that is a file or memory. Writes belong into a transaction.
import type Database from 'better-sqlite3';
import type { History } from '../../core/ports.ts';
import { clearingOf } from './clearing.ts';
import { claimTable, type Claims } from './claims.ts';
import { commandTable, conversationTable, draftTable, type Conversations } from './conversations.ts';
import { openJournal, type Journal } from './journal.ts';
import { messageTable, type Messages } from './messages.ts';
import type { Run } from './runs.ts';
import { searchIndex, type SearchIndex } from './search-index.ts';
import { sessionTable, type Sessions } from './sessions.ts';

export type Tables = Conversations &
  Messages &
  Sessions &
  Claims &
  Pick<SearchIndex, 'search'> &
  Pick<Journal, 'read'> &
  Pick<History, 'clearConversation' | 'deleteConversation'> &
  Pick<History, 'draft' | 'saveDraft' | 'commands' | 'saveCommands'> & {
    /** Does a little of what can wait; false when nothing is left to do. */
    readonly keepUp: () => boolean;
  };

/** How many older messages are made searchable at once. */
const caughtUpAtOnce = 50;

export function openTables(database: Database.Database, run: Run): Tables {
  const journal = openJournal(database, run.id);
  const index = searchIndex(database);
  const { clearConversation, deleteConversation, sweep, ...clearing } = clearingOf(database, journal, index);
  return {
    ...conversationTable(database, journal),
    ...messageTable(database, journal, index, clearing),
    ...sessionTable(database, journal, run),
    ...claimTable(database, journal, run),
    ...draftTable(database, run),
    ...commandTable(database),
    clearConversation,
    deleteConversation,
    search: (words, limit) => index.search(words, limit),
    keepUp: () => sweep() || index.merge() || index.catchUp(caughtUpAtOnce),
    read: journal.read,
  };
}
