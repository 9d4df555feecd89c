// Tells what a line of an agent's standard output is: an update, another message of JSON-RPC, or something else.
// Mends small faults of form that would otherwise cost the request. Acts on nothing.
import type { AnyMessage, AnyResponse } from '@agentclientprotocol/sdk';
import { isObject, textOf, type Json } from './json.ts';

export type Incoming =
  | { readonly type: 'update'; readonly params: unknown }
  | { readonly type: 'message'; readonly message: AnyMessage }
  /** A notification nobody listens to. */
  | { readonly type: 'ignored' }
  | { readonly type: 'noise' };

/** The notifications that the SDK or our handlers listen to; updates go another way. */
const heard: ReadonlySet<string> = new Set(['$/cancel_request', 'elicitation/complete']);

const noise: Incoming = { type: 'noise' };
const ignored: Incoming = { type: 'ignored' };

export function readLine(line: string): Incoming {
  const value = parse(line);
  if (!isObject(value)) return noise;
  const { method } = value;
  if (typeof method === 'string') return 'id' in value ? readRequest(value, method) : readNotification(value, method);
  return 'method' in value ? noise : readResponse(value);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** `{"method": "GET", …}` may be a line of somebody's log: without the version it must at least have parameters. */
const isVersioned = (value: Json): boolean =>
  value['jsonrpc'] === '2.0' || (!('jsonrpc' in value) && isObject(value['params']));

function readNotification(value: Json, method: string): Incoming {
  if (!isVersioned(value)) return noise;
  if (method === 'session/update') return { type: 'update', params: value['params'] };
  if (!heard.has(method)) return ignored;
  return { type: 'message', message: { jsonrpc: '2.0', method, params: value['params'] } };
}

function readRequest(value: Json, method: string): Incoming {
  const { id } = value;
  if (!isVersioned(value) || !isId(id)) return noise;
  return { type: 'message', message: { jsonrpc: '2.0', id, method, params: value['params'] } };
}

/** A result and an empty error together, an error of another shape, a missing version: taken for what they mean. */
function readResponse(value: Json): Incoming {
  const { id, result, error } = value;
  if (!isId(id) || !('result' in value || 'error' in value || value['jsonrpc'] === '2.0')) return noise;
  const failed = error !== undefined && error !== null;
  const outcome = failed ? { error: mendError(error) } : { result: result ?? null };
  const message: AnyResponse = { jsonrpc: '2.0', id, ...outcome };
  return { type: 'message', message };
}

const isId = (id: unknown): id is string | number | null =>
  id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));

function mendError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!isObject(error)) return { code: -32603, message: typeof error === 'string' ? error : JSON.stringify(error) };
  const code = Number.isInteger(error['code']) ? Number(error['code']) : -32603;
  return { code, message: textOf(error['message']) || JSON.stringify(error), data: error['data'] };
}
