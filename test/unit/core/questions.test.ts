// The questions of agents in a conversation: asked, answered by their own id, settled exactly once, drawn at their place (SPEC section 8).
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../src/core/contract/shapes.ts';
import {
  newConversationState,
  type ConversationEffect,
  type ConversationEvent,
  type ConversationState,
} from '../../../src/core/conversation/state.ts';
import { stepConversation } from '../../../src/core/conversation/step.ts';
import { rows } from './transcript-support.ts';

const conversation: Conversation = {
  id: 'c1',
  name: '',
  description: '',
  direct: 'bob',
  members: ['bob'],
  project: '/p',
};

type Play = ConversationEvent | ((state: ConversationState) => ConversationEvent);

function play(...events: Play[]) {
  let state = newConversationState(conversation);
  const effects: ConversationEffect[] = [];
  let count = 0;
  for (const event of events) {
    const next = typeof event === 'function' ? event(state) : event;
    const stepped = stepConversation(state, next, {
      now: 1000 + count,
      nextId: () => `m${String(++count)}`,
      agents: ['bob'],
      free: true,
    });
    state = stepped.state;
    effects.push(...stepped.effects);
  }
  return { state, effects };
}

const begun: Play[] = [
  { type: 'submitted', text: 'hi', attachments: [] },
  (state) => ({ type: 'promptSent', turn: state.turn?.answer.id ?? '' }),
];
const asked = (id: string, url = ''): ConversationEvent => ({
  type: 'questionAsked',
  id,
  request: {
    message: `Which ${id}?`,
    url,
    fields: [
      {
        kind: 'one',
        name: 'pick',
        title: 'Pick',
        description: '',
        required: true,
        choices: [{ value: 'a', title: 'Ann', description: '' }],
      },
    ],
  },
});
const answered = (id: string): ConversationEvent => ({
  type: 'questionAnswered',
  id,
  outcome: { type: 'accept', content: { pick: 'a' } },
});
const ended = (state: ConversationState): ConversationEvent => ({
  type: 'promptEnded',
  turn: state.turn?.answer.id ?? '',
  stopReason: 'end_turn',
});

const answers = (effects: ConversationEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'answerQuestion' ? [[effect.id, effect.outcome.type]] : []));
const told = (effects: ConversationEffect[]) =>
  effects.flatMap((effect) =>
    effect.type === 'tell' && effect.event.name.startsWith('question:') ? [effect.event] : [],
  );
const resolvedIds = (effects: ConversationEffect[]) =>
  told(effects).flatMap((event) => (event.name === 'question:resolved' ? [event.payload.id] : []));

/** The rows of the answer as a person sees them. */
function drawn({ turn, lastAnswers }: ConversationState): string[] {
  const message = turn?.answer ?? lastAnswers.get('bob');
  if (!message) return [];
  return [...rows(message)];
}

describe('a question', () => {
  test('is told with its form as JSON Schema, and its answer goes to the agent once', () => {
    const { state, effects } = play(...begun, asked('q1'), answered('q1'), answered('q1'));
    expect(told(effects)).toEqual([
      {
        name: 'question:requested',
        payload: {
          id: 'q1',
          channel: 'c1',
          agent: 'bob',
          message: 'Which q1?',
          schema: {
            type: 'object',
            properties: { pick: { type: 'string', title: 'Pick', oneOf: [{ const: 'a', title: 'Ann' }] } },
            required: ['pick'],
          },
        },
      },
      { name: 'question:resolved', payload: { id: 'q1', channel: 'c1' } },
    ]);
    expect(answers(effects)).toEqual([['q1', 'accept']]);
    expect(state.turn?.questions).toEqual([]);
  });

  test('several wait in order and are answered by their own id, in any order', () => {
    const { state, effects } = play(...begun, asked('q1'), asked('q2'), asked('q3'), answered('q2'));
    expect(state.turn?.questions.map(({ question }) => question.id)).toEqual(['q1', 'q3']);
    expect(answers(effects)).toEqual([['q2', 'accept']]);
  });

  test('stands in the answer where it was asked: waiting, then with what was answered by title', () => {
    const waiting = play(...begun, asked('q1'));
    expect(drawn(waiting.state)).toContain('○ question  Which q1?');
    expect(drawn(waiting.state)).toContain('⏳ waiting for your answer: gp');
    const done = drawn(play(...begun, asked('q1'), answered('q1'), ended).state);
    expect(done).toContain('✓ question  Which q1?');
    expect(done.join('\n')).toContain('Pick: Ann');
    expect(done.join('\n')).not.toContain('waiting');
  });

  test.each(['decline', 'cancel'] as const)('that gets %s is shown as not answered; the turn goes on', (type) => {
    const { state, effects } = play(...begun, asked('q1'), { type: 'questionAnswered', id: 'q1', outcome: { type } });
    expect(answers(effects)).toEqual([['q1', type]]);
    expect(drawn(state)).toContain('✗ question  Which q1?');
    expect(state.turn?.phase).toBe('running');
  });

  test('of an address tells and shows it whole', () => {
    const { state, effects } = play(...begun, asked('q1', 'https://example.com/a?b=c'));
    expect(told(effects)[0]?.payload).toMatchObject({ url: 'https://example.com/a?b=c', schema: {} });
    expect(drawn(state).join('\n')).toContain('https://example.com/a?b=c');
  });
});

describe('exactly one answer', () => {
  test('B07: cancel settles every question once, and what is asked afterwards without telling anybody', () => {
    const { state, effects } = play(
      ...begun,
      asked('q1'),
      asked('q2'),
      { type: 'cancelRequested' },
      asked('q3'),
      answered('q1'),
      (now) => ({ type: 'promptEnded', turn: now.turn?.answer.id ?? '', stopReason: 'cancelled' }),
    );
    expect(answers(effects)).toEqual([
      ['q1', 'cancel'],
      ['q2', 'cancel'],
      ['q3', 'cancel'],
    ]);
    expect(resolvedIds(effects)).toEqual(['q1', 'q2']);
    expect(drawn(state)).toContain('✗ question  Which q1?');
  });

  test('the end of the turn, the death of the agent: settled once', () => {
    for (const end of [
      ended,
      (now: ConversationState): ConversationEvent => ({
        type: 'promptFailed',
        turn: now.turn?.answer.id ?? '',
        words: 'the agent ended, exit code 1',
        unavailable: false,
      }),
    ]) {
      const { effects } = play(...begun, asked('q1'), end, answered('q1'), { type: 'questionWithdrawn', id: 'q1' });
      expect(answers(effects)).toEqual([['q1', 'cancel']]);
      expect(resolvedIds(effects)).toEqual(['q1']);
    }
  });

  test('one the agent takes back is gone without an answer', () => {
    const { state, effects } = play(...begun, asked('q1'), { type: 'questionWithdrawn', id: 'q1' }, answered('q1'));
    expect(answers(effects)).toEqual([]);
    expect(resolvedIds(effects)).toEqual(['q1']);
    expect(drawn(state)).toContain('✗ question  Which q1?');
  });

  test('without a turn nobody can be asked', () => {
    const { effects } = play(asked('q1'));
    expect(answers(effects)).toEqual([['q1', 'cancel']]);
    expect(told(effects)).toEqual([]);
  });

  test('while the session is only being opened it can be asked; a cancel then settles it', () => {
    const { effects } = play({ type: 'submitted', text: 'hi', attachments: [] }, asked('q1'), {
      type: 'cancelRequested',
    });
    expect(told(effects)[0]?.name).toBe('question:requested');
    expect(answers(effects)).toEqual([['q1', 'cancel']]);
  });
});
