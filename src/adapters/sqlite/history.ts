// The history of one configuration in SQLite (SPEC section 10), shared by every Neovim that has it open. Stores and finds;
// decides nothing about what is worth keeping.
import type Database from 'better-sqlite3';
import * as path from 'node:path';
import type { Failure } from '../../core/errors.ts';
import type { History, HistoryChanges } from '../../core/ports.ts';
import { historyPath, openFile, type OpenedFile } from './file.ts';
import { followFile } from './follow.ts';
import { loneRun, startRun } from './runs.ts';
import { openTables, type Tables } from './tables.ts';
import { waitForClaims } from './waiting.ts';

/** More hits than anybody reads (SPEC 14, `Search`). */
const mostHits = 200;

export interface HistoryOptions {
  readonly dataFolder: string;
  readonly configPath: string;
  readonly word: (failure: Failure) => string;
}

export function openHistory(options: HistoryOptions): History {
  const file = openFile(options.dataFolder, historyPath(options.dataFolder, options.configPath));
  const run = file.problem ? loneRun() : startRun(path.join(path.dirname(file.path), 'runs'));
  const tables = openTables(file.database, run);
  const write = writing(file.database);
  const waiting = waitForClaims((conversation) => tables.claimedElsewhere(conversation));
  const stopIndexing = file.problem ? () => undefined : indexOlder((count) => write(() => tables.catchUp(count)));
  const following = followOthers(file, tables.read, waiting.look);
  return {
    path: file.path,
    problem: file.problem ? options.word(file.problem) : '',
    watchProblem: () => () => undefined,
    ...reading(tables),
    ...storing(tables, write),
    whenFree: waiting.whenFree,
    follow: following.follow,
    close: () => {
      stopIndexing();
      waiting.close();
      following.close();
      write(tables.releaseAll);
      file.database.close();
      run.end();
    },
  };
}

type Write = <T>(action: () => T) => T;

/** Each write is one short transaction, which begins as a writer: one that becomes a writer later can meet another there. */
function writing(database: Database.Database): Write {
  const run = database.transaction((action: () => unknown) => action());
  return <T>(action: () => T) => run.immediate(action) as T;
}

const reading = (tables: Tables) => ({
  conversations: () => tables.conversations(),
  conversation: (id: string) => tables.conversation(id),
  messages: (conversation: string, beforeId: string, count: number) => tables.messages(conversation, beforeId, count),
  message: (id: string) => tables.message(id),
  search: (words: string, limit: number) => tables.search(words, Math.min(limit, mostHits)),
  unseen: (conversation: string, agent: string, limit: number) => tables.unseen(conversation, agent, limit),
  answerers: (conversation: string) => tables.answerers(conversation),
  claimedElsewhere: (conversation: string) => tables.claimedElsewhere(conversation),
  draft: (conversation: string) => tables.draft(conversation),
  commands: (agent: string) => tables.commands(agent),
});

type Storing =
  | 'saveConversation'
  | 'deleteConversation'
  | 'clearConversation'
  | 'saveMessage'
  | 'deleteMessage'
  | 'memberSession'
  | 'saveMemberSession'
  | 'forgetMemberSessions'
  | 'claim'
  | 'release'
  | 'saveDraft'
  | 'saveCommands';

const storing = (tables: Tables, write: Write): Pick<History, Storing> => ({
  saveConversation: (conversation) => {
    write(() => {
      tables.saveConversation(conversation);
    });
  },
  deleteConversation: (id) => {
    write(() => {
      tables.deleteConversation(id);
    });
  },
  clearConversation: (id) => {
    write(() => {
      tables.clearConversation(id);
    });
  },
  saveMessage: (message, position, session) => {
    write(() => {
      tables.saveMessage(message, position, session);
    });
  },
  deleteMessage: (id) => {
    write(() => {
      tables.deleteMessage(id);
    });
  },
  memberSession: (conversation, agent) => write(() => tables.memberSession(conversation, agent)),
  saveMemberSession: (conversation, agent, session) => {
    write(() => {
      tables.saveMemberSession(conversation, agent, session);
    });
  },
  forgetMemberSessions: (conversation, since) => {
    write(() => {
      tables.forgetMemberSessions(conversation, since);
    });
  },
  claim: (conversation, agent) => write(() => tables.claim(conversation, agent)),
  release: (conversation) => {
    write(() => {
      tables.release(conversation);
    });
  },
  saveDraft: (conversation, text) => {
    write(() => {
      tables.saveDraft(conversation, text);
    });
  },
  saveCommands: (agent, commands) => {
    write(() => {
      tables.saveCommands(agent, commands);
    });
  },
});

/** Between what is being said there is time enough: a slice, then four times as long nothing. */
const firstIndexingMs = 2000;
const sliceMessages = 50;

/** What was kept before there was a search is made searchable bit by bit. */
function indexOlder(catchUp: (count: number) => boolean): () => void {
  const slice = (): void => {
    const began = performance.now();
    if (catchUp(sliceMessages)) timer = setTimeout(slice, 4 * (performance.now() - began)).unref();
  };
  let timer = setTimeout(slice, firstIndexingMs).unref();
  return () => {
    clearTimeout(timer);
  };
}

interface Following extends Pick<History, 'follow'> {
  readonly close: () => void;
}

function followOthers(
  { database, path: file, problem }: OpenedFile,
  read: () => HistoryChanges | undefined,
  claimsChanged: () => void,
): Following {
  if (problem) return { follow: () => () => undefined, close: () => undefined };
  const follower = followFile(database, file);
  const listeners = new Set<(changes: HistoryChanges) => void>();
  let unfollow: (() => void) | undefined;
  const look = (): void => {
    const changes = read();
    if (!changes) return;
    if (changes.claims.length > 0 || changes.everything) claimsChanged();
    for (const listener of [...listeners]) listener(changes);
  };
  return {
    follow: (changed) => {
      listeners.add(changed);
      unfollow ??= follower.follow(look);
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        unfollow?.();
        unfollow = undefined;
      };
    },
    close: () => {
      listeners.clear();
      follower.close();
    },
  };
}
