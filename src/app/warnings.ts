// Warnings a person is told once: what they have heard they know. Decides nothing about what is worth one.
import type { HostEvent } from '../core/contract/events.ts';
import type { TextKey, Values } from '../core/texts/index.ts';
import type { Settings } from './settings.ts';

export class Warnings {
  readonly #settings: Settings;
  readonly #tell: (event: HostEvent) => void;
  readonly #told = new Set<string>();

  constructor(settings: Settings, tell: (event: HostEvent) => void) {
    this.#settings = settings;
    this.#tell = tell;
  }

  once(text: TextKey, values: Values): void {
    const said = JSON.stringify([text, values]);
    if (this.#told.has(said)) return;
    this.#told.add(said);
    this.#tell({ name: 'host:notice', payload: { level: 'warn', message: this.#settings.word(text, values) } });
  }
}
