// A history of an earlier Sidekicks: everything in it is still there, and becomes searchable.
import Database from 'better-sqlite3';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { expect, test } from 'vitest';
import { historyPath } from '../../../../src/adapters/sqlite/file.ts';
import { applicationId, migrations } from '../../../../src/adapters/sqlite/migrations.ts';
import { answer, configPath, conversation, dataFolder, ids, message, open } from './support.ts';

/** As the first version wrote it: direct conversations, each message at the position of its id. */
function firstVersion(folder: string, count: number): void {
  const file = historyPath(folder, configPath);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const database = new Database(file);
  database.exec(migrations[0] ?? '');
  database.pragma(`application_id = ${applicationId}`);
  database.pragma('user_version = 1');
  database.pragma('journal_mode = WAL');
  database.exec(`insert into conversations values ('c', '', '', 'ann', '/p');
    insert into members values ('c', 'ann', 0);
    insert into sessions values ('c', 'ann', 's', '');
    insert into drafts values ('c', 'half a thought');`);
  const put = database.prepare('insert into messages values (?, ?, ?, ?, ?, ?, ?)');
  for (let at = 0; at < count; at++) {
    const id = `m${String(at).padStart(5, '0')}`;
    const one = at % 2 === 0 ? message(id, `question ${id}`) : answer(id, 'ann', `réponse ${id}`);
    put.run(id, 'c', id, at, one.role, one.agent, JSON.stringify(one));
  }
  database.close();
}

test('what was kept comes back, with who answered and the session, which has seen it all', () => {
  const folder = dataFolder();
  firstVersion(folder, 10);
  const history = open(folder);
  expect(history.problem).toBe('');
  expect(history.conversations()).toEqual([{ ...conversation('c', ['ann']), name: '', direct: 'ann' }]);
  expect(ids(history.messages('c', '', 3).messages)).toEqual(['m00007', 'm00008', 'm00009']);
  expect(history.answerers('c')).toEqual(['ann']);
  expect(history.memberSession('c', 'ann')).toEqual({ sessionId: 's', lastSeen: 'm00009' });
  expect(history.unseen('c', 'ann', 20)).toEqual([]);
  expect(history.draft('c')).toBe('half a thought');
});

test('its messages become searchable while it is in use, and new ones come first', async () => {
  const folder = dataFolder();
  firstVersion(folder, 500);
  const history = open(folder);
  history.saveMessage(message('n', 'une réponse'), 'n');
  history.saveMessage(answer('m00003', 'ann', 'réponse changed'), 'm00003');
  const found = () => history.search('reponse', 200).map(({ messageId }) => messageId);
  expect(found()).toContain('n');
  await expect.poll(() => history.search('m00001', 1), { timeout: 15_000, interval: 100 }).toHaveLength(1);
  expect(found().slice(0, 3)).toEqual(['m00003', 'n', 'm00499']);
  expect(found()).toHaveLength(200);
  history.close();
  expect(open(folder).search('changed', 10)).toHaveLength(1);
});
