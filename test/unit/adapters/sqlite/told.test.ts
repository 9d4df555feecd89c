// What a member is told of a conversation, who answered, and what stays after a clear or a delete (SPEC sections 5 and 10).
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { History } from '../../../../src/core/ports.ts';
import { answer, conversation, dataFolder, ids, message, open, Other } from './support.ts';

function talk(): History {
  const history = open(dataFolder());
  history.saveConversation(conversation('c'));
  history.saveMessage(message('m1'), '1');
  history.saveMessage(answer('m2', 'ann'), '2', 'ann-1');
  history.saveMessage(message('m3', 'joined', { role: 'system', code: 'agent-joined' }), '3');
  history.saveMessage(answer('m4', 'bob'), '4', 'bob-1');
  return history;
}

describe('what a member has not seen', () => {
  test('everything users and agents said, oldest first, when it has no session', () => {
    expect(ids(talk().unseen('c', 'ann', 20))).toEqual(['m1', 'm2', 'm4']);
  });

  test('never what was cancelled before it was sent', () => {
    const history = talk();
    history.saveMessage(message('m5', 'too late', { error: 'cancelled' }), '5');
    expect(ids(history.unseen('c', 'ann', 20))).toEqual(['m1', 'm2', 'm4']);
  });

  test('at most the last ones', () => {
    expect(ids(talk().unseen('c', 'ann', 2))).toEqual(['m2', 'm4']);
  });

  test('never its own of this session, and nothing twice', () => {
    const history = talk();
    history.saveMemberSession('c', 'ann', { sessionId: 'ann-1', lastSeen: '' });
    expect(ids(history.unseen('c', 'ann', 20))).toEqual(['m1', 'm4']);
    history.saveMemberSession('c', 'ann', { sessionId: 'ann-1', lastSeen: '4' });
    expect(history.unseen('c', 'ann', 20)).toEqual([]);
    history.saveMessage(message('m5'), '5');
    expect(ids(history.unseen('c', 'ann', 20))).toEqual(['m5']);
    expect(ids(history.unseen('c', 'bob', 20))).toEqual(['m1', 'm2', 'm4', 'm5']);
  });

  test('where another agent has a session of the same name, what that one said is told', () => {
    const history = talk();
    history.saveMemberSession('c', 'ann', { sessionId: 'bob-1', lastSeen: '' });
    expect(ids(history.unseen('c', 'ann', 20))).toEqual(['m1', 'm2', 'm4']);
  });

  test('saved again without its session, an answer is still its own', () => {
    const history = talk();
    history.saveMemberSession('c', 'ann', { sessionId: 'ann-1', lastSeen: '' });
    history.saveMessage(answer('m2', 'ann', 'late words'), 'z');
    expect(ids(history.unseen('c', 'ann', 20))).toEqual(['m1', 'm4']);
  });

  test('after `:Sidekicks new` nothing of before, and a new session', () => {
    const history = talk();
    history.saveMemberSession('c', 'ann', { sessionId: 'ann-1', lastSeen: '4' });
    history.forgetMemberSessions('c', '5');
    expect(history.memberSession('c', 'ann')).toBeUndefined();
    expect(history.unseen('c', 'ann', 20)).toEqual([]);
    history.saveMessage(message('m5'), '5');
    expect(ids(history.unseen('c', 'ann', 20))).toEqual(['m5']);
    expect(history.messages('c', '', 20).messages).toHaveLength(5);
  });

  test('all of it also after a restart', () => {
    const folder = dataFolder();
    const first = open(folder);
    first.saveConversation(conversation('c'));
    first.saveMessage(message('m1'), '1');
    first.saveMessage(answer('m2', 'ann'), '2', 's');
    first.saveMemberSession('c', 'ann', { sessionId: 's', lastSeen: '1' });
    first.close();
    const again = open(folder);
    expect(again.unseen('c', 'ann', 20)).toEqual([]);
    expect(again.memberSession('c', 'ann')).toEqual({ sessionId: 's', lastSeen: '1' });
    again.saveMemberSession('c', 'ann', { sessionId: 'new', lastSeen: '' });
    expect(ids(again.unseen('c', 'ann', 20))).toEqual(['m1', 'm2']);
  });
});

describe('who has answered', () => {
  test('the latest last, once each; an answer that is removed counts no more', () => {
    const history = talk();
    expect(history.answerers('c')).toEqual(['ann', 'bob']);
    history.saveMessage(answer('m5', 'ann'), '5');
    expect(history.answerers('c')).toEqual(['bob', 'ann']);
    history.deleteMessage('m5');
    expect(history.answerers('c')).toEqual(['ann', 'bob']);
    history.deleteMessage('m2');
    expect(history.answerers('c')).toEqual(['bob']);
  });
});

describe('what goes and what stays', () => {
  test('clear takes messages and sessions; name, description, members and draft stay', () => {
    const history = talk();
    const described = { ...conversation('c'), description: 'about', members: ['bob', 'ann'] };
    history.saveConversation(described);
    history.saveDraft('c', 'draft');
    history.saveMemberSession('c', 'ann', { sessionId: 's', lastSeen: '4' });
    history.clearConversation('c');
    expect(history.messages('c', '', 20)).toEqual({ messages: [], more: false });
    expect(history.memberSession('c', 'ann')).toBeUndefined();
    expect(history.answerers('c')).toEqual([]);
    expect(history.conversation('c')).toEqual(described);
    expect(history.draft('c')).toBe('draft');
  });

  test('delete takes all of it, and late words for it are no error', () => {
    const history = talk();
    history.saveDraft('c', 'draft');
    history.deleteConversation('c');
    history.saveMessage(message('late'), '9');
    history.saveMemberSession('c', 'ann', { sessionId: 's', lastSeen: '' });
    history.saveDraft('c', 'late');
    expect(history.conversations()).toEqual([]);
    expect(history.message('m1')).toBeUndefined();
    expect(history.message('late')).toBeUndefined();
    expect(history.memberSession('c', 'ann')).toBeUndefined();
    expect(history.draft('c')).toBe('');
    expect(history.claim('c', 'ann')).toBe(true);
    expect(history.problem).toBe('');
  });

  test('any text: NUL, lone surrogates, what looks like SQL', () => {
    const folder = dataFolder();
    const history = open(folder);
    history.saveConversation(conversation('c'));
    const text = `a\0b \ud800 '); drop table messages; -- 𝒳`;
    history.saveMessage(message('m', text), 'm');
    history.close();
    expect(open(folder).message('m')?.parts).toEqual([{ kind: 'text', text }]);
  });
});

test('everything it writes is for the person alone', async () => {
  const folder = dataFolder();
  const history = open(folder);
  history.saveConversation(conversation('c'));
  history.claim('c', 'ann');
  const there = new Other(folder);
  await there.ask(`history.claim('d', 'ann')`);
  const own = path.dirname(history.path);
  const modes = fs
    .readdirSync(own, { recursive: true, encoding: 'utf8' })
    .map((name) => [name.replace(/[0-9a-f-]{36}/, 'id'), (fs.statSync(path.join(own, name)).mode & 0o777).toString(8)]);
  expect(fs.statSync(own).mode & 0o777).toBe(0o700);
  expect(Object.fromEntries(modes)).toEqual({
    'history.db': '600',
    'history.db-wal': '600',
    'history.db-shm': '600',
    runs: '700',
    'runs/id': '600',
  });
});
