// Several Neovims on one history (SPEC section 10), each a real process: nothing lost, claims, sessions, what others do.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { History, HistoryChanges } from '../../../../src/core/ports.ts';
import { answer, conversation, dataFolder, ids, message, open, Other } from './support.ts';

const save = (id: string, position = id): string =>
  `history.saveMessage(${JSON.stringify(message(id))}, ${JSON.stringify(position)})`;

/** Settles with the first changes that are `wanted`, and how long they took to come. */
function changes(history: History, wanted: (changes: HistoryChanges) => boolean): Promise<HistoryChanges> {
  return new Promise((resolve) => {
    const unfollow = history.follow((told) => {
      if (!wanted(told)) return;
      unfollow();
      resolve(told);
    });
  });
}

describe('what one says the others show within a second', () => {
  test('messages saved and deleted, conversations made, changed, cleared and deleted, claims', async () => {
    const folder = dataFolder();
    const here = open(folder);
    const there = new Other(folder);
    await there.ask(`history.saveConversation(${JSON.stringify(conversation('first'))})`);
    // What was done before anybody followed is told too.
    await changes(here, ({ conversations }) => conversations.includes('first'));
    const steps: [string, Partial<HistoryChanges>][] = [
      [`history.saveConversation(${JSON.stringify(conversation('c'))})`, { conversations: ['c'] }],
      [save('m'), { messages: [{ conversation: 'c', id: 'm' }] }],
      [`history.deleteMessage('m')`, { messages: [{ conversation: 'c', id: 'm' }] }],
      [`history.claim('c', 'ann')`, { claims: ['c'] }],
      [`history.claim('c', 'bob')`, { claims: ['c'] }],
      [`history.release('c')`, { claims: ['c'] }],
      [`history.clearConversation('c')`, { cleared: ['c'] }],
      [`history.deleteConversation('c')`, { conversations: ['c'] }],
    ];
    const nothing = { everything: false, conversations: [], cleared: [], messages: [], claims: [] };
    for (const [expression, told] of steps) {
      const seen = changes(here, () => true);
      await there.ask(expression);
      const since = performance.now();
      expect(await seen, expression).toEqual({ ...nothing, ...told });
      expect(performance.now() - since, expression).toBeLessThan(1000);
    }
    expect(here.conversation('first')).toEqual(conversation('first'));
    expect(here.conversation('c')).toBeUndefined();
  });
});

test('what was done before anybody followed is told to the first who does, however late', async () => {
  const folder = dataFolder();
  const here = open(folder);
  const third = open(folder);
  const there = new Other(folder);
  const told = changes(third, ({ conversations }) => conversations.includes('c'));
  await there.ask(`history.saveConversation(${JSON.stringify(conversation('c'))})`);
  // It looks as soon as the one beside it.
  await told;
  expect((await changes(here, () => true)).conversations).toEqual(['c']);
});

test('two that write at once lose nothing, and what each says the other hears, once', { timeout: 60_000 }, async () => {
  const folder = dataFolder();
  const here = open(folder);
  here.saveConversation(conversation('c'));
  const others = [new Other(folder), new Other(folder)];
  const count = 300;
  const heard: string[] = [];
  const all = changes(here, ({ messages }) => {
    heard.push(...messages.map(({ id }) => id));
    return heard.length >= count * others.length;
  });
  const names = others.map((_, which) => Array.from({ length: count }, (__, at) => `${at}-${which}`));
  await Promise.all(
    others.map((other, which) =>
      other.ask(
        `${JSON.stringify(names[which])}.forEach((id) => history.saveMessage({ ...${JSON.stringify(message('x'))}, id }, id))`,
      ),
    ),
  );
  await all;
  expect(heard.toSorted()).toEqual(names.flat().toSorted());
  expect(ids(here.messages('c', '', 1000).messages).toSorted()).toEqual(names.flat().toSorted());
});

describe('one conversation is answered by one Neovim at a time', () => {
  test('a claim holds until it is released, and says with which agent', async () => {
    const folder = dataFolder();
    const here = open(folder);
    here.saveConversation(conversation('c'));
    const there = new Other(folder);
    expect(await there.ask(`history.claim('c', 'ann')`)).toBe(true);
    expect(here.claim('c', 'bob')).toBe(false);
    expect(here.claimedElsewhere('c')).toBe('ann');
    expect(await there.ask(`history.claimedElsewhere('c')`)).toBe('');
    expect(await there.ask(`history.claim('c', 'bob')`)).toBe(true);
    expect(here.claimedElsewhere('c')).toBe('bob');
    here.release('c');
    expect(here.claimedElsewhere('c')).toBe('bob');
    await there.ask(`history.release('c')`);
    expect(here.claimedElsewhere('c')).toBe('');
    expect(here.claim('c', 'bob')).toBe(true);
    expect(await there.ask(`history.claim('c', 'ann')`)).toBe(false);
  });

  test.each([
    ['killed', (there: Other) => there.kill()],
    ['closed', (there: Other) => there.leave()],
  ])('a Neovim that was %s frees its claim, and who waits for it goes on within a second', async (_, end) => {
    const folder = dataFolder();
    const here = open(folder);
    here.saveConversation(conversation('c'));
    const there = new Other(folder);
    await there.ask(`history.claim('c', 'ann')`);
    const free = new Promise<void>((resolve) => here.whenFree('c', resolve));
    expect(here.claimedElsewhere('c')).toBe('ann');
    await end(there);
    const since = performance.now();
    await free;
    expect(performance.now() - since).toBeLessThan(1000);
    expect(here.claim('c', 'bob')).toBe(true);
    expect(fs.readdirSync(path.join(path.dirname(here.path), 'runs'))).toHaveLength(1);
  });
});

test('who waits for another to be done has heard before what that one said', async () => {
  const folder = dataFolder();
  const here = open(folder);
  here.saveConversation(conversation('c'));
  const there = new Other(folder);
  await there.ask(`history.claim('c', 'ann')`);
  const told: string[] = [];
  const free = new Promise<void>((resolve) => {
    here.whenFree('c', () => {
      told.push('free');
      resolve();
    });
  });
  here.follow(({ messages }) => told.push(...messages.map(({ id }) => id)));
  await there.ask(`(${save('m')}, history.release('c'))`);
  await free;
  expect(told).toEqual(['m', 'free']);
});

describe('session id and last seen message belong to member and Neovim run', () => {
  const session = { sessionId: 's', lastSeen: 'm1' };

  test('one held by a living other run is not given; after its end the next run takes it up, and only one does', async () => {
    const folder = dataFolder();
    const here = open(folder);
    here.saveConversation(conversation('c'));
    const there = new Other(folder);
    await there.ask(`history.saveMemberSession('c', 'ann', ${JSON.stringify(session)})`);
    expect(here.memberSession('c', 'ann')).toBeUndefined();
    await there.kill();
    expect(here.memberSession('c', 'ann')).toEqual(session);
    const third = new Other(folder);
    expect(await third.ask(`history.memberSession('c', 'ann')`)).toBeNull();
  });

  test('never its own: what it said in the session of another run is told, what it said in this one is not', () => {
    const folder = dataFolder();
    const here = open(folder);
    here.saveConversation(conversation('c'));
    here.saveMessage(message('m1'), 'm1');
    here.saveMessage(answer('m2', 'ann'), 'm2', 'elsewhere');
    here.saveMessage(answer('m3', 'ann'), 'm3', 's');
    here.saveMessage(answer('m4', 'bob'), 'm4', 's');
    here.saveMemberSession('c', 'ann', { sessionId: 's', lastSeen: '' });
    expect(ids(here.unseen('c', 'ann', 20))).toEqual(['m1', 'm2', 'm4']);
  });
});

test('a draft stays with the Neovim it is written in, and one that has ended leaves it to the next', async () => {
  const folder = dataFolder();
  const here = open(folder);
  here.saveConversation(conversation('c'));
  here.saveDraft('c', 'mine');
  const there = new Other(folder);
  expect(await there.ask(`history.draft('c')`)).toBe('');
  await there.ask(`history.saveDraft('c', 'theirs')`);
  await there.ask(`history.saveDraft('c', '')`);
  expect(here.draft('c')).toBe('mine');
  await there.ask(`history.saveDraft('c', 'not sent')`);
  there.process.kill('SIGKILL');
  await new Promise((resolve) => there.process.once('exit', resolve));
  expect(here.draft('c')).toBe('not sent\n\nmine');
  here.saveDraft('c', 'all of it');
  expect(here.draft('c')).toBe('all of it');
});
