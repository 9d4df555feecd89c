// The configuration in force, its problems and its language. Loads it once, follows its file, keeps the last good one (SPEC section 3).
import type { Config } from '../core/config.ts';
import type { Problem } from '../core/contract/shapes.ts';
import type { HostEvent } from '../core/contract/events.ts';
import type { Failure } from '../core/errors.ts';
import type { ConfigFile, ConfigSource } from '../core/ports.ts';
import { word, wordFailure, type TextKey, type Values } from '../core/texts/index.ts';

export class Settings {
  readonly #source: ConfigSource;
  readonly #tell: (event: HostEvent) => void;
  #file: ConfigFile;
  #config: Config;
  #changed: (config: Config) => void = () => undefined;

  constructor(source: ConfigSource, tell: (event: HostEvent) => void) {
    this.#source = source;
    this.#tell = tell;
    this.#file = source.current();
    this.#config = this.#file.config ?? emptyConfig;
  }

  /** Begins to follow the file. */
  follow(): void {
    this.#source.watch((file) => {
      this.#reloaded(file);
    });
  }

  /** `changed` hears of every configuration that comes into force after the first. */
  onChange(changed: (config: Config) => void): void {
    this.#changed = changed;
  }

  get config(): Config {
    return this.#config;
  }

  current(historyProblem: string) {
    const { path, source, created, problems, warnings } = this.#file;
    return {
      path,
      source,
      created,
      valid: this.#file.config !== undefined,
      problems: [...problems],
      warnings: [...warnings],
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
    return this.#source.dispose();
  }

  #reloaded(file: ConfigFile): void {
    this.#file = file;
    if (file.config) {
      this.#config = file.config;
      this.#changed(file.config);
    }
    const problems: Problem[] = [...file.problems, ...file.warnings];
    this.#tell({ name: 'config:changed', payload: { path: file.path, valid: file.config !== undefined, problems } });
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
