// Neovim as the port `Editor`: sends events, reads and changes buffers through lua/sidekicks. Decides nothing about either.
import type { NeovimClient } from 'neovim';
import { fail, ok } from '../../core/errors.ts';
import type { Editor, EditorContext, Trust } from '../../core/ports.ts';
import { ask, failureOf, unguarded, type EditsFailure, type Guarded } from './ask.ts';
import { readBuffer } from './read-buffer.ts';

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
    readBuffer: (path) => readBuffer(nvim, path),
    async changeBuffer(path, tick, changes, ended) {
      const args = [path, tick, changes, ended];
      const changed = await ask<Changed>(nvim, path, "return require('sidekicks.edits').change(...)", args);
      if (!changed.ok) return changed;
      return changed.value.error ? failureOf(path, changed.value) : ok(changed.value.done === true);
    },
    context: (words) =>
      ask<EditorContext>(nvim, words.join(' '), "return require('sidekicks.context').gather(...)", [words]),
    async bufferBase(path) {
      const base = await ask<Guarded>(nvim, path, "return require('sidekicks.edits').base(...)", [path]);
      return base.ok ? ok(unguarded(base.value)) : base;
    },
    async bufferVersions(paths) {
      if (paths.length === 0) return ok([]);
      const chunk = "return require('sidekicks.edits').versions(...)";
      const told = await ask<Versions>(nvim, paths[0] ?? '', chunk, [paths]);
      return told.ok ? ok(told.value.versions) : told;
    },
    async isModified(path) {
      const read = await ask<{ readonly modified: boolean }>(
        nvim,
        path,
        "return require('sidekicks.edits').state(...)",
        [path],
      );
      return read.ok ? ok(read.value.modified) : read;
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
