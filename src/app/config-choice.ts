// Chooses the file that is the configuration (SPEC section 3): named, of the project once trusted, opened last, or the default.
// Reads no configuration itself.
import { absolutePath, defaultConfig, namedConfig, projectConfig, userConfigFolder } from '../core/config/locate.ts';
import type { ConfigPlace, Whereabouts } from '../core/config/locate.ts';
import { fail, ok, type Failure, type Result } from '../core/errors.ts';
import type { ConfigFiles, ConfigSource, Disk, Editor, IsTrusted, Log, Preferences } from '../core/ports.ts';
import { findMarkedProject } from './project.ts';

export interface ConfigChoiceOptions {
  readonly where: Whereabouts;
  readonly openFiles: () => Promise<ConfigFiles>;
  readonly preferences: Preferences;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly log: Log;
  readonly project: () => Promise<string>;
}

export interface ChosenConfig {
  readonly source: ConfigSource;
  /** Why another file was not chosen. */
  readonly notes: readonly Failure[];
  /** Files that would be chosen, were they trusted. */
  readonly untrusted: readonly string[];
  /** Neovim's trust database, where the choice depends on it; else "". */
  readonly database: string;
}

interface Refusal {
  readonly note: Failure;
  readonly untrusted?: string;
}

export class ConfigChoice {
  readonly #options: ConfigChoiceOptions;
  #database = '';

  constructor(options: ConfigChoiceOptions) {
    this.#options = options;
  }

  /** The file to begin with; with `ask` the person may be asked whether one is trusted. */
  async find(how: 'ask' | 'look' = 'ask'): Promise<ChosenConfig> {
    const { where } = this.#options;
    this.#database = '';
    const named = namedConfig(where);
    if (named) return this.#chosen(named, []);
    const refusals: Refusal[] = [];
    for (const place of await this.#candidates()) {
      const refusal = await this.#refusal(place, how);
      if (!refusal) return this.#chosen(place, refusals);
      refusals.push(refusal);
    }
    return this.#chosen(defaultConfig(where), refusals);
  }

  /** A file the person names; fails where there is nothing that could be read. */
  async open(written: string): Promise<Result<ChosenConfig>> {
    const { where, editor, disk, preferences, log } = this.#options;
    if (written.trim() === '') return fail('invalid', 'config.file.noPath');
    const path = absolutePath({ home: where.home, folder: await editor.workingDirectory() }, written);
    this.#database = '';
    if (await this.#needsTrust(path)) {
      const readable = await disk.readText(path);
      const allowed = readable.ok ? await this.allow(path) : readable;
      if (!allowed.ok) return allowed;
    }
    const chosen = await this.#chosen({ path, source: 'opened' }, []);
    const text = await chosen.source.text();
    if (!text.ok) {
      await chosen.source.dispose();
      return text;
    }
    const remembered = await preferences.remember(path);
    if (!remembered.ok) log.write('what was opened cannot be remembered', remembered.error.cause);
    return ok(chosen);
  }

  /** Whether a file is trusted as it is now; asks nobody. */
  async isTrusted(path: string): Promise<boolean> {
    return (await this.#trusted(path, 'look')) !== '';
  }

  /** The person's own word on what they have just named or changed. */
  async allow(path: string): Promise<Result<undefined>> {
    const said = await this.#options.editor.trust(path, 'allow');
    if (said.ok) this.#database = said.value.database;
    return said.ok ? ok(undefined) : said;
  }

  async #candidates(): Promise<readonly ConfigPlace[]> {
    const { project, disk, preferences } = this.#options;
    const own = projectConfig(await project());
    const [opened] = await preferences.recent();
    const isThere = await disk.exists(own.path);
    return [
      ...(isThere ? [own] : []),
      ...(opened === undefined || (isThere && opened === own.path)
        ? []
        : [{ path: opened, source: 'opened' } as const]),
    ];
  }

  /** Undefined for a file that may be used. */
  async #refusal({ path, source }: ConfigPlace, how: 'ask' | 'look'): Promise<Refusal | undefined> {
    if (!(await this.#options.disk.exists(path))) {
      return { note: fail('not-found', 'config.file.openedMissing', { path }).error };
    }
    if (!(await this.#needsTrust(path)) || (await this.#trusted(path, how)) !== '') return undefined;
    const text = source === 'project' ? 'config.file.projectUntrusted' : 'config.file.openedUntrusted';
    return { note: fail('refused', text, { path }).error, untrusted: path };
  }

  async #chosen(place: ConfigPlace, refusals: readonly Refusal[]): Promise<ChosenConfig> {
    const files = await this.#options.openFiles();
    const mayChange = place.source === 'project' || (place.source === 'opened' && (await this.#needsTrust(place.path)));
    const isTrusted: IsTrusted = async (sha256) => (await this.#trusted(place.path, 'look')) === sha256;
    return {
      source: await files.open(place, mayChange ? isTrusted : undefined),
      notes: refusals.map(({ note }) => note),
      untrusted: refusals.flatMap(({ untrusted }) => untrusted ?? []),
      database: this.#database,
    };
  }

  /** What lies in a project may come from others; what lies in the person's own configuration folder does not. */
  async #needsTrust(path: string): Promise<boolean> {
    const { where, disk } = this.#options;
    if (path.startsWith(`${userConfigFolder(where)}/sidekicks/`)) return false;
    return (await findMarkedProject(path.slice(0, path.lastIndexOf('/')) || '/', disk)) !== undefined;
  }

  async #trusted(path: string, how: 'look' | 'ask'): Promise<string> {
    const said = await this.#options.editor.trust(path, how);
    if (said.ok) this.#database = said.value.database;
    else this.#options.log.write(`whether ${path} is trusted cannot be told`, said.error.cause);
    return said.ok ? said.value.sha256 : '';
  }
}
