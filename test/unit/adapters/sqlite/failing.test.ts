// A history that cannot be written, at the start or later (SPEC sections 10 and 19): it says why, and nothing said is lost.
import Database from 'better-sqlite3';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HistoryChanges } from '../../../../src/core/ports.ts';
import { answer, conversation, dataFolder, ids, message, open, Other } from './support.ts';

/** Another program that has begun to write and does not end. */
function holder(file: string): { readonly letGo: () => void } {
  const database = new Database(file);
  database.exec('begin immediate');
  return { letGo: () => void database.close() };
}

describe('a file that another process holds for long', () => {
  test('what is said meanwhile is read as if it were written, and written once that is possible', async () => {
    const folder = dataFolder();
    const history = open(folder);
    history.saveConversation(conversation('c'));
    history.saveConversation(conversation('d'));
    for (let count = 100; count < 400; count++) history.saveMessage(message(`m${count}`), `m${count}`);
    history.saveMemberSession('c', 'ann', { sessionId: 's', lastSeen: 'm398' });
    const told: string[] = [];
    history.watchProblem(() => told.push(history.problem));
    const { letGo } = holder(history.path);

    history.saveMessage(answer('m400', 'bob', 'said meanwhile'), 'm400');
    history.saveMessage(message('m399', 'changed meanwhile'), 'm399');
    history.deleteMessage('m398');
    history.saveDraft('c', 'draft');
    history.saveConversation({ ...conversation('c'), name: 'renamed' });
    history.clearConversation('d');
    expect(told).toEqual([expect.stringContaining('cannot be written')]);
    expect(history.claim('c', 'ann')).toBe(true);
    const look = () => [
      ids(history.messages('c', '', 3).messages),
      ids(history.messages('c', 'm350', 2).messages),
      ids(history.messagesAfter('c', 'm110', 2)),
      ids(history.messagesAfter('c', 'm396', 5)),
      history.messages('c', '', 1000).messages.length,
      history.message('m399')?.parts,
      history.message('m398'),
      ids(history.unseen('c', 'ann', 20)),
      history.answerers('c'),
      history
        .search('meanwhile', 10)
        .map(({ messageId }) => messageId)
        .toSorted(),
      history.draft('c'),
      history.conversation('c')?.name,
      history.memberSession('c', 'ann'),
    ];
    const meanwhile = look();
    expect(meanwhile).toEqual([
      ['m397', 'm399', 'm400'],
      ['m348', 'm349'],
      ['m111', 'm112'],
      ['m397', 'm399', 'm400'],
      300,
      [{ kind: 'text', text: 'changed meanwhile' }],
      undefined,
      ['m399', 'm400'],
      ['bob'],
      ['m399', 'm400'],
      'draft',
      'renamed',
      { sessionId: 's', lastSeen: 'm398' },
    ]);

    const caughtUp = new Promise<HistoryChanges>((resolve) => history.follow(resolve));
    letGo();
    expect(await caughtUp).toMatchObject({ everything: true });
    expect(told.at(-1)).toBe('');
    expect(look()).toEqual(meanwhile);
    const again = open(folder);
    expect(ids(again.messages('c', '', 3).messages)).toEqual(['m397', 'm399', 'm400']);
  });

  test('it is written at the latest when Neovim leaves', () => {
    const folder = dataFolder();
    const history = open(folder);
    history.saveConversation(conversation('c'));
    const { letGo } = holder(history.path);
    history.saveMessage(message('m'), 'm');
    letGo();
    history.close();
    expect(ids(open(folder).messages('c', '', 3).messages)).toEqual(['m']);
  });
});

test('a full disk in the middle: the conversation goes on in memory, and what was kept before stays', async () => {
  const folder = dataFolder();
  const before = open(folder);
  before.saveConversation(conversation('c'));
  before.saveMessage(message('m1'), 'm1');
  before.close();
  const kiloBytes = 400;
  const there = new Other(folder, ['sh', '-c', `trap '' XFSZ; ulimit -f ${kiloBytes * 2}; exec "$@"`, 'sh']);
  const save = `(id) => history.saveMessage({ ...${JSON.stringify(message('x'))}, id, parts: [{ kind: 'text', text: 'word '.repeat(10000) }] }, id)`;
  await there.ask(`Array.from({ length: 40 }, (_, at) => 'n' + (10 + at)).forEach(${save})`);
  expect(await there.ask('history.problem.text ?? history.problem')).not.toBe('');
  expect(await there.ask(`history.messages('c', '', 100).messages.map(({ id }) => id)`)).toEqual([
    'm1',
    ...Array.from({ length: 40 }, (_, at) => `n${10 + at}`),
  ]);
  await there.leave();
  const after = open(folder);
  expect(after.problem).toBe('');
  expect(ids(after.messages('c', '', 100).messages)).toContain('m1');
});

describe('a file that cannot be used from the start stays byte for byte as it was', () => {
  function kept(folder: string): string {
    const history = open(folder);
    history.saveConversation(conversation('c'));
    for (let count = 0; count < 200; count++)
      history.saveMessage(message(`m${count}`, 'word '.repeat(100)), `m${count}`);
    history.close();
    return history.path;
  }

  function memoryOnly(folder: string, problem: RegExp): void {
    const history = open(folder);
    expect(history.problem).toMatch(problem);
    history.saveConversation(conversation('new'));
    history.saveMessage(message('said', 'said', { channel: 'new' }), 'said');
    expect(history.claim('new', 'ann')).toBe(true);
    expect(history.conversations()).toEqual([conversation('new')]);
    expect(ids(history.messages('new', '', 10).messages)).toEqual(['said']);
    expect(history.search('said', 10)).toHaveLength(1);
    history.close();
  }

  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ['cut in the middle', (bytes) => bytes.subarray(0, bytes.length / 2)],
    [
      'garbage behind its header',
      (bytes) => Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 'x')]),
    ],
  ];
  test.each(damages)('broken: %s', (_, damage) => {
    const folder = dataFolder();
    const file = kept(folder);
    const bytes = damage(fs.readFileSync(file));
    fs.writeFileSync(file, bytes);
    memoryOnly(folder, /cannot be used/);
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });

  test('locked', () => {
    const folder = dataFolder();
    const file = kept(folder);
    const bytes = fs.readFileSync(file);
    const database = new Database(file);
    database.exec('pragma locking_mode = exclusive; begin exclusive');
    memoryOnly(folder, /locked/);
    database.close();
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });

  // The superuser may write everywhere.
  test.skipIf(process.getuid?.() === 0).each([
    ['file', (file: string) => file, 0o400],
    ['folder', (file: string) => path.dirname(file), 0o500],
  ])('read-only %s', (_, of, mode) => {
    const folder = dataFolder();
    const file = kept(folder);
    const bytes = fs.readFileSync(file);
    fs.chmodSync(of(file), mode);
    memoryOnly(folder, /cannot be used/);
    expect(fs.statSync(of(file)).mode & 0o777).toBe(mode);
    fs.chmodSync(of(file), 0o700);
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });

  test('a full disk', async () => {
    const folder = dataFolder();
    const there = new Other(folder, ['sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$@"`, 'sh']);
    expect(await there.ask('history.problem')).not.toBe('');
    await there.ask(`history.saveConversation(${JSON.stringify(conversation('c'))})`);
    await there.ask(`history.saveMessage(${JSON.stringify(message('m'))}, 'm')`);
    expect(await there.ask(`history.messages('c', '', 9).messages.length`)).toBe(1);
  });
});
