// Asks Lua of the plugin something, once Neovim can answer; what fails is a value. Knows no question.
import type { NeovimClient } from 'neovim';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import type { TextKey } from '../../core/texts/index.ts';

/** While Neovim waits for a key (a "Press ENTER", an operator), a request would wait with it. An agent hears within a second. */
const blockedTries = 8;
const blockedPauseMs = 100;

/** Why lua/sidekicks/edits could not do what it was asked. */
export interface EditsFailure {
  readonly error?: TextKey;
  readonly values?: Readonly<Record<string, string | number>>;
}

export async function ask<T>(nvim: NeovimClient, path: string, chunk: string, args: unknown[]): Promise<Result<T>> {
  try {
    if (!(await untilFree(nvim))) return fail('busy', 'file.busyEditor', { path });
    return ok((await nvim.executeLua(chunk, args as never)) as T);
  } catch (cause) {
    return fail('unavailable', 'file.failed', { path, what: causeText(cause) }, cause);
  }
}

async function untilFree(nvim: NeovimClient): Promise<boolean> {
  for (let tries = 0; tries < blockedTries; tries++) {
    const { blocking } = (await nvim.request('nvim_get_mode', [])) as { blocking: boolean };
    if (!blocking) return true;
    await new Promise((resolve) => setTimeout(resolve, blockedPauseMs));
  }
  return false;
}

export function failureOf(
  path: string,
  { error, values }: EditsFailure,
): { readonly ok: false; readonly error: Failure } {
  return fail('refused', error ?? 'file.failed', { path, ...values });
}

/** A blank before the text keeps the decoder from taking a byte-order mark away. */
export interface Guarded {
  readonly text?: string;
  readonly guarded?: boolean;
}

export const unguarded = ({ text, guarded }: Guarded): string | undefined => (guarded ? text?.slice(1) : text);
