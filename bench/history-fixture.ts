// Owns: a history with conversations of a hundred to a million messages, made once and kept. Must not: measure.
import Database from 'better-sqlite3';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { migrate } from '../src/adapters/sqlite/file.ts';
import { migrations } from '../src/adapters/sqlite/migrations.ts';
import { firstNumber, searchIndex, wordsOfEra } from '../src/adapters/sqlite/search-index.ts';
import type { Message } from '../src/core/contract/shapes.ts';
import { ROOT } from '../test/nvim/support/nvim.ts';

export const sizes = [100, 10_000, 1_000_000] as const;

/** The agent whose direct conversation has so many messages. */
export const agentOf = (size: number): string => `kept-${size}`;
/** A word of one message in the middle of the longest conversation. */
export const rareWord = 'quetzalcoatl';
export const commonWord = 'the';

const file = resolve(ROOT, `.deps/bench/history-${migrations.length}.db`);
const words = `the the the of to and a in file function error test line code path change read write build check return
  value type module import export config buffer window cursor message agent session channel history search index table
  query index commit branch merge review question answer because should would could before after between project`
  .split(/\s+/)
  .map((word) => word.trim());

/** Its path; the first time it takes minutes. */
export function historyFixture(step: (what: string) => void): string {
  if (existsSync(file)) return file;
  step('a history of a million messages is made, once: this takes a minute or two');
  const half = `${file}.half`;
  mkdirSync(dirname(file), { recursive: true });
  rmSync(half, { force: true });
  fill(half);
  renameSync(half, file);
  return file;
}

/** In plain inserts: saving a million messages one by one takes some times as long. */
function fill(half: string): void {
  const database = new Database(half);
  database.pragma('synchronous = off');
  database.pragma('cache_size = -200000');
  migrate(database);
  const putMessage = database.prepare(
    `insert into messages (id, conversation, position, created_at, role, agent, body)
     values (@id, @channel, @id, @createdAt, @role, @agent, @body)`,
  );
  const putText = database.prepare('insert into texts (number, message, body) values (?, ?, ?)');
  const putWords = database.prepare('insert into words (rowid, body) values (?, ?)');
  let number = firstNumber;
  database.transaction(() => {
    for (const size of sizes) {
      fillConversation(database, agentOf(size), size);
      for (let at = 0; at < size; at++) {
        const { message, text } = messageAt(agentOf(size), at, at === size / 2);
        putMessage.run({ ...message, body: JSON.stringify(message) });
        putText.run(number, message.id, text);
        putWords.run(number, wordsOfEra(number, text));
        number++;
      }
    }
  })();
  putTogether(database);
  database.close();
}

/** As a history in use is: what the index grew by has come together while nobody waited. */
function putTogether(database: Database.Database): void {
  const index = searchIndex(database);
  while (index.merge());
}

function fillConversation(database: Database.Database, agent: string, size: number): void {
  database
    .prepare(`insert into conversations (id, name, description, direct, project) values (?, '', '', ?, '')`)
    .run(agent, agent);
  database.prepare('insert into members (conversation, agent, position) values (?, ?, 0)').run(agent, agent);
  database
    .prepare('insert into answered (conversation, agent, position) values (?, ?, ?)')
    .run(agent, agent, idAt(agent, size - 1));
}

export const idAt = (channel: string, at: number): string => `${channel}-${String(at).padStart(8, '0')}`;

const firstTime = Date.UTC(2026, 0, 1);
const minute = 60_000;

/** Questions and answers in turn. */
function messageAt(channel: string, at: number, rare: boolean): { readonly message: Message; readonly text: string } {
  const role = at % 2 === 0 ? 'user' : 'agent';
  const text = `${textAt(at, role === 'agent' ? 40 : 12)}${rare ? ` ${rareWord}` : ''}`;
  const message: Message = {
    id: idAt(channel, at),
    channel,
    createdAt: firstTime + at * minute,
    agent: role === 'agent' ? channel : '',
    role,
    parts: [{ kind: 'text', text }],
    done: true,
    queued: false,
    stopReason: role === 'agent' ? 'end_turn' : '',
    error: '',
    code: '',
    attachments: [],
  };
  return { message, text };
}

/** The same text for the same place: most words common, some of few messages. */
function textAt(at: number, count: number): string {
  const from = (at * 7919) % (manyWords.length - count);
  return `${manyWords.slice(from, from + count).join(' ')} ${nameAt(at)}`;
}

export const nameAt = (at: number): string => `name${at % 50_000}`;

/** The end of the last message of a conversation. */
export const lastWord = (size: number): string => nameAt(size - 1);

const manyWords = Array.from(
  { length: 20_000 },
  (_, at) => words[(at * at + 31 * at + (at >> 3)) % words.length] ?? '',
);
