// Reads the buffer of a file, a large one slice by slice, so that the editor never stands still for all of it.
import { promises as fs } from 'node:fs';
import type { NeovimClient } from 'neovim';
import { ok, type Result } from '../../core/errors.ts';
import type { BufferSnapshot } from '../../core/ports.ts';
import { ask, failureOf, unguarded, type EditsFailure, type Guarded } from './ask.ts';

/** A large buffer in which somebody goes on typing is read in one piece after so many tries. */
const mostTries = 3;

type Read = EditsFailure &
  Guarded & {
    readonly found?: boolean;
    readonly modified?: boolean;
    readonly tick?: number;
    readonly read?: string;
    readonly wrote?: string;
    /** The text is to be asked for in slices. */
    readonly sliced?: boolean;
    /** Buffer and file need not be compared. */
    readonly same?: boolean;
  };
type Slice = EditsFailure & Guarded & { readonly next?: number };

export async function readBuffer(nvim: NeovimClient, path: string): Promise<Result<BufferSnapshot | undefined>> {
  for (let tries = 1; ; tries++) {
    const read = await ask<Read>(nvim, path, "return require('sidekicks.edits').read(...)", [path, tries > mostTries]);
    if (!read.ok) return read;
    if (read.value.sliced !== true) return snapshot(path, read.value);
    const text = await slices(nvim, path, read.value.tick ?? 0);
    if (!text.ok) return text;
    if (text.value === undefined) continue;
    if (read.value.same === true || (await holds(path, text.value))) {
      return snapshot(path, { ...read.value, text: text.value, guarded: false });
    }
    tries = mostTries;
  }
}

/** undefined: the buffer has moved on. */
async function slices(nvim: NeovimClient, path: string, tick: number): Promise<Result<string | undefined>> {
  const parts: string[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const chunk = "return require('sidekicks.edits').slice(...)";
    const slice: Result<Slice> = await ask<Slice>(nvim, path, chunk, [path, tick, from]);
    if (!slice.ok) return slice;
    if (slice.value.error) return failureOf(path, slice.value);
    const text = unguarded(slice.value);
    if (text === undefined) return ok(undefined);
    parts.push(text);
    from = slice.value.next;
  }
  return ok(parts.join(''));
}

/** Whether the file is what its clean buffer says; one that cannot be read is looked at by the editor. */
async function holds(path: string, text: string): Promise<boolean> {
  try {
    return (await fs.stat(path)).isFile() && (await fs.readFile(path, 'utf8')) === text;
  } catch {
    return false;
  }
}

function snapshot(path: string, read: Read): Result<BufferSnapshot | undefined> {
  if (read.error) return failureOf(path, read);
  if (!read.found) return ok(undefined);
  const { modified = false, tick = 0, wrote = '' } = read;
  return ok({ text: unguarded(read) ?? '', modified, tick, read: read.read ?? '', wrote });
}
