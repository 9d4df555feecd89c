// The history file: what is kept comes back, and a file that is not ours stays byte for byte as it was.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Conversation, Message } from '../../../../src/core/contract/shapes.ts';
import { openHistory } from '../../../../src/adapters/sqlite/history.ts';
import { wordFailure } from '../../../../src/core/texts/index.ts';
import { message as anyMessage } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'history-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

const configPath = '/somewhere/sidekicks.yaml';
const open = () =>
  openHistory({ dataFolder: path.join(folder, 'data'), configPath, word: (failure) => wordFailure('en', failure) });

const conversation: Conversation = {
  id: 'c1',
  name: '',
  description: '',
  direct: 'bob',
  members: ['bob', 'al'],
  project: '/p',
};
const message = (id: string, text = id): Message => anyMessage(id, text, { channel: 'c1' });

test('conversations, messages, sessions, drafts and commands come back after closing', () => {
  const first = open();
  first.saveConversation(conversation);
  first.saveMessage(message('m1', 'naïve 日本 😀'), 'm1');
  first.saveMessage(message('m1', 'changed'), 'm1');
  first.saveMemberSession('c1', 'bob', { sessionId: 's', lastSeen: 'm1' });
  first.saveDraft('c1', 'half a tho');
  first.saveCommands('bob', [{ name: 'web', description: 'd', hint: '' }]);
  first.close();
  const again = open();
  expect(again.problem).toBe('');
  expect(again.conversations()).toEqual([conversation]);
  expect(again.messages('c1', '', 100)).toEqual({ messages: [message('m1', 'changed')], more: false });
  expect(again.memberSession('c1', 'bob')).toEqual({ sessionId: 's', lastSeen: 'm1' });
  expect(again.draft('c1')).toBe('half a tho');
  expect(again.commands('bob')).toEqual([{ name: 'web', description: 'd', hint: '' }]);
  again.close();
});

test('pages go backwards, oldest first, and say whether there is more', () => {
  const history = open();
  history.saveConversation(conversation);
  for (const id of ['a', 'b', 'c', 'd', 'e']) history.saveMessage(message(id), id);
  expect(history.messages('c1', '', 2)).toMatchObject({ messages: [{ id: 'd' }, { id: 'e' }], more: true });
  expect(history.messages('c1', 'd', 3)).toMatchObject({
    messages: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    more: false,
  });
  history.close();
});

test('what follows a message comes oldest first', () => {
  const history = open();
  for (const id of ['c1', 'c2']) history.saveConversation({ ...conversation, id });
  for (const id of ['a', 'b', 'c', 'd']) history.saveMessage(message(id), id);
  history.saveMessage({ ...message('e'), channel: 'c2' }, 'e');
  const after = (id: string) => history.messagesAfter('c1', id, 2).map((one) => one.id);
  expect([after('a'), after('c'), after('d'), after('none')]).toEqual([['b', 'c'], ['d'], [], []]);
  history.close();
});

test('a message stands where it was sent, not where it was written', () => {
  const history = open();
  history.saveConversation(conversation);
  history.saveMessage(message('b'), '1');
  history.saveMessage(message('a'), '2');
  expect(history.messages('c1', '', 5)).toMatchObject({ messages: [{ id: 'b' }, { id: 'a' }] });
  history.close();
});

test('the file lies under the digest of the configuration, private, and kept out of git', () => {
  open().close();
  const digest = createHash('sha256').update(configPath).digest('hex').slice(0, 16);
  const file = path.join(folder, 'data', digest, 'history.db');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(fs.readFileSync(path.join(folder, 'data', '.gitignore'), 'utf8')).toBe('*\n');
});

test('a host that is killed right after it made the file loses nothing it had kept', () => {
  const script = `
    import { openHistory } from ${JSON.stringify(path.resolve('src/adapters/sqlite/history.ts'))};
    const history = openHistory({ dataFolder: ${JSON.stringify(path.join(folder, 'data'))}, configPath: ${JSON.stringify(configPath)}, word: String });
    history.saveConversation(${JSON.stringify(conversation)});
    process.kill(process.pid, 'SIGKILL');`;
  const killed = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' });
  expect(killed.signal, killed.stderr).toBe('SIGKILL');
  const history = open();
  expect(history.problem).toBe('');
  expect(history.conversations()).toEqual([conversation]);
  history.close();
});

describe('a file that cannot be used', () => {
  const place = () => {
    const digest = createHash('sha256').update(configPath).digest('hex').slice(0, 16);
    fs.mkdirSync(path.join(folder, 'data', digest), { recursive: true });
    return path.join(folder, 'data', digest, 'history.db');
  };

  test.each([
    [
      'text',
      Buffer.from(
        'this is no database at all, but long enough to hold a header of a hundred bytes .......................',
      ),
    ],
    ['a database of something else', foreignDatabase()],
  ])('%s: history lives in memory, says why, and leaves it as it was', (_name, bytes) => {
    const file = place();
    fs.writeFileSync(file, bytes);
    const history = open();
    expect(history.problem).toContain('is not a history of Sidekicks');
    history.saveConversation(conversation);
    expect(history.conversations()).toEqual([conversation]);
    history.close();
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
    expect(fs.readdirSync(path.dirname(file))).toEqual(['history.db']);
  });

  test('one of a newer Sidekicks is left as it was', () => {
    const file = place();
    open().close();
    const newer = fs.readFileSync(file);
    newer.writeUInt32BE(99, 60);
    fs.writeFileSync(file, newer);
    const history = open();
    expect(history.problem).toContain('newer Sidekicks');
    history.close();
    expect(fs.readFileSync(file).equals(newer)).toBe(true);
  });
});

function foreignDatabase(): Buffer {
  const header = Buffer.alloc(4096);
  header.write('SQLite format 3\0', 'latin1');
  return header;
}
