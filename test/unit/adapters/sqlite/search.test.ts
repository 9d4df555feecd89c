// Search over everything users and agents said (SPEC section 10): which messages, in which order, with which line of text.
import { expect, test } from 'vitest';
import type { Part } from '../../../../src/core/contract/shapes.ts';
import type { History } from '../../../../src/core/ports.ts';
import { answer, conversation, dataFolder, message, open } from './support.ts';

function holding(texts: Readonly<Record<string, string>>): History {
  const history = open(dataFolder());
  history.saveConversation(conversation('c'));
  for (const [id, text] of Object.entries(texts)) history.saveMessage(message(id, text), id);
  return history;
}

const found = (history: History, words: string): string[] =>
  history.search(words, 200).map(({ messageId }) => messageId);

test.each([
  ['without accents', 'ete dernier', ['accents']],
  ['with accents, in capitals', 'ÉTÉ', ['accents']],
  ['œ as oe', 'oeuf', ['accents']],
  ['the last word as a beginning', 'dern', ['accents']],
  ['no other word as a beginning', 'dern été', []],
  ['all words required', 'été absent', []],
  ['Chinese without blanks', '中文', ['cjk']],
  ['Japanese in the middle of a word', '本語', ['cjk']],
  ['characters in another order', '語本', []],
  ['what stands next to each other', 'foo.bar', ['code']],
  ['a name with an underscore', 'some_name', ['code']],
  ['Greek', 'ελληνικα', ['greek']],
  ['Korean, by its beginning', '한국', ['korean']],
])('%s', (_, words, expected) => {
  const history = holding({
    accents: 'L’été dernier, un œuf',
    cjk: 'これは日本語です。中文也可以',
    code: 'call foo.bar(some_name)',
    greek: 'Ελληνικά',
    korean: '한국어를',
  });
  expect(found(history, words)).toEqual(expected);
});

test.each([
  '"',
  '*',
  '-',
  'AND',
  'NEAR(plain, 3)',
  'plain OR',
  'body:plain',
  '^plain',
  '{body}: plain',
  "'; --",
  '(',
  '+',
  '\\',
  '\0',
])('what a person types is data: %j', (words) => {
  const history = holding({ a: 'nothing of the kind' });
  expect(found(history, words)).toEqual([]);
  history.saveMessage(message('b', `it says ${words} here`), 'b');
  const anyLetter = /[a-z]/i.test(words);
  expect(found(history, words)).toEqual(anyLetter ? ['b'] : []);
});

test('nothing to search for finds nothing', () => {
  expect(found(holding({ a: 'a' }), '  ')).toEqual([]);
});

test('best first: as typed, then anywhere, then as a beginning; each the newest first', () => {
  const history = holding({
    1: 'write the test',
    2: 'the test you write',
    3: 'write the tests',
    4: 'write the test again',
  });
  expect(found(history, 'write the test')).toEqual(['4', '1', '2', '3']);
});

test('a changed message is found by what it says now, a deleted one not at all', () => {
  const history = holding({ a: 'before', b: 'before' });
  history.saveMessage(message('a', 'after'), 'a');
  expect(found(history, 'before')).toEqual(['b']);
  expect(found(history, 'after')).toEqual(['a']);
  history.deleteMessage('b');
  expect(found(history, 'before')).toEqual([]);
  history.clearConversation('c');
  expect(found(history, 'after')).toEqual([]);
});

test('a hit says where it is and who said it; 200 at most', () => {
  const history = open(dataFolder());
  history.saveConversation(conversation('c'));
  for (let count = 0; count < 250; count++) history.saveMessage(answer(`m${count}`, 'ann', 'same words'), `m${count}`);
  expect(history.search('same', 1000)).toHaveLength(200);
  expect(history.search('same', 1)).toEqual([
    { channel: 'c', messageId: 'm249', role: 'agent', agent: 'ann', createdAt: 5, snippet: 'same words' },
  ]);
});

test('titles of tool calls are found; thoughts, outputs and notices are not', () => {
  const history = open(dataFolder());
  history.saveConversation(conversation('c'));
  const parts: Part[] = [
    { kind: 'thought', text: 'secretthought' },
    {
      kind: 'tool',
      tool: {
        id: 't',
        title: 'Read main.ts',
        kind: 'read',
        status: 'completed',
        input: '',
        output: 'secretoutput',
        locations: [],
        diffs: [],
      },
    },
  ];
  history.saveMessage({ ...answer('a', 'ann'), parts }, 'a');
  history.saveMessage(message('s', 'secretnotice', { role: 'system', code: 'notice' }), 's');
  expect(found(history, 'main.ts')).toEqual(['a']);
  expect(found(history, 'secret')).toEqual([]);
});
