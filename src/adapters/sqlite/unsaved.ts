// While the file cannot be written: what was to be written, held in memory in front of it, so that all that is read meanwhile
// is as if it had been. Nothing here writes to the file or decides when it is tried again.
import Database from 'better-sqlite3';
import type { Message } from '../../core/contract/shapes.ts';
import type { History, Hit } from '../../core/ports.ts';
import type { Change } from './change.ts';
import { isOfTheFile, migrate } from './file.ts';
import type { Run } from './runs.ts';
import { openTables, type Tables } from './tables.ts';

export type Reading = Pick<
  History,
  | 'conversations'
  | 'conversation'
  | 'messages'
  | 'messagesAfter'
  | 'message'
  | 'search'
  | 'unseen'
  | 'answerers'
  | 'memberSession'
  | 'draft'
  | 'commands'
>;

/** Small in any history, so copied whole; those a table refers to come first. */
const copied = ['conversations', 'members', 'answered', 'sessions', 'drafts', 'commands'];
/** More than any one look at the end of a conversation reads. */
const tail = 200;

type Page = ReturnType<Reading['messages']>;
const noPage: Page = { messages: [], more: false };
const unknown = { name: '', description: '', direct: '', members: [], project: '' };

export class Unsaved {
  readonly changes: Change[] = [];
  readonly #file: Tables;
  readonly #from: Database.Database;
  readonly #memory: Database.Database;
  readonly #tables: Tables;
  /** Conversations whose last messages are in memory, and those of which nothing more is to be read from the file. */
  readonly #begun = new Set<string>();
  readonly #emptied = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #readable: boolean;

  constructor(from: Database.Database, file: Tables, run: Run) {
    this.#from = from;
    this.#file = file;
    this.#memory = new Database(':memory:');
    migrate(this.#memory);
    this.#readable = this.#fromFile(false, () => {
      for (const table of copied) this.#copy(`select * from ${table}`, table);
      return true;
    });
    this.#tables = openTables(this.#memory, run);
  }

  add(change: Change): void {
    this.changes.push(change);
    const { removes } = change;
    const conversation = removes === undefined ? change.conversation : (this.reading.message(removes)?.channel ?? '');
    if (conversation !== '') this.#begin(conversation);
    change.apply(this.#tables);
    if (removes !== undefined) this.#removed.add(removes);
    if (change.empties) this.#emptied.add(conversation);
  }

  readonly reading: Reading = {
    conversations: () => this.#tables.conversations(),
    conversation: (id) => this.#tables.conversation(id),
    answerers: (conversation) => this.#tables.answerers(conversation),
    memberSession: (conversation, agent) => this.#tables.memberSession(conversation, agent),
    draft: (conversation) => this.#tables.draft(conversation),
    commands: (agent) => this.#tables.commands(agent),
    unseen: (conversation, agent, limit) => {
      this.#begin(conversation);
      return this.#tables.unseen(conversation, agent, limit);
    },
    message: (id) => this.#tables.message(id) ?? this.#kept(id),
    messages: (conversation, beforeId, count) => this.#messages(conversation, beforeId, count),
    messagesAfter: (conversation, afterId, count) => this.#after(conversation, afterId, count),
    search: (words, limit) => {
      const here = this.#tables.search(words, limit);
      const known = new Set(here.map(({ messageId }) => messageId));
      const there = this.#fromFile<readonly Hit[]>([], () => this.#file.search(words, limit)).filter(
        ({ messageId }) => !known.has(messageId) && this.#kept(messageId),
      );
      return [...here, ...there].slice(0, limit);
    },
  };

  dispose(): void {
    this.#memory.close();
  }

  #messages(conversation: string, beforeId: string, count: number): Page {
    this.#begin(conversation);
    const inFile = !this.#emptied.has(conversation);
    if (inFile && beforeId !== '' && !this.#tables.message(beforeId)) {
      return this.#fromFile<Page>(noPage, () => this.#file.messages(conversation, beforeId, count));
    }
    const page = this.#tables.messages(conversation, beforeId, count);
    if (page.more || !inFile) return page;
    const oldest = page.messages[0]?.id ?? beforeId;
    const older = this.#fromFile<Page>(noPage, () =>
      this.#file.messages(conversation, oldest, count - page.messages.length),
    );
    return { messages: [...older.messages, ...page.messages], more: older.more };
  }

  /** Further back than what is in memory, more follows in the file than anybody asks for at once. */
  #after(conversation: string, afterId: string, count: number): readonly Message[] {
    this.#begin(conversation);
    if (this.#tables.message(afterId)) return this.#tables.messagesAfter(conversation, afterId, count);
    const there = this.#fromFile<readonly Message[]>([], () => this.#file.messagesAfter(conversation, afterId, count));
    return there.map(({ id }) => this.reading.message(id)).filter((message) => message !== undefined);
  }

  /** A message of the file that is still to be seen. */
  #kept(id: string): Message | undefined {
    const message = this.#removed.has(id)
      ? undefined
      : this.#fromFile<Message | undefined>(undefined, () => this.#file.message(id));
    return message && this.#emptied.has(message.channel) ? undefined : message;
  }

  #begin(conversation: string): void {
    if (this.#begun.has(conversation)) return;
    this.#begun.add(conversation);
    const last = 'select * from messages where conversation = ? order by position desc limit ?';
    this.#fromFile(undefined, () => {
      this.#copy(last, 'messages', conversation, tail);
    });
    if (!this.#readable && !this.#tables.conversation(conversation)) {
      this.#tables.saveConversation({ ...unknown, id: conversation });
    }
  }

  /** What cannot be read either is not there; what was said since still is. */
  #fromFile<T>(nothing: T, read: () => T): T {
    try {
      return read();
    } catch (cause) {
      if (!isOfTheFile(cause)) throw cause;
      return nothing;
    }
  }

  #copy(query: string, table: string, ...values: readonly (string | number)[]): void {
    const rows = this.#from.prepare<unknown[], Record<string, unknown>>(query).all(...values);
    const [first] = rows;
    if (!first) return;
    const columns = Object.keys(first);
    const put = this.#memory.prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((column) => `@${column}`).join(', ')})`,
    );
    for (const row of rows) put.run(row);
  }
}
