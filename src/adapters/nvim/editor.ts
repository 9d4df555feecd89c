// Neovim as the port `Editor`: sends events, reads and changes buffers through lua/sidekicks. Decides nothing about either.
import type { NeovimClient } from 'neovim';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import type { BufferSnapshot, Editor, EditorContext, Trust } from '../../core/ports.ts';
import type { TextKey } from '../../core/texts/index.ts';

/** While Neovim waits for a key (a "Press ENTER", an operator), a request would wait with it. An agent hears within a second. */
const blockedTries = 8;
const blockedPauseMs = 100;

interface EditsFailure {
  readonly error?: TextKey;
  readonly values?: Readonly<Record<string, string | number>>;
}
type Read = EditsFailure & {
  readonly found?: boolean;
  readonly text?: string;
  readonly modified?: boolean;
  readonly tick?: number;
  readonly read?: string;
  readonly wrote?: string;
};
type Followed = EditsFailure & { readonly paths?: readonly string[] };
type Versions = { readonly versions: readonly string[] };
type Changed = EditsFailure & { readonly done?: boolean };
type Asked = { readonly asked?: boolean };
type Trusted = Partial<Trust> & { readonly error?: string };

export function neovimEditor(nvim: NeovimClient): Editor {
  return {
    send: (events) => {
      nvim.notify('nvim_exec_lua', ["require('sidekicks.host').receive(...)", [events]]);
    },
    workingDirectory: async () => String(await nvim.call('getcwd', [-1, -1])),
    async readBuffer(path) {
      const read = await ask<Read>(nvim, path, "return require('sidekicks.edits').read(...)", [path]);
      return read.ok ? snapshot(path, read.value) : read;
    },
    async changeBuffer(path, tick, changes, ended) {
      const args = [path, tick, changes, ended];
      const changed = await ask<Changed>(nvim, path, "return require('sidekicks.edits').change(...)", args);
      if (!changed.ok) return changed;
      return changed.value.error ? failureOf(path, changed.value) : ok(changed.value.done === true);
    },
    context: (words) =>
      ask<EditorContext>(nvim, words.join(' '), "return require('sidekicks.context').gather(...)", [words]),
    async bufferBase(path) {
      const base = await ask<Read>(nvim, path, "return require('sidekicks.edits').base(...)", [path]);
      return base.ok ? ok(base.value.text) : base;
    },
    async bufferVersions(paths) {
      if (paths.length === 0) return ok([]);
      const chunk = "return require('sidekicks.edits').versions(...)";
      const told = await ask<Versions>(nvim, paths[0] ?? '', chunk, [paths]);
      return told.ok ? ok(told.value.versions) : told;
    },
    async isModified(path) {
      const read = await ask<Read>(nvim, path, "return require('sidekicks.edits').state(...)", [path]);
      return read.ok ? ok(read.value.modified === true) : read;
    },
    async saveBuffer(path, tick) {
      const saved = await ask<Changed>(nvim, path, "return require('sidekicks.edits').save(...)", [path, tick]);
      if (!saved.ok) return saved;
      return saved.value.error ? failureOf(path, saved.value) : ok(saved.value.done === true);
    },
    async loadBuffer(path) {
      const loaded = await ask<Changed>(nvim, path, "return require('sidekicks.edits').load(...)", [path]);
      if (!loaded.ok) return loaded;
      return loaded.value.error ? failureOf(path, loaded.value) : ok(undefined);
    },
    async followBuffers(folders) {
      const chunk = "return require('sidekicks.edits').follow(...)";
      const followed = await ask<Followed>(nvim, folders[0] ?? '', chunk, [folders]);
      return followed.ok ? ok(followed.value.paths ?? []) : followed;
    },
    async askPath(id, prompt) {
      const asked = await ask<Asked>(nvim, prompt, "return require('sidekicks.ask_path').ask(...)", [id, prompt]);
      if (!asked.ok) return asked;
      return asked.value.asked === true ? ok(undefined) : fail('no-ui', 'error.noUi');
    },
    async trust(path, how) {
      const said = await ask<Trusted>(nvim, path, "return require('sidekicks.trust').of(...)", [path, how]);
      if (!said.ok) return said;
      const { sha256 = '', database = '', error } = said.value;
      return error === undefined ? ok({ sha256, database }) : fail('refused', 'file.failed', { path, what: error });
    },
  };
}

/** Runs Lua once Neovim can answer. */
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

function snapshot(path: string, read: Read): Result<BufferSnapshot | undefined> {
  if (read.error) return failureOf(path, read);
  if (!read.found) return ok(undefined);
  const { text = '', modified = false, tick = 0, wrote = '' } = read;
  return ok({ text, modified, tick, read: read.read ?? '', wrote });
}

function failureOf(path: string, { error, values }: EditsFailure): { readonly ok: false; readonly error: Failure } {
  return fail('refused', error ?? 'file.failed', { path, ...values });
}
