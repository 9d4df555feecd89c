// What an agent reads and writes through the protocol: buffers before disk, never outside its workspace (SPEC section 9).
// Remembers, per agent and file, the text an edit starts from; what others changed since is merged by core, never written over.
import { chosenLines, merge, type Merged } from '../core/changes/merge.ts';
import { keepForm, readPart } from '../core/edits.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { Disk, Editor, ReadRequest } from '../core/ports.ts';
import { absolutePath, insideWorkspace } from '../core/workspace.ts';
import type { Changes } from './changes.ts';
import type { TurnRef } from './running.ts';
import type { Current, FileTexts } from './file-texts.ts';
import type { Saver } from './saver.ts';

/** Lines of the present text an agent is told of a conflict. */
const mostLinesTold = 40;

export interface AgentFilesOptions {
  readonly editor: Editor;
  readonly disk: Disk;
  readonly texts: FileTexts;
  readonly changes: Changes;
  readonly saver: Saver;
  readonly edits: () => { readonly unopened: 'disk' | 'buffer' };
}

export class AgentFiles {
  readonly #options: AgentFilesOptions;
  /** Agent, then resolved path: what the agent last read or wrote. */
  readonly #bases = new Map<string, Map<string, string>>();

  constructor(options: AgentFilesOptions) {
    this.#options = options;
  }

  /** A new process has read nothing yet. */
  forget(agent: string): void {
    this.#bases.delete(agent);
  }

  async read(agent: string, workspace: string, request: ReadRequest): Promise<Result<string>> {
    const path = await this.#allowed(workspace, request.path);
    if (!path.ok) return path;
    const current = await this.#options.texts.current(path.value);
    if (!current.ok) return current;
    const { text } = current.value;
    if (text === undefined) return fail('not-found', 'file.missing', { path: request.path });
    this.remember(agent, path.value, text);
    return ok(readPart(text, request));
  }

  async write(turn: TurnRef, workspace: string, requested: string, content: string): Promise<Result<undefined>> {
    const path = await this.#allowed(workspace, requested);
    if (!path.ok) return path;
    return this.#options.texts.alone(path.value, () => this.#write(turn, path.value, content));
  }

  /** What the agent knows of a file now, however it came to know it. */
  remember(agent: string, path: string, text: string): void {
    const bases = this.#bases.get(agent) ?? new Map<string, string>();
    this.#bases.set(agent, bases);
    bases.set(path, text);
  }

  async #write(turn: TurnRef, path: string, content: string): Promise<Result<undefined>> {
    const { texts, changes, saver } = this.#options;
    const opened = await this.#openIfWanted(path);
    if (!opened.ok) return opened;
    const onDisk = this.#bases.get(turn.agent)?.has(path) ? undefined : await this.#options.disk.readText(path);
    const done = await texts.change(path, (current) => {
      const { text: was } = current;
      const wanted = was === undefined ? content : keepForm(was, content);
      const base = this.#base(turn.agent, path, current, onDisk?.ok === true ? onDisk.value : '');
      const merged = was === undefined ? { type: 'merged' as const, text: wanted } : merge(base, was, wanted);
      if (merged.type === 'merged') return ok({ text: merged.text, value: { current, wanted, text: merged.text } });
      changes.conflicts.add(turn, path, { base, mine: was ?? '', theirs: wanted });
      return fail('conflict', 'file.conflict', { path, places: placesOf(merged) });
    });
    if (!done.ok) return done;
    const { current, wanted, text } = done.value;
    this.remember(turn.agent, path, wanted);
    changes.conflicts.settle(turn.agent, path);
    changes.wrote(turn, path, current.text, text);
    if (current.buffer) await saver.wrote(path, current.buffer);
    return ok(undefined);
  }

  /** `edits.unopened: buffer` loads a file unseen before it is written (SPEC 9). */
  async #openIfWanted(path: string): Promise<Result<undefined>> {
    if (this.#options.edits().unopened === 'disk') return ok(undefined);
    const known = await this.#options.texts.current(path);
    if (!known.ok) return known;
    return known.value.buffer ? ok(undefined) : this.#options.editor.loadBuffer(path);
  }

  #base(agent: string, path: string, { text = '', buffer }: Current, onDisk: string): string {
    const known = this.#bases.get(agent)?.get(path);
    if (known !== undefined) return known;
    return buffer?.modified === true ? onDisk : text;
  }

  async #allowed(workspace: string, requested: string): Promise<Result<string>> {
    const absolute = absolutePath(requested);
    if (!absolute.ok) return absolute;
    const { disk } = this.#options;
    const [root, path] = await Promise.all([disk.resolve(workspace), disk.resolve(absolute.value)]);
    if (!root.ok) return root;
    return path.ok ? insideWorkspace(root.value, path.value) : path;
  }
}

/** What stands now where both changed something, with line numbers. */
function placesOf({ texts, regions }: Extract<Merged, { readonly type: 'overlap' }>): string {
  const lines = regions.flatMap((region) => {
    const now = chosenLines(texts, region, 'mine');
    return now.length === 0
      ? [`${region.mine.from + 1}: (deleted)`]
      : now.map((line, index) => `${region.mine.from + index + 1}: ${line}`);
  });
  return [...lines.slice(0, mostLinesTold), ...(lines.length > mostLinesTold ? ['…'] : [])].join('\n');
}
