// The tables of conversations and their members, of drafts, and of the commands agents announced.
import type Database from 'better-sqlite3';
import type { Command, Conversation } from '../../core/contract/shapes.ts';
import type { History } from '../../core/ports.ts';
import type { Journal } from './journal.ts';

export type Conversations = Pick<History, 'conversations' | 'conversation' | 'saveConversation'>;

export function conversationTable(database: Database.Database, journal: Journal): Conversations {
  const columns = 'id, name, description, direct, project';
  const all = database.prepare<[], Omit<Conversation, 'members'>>(`select ${columns} from conversations order by id`);
  const one = database.prepare<[string], Omit<Conversation, 'members'>>(
    `select ${columns} from conversations where id = ?`,
  );
  const members = database
    .prepare<[string], string>('select agent from members where conversation = ? order by position')
    .pluck();
  const put = database.prepare(
    `insert into conversations (${columns}) values (@id, @name, @description, @direct, @project)
     on conflict (id) do update set name = excluded.name, description = excluded.description`,
  );
  const clear = database.prepare('delete from members where conversation = ?');
  const join = database.prepare('insert into members (conversation, agent, position) values (?, ?, ?)');
  return {
    conversations: () => all.all().map((row) => ({ ...row, members: members.all(row.id) })),
    conversation: (id) => {
      const row = one.get(id);
      return row && { ...row, members: members.all(id) };
    },
    saveConversation: (conversation) => {
      const { members: agents, ...row } = conversation;
      put.run(row);
      clear.run(row.id);
      agents.forEach((agent, position) => join.run(row.id, agent, position));
      journal.note('conversation', row.id);
    },
  };
}

export function draftTable(database: Database.Database): Pick<History, 'draft' | 'saveDraft'> {
  const get = database.prepare<[string], string>('select body from drafts where conversation = ?').pluck();
  const put = database.prepare('replace into drafts (conversation, body) select id, ? from conversations where id = ?');
  const remove = database.prepare('delete from drafts where conversation = ?');
  return {
    draft: (conversation) => get.get(conversation) ?? '',
    saveDraft: (conversation, text) => {
      if (text === '') remove.run(conversation);
      else put.run(text, conversation);
    },
  };
}

export function commandTable(database: Database.Database): Pick<History, 'commands' | 'saveCommands'> {
  const get = database.prepare<[string], string>('select body from commands where agent = ?').pluck();
  const put = database.prepare('replace into commands (agent, body) values (?, ?)');
  return {
    commands: (agent) => JSON.parse(get.get(agent) ?? '[]') as Command[],
    saveCommands: (agent, commands) => void put.run(agent, JSON.stringify(commands)),
  };
}
