// The table of finished messages: pages by position, what a member has not been told, who answered. Knows no sessions.
import type Database from 'better-sqlite3';
import type { History } from '../../core/ports.ts';
import { keptMessages, type Clearing } from './clearing.ts';
import type { Journal } from './journal.ts';
import { readMessage } from './message-body.ts';
import type { SearchIndex } from './search-index.ts';

export type Messages = Pick<
  History,
  'message' | 'messages' | 'messagesAfter' | 'answerers' | 'saveMessage' | 'deleteMessage'
>;

export function messageTable(
  database: Database.Database,
  journal: Journal,
  index: SearchIndex,
  clearing: Clearing,
): Messages {
  return {
    ...reading(database),
    ...saving(database, journal, index, clearing),
    ...removing(database, journal, clearing),
  };
}

type Page = Readonly<Record<'conversation' | 'id', string>> & { readonly count: number };

function reading(database: Database.Database): Pick<Messages, 'message' | 'messages' | 'messagesAfter' | 'answerers'> {
  // Each with one border at either side at most: with two at one side, a page far back would be searched from the end.
  const page = (where: string, direction: 'asc' | 'desc'): Database.Statement<[Page], string> =>
    database
      .prepare<[Page], string>(
        `select body from messages where conversation = @conversation and ${where}
         order by position ${direction} limit @count`,
      )
      .pluck();
  const cleared = '(select cleared from conversations where id = @conversation)';
  const last = page(`position > ${cleared}`, 'desc');
  const older = page(`position > ${cleared} and position < (select position from messages where id = @id)`, 'desc');
  const newer = page(`position > (select m.position from ${keptMessages} where m.id = @id)`, 'asc');
  const one = database.prepare<[string], string>(`select body from ${keptMessages} where m.id = ?`).pluck();
  const answerers = database
    .prepare<[string], string>('select agent from answered where conversation = ? order by position')
    .pluck();
  return {
    message: (id) => {
      const body = one.get(id);
      return body === undefined ? undefined : readMessage(body);
    },
    messages: (conversation, beforeId, count) => {
      const statement = beforeId === '' ? last : older;
      const bodies = statement.all({ conversation, id: beforeId, count: count + 1 });
      const found = bodies.map(readMessage);
      return { messages: found.slice(0, count).reverse(), more: found.length > count };
    },
    messagesAfter: (conversation, id, count) => newer.all({ conversation, id, count }).map(readMessage),
    answerers: (conversation) => answerers.all(conversation),
  };
}

function saving(
  database: Database.Database,
  journal: Journal,
  index: SearchIndex,
  clearing: Clearing,
): Pick<Messages, 'saveMessage'> {
  const put = database.prepare(
    `insert into messages (id, conversation, position, created_at, role, agent, body, session)
     select @id, @channel, case when cleared < @position then @position else cleared || '!' || @position end,
       @createdAt, @role, @agent, @body, @session from conversations where id = @channel and not deleted
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
      clearing.removeCleared(id);
      const row = { id, channel, position, createdAt, role, agent, body: JSON.stringify(message), session };
      if (put.run(row).changes === 0) return;
      if (role === 'agent') answered.run(channel, agent, position);
      index.put(message);
      journal.note('message', channel, id);
    },
  };
}

function removing(database: Database.Database, journal: Journal, clearing: Clearing): Pick<Messages, 'deleteMessage'> {
  const find = database.prepare<[string], { readonly channel: string; readonly role: string; readonly agent: string }>(
    `select m.conversation as channel, m.role, m.agent from ${keptMessages} where m.id = ?`,
  );
  const forgetAnswered = database.prepare('delete from answered where conversation = ? and agent = ?');
  const findAnswered = database.prepare(
    `insert into answered select m.conversation, m.agent, m.position from ${keptMessages}
     where m.conversation = ? and m.role = 'agent' and m.agent = ? order by m.position desc limit 1`,
  );
  return {
    deleteMessage: (id) => {
      const found = find.get(id);
      if (!found) return;
      clearing.removeMessages([id]);
      if (found.role === 'agent') {
        forgetAnswered.run(found.channel, found.agent);
        findAnswered.run(found.channel, found.agent);
      }
      journal.note('message', found.channel, id);
    },
  };
}
