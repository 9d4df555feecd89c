// Emptying histories: each copied first, also while another Neovim has it open (SPEC section 15).
import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHistory } from '../../../../src/adapters/sqlite/history.ts';
import { resetHistories } from '../../../../src/adapters/sqlite/reset.ts';
import type { History } from '../../../../src/core/ports.ts';
import { message as anyMessage } from './support.ts';

let data = '';

beforeEach(() => {
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'sidekicks-data-'));
});

afterEach(() => fs.rmSync(data, { recursive: true }));

const open = (configPath: string): History => openHistory({ dataFolder: data, configPath, word: ({ text }) => text });

const message = anyMessage('m', 'remember this');

function fill(history: History): void {
  history.saveConversation({ id: 'c', name: '', description: '', direct: 'bob', members: ['bob'], project: '/p' });
  history.saveMessage(message, '1');
  history.saveMessage({ ...message, id: 'a', role: 'agent', agent: 'bob' }, '2');
  history.saveMemberSession('c', 'bob', { sessionId: 's', lastSeen: '' });
  history.saveDraft('c', 'draft');
  history.saveCommands('bob', [{ name: 'x', description: '', hint: '' }]);
}

/** How much each table has, but for those that hold nothing a person said: what runs tell each other, and the index's own. */
function rows(file: string): Record<string, number> {
  const database = new Database(file, { readonly: true });
  const tables = database
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table'
         and name not in ('sqlite_sequence', 'journal', 'claims', 'backlog') and name not glob 'words*'`,
    )
    .pluck()
    .all();
  const counted = tables.map((table) => [table, database.prepare(`select count(*) from "${table}"`).pluck().get()]);
  database.close();
  return Object.fromEntries(counted) as Record<string, number>;
}

const value = (result: ReturnType<typeof resetHistories>) => (result.ok ? result.value : [result.error.text]);

test('the copy has everything, the history nothing, in every table', () => {
  const history = open('/a.yaml');
  fill(history);
  history.close();
  const [copy = ''] = value(resetHistories(data, '/a.yaml', '2026-01-02T03-04-05'));
  expect(path.basename(copy)).toBe('history.2026-01-02T03-04-05.db');
  expect(Object.values(rows(copy)).every((count) => count > 0)).toBe(true);
  expect(Object.values(rows(history.path)).every((count) => count === 0)).toBe(true);
  expect(fs.statSync(copy).mode & 0o777).toBe(0o600);
  expect(fs.readFileSync(copy).includes('remember')).toBe(true);
  expect(fs.readFileSync(history.path).includes('remember')).toBe(false);
  const again = open('/a.yaml');
  expect(again.problem).toBe('');
  expect(again.search('remember', 10)).toEqual([]);
  again.close();
});

/** A process of its own that has the history open; each line it is sent makes it say how many conversations it sees, then add one. */
const otherNeovim = `
  import { createInterface } from 'node:readline';
  const { openHistory } = await import(process.argv[1]);
  const history = openHistory({ dataFolder: process.argv[2], configPath: '/a.yaml', word: String });
  const add = (id) => history.saveConversation({ id, name: '', description: '', direct: id, members: [], project: '/p' });
  add('first');
  console.log('ready');
  for await (const id of createInterface({ input: process.stdin })) {
    console.log(history.conversations().length);
    add(id);
  }
  history.close();`;

test('another Neovim that has it open goes on with an empty one', async () => {
  const module = path.resolve(import.meta.dirname, '../../../../src/adapters/sqlite/history.ts');
  const other = spawn(process.execPath, ['--input-type=module', '--eval', otherNeovim, module, data]);
  const said = createInterface({ input: other.stdout })[Symbol.asyncIterator]();
  const next = async () => (await said.next()).value as string;
  expect(await next()).toBe('ready');
  expect(value(resetHistories(data, '/a.yaml', 'now'))).toHaveLength(1);
  other.stdin.write('second\n');
  expect(await next()).toBe('0');
  other.stdin.write('third\n');
  expect(await next()).toBe('1');
  other.stdin.end();
  await once(other, 'exit');
  const again = open('/a.yaml');
  expect(again.conversations().map(({ id }) => id)).toEqual(['second', 'third']);
  again.close();
});

test('twice in a second there are two copies', () => {
  open('/a.yaml').close();
  const first = value(resetHistories(data, '/a.yaml', 'now'));
  const second = value(resetHistories(data, '/a.yaml', 'now'));
  expect([...first, ...second].map((copy) => path.basename(copy))).toEqual(['history.now.db', 'history.now-2.db']);
});

test('all: of every configuration; copies of before are none', () => {
  for (const name of ['/a.yaml', '/b.yaml']) {
    const history = open(name);
    fill(history);
    history.close();
  }
  expect(value(resetHistories(data, undefined, 'one'))).toHaveLength(2);
  expect(value(resetHistories(data, undefined, 'two'))).toHaveLength(2);
  expect(value(resetHistories(path.join(data, 'none'), undefined, 'one'))).toEqual([]);
  expect(value(resetHistories(data, '/never.yaml', 'one'))).toEqual([]);
});

test('one that is not ours is moved away as it is', () => {
  const { path: file, ...history } = open('/a.yaml');
  history.close();
  fs.writeFileSync(file, 'not a database');
  const [copy = ''] = value(resetHistories(data, '/a.yaml', 'now'));
  expect(fs.readFileSync(copy, 'utf8')).toBe('not a database');
  expect(fs.existsSync(file)).toBe(false);
});
