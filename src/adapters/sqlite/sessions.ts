// The ACP sessions of members by run, and what each member has not been told yet.
import type Database from 'better-sqlite3';
import type { History, MemberSession } from '../../core/ports.ts';
import type { Journal } from './journal.ts';
import { readMessage } from './message-body.ts';
import type { Run } from './runs.ts';

export type Sessions = Pick<History, 'memberSession' | 'saveMemberSession' | 'forgetMemberSessions' | 'unseen'>;

interface Row extends MemberSession {
  readonly run: string;
}

export function sessionTable(database: Database.Database, journal: Journal, run: Run): Sessions {
  const all = database.prepare<[string, string], Row>(
    `select session as sessionId, last_seen as lastSeen, run from sessions where conversation = ? and agent = ?
     order by saved_at desc`,
  );
  const put = database.prepare(
    `replace into sessions (conversation, agent, run, session, last_seen, saved_at)
     select id, @agent, @run, @sessionId, @lastSeen, @now from conversations where id = @conversation and not deleted`,
  );
  const remove = database.prepare('delete from sessions where conversation = ? and agent = ? and run = ?');
  const forget = database.prepare('delete from sessions where conversation = ?');
  const mark = database.prepare('update conversations set since = ? where id = ?');

  /** This run's, else that of the last run that has ended. */
  const find = (rows: readonly Row[]): Row | undefined =>
    rows.find((row) => row.run === run.id) ?? rows.find((row) => !run.isAlive(row.run));
  const keep = (conversation: string, agent: string, { sessionId, lastSeen }: MemberSession, rows: readonly Row[]) => {
    run.hold();
    for (const row of rows) if (!run.isAlive(row.run)) remove.run(conversation, agent, row.run);
    put.run({ conversation, agent, run: run.id, sessionId, lastSeen, now: Date.now() });
  };
  const take = (conversation: string, agent: string): MemberSession | undefined => {
    const rows = all.all(conversation, agent);
    const found = find(rows);
    if (!found) return undefined;
    if (found.run !== run.id) keep(conversation, agent, found, rows);
    return { sessionId: found.sessionId, lastSeen: found.lastSeen };
  };
  return {
    // Taken in one step: two runs that start at once must not take up the same session.
    memberSession: take,
    saveMemberSession: (conversation, agent, session) => {
      keep(conversation, agent, session, all.all(conversation, agent));
    },
    forgetMemberSessions: (conversation, since) => {
      forget.run(conversation);
      mark.run(since, conversation);
      journal.note('conversation', conversation);
    },
    unseen: unseen(database, (conversation, agent) => find(all.all(conversation, agent))),
  };
}

function unseen(
  database: Database.Database,
  sessionOf: (conversation: string, agent: string) => MemberSession | undefined,
): Sessions['unseen'] {
  const find = database
    .prepare<[Record<string, string | number>], string>(
      // One lower border for the index, or all since the first message would be looked at; the plus keeps the others from it.
      `select m.body from conversations c join messages m on m.conversation = c.id
       where c.id = @conversation and m.position >= max(@lastSeen, c.cleared, c.since)
         and +m.position > @lastSeen and +m.position > c.cleared and m.role in ('user', 'agent')
         and not (m.role = 'agent' and m.agent = @agent and m.session <> '' and m.session = @sessionId)
         and not (m.role = 'user' and json_extract(m.body, '$.error') <> '')
       order by m.position desc limit @limit`,
    )
    .pluck();
  return (conversation, agent, limit) => {
    const { sessionId, lastSeen } = sessionOf(conversation, agent) ?? { sessionId: '', lastSeen: '' };
    return find.all({ conversation, agent, limit, sessionId, lastSeen }).map(readMessage).reverse();
  };
}
