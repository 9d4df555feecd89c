// What an agent asks of us: permission, answers to its questions, reading and writing text files. The SDK answers everything else with
// "method not found". Parameters are checked here, because the SDK's own check drops or refuses too much (ACP.md 4.2).
import type * as Sdk from '@agentclientprotocol/sdk';
import type { ErrorCode, Failure, Result } from '../../core/errors.ts';
import type { AgentListener, Log, PermissionOutcome, ReadRequest } from '../../core/ports.ts';
import { word } from '../../core/texts/index.ts';
import { notFound } from './failures.ts';
import { objectOf, textOf, type Json } from './json.ts';
import type { OpenRequests } from './open-requests.ts';
import { readPermission } from './permissions.ts';
import type { Questions } from './questions.ts';
import type { Session } from './session.ts';

export interface RequestHost {
  readonly listener: AgentListener;
  readonly open: OpenRequests;
  readonly questions: Questions;
  readonly log: Log;
  /** Aborted when the agent is being stopped: requests are answered while it can still hear. */
  readonly stopping: AbortSignal;
  session(sessionId: string): Session;
  agentName(): string;
}

/** An answer that is an error of the protocol. */
class Refusal extends Error {
  readonly code: number;
  readonly data: Json;

  constructor(code: number, message: string, data: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const invalidParams = -32602;
const internalError = -32603;
const codes: Partial<Record<ErrorCode, number>> = { 'not-found': notFound, invalid: invalidParams };

export function serveRequests(sdk: typeof Sdk, app: Sdk.ClientApp, host: RequestHost): Sdk.ClientApp {
  const answering =
    <T>(answer: (params: Json, context: { signal: AbortSignal; requestId: unknown }) => Promise<T>) =>
    async ({ params, ...context }: Sdk.ClientRequestContext<Json>): Promise<T> => {
      try {
        return await answer(params, context);
      } catch (cause) {
        const { code, message, data } = cause instanceof Refusal ? cause : unexpected(host, cause);
        throw new sdk.RequestError(code, message, data);
      }
    };
  return app
    .onRequest(
      'session/request_permission',
      objectOf,
      answering((params, { signal, requestId }) => permit(host, params, requestId, signal)),
    )
    .onRequest(
      'elicitation/create',
      objectOf,
      answering((params, { signal }) => question(host, params, signal)),
    )
    .onNotification('elicitation/complete', objectOf, ({ params }) => host.questions.completed(params))
    .onRequest(
      'fs/read_text_file',
      objectOf,
      answering((params) => readFile(host, params)),
    )
    .onRequest(
      'fs/write_text_file',
      objectOf,
      answering((params) => writeFile(host, params)),
    );
}

function unexpected(host: RequestHost, cause: unknown): Refusal {
  host.log.write('a request of an agent failed', cause);
  return new Refusal(internalError, 'Internal error', {});
}

async function permit(host: RequestHost, params: Json, requestId: unknown, signal: AbortSignal): Promise<Json> {
  const sessionId = textOf(params['sessionId']);
  const request = readPermission(host.session(sessionId), params, requestId);
  const outcome = await host.open.ask<PermissionOutcome>({
    sessionId,
    signal,
    cancelled: { type: 'cancelled' },
    show: (answer, withdrawn) => host.listener.permissionRequested(sessionId, request, answer, withdrawn),
  });
  return { outcome: outcomeOf(outcome) };
}

async function question(host: RequestHost, params: Json, signal: AbortSignal): Promise<Json> {
  const answer = await host.questions.ask(params, signal);
  if (answer.ok) return answer.value;
  const { text, values } = answer.error;
  throw new Refusal(invalidParams, word('en', text, values), {});
}

const outcomeOf = (outcome: PermissionOutcome): Json =>
  outcome.type === 'selected' ? { outcome: 'selected', optionId: outcome.optionId } : { outcome: 'cancelled' };

/** gemini-cli creates a file only if reading it first gives empty text (ACP.md 5.4). */
async function readFile(host: RequestHost, params: Json): Promise<Json> {
  const request = readRequest(params);
  const read = await unlessStopped(host, host.listener.readFile(textOf(params['sessionId']), request));
  if (read.ok) return { content: read.value };
  if (read.error.code === 'not-found' && host.agentName() === 'gemini-cli') return { content: '' };
  throw refusal(read.error, request.path);
}

async function writeFile(host: RequestHost, params: Json): Promise<Json> {
  const path = pathOf(params);
  const { content } = params;
  if (typeof content !== 'string') throw invalid('content');
  const written = await unlessStopped(host, host.listener.writeFile(textOf(params['sessionId']), path, content));
  if (!written.ok) throw refusal(written.error, path);
  return {};
}

function readRequest(params: Json): ReadRequest {
  const line = countOf(params, 'line');
  const limit = countOf(params, 'limit');
  // Lines count from 1; an agent that counts from 0 means the first one.
  return {
    path: pathOf(params),
    ...(line !== undefined && { line: Math.max(1, line) }),
    ...(limit !== undefined && { limit }),
  };
}

function countOf(params: Json, name: string): number | undefined {
  const value = params[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw invalid(name);
  return value;
}

function pathOf(params: Json): string {
  const { path } = params;
  if (typeof path !== 'string' || path === '') throw invalid('path');
  return path;
}

const invalid = (name: string): Refusal => new Refusal(invalidParams, `Invalid params: ${name}`, { field: name });

/** Agents are answered in English, as the protocol's own errors are. */
function refusal(failure: Failure, path: string): Refusal {
  const code = codes[failure.code] ?? internalError;
  return new Refusal(code, word('en', failure.text, failure.values), { uri: path, reason: failure.code });
}

function unlessStopped<T>({ stopping }: RequestHost, result: Promise<Result<T>>): Promise<Result<T>> {
  const stopped: Result<T> = { ok: false, error: { code: 'unavailable', text: 'agent.stopAsked' } };
  if (stopping.aborted) return Promise.resolve(stopped);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(stopped);
    stopping.addEventListener('abort', stop);
    result.then(resolve, reject).finally(() => stopping.removeEventListener('abort', stop));
  });
}
