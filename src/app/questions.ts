// The questions of agents between the adapters, the conversations and the views: asked, looked at, checked, answered.
// Holds no state; what is open stands in the conversations.
import type { QuestionField } from '../core/contract/shapes.ts';
import { openQuestion } from '../core/conversation/questions.ts';
import type { OpenQuestion } from '../core/conversation/state.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import { questionCompleted, type QuestionOutcome, type QuestionRequest } from '../core/ports.ts';
import { checkContent, readTyped, type Value } from '../core/question/content.ts';
import { fieldShown } from '../core/question/shown.ts';
import type { Language } from '../core/texts/index.ts';
import type { Conversations } from './conversations.ts';
import type { Settings } from './settings.ts';

/** `conversation` is undefined where nobody can be asked. */
export function askQuestion(
  conversations: Conversations,
  conversation: string | undefined,
  id: string,
  request: QuestionRequest,
  answer: (outcome: QuestionOutcome) => void,
  withdrawn: AbortSignal,
): void {
  if (conversation === undefined) {
    answer({ type: 'cancel' });
    return;
  }
  withdrawn.addEventListener('abort', () => {
    const outcome: QuestionOutcome = { type: 'accept', content: {} };
    if (withdrawn.reason === questionCompleted)
      conversations.step(conversation, { type: 'questionAnswered', id, outcome });
    else conversations.questionWithdrawn(conversation, id);
  });
  conversations.questionAsked(conversation, { type: 'questionAsked', id, request }, answer);
}

const unknown = () => fail('not-found', 'error.unknownQuestion');

function find(conversations: Conversations, id: string): OpenQuestion | undefined {
  for (const { turn } of conversations.list()) {
    const open = openQuestion(turn, id);
    if (open) return open;
  }
  return undefined;
}

export function answerQuestion(
  conversations: Conversations,
  id: string,
  action: QuestionOutcome['type'],
  content: unknown,
): Result<Record<string, never>> {
  const open = find(conversations, id);
  if (!open) return unknown();
  const outcome = outcomeOf(open, action, content);
  if (!outcome.ok) return outcome;
  conversations.step(open.question.channel, { type: 'questionAnswered', id, outcome: outcome.value });
  return ok({});
}

function outcomeOf(
  { fields }: OpenQuestion,
  action: QuestionOutcome['type'],
  content: unknown,
): Result<QuestionOutcome> {
  if (action !== 'accept') return ok({ type: action });
  const checked = checkContent(fields, content);
  return checked.ok ? ok({ type: 'accept', content: checked.value }) : checked;
}

export function fieldsOf(
  conversations: Conversations,
  id: string,
  language: Language,
): Result<{ fields: QuestionField[] }> {
  const open = find(conversations, id);
  return open ? ok({ fields: open.fields.map((field) => fieldShown(language, field)) }) : unknown();
}

/** What is wrong with a value is no error here: the person is asked again. */
export function checkField(
  conversations: Conversations,
  id: string,
  name: string,
  value: unknown,
  settings: Settings,
): Result<{ problem: string; value?: Value }> {
  const open = find(conversations, id);
  if (!open) return unknown();
  const field = open.fields.find((one) => one.name === name);
  if (!field) return fail('invalid', 'question.noField', { field: name });
  const typed = readTyped(field, value);
  if (!typed.ok) return ok({ problem: settings.wordFailure(typed.error) });
  return ok({ problem: '', ...(typed.value !== undefined && { value: typed.value }) });
}
