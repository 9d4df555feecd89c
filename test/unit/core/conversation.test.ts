// The state machine of a conversation: tables of events and what a person or an agent gets to see of them.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/core/contract/shapes.ts';
import { stepConversation } from '../../../src/core/conversation/step.ts';
import type { ConversationEvent } from '../../../src/core/conversation/state.ts';
import {
  answers,
  asked,
  busyTold,
  cancelled,
  ended,
  failed,
  play,
  promptSent,
  said,
  savedMessages,
  submitted,
  toolOf,
} from './conversation-play.ts';

describe('a turn', () => {
  test('a message begins a turn of the agent and is kept', () => {
    const { state, effects } = play(submitted('hello'));
    expect(savedMessages(effects).map((message) => message.parts)).toEqual([[{ kind: 'text', text: 'hello' }]]);
    expect(effects.filter((effect) => effect.type === 'openTurn')).toHaveLength(1);
    expect(state.turn).toMatchObject({ agent: 'bob', phase: 'opening' });
  });

  test('its end keeps one whole answer, frees the agent, and only then says that nobody answers', () => {
    const { state, effects } = play(submitted('hello'), promptSent, said('Hi '), said('there'), ended());
    const answer = savedMessages(effects).find((message) => message.role === 'agent');
    expect(answer).toMatchObject({ done: true, stopReason: 'end_turn', error: '' });
    expect(answer?.parts).toEqual([{ kind: 'text', text: 'Hi there' }]);
    expect(state.turn).toBeUndefined();
    const order = effects.map((effect) => effect.type);
    expect(order.indexOf('releaseAgent')).toBeLessThan(order.lastIndexOf('tell'));
    expect(busyTold(effects)).toEqual([true, false]);
  });

  test('an agent that said nothing still leaves exactly one message', () => {
    const { effects } = play(submitted('hello'), promptSent, ended());
    expect(savedMessages(effects).filter((message) => message.role === 'agent')).toHaveLength(1);
  });

  test('a second end, or the end of another turn, changes nothing', () => {
    const { effects } = play(submitted('hello'), promptSent, ended(), {
      type: 'promptEnded',
      turn: 'm2',
      stopReason: 'end_turn',
    });
    expect(effects.filter((effect) => effect.type === 'releaseAgent')).toHaveLength(1);
  });

  test('an agent that dies keeps what it said, its open tool calls end as failed', () => {
    const call: ConversationEvent = {
      type: 'updated',
      agent: 'bob',
      updates: [{ type: 'tool', id: 't1', patch: { title: 'Read', status: 'in_progress' } }],
    };
    const { effects } = play(submitted('hello'), promptSent, said('Hel'), call, failed('exit code 3'));
    const answer = savedMessages(effects).find((message) => message.role === 'agent');
    expect(answer).toMatchObject({ error: 'exit code 3', stopReason: '' });
    expect(toolOf(answer, 't1')).toMatchObject([{ title: 'Read', status: 'failed' }]);
  });

  test('an agent that cannot be started leaves a system message that says why', () => {
    const { effects } = play(submitted('hello'), failed('no such program', true));
    expect(savedMessages(effects).at(-1)).toMatchObject({
      role: 'system',
      code: 'agent-unavailable',
      error: 'no such program',
    });
  });
});

describe('the queue', () => {
  test('messages sent while an agent answers wait, in order, and are sent one at a time', () => {
    const { state, effects } = play(submitted('one'), promptSent, submitted('two'), submitted('three'), ended());
    expect(effects.filter((effect) => effect.type === 'openTurn').map((effect) => effect.prompt.parts)).toEqual([
      [{ kind: 'text', text: 'one' }],
      [{ kind: 'text', text: 'two' }],
    ]);
    expect(state.queue.map((message) => message.parts)).toEqual([[{ kind: 'text', text: 'three' }]]);
  });

  test('answers stand below their own prompt, what waits stays at the end', () => {
    const { effects } = play(submitted('one'), promptSent, submitted('two'), submitted('three'), ended());
    const drawn: string[] = [];
    for (const effect of effects) {
      const id = effect.type === 'draw' ? effect.message.id : effect.type === 'undraw' ? effect.messageId : undefined;
      if (id === undefined) continue;
      if (effect.type === 'undraw') drawn.splice(drawn.indexOf(id), 1);
      else if (!drawn.includes(id)) drawn.push(id);
    }
    const words = new Map(
      effects.flatMap((effect) => (effect.type === 'draw' ? [[effect.message.id, effect.message] as const] : [])),
    );
    expect(drawn.map((id) => words.get(id)?.parts[0] ?? 'answer')).toEqual([
      { kind: 'text', text: 'one' },
      'answer',
      { kind: 'text', text: 'two' },
      'answer',
      { kind: 'text', text: 'three' },
    ]);
  });

  test('a waiting message can be changed and removed until it is sent', () => {
    const { state } = play(
      submitted('one'),
      submitted('two'),
      submitted('three'),
      (now) => ({ type: 'queuedEdited', messageId: now.queue[0]?.id ?? '', text: 'TWO', attachments: [] }),
      (now) => ({ type: 'queuedRemoved', messageId: now.queue[1]?.id ?? '' }),
    );
    expect(state.queue.map((message) => message.parts)).toEqual([[{ kind: 'text', text: 'TWO' }]]);
  });

  test('cancel keeps what waited, marked cancelled, and it can be sent again', () => {
    const first = play(submitted('one'), promptSent, submitted('two'), cancelled, ended('cancelled'));
    const dropped = savedMessages(first.effects).find((message) => message.error === 'cancelled');
    expect(dropped).toMatchObject({ role: 'user', queued: false, parts: [{ kind: 'text', text: 'two' }] });
    const again = stepConversation(
      first.state,
      { type: 'resent', message: dropped as Message },
      { now: 1, nextId: () => 'again', agents: ['bob'], free: true },
    );
    expect(again.state.turn?.prompt.parts).toEqual([{ kind: 'text', text: 'two' }]);
  });

  test('an agent that failed gets no waiting message by itself', () => {
    const { state, effects } = play(submitted('one'), promptSent, submitted('two'), failed('exit code 1'));
    expect(state.turn).toBeUndefined();
    expect(savedMessages(effects).some((message) => message.error === 'cancelled')).toBe(true);
  });
});

describe('cancel', () => {
  test('B11: the conversation stays busy until the agent ends; a second cancel tells the agent nothing more', () => {
    const { state, effects } = play(submitted('one'), promptSent, cancelled, cancelled);
    expect(state.turn?.phase).toBe('cancelling');
    expect(effects.filter((effect) => effect.type === 'cancelPrompt')).toHaveLength(1);
  });

  test('a prompt that never reached the agent ends at once', () => {
    const { state, effects } = play(submitted('one'), cancelled);
    expect(state.turn).toBeUndefined();
    expect(savedMessages(effects).at(-1)).toMatchObject({ role: 'agent', stopReason: 'cancelled' });
  });

  test('such a prompt was not sent: it says so, and can be sent again', () => {
    const { effects } = play(submitted('one'), cancelled);
    const [prompt] = savedMessages(effects);
    expect(prompt).toMatchObject({ role: 'user', error: 'cancelled' });
    const [sent] = savedMessages(play(submitted('one'), promptSent, cancelled).effects);
    expect(sent).toMatchObject({ role: 'user', error: '' });
  });

  test('B07: every open permission request is answered cancelled, exactly once', () => {
    const { effects } = play(
      submitted('one'),
      promptSent,
      asked('p7'),
      asked('p8', 't2'),
      cancelled,
      ended('cancelled'),
    );
    expect(answers(effects)).toEqual([
      ['p7', { type: 'cancelled' }],
      ['p8', { type: 'cancelled' }],
    ]);
  });

  test('B07: the death of the agent settles every open permission request, exactly once', () => {
    const { effects } = play(submitted('hi'), promptSent, asked('p1'), asked('p2', 't2'), failed('exit code 1'), {
      type: 'permissionAnswered',
      id: 'p1',
      optionId: 'no',
    });
    expect(answers(effects)).toEqual([
      ['p1', { type: 'cancelled' }],
      ['p2', { type: 'cancelled' }],
    ]);
    const resolved = effects.flatMap((effect) =>
      effect.type === 'tell' && effect.event.name === 'permission:resolved' ? [effect.event.payload.id] : [],
    );
    expect(resolved).toEqual(['p1', 'p2']);
  });

  test('what is asked after the cancel is answered cancelled without a question', () => {
    const { state, effects } = play(submitted('one'), promptSent, cancelled, asked('p9'));
    expect(answers(effects)).toEqual([['p9', { type: 'cancelled' }]]);
    expect(state.turn?.permissions).toEqual([]);
  });
});

describe('late text', () => {
  test('B06: it joins the finished answer and is kept', () => {
    const { state, effects } = play(submitted('hi'), promptSent, said('Hel'), ended(), said('lo'));
    const answer = savedMessages(effects).find((message) => message.role === 'agent');
    expect(answer?.parts).toEqual([{ kind: 'text', text: 'Hello' }]);
    expect(state.turn).toBeUndefined();
  });

  test('B06: during the next turn it belongs to that turn, and the prompt is not split', () => {
    const { state } = play(
      submitted('hi'),
      promptSent,
      said('Hel'),
      ended(),
      submitted('next'),
      promptSent,
      said('lo'),
    );
    expect(state.turn?.prompt.parts).toEqual([{ kind: 'text', text: 'next' }]);
    expect(state.turn?.answer.parts).toEqual([{ kind: 'text', text: 'lo' }]);
  });
});

describe('tool calls', () => {
  test('B05: an update of a call nobody announced invents no failure', () => {
    const ghost: ConversationEvent = {
      type: 'updated',
      agent: 'bob',
      updates: [{ type: 'tool', id: 'ghost', patch: { status: 'completed' } }],
    };
    const { effects } = play(submitted('hi'), promptSent, ghost, said('text'), ended());
    const answer = savedMessages(effects).find((message) => message.role === 'agent');
    expect(toolOf(answer, 'ghost').map((tool) => tool.status)).not.toContain('failed');
    expect(answer?.parts.at(-1)).toEqual({ kind: 'text', text: 'text' });
  });

  test('B05: a call known only from its permission request is one entry with its title', () => {
    const done: ConversationEvent = {
      type: 'updated',
      agent: 'bob',
      updates: [{ type: 'tool', id: 't1', patch: { status: 'completed' } }],
    };
    const answer: ConversationEvent = { type: 'permissionAnswered', id: 'p1', optionId: 'ok-session' };
    const { effects } = play(submitted('hi'), promptSent, asked('p1'), answer, done, ended());
    const message = savedMessages(effects).find((one) => one.role === 'agent');
    expect(toolOf(message, 't1')).toMatchObject([{ title: 'Run tests', status: 'completed' }]);
  });

  test('a refused call the agent says nothing more of ends as failed', () => {
    const refuse: ConversationEvent = { type: 'permissionAnswered', id: 'p1', optionId: 'no' };
    const { effects } = play(submitted('hi'), promptSent, asked('p1'), refuse, ended());
    const message = savedMessages(effects).find((one) => one.role === 'agent');
    expect(toolOf(message, 't1')).toMatchObject([{ status: 'failed' }]);
  });
});

describe('permission requests', () => {
  test('B09: two at once are answered by their own id, in any order, with the very option chosen', () => {
    const { effects } = play(
      submitted('hi'),
      promptSent,
      asked('p11', 't1'),
      asked('p12', 't2'),
      { type: 'permissionAnswered', id: 'p12', optionId: 'ok-session' },
      { type: 'permissionAnswered', id: 'p11', optionId: 'no' },
      { type: 'permissionAnswered', id: 'p11', optionId: 'ok-session' },
    );
    expect(answers(effects)).toEqual([
      ['p12', { type: 'selected', optionId: 'ok-session' }],
      ['p11', { type: 'selected', optionId: 'no' }],
    ]);
  });

  test('a later request says how many were refused in this turn', () => {
    const { state } = play(
      submitted('hi'),
      promptSent,
      asked('p1', 't1'),
      { type: 'permissionAnswered', id: 'p1', optionId: 'no' },
      asked('p2', 't2'),
    );
    expect(state.turn?.permissions).toMatchObject([{ id: 'p2', rejections: 1 }]);
  });
});

test('a new session draws a line and empties the usage', () => {
  const usage: ConversationEvent = {
    type: 'updated',
    agent: 'bob',
    updates: [{ type: 'usage', usage: { used: 10, size: 100 } }],
  };
  const { state, effects } = play(submitted('hi'), promptSent, usage, ended(), { type: 'sessionForgotten' });
  expect(state.usage).toEqual({ bob: { used: 0, size: 0 } });
  expect(savedMessages(effects).at(-1)).toMatchObject({ role: 'system', code: 'session-started' });
});
