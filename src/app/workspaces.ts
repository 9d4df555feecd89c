// The files of agents' workspaces as SPEC section 11 has them: which workspace is an agent's, what may be asked of it, and that
// one file is written by one at a time. Touches no file itself.
import type { AgentDefinition } from '../core/config.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { Disk, OpenWorkspace, Workspace, WorkspaceFiles } from '../core/ports.ts';
import { maxFileBytes } from '../core/prompt/blocks.ts';
import { folderInside } from '../core/runtime.ts';
import {
  maxReadBytes,
  newName,
  ofOddName,
  pathInside,
  sorted,
  textOfBytes,
  versionOf,
} from '../core/workspace-paths.ts';
import { attach } from './attach.ts';
import type { Settings } from './settings.ts';

export interface WorkspacesOptions {
  readonly settings: () => Promise<Settings>;
  readonly project: () => Promise<string>;
  readonly openWorkspace: OpenWorkspace;
  readonly disk: Disk;
  readonly files: WorkspaceFiles;
}

export interface Place {
  readonly definition: AgentDefinition;
  /** On this computer. */
  readonly folder: string;
  readonly workspace: Workspace;
}

export class Workspaces {
  readonly #options: WorkspacesOptions;
  /** By agent and path: the last of those that write there. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  /** An agent without a folder of its own works in `project`, the current one where none is given. */
  async of(agent: string, project = ''): Promise<Result<Place>> {
    const definition = (await this.#options.settings()).config.agents.find(({ name }) => name === agent);
    if (!definition) return fail('not-found', 'error.unknownAgent', { agent });
    const folder = definition.workspace || project || (await this.#options.project());
    return ok({ definition, folder, workspace: await this.#options.openWorkspace(definition.runtime, folder) });
  }

  async info(agent: string) {
    const place = await this.of(agent);
    if (!place.ok) return place;
    const { definition, folder, workspace } = place.value;
    const { type, name } = definition.runtime;
    const { word, wordFailure } = wordsOf(await this.#options.settings());
    const path = type === 'local' ? folder : folderInside(definition.runtime, folder);
    const checked = await workspace.check();
    return ok({
      location: word(`workspace.${type}`, { name, path }),
      problem: checked.ok ? '' : wordFailure(checked.error),
    });
  }

  list(agent: string, dir: string) {
    return this.#at(agent, dir, async (workspace, path) => {
      const entries = await workspace.list(path);
      return entries.ok ? ok({ entries: sorted(entries.value) }) : entries;
    });
  }

  read(agent: string, path: string) {
    return this.#at(agent, path, async (workspace, inside) => {
      const bytes = await workspace.read(inside, maxReadBytes);
      if (!bytes.ok) return bytes;
      const content = textOfBytes(bytes.value);
      if (content === undefined) return fail('invalid', 'file.notText', { path });
      return ok({ path: inside, content, version: versionOf(bytes.value) });
    });
  }

  save(agent: string, path: string, content: string, version: string) {
    return this.#at(agent, path, (workspace, inside) =>
      this.#alone(`${agent}/${inside}`, async () => {
        const saved = await workspace.save(inside, content, version);
        if (!saved.ok) return saved;
        return ok({ conflict: !saved.value, version: saved.value ? versionOf(content) : '' });
      }),
    );
  }

  create(agent: string, dir: string, name: string) {
    return this.#at(agent, dir, async (workspace, inside) => {
      const named = newName(name);
      return named.ok ? workspace.create(inside, named.value) : named;
    });
  }

  remove(agent: string, path: string, permanent: boolean) {
    return this.#at(agent, path, (workspace, inside) =>
      inside === '' ? fail('refused', 'workspace.itself') : workspace.remove(inside, permanent),
    );
  }

  async attach(agent: string, hostPath: string, project = ''): Promise<Result<string>> {
    const place = await this.of(agent, project);
    return place.ok ? attach({ ...this.#options, workspace: place.value.workspace }, hostPath) : place;
  }

  image(agent: string, path: string) {
    return this.#at(agent, path, async (workspace, inside) => {
      const { imageFileType } = await import('../core/prompt/content.ts');
      const bytes = await workspace.read(inside, maxFileBytes);
      if (!bytes.ok) return bytes;
      const type = imageFileType(inside, bytes.value);
      if (type === undefined) return fail('invalid', 'attach.notImage', { path });
      return ok({ url: `data:${type};base64,${Buffer.from(bytes.value).toString('base64')}` });
    });
  }

  /** Files that match, of the workspace of an agent in a project, else of the project itself. */
  async find(
    { agent, workspace }: { readonly agent: string; readonly workspace: string },
    query: string,
    limit: number,
  ) {
    const place = await this.of(agent, workspace);
    const [name, found] = place.ok
      ? [whatOf(place.value), place.value.workspace]
      : [workspace, await this.#options.openWorkspace(localRuntime, workspace)];
    return this.#options.files.find(name, () => found.files(), query, limit);
  }

  /** A file that only a container or sandbox has; undefined where all files of the agent are on this computer. */
  async readInside(agent: string, project: string, path: string): Promise<Result<Uint8Array> | undefined> {
    const place = await this.of(agent, project);
    if (!place.ok || place.value.definition.runtime.type === 'local') return undefined;
    const inside = pathInside(path);
    return inside.ok ? place.value.workspace.read(inside.value, maxFileBytes) : inside;
  }

  /** Where a file or folder is on this computer; "" where only a container or sandbox leads to it. */
  onHost(agent: string, path: string) {
    return this.#at(agent, path, (workspace, inside) => workspace.onHost(inside));
  }

  /** Whether the workspace of an agent is that of another agent in a conversation of a project. */
  async areSame(
    agent: string,
    other: { readonly agent: string; readonly workspace: string },
  ): Promise<Result<boolean>> {
    const [place, others] = [await this.of(agent), await this.of(other.agent, other.workspace)];
    if (!place.ok) return place;
    return others.ok ? ok(whatOf(place.value) === whatOf(others.value)) : others;
  }

  async #at<T>(
    agent: string,
    path: string,
    act: (workspace: Workspace, inside: string) => Promise<Result<T>> | Result<T>,
  ): Promise<Result<T>> {
    const place = await this.of(agent);
    if (!place.ok) return place;
    const inside = pathInside(path);
    if (!inside.ok) return inside;
    const done = await act(place.value.workspace, inside.value);
    return done.ok ? done : { ok: false, error: ofOddName(path, done.error) };
  }

  /** Two that read the same version must not both write. */
  async #alone<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = this.#writing.get(key) ?? Promise.resolve();
    const turn = before.then(act);
    const settled = turn.catch(() => undefined); // whoever asked hears of it
    this.#writing.set(key, settled);
    await settled;
    if (this.#writing.get(key) === settled) this.#writing.delete(key);
    return turn;
  }
}

const localRuntime: AgentDefinition['runtime'] = {
  type: 'local',
  name: '',
  cli: 'docker',
  workspacePath: '',
  launch: 'inside',
  lifecycle: { create: '', stop: '', remove: '' },
};

const wordsOf = (settings: Settings) => ({
  word: settings.word.bind(settings),
  wordFailure: settings.wordFailure.bind(settings),
});

/** What tells one workspace from another. */
export const whatOf = ({ definition: { runtime }, folder }: Place): string =>
  JSON.stringify([folder, runtime.type, runtime.name, runtime.cli, runtime.workspacePath]);
