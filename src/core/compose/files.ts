// The files a Compose project is made of: each read once, within bounds, as a tree that knows its places. Decides nothing about services.
import { placesOf, wordFindings } from '../config/findings.ts';
import type { Tree } from '../config/yaml-shapes.ts';
import { readTree } from '../config/yaml-tree.ts';
import { fail, ok, type Failure, type Result } from '../errors.ts';
import type { Language } from '../texts/index.ts';

export interface ComposeFile {
  readonly path: string;
  readonly tree: Tree;
  place(at: number): { readonly line: number; readonly column: number };
}

/** Fails for what is no small text file of this computer. */
export type ReadText = (path: string) => Promise<Result<string>>;

/** The tags Compose gives a meaning to. */
export const resetTag = '!reset';
export const overrideTag = '!override';

const maxFiles = 50;

export class ComposeFiles {
  readonly #read: ReadText;
  readonly #language: Language;
  readonly #files = new Map<string, Promise<Result<ComposeFile>>>();

  constructor(read: ReadText, language: Language) {
    this.#read = read;
    this.#language = language;
  }

  load(path: string): Promise<Result<ComposeFile>> {
    const known = this.#files.get(path);
    if (known) return known;
    if (this.#files.size >= maxFiles)
      return Promise.resolve(fail('limit', 'compose.tooManyFiles', { limit: maxFiles }));
    const loaded = this.#load(path);
    this.#files.set(path, loaded);
    return loaded;
  }

  async #load(path: string): Promise<Result<ComposeFile>> {
    const text = await this.#read(path);
    if (!text.ok) return text;
    const source = text.value.replace(/^\uFEFF/, '');
    const { tree, findings } = readTree(source, [resetTag, overrideTag]);
    if (tree) return ok({ path, tree, place: placesOf(source) });
    const [first] = wordFindings(this.#language, source, findings);
    return broken(path, first?.line ?? 1, first?.column ?? 1, first?.message ?? '');
  }
}

const broken = (path: string, line: number, column: number, what: string): { ok: false; error: Failure } =>
  fail('invalid', 'compose.broken', { path, line, column, what });
