// The questions an agent asks in a turn: asked, answered by their own id, withdrawn, cancelled, by the rules of permission requests
// (SPEC section 8). Each stands in the answer as a tool call, which shows where it waits and what was answered. Pure.
import type { Question } from '../contract/shapes.ts';
import type { QuestionOutcome, QuestionRequest, ToolPatch } from '../ports.ts';
import { schemaOf } from '../question/fields.ts';
import { answerShown, questionTool } from '../question/shown.ts';
import { foldTool } from './parts.ts';
import type { ConversationEffect, ConversationState, OpenQuestion, Stepped, Turn } from './state.ts';
import { andThen, stay } from './told.ts';
import { grow } from './updates.ts';

const cancelled: QuestionOutcome = { type: 'cancel' };

export function askQuestion(state: ConversationState, id: string, request: QuestionRequest): Stepped {
  const { turn } = state;
  if (!turn || turn.phase === 'cancelling') {
    return { state, effects: [{ type: 'answerQuestion', id, outcome: cancelled }] };
  }
  const { message, fields, url } = request;
  const question: Question = {
    id,
    channel: state.conversation.id,
    agent: turn.agent,
    message,
    schema: url === '' ? schemaOf(fields) : {},
    ...(url !== '' && { url }),
  };
  const added = { ...state, turn: { ...turn, questions: [...turn.questions, { question, fields }] } };
  const drawn = patch(added, turn, id, { title: message, status: 'pending', ...(url !== '' && { output: url }) });
  return andThen(drawn, (now) => ({
    state: now,
    effects: [{ type: 'tell', event: { name: 'question:requested', payload: question } }],
  }));
}

export function answerQuestion(state: ConversationState, id: string, outcome: QuestionOutcome): Stepped {
  const open = openQuestion(state.turn, id);
  if (!open) return stay(state);
  const answer = outcome.type === 'accept' ? answerShown(open.fields, outcome.content) : '';
  const answered: Stepped = { state, effects: [{ type: 'answerQuestion', id, outcome }] };
  const status = outcome.type === 'accept' ? 'completed' : 'failed';
  return andThen(answered, (now) => resolve(now, id, { status, ...(answer !== '' && { output: answer }) }));
}

/** The agent took it back, or is gone: nobody waits for an answer. */
export function withdrawQuestion(state: ConversationState, id: string): Stepped {
  return openQuestion(state.turn, id) ? resolve(state, id, { status: 'failed' }) : stay(state);
}

/** Their tool calls end with the turn. */
export function cancelQuestions(turn: Turn): ConversationEffect[] {
  return turn.questions.flatMap(({ question: { id, channel } }): ConversationEffect[] => [
    { type: 'answerQuestion', id, outcome: cancelled },
    resolved(id, channel),
  ]);
}

export const openQuestion = (turn: Turn | undefined, id: string): OpenQuestion | undefined =>
  turn?.questions.find(({ question }) => question.id === id);

function resolve(state: ConversationState, id: string, ended: ToolPatch): Stepped {
  const { turn } = state;
  if (!turn) return stay(state);
  const questions = turn.questions.filter(({ question }) => question.id !== id);
  const drawn = patch({ ...state, turn: { ...turn, questions } }, turn, id, ended);
  return andThen(drawn, (now) => ({ state: now, effects: [resolved(id, state.conversation.id)] }));
}

const patch = (state: ConversationState, { agent }: Turn, id: string, change: ToolPatch): Stepped =>
  grow(state, agent, (parts) => foldTool(parts, questionTool(id), change));

const resolved = (id: string, channel: string): ConversationEffect => ({
  type: 'tell',
  event: { name: 'question:resolved', payload: { id, channel } },
});
