// The questions of one agent (`elicitation/create`): read from the wire, answered on it. A form that cannot be shown whole is refused
// with a reason; only http and https addresses are passed on. Opens nothing.
import type { Failure, Result } from '../../core/errors.ts';
import { fail, ok } from '../../core/errors.ts';
import { questionCompleted, type AgentListener, type QuestionOutcome, type QuestionRequest } from '../../core/ports.ts';
import { readFields } from '../../core/question/fields.ts';
import { linesOf } from '../../core/question/read.ts';
import { textOf, type Json } from './json.ts';
import type { OpenRequests } from './open-requests.ts';

const cancelled: QuestionOutcome = { type: 'cancel' };
const longestUrl = 8192;

export class Questions {
  readonly #listener: AgentListener;
  readonly #open: OpenRequests;
  /** By elicitation id: ends a question whose page has done what it was for. */
  readonly #pages = new Map<string, () => void>();

  constructor(listener: AgentListener, open: OpenRequests) {
    this.#listener = listener;
    this.#open = open;
  }

  async ask(params: Json, signal: AbortSignal): Promise<Result<Json>> {
    const request = readQuestion(params);
    if (!request.ok) return request;
    if (params['sessionId'] == null && params['requestId'] == null) return fail('invalid', 'question.noScope');
    const page = request.value.url === '' ? '' : textOf(params['elicitationId']);
    const completed = new AbortController();
    if (page !== '') this.#pages.set(page, () => completed.abort(questionCompleted));
    const outcome = await this.#show(textOf(params['sessionId']), request.value, signal, completed.signal);
    if (page !== '') this.#pages.delete(page);
    return ok(answerOf(request.value, outcome));
  }

  /** What a page was opened for is done; of any other id nobody waits. */
  completed(params: Json): void {
    this.#pages.get(textOf(params['elicitationId']))?.();
  }

  #show(
    sessionId: string,
    request: QuestionRequest,
    signal: AbortSignal,
    completed: AbortSignal,
  ): Promise<QuestionOutcome> {
    return this.#open.ask<QuestionOutcome>({
      sessionId,
      signal,
      cancelled,
      show: (answer, withdrawn) => {
        completed.addEventListener('abort', () => answer({ type: 'accept', content: {} }));
        this.#listener.questionAsked(sessionId, request, answer, AbortSignal.any([withdrawn, completed]));
      },
    });
  }
}

function readQuestion(params: Json): Result<QuestionRequest> {
  const message = linesOf(textOf(params['message']));
  if (params['mode'] === 'form') {
    const fields = readFields(params['requestedSchema']);
    return fields.ok ? ok({ message, fields: fields.value, url: '' }) : fields;
  }
  if (params['mode'] !== 'url') return fail('invalid', 'question.unknownMode');
  const url = webAddress(textOf(params['url']));
  return url === undefined ? badUrl() : ok({ message, fields: [], url });
}

const badUrl = (): { readonly ok: false; readonly error: Failure } => fail('invalid', 'question.badUrl');

/** As a browser writes it: a host that only looks like another one is shown for what it is. */
function webAddress(text: string): string | undefined {
  const url = text.length <= longestUrl ? URL.parse(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

const answerOf = ({ url }: QuestionRequest, outcome: QuestionOutcome): Json =>
  outcome.type === 'accept' && url === '' ? { action: 'accept', content: outcome.content } : { action: outcome.type };
