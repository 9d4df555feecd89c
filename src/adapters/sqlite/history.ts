// The history of one configuration in SQLite (SPEC section 10), shared by every Neovim that has it open. Stores and finds;
// decides nothing about what is worth keeping.
import * as path from 'node:path';
import type { Command, Message } from '../../core/contract/shapes.ts';
import type { Failure } from '../../core/errors.ts';
import type { History, HistoryChanges, Hit } from '../../core/ports.ts';
import { changing } from './change.ts';
import { historyPath, openFile, type OpenedFile } from './file.ts';
import { followFile } from './follow.ts';
import { loneRun, startRun } from './runs.ts';
import { Store } from './store.ts';
import { openTables, type Tables } from './tables.ts';
import type { Reading } from './unsaved.ts';
import { startUpkeep } from './upkeep.ts';
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
  const { database, path: place } = file;
  const run = file.problem ? loneRun() : startRun(path.join(path.dirname(place), 'runs'));
  const tables = openTables(database, run);
  // No listener of its own: what was done before somebody follows is for them.
  const others = followOthers(file, tables.read, ({ everything, claims: { length } }) => {
    if (everything || length > 0) waiting.look();
  });
  const watchers = new Set<() => void>();
  const changed = (caughtUp: boolean): void => {
    for (const watcher of [...watchers]) watcher();
    if (caughtUp) others.tell(anything);
  };
  const wrote = (): void => {
    upkeep.wrote();
  };
  const store = new Store({ database, path: place, tables, run, changed, wrote });
  const upkeep = startUpkeep(database, () => store.keepUp());
  const claims = claiming(store, tables);
  const waiting = waitForClaims(claims.claimedElsewhere, others.look);
  return {
    path: place,
    get problem() {
      const problem = file.problem ?? store.problem;
      return problem ? options.word(problem) : '';
    },
    watchProblem: (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    ...reading(store),
    ...changing((change) => {
      store.write(change);
    }),
    ...claims,
    memberSession: (conversation, agent) =>
      store.take(
        () => tables.memberSession(conversation, agent),
        () => store.read(undefined, (kept) => kept.memberSession(conversation, agent)),
      ),
    whenFree: waiting.whenFree,
    follow: others.follow,
    close: () => {
      waiting.close();
      others.close();
      store.take(tables.releaseAll, () => undefined);
      store.close();
      upkeep.close();
      database.close();
      run.end();
    },
  };
}

const nothing = { messages: [], more: false };

const reading = (store: Store): Omit<Reading, 'memberSession'> => ({
  conversations: () => store.read([], (kept) => kept.conversations()),
  conversation: (id) => store.read(undefined, (kept) => kept.conversation(id)),
  messages: (conversation, beforeId, count) =>
    store.read<ReturnType<History['messages']>>(nothing, (kept) => kept.messages(conversation, beforeId, count)),
  messagesAfter: (conversation, afterId, count) =>
    store.read<readonly Message[]>([], (kept) => kept.messagesAfter(conversation, afterId, count)),
  message: (id) => store.read(undefined, (kept) => kept.message(id)),
  search: (words, limit) => store.read<readonly Hit[]>([], (kept) => kept.search(words, Math.min(limit, mostHits))),
  unseen: (conversation, agent, limit) =>
    store.read<readonly Message[]>([], (kept) => kept.unseen(conversation, agent, limit)),
  answerers: (conversation) => store.read<readonly string[]>([], (kept) => kept.answerers(conversation)),
  draft: (conversation) => store.read('', (kept) => kept.draft(conversation)),
  commands: (agent) => store.read<readonly Command[]>([], (kept) => kept.commands(agent)),
});

/** Where the file cannot be written nobody can be told, so what others have said of themselves is what counts. */
function claiming(store: Store, tables: Tables): Pick<History, 'claim' | 'claimedElsewhere'> {
  const claimedElsewhere = (conversation: string): string =>
    store.read('', () => tables.claimedElsewhere(conversation));
  return {
    claimedElsewhere,
    claim: (conversation, agent) =>
      store.take(
        () => tables.claim(conversation, agent),
        () => claimedElsewhere(conversation) === '',
      ),
  };
}

interface Others extends Pick<History, 'follow'> {
  readonly tell: (changes: HistoryChanges) => void;
  /** Tells what is new now, if somebody follows. */
  readonly look: () => void;
  readonly close: () => void;
}

const anything: HistoryChanges = { everything: true, conversations: [], cleared: [], messages: [], claims: [] };

/** `heard` is told last of what is told to those who follow: whoever waited for another run knows then what that one said. */
function followOthers(
  { database, path: file, problem }: OpenedFile,
  read: () => HistoryChanges | undefined,
  heard: (changes: HistoryChanges) => void,
): Others {
  const listeners = new Set<(changes: HistoryChanges) => void>();
  const follower = problem ? undefined : followFile(database, file);
  let unfollow: (() => void) | undefined;
  const tell = (changes: HistoryChanges): void => {
    for (const listener of [...listeners]) listener(changes);
    heard(changes);
  };
  const look = (): void => {
    const changes = follower && listeners.size > 0 && read();
    if (changes) tell(changes);
  };
  return {
    tell,
    look,
    follow: (changed) => {
      listeners.add(changed);
      unfollow ??= follower?.follow(look);
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        unfollow?.();
        unfollow = undefined;
      };
    },
    close: () => {
      listeners.clear();
      follower?.close();
    },
  };
}
