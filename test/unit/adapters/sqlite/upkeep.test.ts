// What a history does when nobody waits for it (SPEC section 10): a save never pays for what was saved before it.
import { expect, test } from 'vitest';
import { answer, conversation, dataFolder, lookInto, open } from './support.ts';

const words = (at: number): string => Array.from({ length: 200 }, (_, word) => `word${at}x${word}`).join(' ');

test('each message kept writes about as much as the one before; the index is put together afterwards, and finds all', async () => {
  const history = open(dataFolder());
  history.saveConversation(conversation('c'));
  const database = lookInto(history);
  const pagesOfLog = (): number => {
    const [state] = database.pragma('wal_checkpoint(NOOP)') as { readonly log: number }[];
    return state?.log ?? 0;
  };
  const pieces = database.prepare<[], number>('select count(distinct segid) from words_idx').pluck();
  const count = 150;
  const written: number[] = [];
  for (let at = 0; at < count; at++) {
    const before = pagesOfLog();
    history.saveMessage(answer(`m${at}`, 'ann', words(at)), `m${at}`);
    written.push(pagesOfLog() - before);
  }
  // The log begins anew when SQLite has moved it.
  const most = Math.max(...written);
  expect(most).toBeLessThan(40);
  await expect.poll(() => pieces.get(), { timeout: 10_000, interval: 50 }).toBeLessThan(10);
  for (const at of [0, 70, count - 1]) {
    expect(history.search(`word${at}x7`, 10).map(({ messageId }) => messageId)).toEqual([`m${at}`]);
  }
});
