// The history of one configuration in SQLite (SPEC section 10): conversations, finished messages, sessions, drafts, commands.
// Stores and finds; decides nothing about what is worth keeping.
import type Database from 'better-sqlite3';
import type { Command, Conversation, Message } from '../../core/contract/shapes.ts';
import type { Failure } from '../../core/errors.ts';
import type { History, MemberSession } from '../../core/ports.ts';
import { historyPath, openFile } from './file.ts';

export interface HistoryOptions {
  readonly dataFolder: string;
  readonly configPath: string;
  readonly word: (failure: Failure) => string;
}

export function openHistory(options: HistoryOptions): History {
  const file = openFile(options.dataFolder, historyPath(options.dataFolder, options.configPath));
  const { database } = file;
  return {
    path: file.path,
    problem: file.problem ? options.word(file.problem) : '',
    ...conversationTable(database),
    ...messageTable(database),
    ...sessionTable(database),
    ...draftTable(database),
    ...commandTable(database),
    close: () => database.close(),
  };
}

function conversationTable(database: Database.Database): Pick<History, 'conversations' | 'saveConversation'> {
  const all = database.prepare<[], Omit<Conversation, 'members'>>('select * from conversations order by id');
  const members = database
    .prepare<[string], string>('select agent from members where conversation = ? order by position')
    .pluck();
  const put = database.prepare(
    `insert into conversations (id, name, description, direct, project) values (@id, @name, @description, @direct, @project)
     on conflict (id) do update set name = excluded.name, description = excluded.description`,
  );
  const clear = database.prepare('delete from members where conversation = ?');
  const join = database.prepare('insert into members (conversation, agent, position) values (?, ?, ?)');
  return {
    conversations: () => all.all().map((row) => ({ ...row, members: members.all(row.id) })),
    saveConversation: database.transaction((conversation: Conversation) => {
      const { members: agents, ...row } = conversation;
      put.run(row);
      clear.run(row.id);
      agents.forEach((agent, position) => join.run(row.id, agent, position));
    }),
  };
}

function messageTable(
  database: Database.Database,
): Pick<History, 'message' | 'messages' | 'saveMessage' | 'deleteMessage'> {
  const page = database
    .prepare<[string, string, string, number], string>(
      `select body from messages where conversation = ? and (? = '' or position < (select position from messages where id = ?))
       order by position desc limit ?`,
    )
    .pluck();
  const one = database.prepare<[string], string>('select body from messages where id = ?').pluck();
  const put = database.prepare(
    `insert into messages (id, conversation, position, created_at, role, agent, body)
     values (@id, @channel, @position, @createdAt, @role, @agent, @body) on conflict (id) do update set body = excluded.body`,
  );
  const remove = database.prepare('delete from messages where id = ?');
  const read = (body: string): Message => JSON.parse(body) as Message;
  return {
    message: (id) => {
      const body = one.get(id);
      return body === undefined ? undefined : read(body);
    },
    messages: (conversation, beforeId, count) => {
      const found = page.all(conversation, beforeId, beforeId, count + 1).map(read);
      return { messages: found.slice(0, count).reverse(), more: found.length > count };
    },
    saveMessage: (message, position) => {
      const { id, channel, createdAt, role, agent } = message;
      put.run({ id, channel, position, createdAt, role, agent, body: JSON.stringify(message) });
    },
    deleteMessage: (id) => void remove.run(id),
  };
}

function sessionTable(
  database: Database.Database,
): Pick<History, 'memberSession' | 'saveMemberSession' | 'forgetMemberSessions'> {
  const get = database.prepare<[string, string], MemberSession>(
    'select session as sessionId, last_seen as lastSeen from sessions where conversation = ? and agent = ?',
  );
  const put = database.prepare('replace into sessions (conversation, agent, session, last_seen) values (?, ?, ?, ?)');
  const forget = database.prepare('delete from sessions where conversation = ?');
  return {
    memberSession: (conversation, agent) => get.get(conversation, agent),
    saveMemberSession: (conversation, agent, session) =>
      void put.run(conversation, agent, session.sessionId, session.lastSeen),
    forgetMemberSessions: (conversation) => void forget.run(conversation),
  };
}

function draftTable(database: Database.Database): Pick<History, 'draft' | 'saveDraft'> {
  const get = database.prepare<[string], string>('select body from drafts where conversation = ?').pluck();
  const put = database.prepare('replace into drafts (conversation, body) values (?, ?)');
  const remove = database.prepare('delete from drafts where conversation = ?');
  return {
    draft: (conversation) => get.get(conversation) ?? '',
    saveDraft: (conversation, text) => {
      if (text === '') remove.run(conversation);
      else put.run(conversation, text);
    },
  };
}

function commandTable(database: Database.Database): Pick<History, 'commands' | 'saveCommands'> {
  const get = database.prepare<[string], string>('select body from commands where agent = ?').pluck();
  const put = database.prepare('replace into commands (agent, body) values (?, ?)');
  return {
    commands: (agent) => JSON.parse(get.get(agent) ?? '[]') as Command[],
    saveCommands: (agent, commands) => void put.run(agent, JSON.stringify(commands)),
  };
}
