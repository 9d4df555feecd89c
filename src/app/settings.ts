// The configuration in force, its problems and its language. Follows its file, keeps the last good one (SPEC section 3). Chooses no file.
import type { Config } from '../core/config.ts';
import type { Problem } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import type { Failure } from '../core/errors.ts';
import type { ConfigFile, ConfigSource } from '../core/ports.ts';
import { word, wordFailure, type TextKey, type Values } from '../core/texts/index.ts';
import type { ChosenConfig } from './config-choice.ts';

type Listener = (config: Config) => void;

export class Settings {
  readonly #tell: (event: HostEvent) => void;
  readonly #listeners = new Set<Listener>();
  #chosen: ChosenConfig;
  #file: ConfigFile;
  #config: Config;
  #following = false;

  constructor(chosen: ChosenConfig, tell: (event: HostEvent) => void) {
    this.#chosen = chosen;
    this.#tell = tell;
    this.#file = chosen.source.current();
    this.#config = this.#file.config ?? emptyConfig;
  }

  /** Begins to follow the file. */
  follow(): void {
    if (this.#following) return;
    this.#following = true;
    const { source } = this.#chosen;
    source.watch((file) => {
      if (source === this.#chosen.source) this.#reloaded(file);
    });
  }

  /** `changed` hears of every configuration that comes into force after the first, until the function it gives is called. */
  onChange(changed: Listener): () => void {
    this.#listeners.add(changed);
    return () => {
      this.#listeners.delete(changed);
    };
  }

  /** Another file is the configuration from now on; the language stays where it says nothing good. */
  async replace(chosen: ChosenConfig): Promise<void> {
    const before = this.#chosen.source;
    this.#chosen = chosen;
    this.#following = false;
    this.#config = { ...emptyConfig, language: this.#config.language };
    await before.dispose();
    this.#reloaded(chosen.source.current(), true);
    this.follow();
  }

  /** Tells everybody what is in force, as if it were new. */
  announce(): void {
    this.#reloaded(this.#file, true);
  }

  /** Looks at once whether the file was saved; `anew`: also whether it is trusted now. */
  async refresh(anew = false): Promise<void> {
    this.follow();
    await this.#chosen.source.refresh(anew);
  }

  get config(): Config {
    return this.#config;
  }

  get source(): ConfigSource {
    return this.#chosen.source;
  }

  get chosen(): ChosenConfig {
    return this.#chosen;
  }

  current(historyProblem: string) {
    const { path, source, created, problems } = this.#file;
    return {
      path,
      source,
      created,
      valid: this.#file.config !== undefined,
      problems: [...problems],
      warnings: this.#warnings(),
      theme: { ...this.#config.theme },
      language: this.#config.language,
      historyProblem,
    };
  }

  get path(): string {
    return this.#file.path;
  }

  word(key: TextKey, values?: Values): string {
    return word(this.#config.language, key, values);
  }

  wordFailure(failure: Failure): string {
    return wordFailure(this.#config.language, failure);
  }

  dispose(): Promise<void> {
    return this.#chosen.source.dispose();
  }

  #reloaded(file: ConfigFile, isOther = false): void {
    this.#file = file;
    if (file.config) this.#config = file.config;
    if (file.config || isOther) for (const listener of [...this.#listeners]) listener(this.#config);
    const problems: Problem[] = [...file.problems, ...this.#warnings()];
    this.#tell({ name: 'config:changed', payload: { path: file.path, valid: file.config !== undefined, problems } });
  }

  /** Those of the file, and why it is this file. */
  #warnings(): Problem[] {
    const notes = this.#chosen.notes.map((note) => ({
      line: 1,
      column: 1,
      message: this.wordFailure(note),
      warning: true,
    }));
    return [...this.#file.warnings, ...notes];
  }
}

const emptyConfig: Config = {
  language: 'en',
  theme: {},
  limits: { maxRunningAgents: 4, stopIdleAgentsAfterMs: 15 * 60_000 },
  agents: [],
  channels: [],
  edits: { save: 'never', unopened: 'disk' },
};
