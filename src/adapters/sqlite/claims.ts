// Which run answers a conversation: one at a time (SPEC section 10). What a run held that is dead counts for nothing.
import type Database from 'better-sqlite3';
import type { History } from '../../core/ports.ts';
import type { Journal } from './journal.ts';
import type { Run } from './runs.ts';

export type Claims = Pick<History, 'claim' | 'release' | 'claimedElsewhere'> & { readonly releaseAll: () => void };

interface Claim {
  readonly agent: string;
  readonly run: string;
}

export function claimTable(database: Database.Database, journal: Journal, run: Run): Claims {
  const find = database.prepare<[string], Claim>('select agent, run from claims where conversation = ?');
  const put = database.prepare(
    'replace into claims (conversation, agent, run) select id, ?, ? from conversations where id = ? and not deleted',
  );
  const remove = database.prepare('delete from claims where conversation = ? and run = ?');
  const mine = database.prepare<[string], string>('select conversation from claims where run = ?').pluck();
  const elsewhere = (conversation: string): string => {
    const claim = find.get(conversation);
    return claim && claim.run !== run.id && run.isAlive(claim.run) ? claim.agent : '';
  };
  const release = (conversation: string): void => {
    if (remove.run(conversation, run.id).changes > 0) journal.note('claim', conversation);
  };
  return {
    claim: (conversation, agent) => {
      if (elsewhere(conversation) !== '') return false;
      run.hold();
      const before = find.get(conversation);
      if (before?.run === run.id && before.agent === agent) return true;
      put.run(agent, run.id, conversation);
      journal.note('claim', conversation);
      return true;
    },
    release,
    releaseAll: () => {
      for (const conversation of mine.all(run.id)) release(conversation);
    },
    claimedElsewhere: elsewhere,
  };
}
