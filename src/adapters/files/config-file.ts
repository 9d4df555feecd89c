// The configuration file: found, written when there is none, read, and followed through every save (SPEC section 3).
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { Config } from '../../core/config.ts';
import { locateConfig, systemLanguage, type ConfigPlace } from '../../core/config/locate.ts';
import { parseConfig } from '../../core/config/parse.ts';
import type { Problem } from '../../core/contract/shapes.ts';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import type { ConfigFile, ConfigSource, Log } from '../../core/ports.ts';
import { wordFailure, type Language } from '../../core/texts/index.ts';
import { readConfigText, type ConfigText } from './config-text.ts';
import { firstConfigText, writeFirstConfig } from './first-config.ts';

export interface ConfigFileOptions {
  readonly log: Log;
  /** `config` of `vim.g.sidekicks` or `setup`; "" when not given. */
  readonly option: string;
  /** Neovim's working directory. */
  readonly folder: string;
  /** How the first file starts the demo agent. */
  readonly demoAgent: { readonly command: string; readonly args: readonly string[] };
  readonly schemaUrl?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly platform?: string;
}

/** After the last sign of a save, so that one written in several steps is one reload. */
const settleMs = 80;
/** An editor may have the file renamed away for so long. */
const doubtMs = 250;

export async function openConfigFile(options: ConfigFileOptions): Promise<ConfigSource> {
  const { option, folder, env = process.env, home = os.homedir(), platform = process.platform } = options;
  const place = locateConfig({ env, option, folder, home, platform });
  const source = new WatchedConfigFile(place, { log: options.log, env, home });
  await source.open(() => firstFile(options, place, env));
  return source;
}

interface FirstFile {
  readonly text: string;
  readonly written: Result<boolean>;
}

async function firstFile(options: ConfigFileOptions, place: ConfigPlace, env: Surroundings['env']): Promise<FirstFile> {
  const { demoAgent, schemaUrl } = options;
  const first = { language: systemLanguage(env), demoAgent, ...(schemaUrl !== undefined && { schemaUrl }) };
  const text = await firstConfigText(first, env['PATH'] ?? '');
  return { text, written: await writeFirstConfig(place.path, text) };
}

interface Surroundings {
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

class WatchedConfigFile implements ConfigSource {
  readonly #place: ConfigPlace;
  readonly #around: Surroundings;
  #language: Language;
  #created = false;
  #file: ConfigFile;
  #stamp = '';
  #lastGood: Config | undefined;
  #doubted = '';
  #notWatched: Failure | undefined;
  #changed: (file: ConfigFile) => void = () => undefined;
  #watcher: FSWatcher | undefined;
  #starting: Promise<void> = Promise.resolve();
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(place: ConfigPlace, around: Surroundings) {
    this.#place = place;
    this.#around = around;
    this.#language = systemLanguage(around.env);
    this.#file = { ...place, created: false, problems: [], warnings: [] };
  }

  /** Only the default file is made when it is missing; a name somebody gave may be misspelt (SPEC 3). */
  async open(makeFirst: () => Promise<FirstFile>): Promise<void> {
    const found = await readConfigText(this.#place.path);
    if (found.stamp !== 'missing' || this.#place.source !== 'default') {
      this.#take(found);
      return;
    }
    const { text, written } = await makeFirst();
    this.#created = written.ok && written.value;
    this.#take(written.ok ? await readConfigText(this.#place.path) : { ...found, result: ok(text) });
    if (!written.ok) this.#file = { ...this.#file, warnings: [this.#problem(written.error, true)] };
  }

  current(): ConfigFile {
    return this.#file;
  }

  watch(changed: (file: ConfigFile) => void): void {
    this.#changed = changed;
    this.#starting = this.#startWatching();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#timer);
    await this.#starting;
    await this.#watcher?.close();
    await this.#looking;
  }

  async #startWatching(): Promise<void> {
    try {
      const { watch } = await import('chokidar');
      if (this.#disposed) return;
      const targets = await this.#targets();
      // Saves are told apart by their stamp: chokidar's own guesses at them would only delay the news.
      this.#watcher = watch(targets, { ignoreInitial: true, depth: 0, atomic: false });
      this.#watcher.on('all', () => this.#lookIn(settleMs));
      this.#watcher.on('error', (cause) => this.#watchFailed(cause));
      // Something may have changed since the file was opened.
      this.#watcher.on('ready', () => this.#lookIn(0));
    } catch (cause) {
      this.#watchFailed(cause);
    }
  }

  /** A link and what it leads to: either may be replaced. */
  async #targets(): Promise<string[]> {
    const { path: file } = this.#place;
    const real = await fs.realpath(file).catch(() => file); // a file that is missing leads nowhere else
    return real === file ? [file] : [file, real];
  }

  #lookIn(ms: number): void {
    if (this.#disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#looking = this.#looking.then(() => this.#look());
    }, ms);
  }

  async #look(): Promise<void> {
    const found = await readConfigText(this.#place.path);
    if (this.#disposed || found.stamp === this.#stamp) return;
    if (found.doubtful && this.#doubted !== found.stamp) {
      this.#doubted = found.stamp;
      this.#lookIn(doubtMs);
      return;
    }
    this.#take(found);
    this.#watcher?.add(await this.#targets());
    this.#changed(this.#file);
  }

  #take({ result, stamp }: ConfigText): void {
    this.#stamp = stamp;
    this.#doubted = '';
    this.#file = { ...this.#place, created: this.#created, ...this.#read(result) };
    this.#lastGood = this.#file.config ?? this.#lastGood;
    this.#language = this.#lastGood?.language ?? this.#language;
    if (this.#notWatched) this.#addWarning(this.#notWatched);
  }

  #read(result: Result<string>): Pick<ConfigFile, 'config' | 'problems' | 'warnings'> {
    if (!result.ok) return { problems: [this.#problem(this.#orDeleted(result.error), false)], warnings: [] };
    const { env, home } = this.#around;
    const folder = path.dirname(this.#place.path);
    const { config, ...found } = parseConfig(result.value, { folder, home, env, language: this.#language });
    return { ...found, ...(config && { config }) };
  }

  #orDeleted(failure: Failure): Failure {
    return failure.text === 'config.file.missing' && this.#lastGood
      ? { ...failure, text: 'config.file.deleted' }
      : failure;
  }

  #problem(failure: Failure, warning: boolean): Problem {
    return { line: 1, column: 1, message: wordFailure(this.#language, failure), warning };
  }

  #watchFailed(cause: unknown): void {
    this.#around.log.write(`the configuration ${this.#place.path} cannot be watched`, cause);
    if (this.#notWatched || this.#disposed) return;
    const values = { path: this.#place.path, what: causeText(cause) };
    this.#notWatched = fail('unavailable', 'config.file.notWatched', values, cause).error;
    this.#addWarning(this.#notWatched);
    this.#changed(this.#file);
  }

  #addWarning(failure: Failure): void {
    this.#file = { ...this.#file, warnings: [...this.#file.warnings, this.#problem(failure, true)] };
  }
}
