// The tables of conversations and their members, of drafts, and of the commands agents announced.
import type Database from 'better-sqlite3';
import type { Command, Conversation } from '../../core/contract/shapes.ts';
import type { History } from '../../core/ports.ts';
import type { Journal } from './journal.ts';
import type { Run } from './runs.ts';

export type Conversations = Pick<History, 'conversations' | 'conversation' | 'saveConversation'>;

export function conversationTable(database: Database.Database, journal: Journal): Conversations {
  const columns = 'id, name, description, direct, project';
  const all = database.prepare<[], Omit<Conversation, 'members'>>(
    `select ${columns} from conversations where not deleted order by id`,
  );
  const one = database.prepare<[string], Omit<Conversation, 'members'>>(
    `select ${columns} from conversations where id = ? and not deleted`,
  );
  const members = database
    .prepare<[string], string>('select agent from members where conversation = ? order by position')
    .pluck();
  const put = database.prepare(
    `insert into conversations (${columns}) values (@id, @name, @description, @direct, @project)
     on conflict (id) do update set name = excluded.name, description = excluded.description, deleted = 0`,
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

/** A draft belongs to the run it is written in; those of runs that have ended go to the one that reads them next. */
export function draftTable(database: Database.Database, run: Run): Pick<History, 'draft' | 'saveDraft'> {
  const all = database.prepare<[string], { run: string; body: string }>(
    'select run, body from drafts where conversation = ?',
  );
  const put = database.prepare(
    'replace into drafts (conversation, run, body) select id, ?, ? from conversations where id = ? and not deleted',
  );
  const remove = database.prepare('delete from drafts where conversation = ? and run = ?');
  const taken = new Map<string, readonly string[]>();
  return {
    draft: (conversation) => {
      const rows = all.all(conversation);
      const left = rows.filter((row) => row.run !== run.id && !run.isAlive(row.run));
      taken.set(
        conversation,
        left.map((row) => row.run),
      );
      return [...left, ...rows.filter((row) => row.run === run.id)].map(({ body }) => body).join('\n\n');
    },
    saveDraft: (conversation, text) => {
      for (const other of [run.id, ...(taken.get(conversation) ?? [])]) remove.run(conversation, other);
      taken.delete(conversation);
      if (text === '') return;
      run.hold();
      put.run(run.id, text, conversation);
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
