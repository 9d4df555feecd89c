// Owns the fake model's HTTP server on 127.0.0.1, so that real agents run whole turns with no network and no key.
// It picks the dialect by the address asked; what is answered is decided in script.ts.
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anthropic } from './dialects/anthropic.ts';
import { chat } from './dialects/chat.ts';
import { gemini } from './dialects/gemini.ts';
import { responses } from './dialects/responses.ts';
import { asText, parseObject, type JsonObject } from './json.ts';
import type { Dialect } from './model.ts';
import { decide } from './script.ts';
import { sendJson } from './stream.ts';

export interface FakeModel {
  /** "http://127.0.0.1:PORT", without a final slash. */
  readonly url: string;
  /** What was asked and answered so far, newest last; for a failing test to print. */
  readonly log: readonly JsonObject[];
  close(): Promise<void>;
}

export interface FakeModelOptions {
  /** Pause between two pieces of a stream, 5 ms unless given. */
  readonly delayMs?: number;
}

export async function startFakeModel({ delayMs = 5 }: FakeModelOptions = {}): Promise<FakeModel> {
  const log: JsonObject[] = [];
  const server = http.createServer((request, response) => {
    serve(request, response, delayMs, log).catch((error: unknown) => {
      log.push({ failed: String(error) });
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the fake model listens on no port');
  return { url: `http://127.0.0.1:${address.port}`, log, close: () => close(server) };
}

function close(server: http.Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  delayMs: number,
  log: JsonObject[],
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const body = parseObject(await readAll(request));
  const dialect = request.method === 'POST' ? dialectOf(path) : undefined;
  if (!dialect) {
    log.push({ method: request.method, path });
    answerSideRequest(path, response);
    return;
  }
  const asked = dialect.read(body);
  const replies = decide(asked);
  log.push({ path, dialect: dialect.name, tools: asked.tools.map((tool) => tool.name), replies });
  const failure = replies.find((reply) => reply.kind === 'error');
  if (failure) {
    const error = { type: 'api_error', message: 'fake failure', code: failure.status };
    sendJson(response, { type: 'error', error }, failure.status);
    return;
  }
  const stream = body['stream'] === true || path.endsWith(':streamGenerateContent');
  await dialect.write({ response, body, replies, stream, delayMs });
}

function dialectOf(path: string): Dialect | undefined {
  if (path.endsWith('/chat/completions')) return chat;
  if (path.endsWith('/messages')) return anthropic;
  if (path.endsWith('/responses')) return responses;
  return /\/models\/[^/:]+:(streamG|g)enerateContent$/.test(path) ? gemini : undefined;
}

/** What agents ask beside the model's answers: tokens counted, models listed. */
function answerSideRequest(path: string, response: ServerResponse): void {
  if (path.endsWith('/count_tokens')) sendJson(response, { input_tokens: 11 });
  else if (path.endsWith(':countTokens')) sendJson(response, { totalTokens: 11 });
  else if (/\/models\/?$/.test(path)) {
    const model = { id: 'fake-model', object: 'model', created: 0, owned_by: 'fake' };
    sendJson(response, { object: 'list', data: [model], models: [] });
  } else sendJson(response, { error: { message: 'the fake model knows no such address', type: 'not_found' } }, 404);
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) {
    if (chunk instanceof Uint8Array) chunks.push(chunk);
    else chunks.push(Buffer.from(asText(chunk)));
  }
  return Buffer.concat(chunks).toString('utf8');
}
