// Long conversations cleared and deleted (SPEC section 5): empty at once for everybody, and gone from the file bit by bit.
import { describe, expect, test } from 'vitest';
import type { History } from '../../../../src/core/ports.ts';
import { answer, conversation, dataFolder, ids, lookInto, message, open, Other } from './support.ts';

const count = 1500;
const idAt = (at: number): string => `m${String(at).padStart(5, '0')}`;

/** `c` with many messages that all say `secret`, and `other` with one. */
function long(folder: string): History {
  const history = open(folder);
  for (const id of ['c', 'other']) history.saveConversation(conversation(id));
  for (let at = 0; at < count; at++) history.saveMessage(answer(idAt(at), 'ann', `the secret ${at}`), idAt(at));
  history.saveMessage(message('elsewhere', 'the secret elsewhere', { channel: 'other' }), 'elsewhere');
  return history;
}

function rowsLeft(history: History): () => number | undefined {
  const count = lookInto(history).prepare<[], number>('select count(*) from messages').pluck();
  return () => count.get();
}

const found = (history: History, words = 'secret'): string[] =>
  history.search(words, 200).map(({ messageId }) => messageId);

const nothing = { messages: [], more: false };

describe.each([
  ['cleared', (history: History) => history.clearConversation('c'), conversation('c')],
  ['deleted', (history: History) => history.deleteConversation('c'), undefined],
] as const)('a long conversation is %s', (_, end, left) => {
  test('nothing of it is seen, found or told from then on, here and in other Neovims', async () => {
    const folder = dataFolder();
    const history = long(folder);
    const there = new Other(folder);
    history.saveMemberSession('c', 'bob', { sessionId: 's', lastSeen: '' });
    end(history);
    const rows = rowsLeft(history);
    expect(rows()).toBeGreaterThan(1);
    expect(history.conversation('c')).toEqual(left);
    expect(history.conversations()).toHaveLength(left ? 2 : 1);
    expect(history.messages('c', '', 100)).toEqual(nothing);
    expect(history.messages('c', idAt(count - 1), 100)).toEqual(nothing);
    expect(history.message(idAt(count - 1))).toBeUndefined();
    expect(history.unseen('c', 'bob', 20)).toEqual([]);
    expect(history.answerers('c')).toEqual([]);
    expect(found(history)).toEqual(['elsewhere']);
    history.deleteMessage(idAt(count - 1));
    expect(history.answerers('c')).toEqual([]);
    expect(await there.ask(`history.messages('c', '', 100)`)).toEqual(nothing);
    expect(await there.ask(`history.message('${idAt(count - 1)}') ?? 'none'`)).toBe('none');
    expect(await there.ask(`history.search('secret', 200).length`)).toBe(1);
    await expect.poll(rows, { timeout: 20_000, interval: 50 }).toBe(1);
    expect(found(history)).toEqual(['elsewhere']);
    expect(history.conversation('c')).toEqual(left);
  });

  test('what was not taken away before a kill is taken away by the next one that opens the file', async () => {
    const folder = dataFolder();
    long(folder).close();
    const there = new Other(folder);
    await there.ask(`history.${left ? 'clear' : 'delete'}Conversation('c')`);
    await there.kill();
    const history = open(folder);
    const rows = rowsLeft(history);
    expect(rows()).toBeGreaterThan(1);
    expect(history.messages('c', '', 100)).toEqual(nothing);
    await expect.poll(rows, { timeout: 20_000, interval: 50 }).toBe(1);
    expect(lookInto(history).prepare('select count(*) as texts from texts').get()).toEqual({ texts: 1 });
  });
});

test('what is said after the clear stays, also when it was begun before, or has an id of before', async () => {
  const history = long(dataFolder());
  history.clearConversation('c');
  const rows = rowsLeft(history);
  const texts = { [idAt(count - 1)]: 'said anew', [idAt(7)]: 'sent late', n: 'said after' };
  for (const [id, text] of Object.entries(texts)) history.saveMessage(message(id, text), id);
  const said = () => history.messages('c', '', 100).messages.map(({ parts }) => parts[0]);
  const expected = ['sent late', 'said anew', 'said after'].map((text) => ({ kind: 'text', text }));
  expect(said()).toEqual(expected);
  history.saveMessage(message(idAt(7), 'sent late'), idAt(7));
  expect(found(history, 'sent')).toEqual([idAt(7)]);
  expect(ids(history.unseen('c', 'bob', 20))).toEqual([idAt(7), idAt(count - 1), 'n']);
  await expect.poll(rows, { timeout: 20_000, interval: 50 }).toBe(4);
  expect(said()).toEqual(expected);
  expect(found(history, 'sa')).toEqual(['n', idAt(count - 1)]);
});

test('a conversation that is made again under its id begins empty', async () => {
  const history = long(dataFolder());
  history.deleteConversation('c');
  history.saveConversation(conversation('c'));
  expect(history.messages('c', '', 100)).toEqual(nothing);
  history.saveMessage(message('n'), 'n');
  await expect.poll(rowsLeft(history), { timeout: 20_000, interval: 50 }).toBe(2);
  expect(ids(history.messages('c', '', 100).messages)).toEqual(['n']);
});
