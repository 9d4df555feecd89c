// What each run did, for the others to read: a list that is appended to, and trimmed at its beginning. Watches nothing.
import type Database from 'better-sqlite3';
import type { HistoryChanges } from '../../core/ports.ts';

/** Others that read less than once in so many entries look at everything anew. */
const kept = 10_000;
/** Trimming now and then is enough. */
const trimEvery = 500;

export type Kind = 'conversation' | 'cleared' | 'message' | 'claim' | 'everything';

interface Entry {
  readonly sequence: number;
  readonly kind: Kind;
  readonly conversation: string;
  readonly message: string;
  readonly run: string;
}

export interface Journal {
  /** Belongs into the transaction of what it tells. */
  note(kind: Kind, conversation: string, message?: string): void;
  /** What other runs noted since the last call; undefined if that is nothing. */
  readonly read: () => HistoryChanges | undefined;
}

export function openJournal(database: Database.Database, run: string): Journal {
  const add = database.prepare('insert into journal (kind, conversation, message, run) values (?, ?, ?, ?)');
  const trim = database.prepare('delete from journal where sequence <= ?');
  const last = database
    .prepare<[], number>(`select coalesce((select seq from sqlite_sequence where name = 'journal'), 0)`)
    .pluck();
  const after = database.prepare<[number], Entry>('select * from journal where sequence > ? order by sequence');
  let read = last.get() ?? 0;
  return {
    note: (kind, conversation, message = '') => {
      const sequence = Number(add.run(kind, conversation, message, run).lastInsertRowid);
      if (sequence % trimEvery === 0) trim.run(sequence - kept);
    },
    read: () => {
      const entries = after.all(read);
      const expected = read + 1;
      read = entries.at(-1)?.sequence ?? read;
      const theirs = entries.filter((entry) => entry.run !== run);
      if (theirs.length === 0) return undefined;
      return summary(theirs, entries[0]?.sequence !== expected);
    },
  };
}

function summary(entries: readonly Entry[], gap: boolean): HistoryChanges {
  const of = (kind: Kind): string[] => [
    ...new Set(entries.filter((entry) => entry.kind === kind).map(({ conversation }) => conversation)),
  ];
  const messages = new Map(
    entries
      .filter(({ kind }) => kind === 'message')
      .map(({ conversation, message: id }) => [id, { conversation, id }] as const),
  );
  return {
    everything: gap || entries.some(({ kind }) => kind === 'everything'),
    conversations: of('conversation'),
    cleared: of('cleared'),
    messages: [...messages.values()],
    claims: of('claim'),
  };
}
