// A configuration file: written when there is none, read, and followed through every save (SPEC section 3). Chooses no file.
import { promises as fs } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { Config } from '../../core/config.ts';
import { systemLanguage, type ConfigOrigin, type ConfigPlace } from '../../core/config/locate.ts';
import { parsePlainConfig, type ConfigRead, type Setting } from '../../core/config/judge.ts';
import type { Problem } from '../../core/contract/shapes.ts';
import { causeText, fail, ok, type Failure, type Result } from '../../core/errors.ts';
import type { ConfigFile, ConfigFiles, ConfigSource, IsTrusted, Log } from '../../core/ports.ts';
import { wordFailure, type Language } from '../../core/texts/index.ts';
import { readConfigText, type ConfigText } from './config-text.ts';
import { findKnownAgents, firstConfigText, writeFirstConfig } from './first-config.ts';

export interface ConfigFilesOptions {
  readonly log: Log;
  /** How the first file starts the demo agent. */
  readonly demoAgent: { readonly command: string; readonly args: readonly string[] };
  /** What the first file names as its schema. */
  readonly schemaUrl?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** After the last sign of a save, so that one written in several steps is one reload. */
const settleMs = 20;
/** An editor may have the file renamed away for so long. */
const doubtMs = 250;

export function configFiles({ log, demoAgent, schemaUrl, ...rest }: ConfigFilesOptions): ConfigFiles {
  const { env = process.env, home = os.homedir() } = rest;
  const firstText = (origin: ConfigOrigin): Promise<string> => {
    const hasSchema = origin === 'default' && schemaUrl !== undefined;
    const first = { language: systemLanguage(env), demoAgent, ...(hasSchema && { schemaUrl }) };
    return firstConfigText(first, env['PATH'] ?? '');
  };
  return {
    firstText,
    knownAgents: () => findKnownAgents(env['PATH'] ?? ''),
    open: async (place, isTrusted) => {
      const source = new WatchedConfigFile(place, { log, env, home, ...(isTrusted && { isTrusted }) });
      await source.open(() => firstText(place.source));
      return source;
    },
  };
}

interface Surroundings {
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isTrusted?: IsTrusted;
}

class WatchedConfigFile implements ConfigSource {
  readonly #place: ConfigPlace;
  readonly #around: Surroundings;
  #language: Language;
  #created = false;
  #file: ConfigFile;
  #stamp = '';
  #readable = false;
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
  async open(firstText: () => Promise<string>): Promise<void> {
    const found = await this.#judge(await readConfigText(this.#place.path));
    if (found.stamp !== 'missing' || this.#place.source !== 'default') {
      await this.#take(found);
      return;
    }
    const text = await firstText();
    const written = await writeFirstConfig(this.#place.path, text);
    this.#created = written.ok && written.value;
    await this.#take(written.ok ? await readConfigText(this.#place.path) : { ...found, result: ok(text) });
    if (!written.ok) this.#file = { ...this.#file, warnings: [this.#problem(written.error, true)] };
  }

  current(): ConfigFile {
    return this.#file;
  }

  async text(): Promise<Result<string>> {
    return (await readConfigText(this.#place.path)).result;
  }

  setting(): Setting {
    const { env, home } = this.#around;
    const language = systemLanguage(env);
    return { folder: path.dirname(this.#place.path), home, env, language, shown: this.#language };
  }

  async refresh(anew = false): Promise<void> {
    clearTimeout(this.#timer);
    this.#looking = this.#looking.then(() => this.#look(anew ? 'anew' : 'now'));
    await this.#looking;
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
    const real = await fs.realpath(file).catch(() => linked(file));
    return real === file ? [file] : [file, real];
  }

  #lookIn(ms: number): void {
    if (this.#disposed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#looking = this.#looking.then(() => this.#look());
    }, ms);
  }

  /** Only what was asked for at once is believed at once; `anew`: what was read before may be trusted by now, or no more. */
  async #look(how: 'soon' | 'now' | 'anew' = 'soon'): Promise<void> {
    const found = await readConfigText(this.#place.path);
    const isKnown =
      found.stamp === this.#stamp && (how !== 'anew' || (await this.#judge(found)).result.ok === this.#readable);
    if (this.#disposed || isKnown) return;
    if (how === 'soon' && found.doubtful && this.#doubted !== found.stamp) {
      this.#doubted = found.stamp;
      this.#lookIn(doubtMs);
      return;
    }
    await this.#take(await this.#judge(found));
    await this.#tell();
  }

  async #tell(): Promise<void> {
    if (this.#disposed) return;
    this.#watcher?.add(await this.#targets());
    this.#changed(this.#file);
  }

  /** The very bytes that were judged are those that are used. */
  async #judge(found: ConfigText): Promise<ConfigText> {
    const { isTrusted } = this.#around;
    if (!isTrusted || !found.result.ok) return found;
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(found.result.value).digest('hex');
    if (await isTrusted(sha256)) return found;
    return { ...found, result: fail('refused', 'config.file.untrusted', { path: this.#place.path }) };
  }

  async #take({ result, stamp }: ConfigText): Promise<void> {
    const read = await this.#read(result);
    this.#stamp = stamp;
    this.#readable = result.ok;
    this.#doubted = '';
    this.#file = { ...this.#place, created: this.#created, ...read };
    this.#lastGood = this.#file.config ?? this.#lastGood;
    this.#language = this.#lastGood?.language ?? this.#language;
    if (this.#notWatched) this.#addWarning(this.#notWatched);
  }

  async #read(result: Result<string>): Promise<Pick<ConfigFile, 'config' | 'problems' | 'warnings'>> {
    if (!result.ok) return { problems: [this.#problem(this.#orDeleted(result.error), false)], warnings: [] };
    const { config, ...found } = await parse(result.value, this.setting());
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

/** What a link that leads nowhere names: it may come to be. A file that is missing leads nowhere else. */
function linked(file: string): Promise<string> {
  return fs.readlink(file).then(
    (target) => path.resolve(path.dirname(file), target),
    () => file,
  );
}

/** The library that reads all of YAML is loaded for a file that needs it: the first answer waits for this. */
async function parse(text: string, setting: Setting): Promise<ConfigRead> {
  const plain = parsePlainConfig(text, setting);
  if (plain) return plain;
  const { parseConfig } = await import('../../core/config/parse.ts');
  return parseConfig(text, setting);
}
