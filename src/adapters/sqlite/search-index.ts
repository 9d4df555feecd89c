// The full-text index of what users and agents said: texts with the titles of tool calls; no thoughts, no outputs, no notices.
import type Database from 'better-sqlite3';
import type { Message } from '../../core/contract/shapes.ts';
import type { Hit, History } from '../../core/ports.ts';
import { searchWords, snippet, textWords, type SearchWord } from '../../core/search.ts';
import { readMessage } from './message-body.ts';

/** What is said beyond so many characters is not found: a paste of many megabytes would hold up what is being said. */
const indexedLength = 500_000;
/** Newer messages have higher numbers; those of before the index was made are numbered downwards from here. */
export const firstNumber = 2 ** 40;
/**
 * So many numbers are an era, and each word is indexed with its era in front. A beginning of a word (`f…`) is slow to find
 * where a million messages have words with it; so is found what one era has of it, then the era before.
 */
const eraSize = 2 ** 15;

export interface SearchIndex extends Pick<History, 'search'> {
  /** Belongs into the transaction that saves the message. */
  put(message: Message): void;
  remove(ids: readonly string[]): void;
  /** Makes up to `count` older messages searchable, the newest of them first; false when none are left. */
  readonly catchUp: (count: number) => boolean;
  /** Puts some of the pieces the index grew by together; false when there is nothing to do. */
  readonly merge: () => boolean;
}

export function searchIndex(database: Database.Database): SearchIndex {
  return { ...indexing(database), ...catchingUp(database), ...merging(database), ...searching(database) };
}

function indexing(database: Database.Database): Pick<SearchIndex, 'put' | 'remove'> {
  const find = database.prepare<[string], number>('select number from texts where message = ?').pluck();
  const next = database.prepare<[], number>(`select coalesce(max(number) + 1, ${firstNumber}) from texts`).pluck();
  const { putText, putWords } = putting(database);
  const those = 'message in (select value from json_each(?))';
  const removeWords = database.prepare(`delete from words where rowid in (select number from texts where ${those})`);
  const removeTexts = database.prepare(`delete from texts where ${those}`);
  const remove = (ids: readonly string[]): void => {
    removeWords.run(JSON.stringify(ids));
    removeTexts.run(JSON.stringify(ids));
  };
  return {
    put: (message) => {
      const text = searchable(message);
      if (text === '') {
        remove([message.id]);
        return;
      }
      const number = find.get(message.id) ?? next.get() ?? firstNumber;
      putText.run(number, message.id, text);
      putWords.run(number, wordsOfEra(number, text));
    },
    remove,
  };
}

const putting = (database: Database.Database) => ({
  putText: database.prepare(
    'insert into texts (number, message, body) values (?, ?, ?) on conflict (number) do update set body = excluded.body',
  ),
  putWords: database.prepare('replace into words (rowid, body) values (?, ?)'),
});

function catchingUp(database: Database.Database): Pick<SearchIndex, 'catchUp'> {
  const before = database.prepare<[], string>('select before from backlog').pluck();
  const move = database.prepare('update backlog set before = ?');
  const done = database.prepare('delete from backlog');
  const older = database
    .prepare<[string, number], string>(
      `select body from messages where id < ? and id not in (select message from texts) order by id desc limit ?`,
    )
    .pluck();
  const lowest = database.prepare<[], number>(`select coalesce(min(number), ${firstNumber}) from texts`).pluck();
  const { putText, putWords } = putting(database);
  return {
    catchUp: (count) => {
      const end = before.get();
      if (end === undefined) return false;
      const messages = older.all(end, count).map(readMessage);
      const [oldest] = messages.reverse();
      const start = (lowest.get() ?? firstNumber) - messages.length;
      messages.forEach((message, at) => {
        const text = searchable(message);
        if (text === '') return;
        putText.run(start + at, message.id, text);
        putWords.run(start + at, wordsOfEra(start + at, text));
      });
      if (oldest) move.run(oldest.id);
      else done.run();
      return oldest !== undefined;
    },
  };
}

/** In pages of 4 KB: about a millisecond. */
const mergedAtOnce = 64;

function merging(database: Database.Database): Pick<SearchIndex, 'merge'> {
  const merge = database.prepare(`insert into words (words, rank) values ('merge', ${mergedAtOnce})`);
  const changes = database.prepare<[], number>('select total_changes()').pluck();
  return {
    merge: () => {
      const before = changes.get() ?? 0;
      merge.run();
      // As FTS5 has it: the command itself counts as one.
      return (changes.get() ?? 0) - before >= 2;
    },
  };
}

const eraOf = (number: number): number => Math.floor(number / eraSize);
/** Of one length for every era there can be, so that no era begins like another. */
const eraMark = (era: number): string => era.toString(36).padStart(6, '0');

/** What `words` has of a text with this number. */
export function wordsOfEra(number: number, text: string): string {
  const mark = eraMark(eraOf(number));
  return textWords(text)
    .map((word) => mark + word)
    .join(' ');
}

interface Found extends Omit<Hit, 'snippet'> {
  readonly text: string;
}

type Find = (query: Query, era: number, limit: number) => readonly Found[];
/** How an era is asked; the words must have been typed in some way for it to match. */
type Query = (era: number) => string;

function searching(database: Database.Database): Pick<SearchIndex, 'search'> {
  const rows = database.prepare<[string, number], Found>(
    `select m.conversation as channel, m.id as messageId, m.role, m.agent, m.created_at as createdAt, t.body as text
     from words join texts t on t.number = words.rowid join messages m on m.id = t.message
       join conversations c on c.id = m.conversation and m.position > c.cleared
     where words match ? order by words.rowid desc limit ?`,
  );
  const find: Find = (query, era, limit) => rows.all(query(era), limit);
  const ends = database.prepare<[], { readonly first: number | null; readonly last: number | null }>(
    'select (select min(number) from texts) as first, (select max(number) from texts) as last',
  );
  return {
    search: (typed, limit) => {
      const words = searchWords(typed);
      const { first, last } = ends.get() ?? {};
      if (words.length === 0 || typeof first !== 'number' || typeof last !== 'number') return [];
      const eras = Array.from({ length: eraOf(last) - eraOf(first) + 1 }, (_, back) => eraOf(last) - back);
      const found = findBest(find, queriesOf(words), eras, limit);
      return found.map(({ text, ...hit }) => ({ ...hit, snippet: snippet(text, words) }));
    },
  };
}

/**
 * Best first: the words as they were typed, then the words anywhere, then the last one as the beginning of a word; each the
 * newest first. No score of the usual kind, which reads every match, and a word can be in each of a million messages.
 */
function queriesOf(words: readonly SearchWord[]): { readonly strict: readonly Query[]; readonly loose: Query } {
  const phrase = (word: SearchWord, mark: string): string => `"${word.map((piece) => mark + piece).join(' ')}"`;
  const anywhere = (mark: string): string => words.map((word) => phrase(word, mark)).join(' ');
  const typed: Query = (era) => phrase(words.flat(), eraMark(era));
  const strict: readonly Query[] = words.length > 1 ? [typed, (era) => anywhere(eraMark(era))] : [typed];
  return { strict, loose: (era) => `${anywhere(eraMark(era))} *` };
}

/** Where one era is full of the words, they are looked for as typed in so many: a quarter of a million messages. */
const strictReach = 8;

/** The loosest way comes first, as it says which eras have anything at all. */
function findBest(
  find: Find,
  { strict, loose }: ReturnType<typeof queriesOf>,
  eras: readonly number[],
  limit: number,
): readonly Found[] {
  const matches = (query: Query, among: readonly number[]): readonly (readonly [number, Found])[] => {
    const found: (readonly [number, Found])[] = [];
    for (const era of among) {
      if (found.length >= limit) break;
      found.push(...find(query, era, limit - found.length).map((one) => [era, one] as const));
    }
    return found;
  };
  const any = matches(loose, eras);
  const hit = [...new Set(any.map(([era]) => era))];
  const known = any.length < limit ? hit : eras.slice(0, strictReach * (eras.indexOf(hit.at(-1) ?? 0) + 1));
  const best = new Map<string, Found>();
  for (const [, one] of [...strict.flatMap((query) => matches(query, known)), ...any]) {
    if (!best.has(one.messageId)) best.set(one.messageId, one);
  }
  return [...best.values()].slice(0, limit);
}

function searchable({ role, parts }: Message): string {
  if (role === 'system') return '';
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : part.kind === 'tool' ? part.tool.title : ''));
  return texts
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, indexedLength);
}
