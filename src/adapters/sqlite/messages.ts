// The table of finished messages: pages by position, what a member has not been told, who answered. Knows no sessions.
import type Database from 'better-sqlite3';
import type { History } from '../../core/ports.ts';
import type { Journal } from './journal.ts';
import { readMessage } from './message-body.ts';
import type { SearchIndex } from './search-index.ts';

export type Messages = Pick<
  History,
  'message' | 'messages' | 'answerers' | 'saveMessage' | 'deleteMessage' | 'clearConversation' | 'deleteConversation'
>;

export function messageTable(database: Database.Database, journal: Journal, index: SearchIndex): Messages {
  return { ...reading(database), ...saving(database, journal, index), ...removing(database, journal, index) };
}

function reading(database: Database.Database): Pick<Messages, 'message' | 'messages' | 'answerers'> {
  // Two statements: with a condition for both, a page far back would be searched from the end.
  const last = database
    .prepare<[string, number], string>(
      'select body from messages where conversation = ? order by position desc limit ?',
    )
    .pluck();
  const older = database
    .prepare<[string, string, number], string>(
      `select body from messages where conversation = ? and position < (select position from messages where id = ?)
       order by position desc limit ?`,
    )
    .pluck();
  const one = database.prepare<[string], string>('select body from messages where id = ?').pluck();
  const answerers = database
    .prepare<[string], string>('select agent from answered where conversation = ? order by position')
    .pluck();
  return {
    message: (id) => {
      const body = one.get(id);
      return body === undefined ? undefined : readMessage(body);
    },
    messages: (conversation, beforeId, count) => {
      const bodies = beforeId === '' ? last.all(conversation, count + 1) : older.all(conversation, beforeId, count + 1);
      const found = bodies.map(readMessage);
      return { messages: found.slice(0, count).reverse(), more: found.length > count };
    },
    answerers: (conversation) => answerers.all(conversation),
  };
}

function saving(database: Database.Database, journal: Journal, index: SearchIndex): Pick<Messages, 'saveMessage'> {
  const put = database.prepare(
    `insert into messages (id, conversation, position, created_at, role, agent, body, session)
     select @id, @channel, @position, @createdAt, @role, @agent, @body, @session from conversations where id = @channel
     on conflict (id) do update set
       body = excluded.body, session = case excluded.session when '' then session else excluded.session end`,
  );
  const answered = database.prepare(
    `insert into answered (conversation, agent, position) values (?, ?, ?)
     on conflict do update set position = max(position, excluded.position)`,
  );
  return {
    saveMessage: (message, position, session = '') => {
      const { id, channel, createdAt, role, agent } = message;
      const row = { id, channel, position, createdAt, role, agent, body: JSON.stringify(message), session };
      if (put.run(row).changes === 0) return;
      if (role === 'agent') answered.run(channel, agent, position);
      index.put(message);
      journal.note('message', channel, id);
    },
  };
}

function removing(
  database: Database.Database,
  journal: Journal,
  index: SearchIndex,
): Pick<Messages, 'deleteMessage' | 'clearConversation' | 'deleteConversation'> {
  const find = database.prepare<[string], { readonly channel: string; readonly role: string; readonly agent: string }>(
    'select conversation as channel, role, agent from messages where id = ?',
  );
  const remove = database.prepare('delete from messages where id = ?');
  const forgetAnswered = database.prepare('delete from answered where conversation = ? and agent = ?');
  const findAnswered = database.prepare(
    `insert into answered select conversation, agent, position from messages
     where conversation = ? and role = 'agent' and agent = ? order by position desc limit 1`,
  );
  const clear = ['messages', 'sessions', 'answered'].map((table) =>
    database.prepare<[string]>(`delete from ${table} where conversation = ?`),
  );
  const removeConversation = database.prepare('delete from conversations where id = ?');
  return {
    deleteMessage: (id) => {
      const found = find.get(id);
      if (!found) return;
      index.remove(id);
      remove.run(id);
      if (found.role === 'agent') {
        forgetAnswered.run(found.channel, found.agent);
        findAnswered.run(found.channel, found.agent);
      }
      journal.note('message', found.channel, id);
    },
    clearConversation: (id) => {
      index.removeAll(id);
      for (const statement of clear) statement.run(id);
      journal.note('cleared', id);
    },
    deleteConversation: (id) => {
      index.removeAll(id);
      removeConversation.run(id);
      journal.note('conversation', id);
    },
  };
}
