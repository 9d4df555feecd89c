// A channel: several agents answer, join, leave, are stopped; another Neovim answers (SPEC sections 5 and 10).
import { describe, expect, test } from 'vitest';
import type { Conversation, Message } from '../../../src/core/contract/shapes.ts';
import type { ConversationEffect, ConversationEvent, ConversationState } from '../../../src/core/conversation/state.ts';
import {
  cancelled,
  ended,
  failed,
  playIn,
  promptSent,
  savedMessages,
  submitted,
  turnOf,
  type Move,
  type Scene,
} from './conversation-play.ts';

const review: Conversation = {
  id: 'c1',
  name: 'review',
  description: '',
  direct: '',
  members: ['bob', 'alice'],
  project: '/p',
};
const scene: Scene = { conversation: review, agents: ['bob', 'alice', 'ann'] };
const play = (...moves: Move[]) => playIn(scene, ...moves);
const answered: readonly Move[] = [promptSent, ended()];
const opened = (effects: readonly ConversationEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'openTurn' ? [effect.agent] : []));
const answersOf = (effects: ConversationEffect[]) =>
  savedMessages(effects).filter((message) => message.role === 'agent');
const codes = (effects: ConversationEffect[]) =>
  savedMessages(effects).flatMap(({ code, agent }) => (code === '' ? [] : [[code, agent]]));
const textOf = ({ parts }: Message) => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
/** What a view shows in the end, from above. */
const drawnOrder = (effects: readonly ConversationEffect[]): readonly Message[] => {
  const drawn = new Map<string, Message>();
  for (const effect of effects) {
    if (effect.type === 'undraw') drawn.delete(effect.messageId);
    if (effect.type === 'draw') drawn.set(effect.message.id, effect.message);
  }
  return [...drawn.values()];
};
const titleOf = (message: Message) => textOf(message) || message.agent;
const notSent = (effects: ConversationEffect[]) =>
  savedMessages(effects)
    .filter(({ error, role }) => role === 'user' && error === 'cancelled')
    .map(textOf);
const saidBy = (agent: string, text: string): ConversationEvent => ({
  type: 'updated',
  agent,
  updates: [{ type: 'text', text }],
});
const stopped = (agent: string): ConversationEvent => ({ type: 'agentStopped', agent });

describe('several mentioned agents', () => {
  test('answer one after the other, in order of mention, each with a message of its own', () => {
    const { effects, state } = play(submitted('@alice and @bob, hello'), ...answered, ...answered);
    expect(opened(effects)).toEqual(['alice', 'bob']);
    expect(answersOf(effects).map(({ agent }) => agent)).toEqual(['alice', 'bob']);
    expect(state.turn).toBeUndefined();
  });

  test('the second begins only when the first has ended', () => {
    expect(opened(play(submitted('@alice @bob'), promptSent).effects)).toEqual(['alice']);
  });

  test('one that fails does not silence the next', () => {
    const { effects } = play(submitted('@alice @bob'), promptSent, failed('exit code 1'), ...answered);
    expect(opened(effects)).toEqual(['alice', 'bob']);
  });

  test('cancel drops those that had still to answer', () => {
    const { effects, state } = play(submitted('@alice @bob'), promptSent, cancelled, ended('cancelled'));
    expect(opened(effects)).toEqual(['alice']);
    expect(state.turn).toBeUndefined();
  });

  test('B13: what agents write wakes nobody', () => {
    const { effects, state } = play(submitted('@alice start'), promptSent, saidBy('alice', '@bob thanks'), ended());
    expect(opened(effects)).toEqual(['alice']);
    expect(state.turn).toBeUndefined();
  });

  test('B06: late text joins the answer of the agent that sends it, also while another answers', () => {
    const { effects, state } = play(
      submitted('@alice @bob'),
      promptSent,
      saidBy('alice', 'Hel'),
      ended(),
      saidBy('alice', 'lo'),
      promptSent,
      saidBy('bob', 'Hi'),
    );
    expect(answersOf(effects).map(textOf)).toEqual(['Hello']);
    expect(state.turn?.answer.parts).toEqual([{ kind: 'text', text: 'Hi' }]);
  });

  test('B06: text that comes while the next prompt is not sent yet belongs to the answer before', () => {
    const { effects } = play(
      submitted('@bob one'),
      promptSent,
      saidBy('bob', 'Hel'),
      ended(),
      submitted('@bob two'),
      saidBy('bob', 'lo'),
    );
    expect(answersOf(effects).map(textOf)).toEqual(['Hello']);
  });
});

describe('nobody answers', () => {
  test('a system message says so, the message is kept, and what comes next is answered', () => {
    const { effects, state } = play(submitted('hello'), submitted('@bob hello'));
    expect(savedMessages(effects).map(({ code, error }) => [code, error])).toEqual([
      ['', ''],
      ['no-recipient', ''],
      ['', ''],
    ]);
    expect(state.turn?.agent).toBe('bob');
  });

  test('it names who was meant', () => {
    const { effects } = play(submitted('@nobody hello'));
    expect(savedMessages(effects).at(-1)).toMatchObject({ role: 'system', code: 'no-recipient', error: 'nobody' });
  });
});

describe('members', () => {
  test('a mentioned agent that is no member joins before it answers', () => {
    const { effects, state } = play(submitted('@ann hello'));
    expect(state.conversation.members).toEqual(['bob', 'alice', 'ann']);
    expect(codes(effects)).toEqual([['agent-joined', 'ann']]);
    expect(effects.some((effect) => effect.type === 'saveConversation')).toBe(true);
  });

  test('joining twice and leaving without belonging change nothing', () => {
    const { effects } = play({ type: 'memberAdded', agent: 'bob' }, { type: 'memberRemoved', agent: 'ann' });
    expect(effects).toEqual([]);
  });

  test('removing the one that answers ends its turn cancelled, and what waited for it is not sent', () => {
    const { effects, state } = play(
      submitted('@bob one'),
      promptSent,
      submitted('@bob two'),
      submitted('@alice three'),
      { type: 'memberRemoved', agent: 'bob' },
      ended('cancelled'),
    );
    expect(answersOf(effects)[0]).toMatchObject({ agent: 'bob', stopReason: 'cancelled' });
    expect(notSent(effects)).toEqual(['@bob two']);
    expect(state.turn?.agent).toBe('alice');
    expect(state.conversation.members).toEqual(['alice']);
    expect(codes(effects)).toEqual([['agent-left', 'bob']]);
  });

  test('removing one that has still to answer takes it out of the turn', () => {
    const { effects } = play(submitted('@alice @bob'), promptSent, { type: 'memberRemoved', agent: 'bob' }, ended());
    expect(opened(effects)).toEqual(['alice']);
  });
});

describe('an agent is stopped', () => {
  test('its turn ends cancelled, what waits for it alone is not sent, the others answer', () => {
    const { effects, state } = play(
      submitted('@bob @alice'),
      promptSent,
      submitted('no name: goes to the last to answer'),
      submitted('@bob two'),
      stopped('bob'),
      ended('cancelled'),
    );
    expect(notSent(effects)).toEqual(['@bob two']);
    expect(state.turn?.agent).toBe('alice');
  });

  test('another one changes nothing', () => {
    expect(play(submitted('@bob one'), promptSent, stopped('alice')).state.turn?.phase).toBe('running');
  });
});

describe('another Neovim answers here', () => {
  const elsewhere = (...moves: Move[]) => playIn({ ...scene, free: ({ type }) => type === 'freed' }, ...moves);

  test('a message waits', () => {
    const { state, effects } = elsewhere(submitted('@bob hello'));
    expect(opened(effects)).toEqual([]);
    expect(state.queue.map(textOf)).toEqual(['@bob hello']);
  });

  test('and is sent when the other has done', () => {
    const { effects, state } = elsewhere(submitted('@bob one'), submitted('@alice two'), { type: 'freed' });
    expect(opened(effects)).toEqual(['bob']);
    expect(state.queue.map(textOf)).toEqual(['@alice two']);
  });

  test('the conversation says who answers there', () => {
    const { effects } = play({ type: 'answeredElsewhere', agent: 'ann' }, { type: 'answeredElsewhere', agent: '' });
    const told = effects.flatMap((effect) =>
      effect.type === 'tell' && effect.event.name === 'turn:changed'
        ? [[effect.event.payload.busy, effect.event.payload.answering]]
        : [],
    );
    expect(told).toEqual([
      [true, 'ann'],
      [false, ''],
    ]);
  });
});

describe('clear', () => {
  test('nobody has answered any more, and usage goes to zero', () => {
    const usage: ConversationEvent = {
      type: 'updated',
      agent: 'bob',
      updates: [{ type: 'usage', usage: { used: 5, size: 9 } }],
    };
    const { state } = play(submitted('@bob hi'), promptSent, usage, ended(), { type: 'cleared' });
    expect(state.answerers).toEqual([]);
    expect(state.usage).toEqual({ bob: { used: 0, size: 0 }, alice: { used: 0, size: 0 } });
  });
});

describe('a prompt that is cancelled before its agent has it', () => {
  const toBoth = submitted('@bob @alice hello');

  test('was sent all the same where another agent answered it', () => {
    const { effects } = play(toBoth, ...answered, cancelled);
    expect(answersOf(effects).map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'cancelled']);
    expect(notSent(effects)).toEqual([]);
  });

  test('is still to be sent where another agent is to answer it', () => {
    const { effects } = play(toBoth, { type: 'agentStopped', agent: 'bob' }, ...answered);
    expect(answersOf(effects).map(({ agent, stopReason }) => [agent, stopReason])).toEqual([
      ['bob', 'cancelled'],
      ['alice', 'end_turn'],
    ]);
    expect(notSent(effects)).toEqual([]);
  });
});

describe('files', () => {
  test('one that cannot be given is told under the prompt, and the agent answers without it', () => {
    const { effects, state } = play(submitted('@bob see $x.bin'), (now) => ({
      type: 'attachmentFailed',
      turn: now.turn?.answer.id ?? '',
      path: 'x.bin',
      why: 'it is binary',
    }));
    expect(savedMessages(effects).at(-1)).toMatchObject({ code: 'attachment-unavailable', error: 'it is binary' });
    expect(state.turn?.agent).toBe('bob');
  });

  test('what is told of them stands between the prompt and the answer, on screen and in history', () => {
    const unable =
      (path: string) =>
      (now: ConversationState): ConversationEvent => ({ type: 'attachmentFailed', turn: turnOf(now), path, why: 'no' });
    const files = ['x.bin', 'y.bin'].map((path) => ({ agent: 'bob', path }));
    const { effects } = play(
      { type: 'submitted', text: '@bob see $x.bin $y.bin', attachments: files },
      unable('x.bin'),
      unable('y.bin'),
      promptSent,
      ended(),
    );
    const order = ['@bob see $x.bin $y.bin', 'x.bin', 'y.bin', 'bob'];
    expect(drawnOrder(effects).map(titleOf)).toEqual(order);
    const kept = effects.flatMap((effect) => (effect.type === 'saveMessage' ? [effect] : []));
    const byPosition = kept.toSorted((a, b) => Number(a.position.slice(1)) - Number(b.position.slice(1)));
    expect(byPosition.map(({ message }) => titleOf(message))).toEqual(order);
  });
});
