// Takes away the messages of a cleared or deleted conversation: none of them is to be seen from that moment on, and they go
// bit by bit. Decides nothing about who may clear.
import type Database from 'better-sqlite3';
import type { History } from '../../core/ports.ts';
import type { Journal } from './journal.ts';
import type { SearchIndex } from './search-index.ts';

/** The messages `m` that are still to be seen, and their conversations `c`. */
export const keptMessages = 'messages m join conversations c on c.id = m.conversation and m.position > c.cleared';

export interface Clearing {
  readonly removeMessages: (ids: readonly string[]) => void;
  /** Takes away a message of that id that is out of sight. */
  readonly removeCleared: (id: string) => void;
}

export interface Sweeping extends Clearing, Pick<History, 'clearConversation' | 'deleteConversation'> {
  /** Takes away some of what is out of sight; false when nothing is left. */
  readonly sweep: () => boolean;
}

interface Cleared {
  readonly id: string;
  readonly cleared: string;
}

/** A few messages at a time, as they can be long, for so many milliseconds. */
const fewMessages = 20;
const sliceMs = 3;

export function clearingOf(database: Database.Database, journal: Journal, index: SearchIndex): Sweeping {
  const clearing = removing(database, index);
  const sweeping = sweepingOf(database, clearing);
  const hide = database.prepare<[{ readonly id: string; readonly deleted: number }]>(
    `update conversations set deleted = @deleted,
       cleared = max(cleared, coalesce((select max(position) from messages where conversation = @id), ''))
     where id = @id`,
  );
  const forget = (tables: readonly string[]): ((conversation: string) => void) => {
    const statements = tables.map((table) => database.prepare<[string]>(`delete from ${table} where conversation = ?`));
    return (conversation) => {
      for (const statement of statements) statement.run(conversation);
    };
  };
  const forgetSaid = forget(['sessions', 'answered']);
  const forgetAll = forget(['sessions', 'answered', 'members', 'drafts', 'claims']);
  return {
    ...clearing,
    clearConversation: (id) => {
      hide.run({ id, deleted: 0 });
      forgetSaid(id);
      sweeping.sweep();
      journal.note('cleared', id);
    },
    deleteConversation: (id) => {
      hide.run({ id, deleted: 1 });
      forgetAll(id);
      sweeping.sweep();
      journal.note('conversation', id);
    },
    sweep: sweeping.sweep,
  };
}

function removing(database: Database.Database, index: SearchIndex): Clearing {
  const remove = database.prepare('delete from messages where id in (select value from json_each(?))');
  const isCleared = database.prepare<[string]>(
    'select 1 from messages m join conversations c on c.id = m.conversation where m.id = ? and m.position <= c.cleared',
  );
  const removeMessages = (ids: readonly string[]): void => {
    index.remove(ids);
    remove.run(JSON.stringify(ids));
  };
  return {
    removeMessages,
    removeCleared: (id) => {
      if (isCleared.get(id)) removeMessages([id]);
    },
  };
}

function sweepingOf(database: Database.Database, { removeMessages }: Clearing): Pick<Sweeping, 'sweep'> {
  const next = database.prepare<[], Cleared>(
    `select id, cleared from conversations where cleared <> '' or deleted limit 1`,
  );
  const few = database
    .prepare<[string, string], string>(
      `select id from messages where conversation = ? and position <= ? order by position limit ${fewMessages}`,
    )
    .pluck();
  const reveal = database.prepare(`update conversations set cleared = '' where id = ?`);
  const remove = database.prepare('delete from conversations where id = ? and deleted');
  const sweepFew = ({ id, cleared }: Cleared): void => {
    const ids = few.all(id, cleared);
    removeMessages(ids);
    if (ids.length === fewMessages) return;
    reveal.run(id);
    remove.run(id);
  };
  return {
    sweep: () => {
      const until = performance.now() + sliceMs;
      for (;;) {
        const found = next.get();
        if (!found) return false;
        sweepFew(found);
        if (performance.now() >= until) return true;
      }
    },
  };
}
