// The one table of named errors: the code a caller sees and the text of each (SPEC section 14). Throws nothing.
import type { TextKey } from './texts/en.ts';

export type ErrorCode =
  | 'invalid'
  | 'not-found'
  | 'exists'
  | 'busy'
  | 'limit'
  | 'refused'
  | 'conflict'
  | 'unavailable'
  | 'timeout'
  | 'no-ui'
  | 'internal';

/** An expected failure, as a value: `text` and `values` are worded in the person's language where it is shown. */
export interface Failure {
  readonly code: ErrorCode;
  readonly text: TextKey;
  readonly values?: Readonly<Record<string, string | number>>;
  /** What a library or the system said, for the log. */
  readonly cause?: unknown;
}

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

export function fail(
  code: ErrorCode,
  text: TextKey,
  values?: Readonly<Record<string, string | number>>,
  cause?: unknown,
): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: { code, text, ...(values && { values }), ...(cause !== undefined && { cause }) } };
}

/** The words of anything that was thrown. */
export function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
