// Owns: the modes and options a session of the demo agent offers, and their values. Must not: talk to the client.
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { Texts } from './texts/texts.ts';

export type ModeId = keyof Texts['modes'];
export type Model = keyof Texts['options']['model']['values'];
export type Verbosity = keyof Texts['options']['verbosity']['values'];

export interface Settings {
  readonly mode: ModeId;
  readonly model: Model;
  readonly verbosity: Verbosity;
  readonly thoughts: boolean;
}

export const defaultSettings: Settings = { mode: 'ask', model: 'demo', verbosity: 'normal', thoughts: true };

const modeIds: readonly ModeId[] = ['ask', 'auto', 'plan'];
const models: readonly Model[] = ['demo', 'demo-fast'];
const verbosities: readonly Verbosity[] = ['brief', 'normal', 'detailed'];

export function modeState(settings: Settings, texts: Texts): SessionModeState {
  return { currentModeId: settings.mode, availableModes: modeIds.map((id) => ({ id, ...texts.modes[id] })) };
}

/** A client that knows no boolean options is offered none. */
export function configOptions(settings: Settings, texts: Texts, withBooleans: boolean): SessionConfigOption[] {
  const { model, verbosity, thoughts } = texts.options;
  const offered: SessionConfigOption[] = [
    {
      id: 'model',
      name: model.name,
      description: model.description,
      category: 'model',
      type: 'select',
      currentValue: settings.model,
      options: models.map((value) => ({ value, name: model.values[value] })),
    },
    {
      id: 'verbosity',
      name: verbosity.name,
      description: verbosity.description,
      type: 'select',
      currentValue: settings.verbosity,
      options: verbosities.map((value) => ({ value, name: verbosity.values[value] })),
    },
  ];
  if (withBooleans) offered.push({ id: 'thoughts', ...thoughts, type: 'boolean', currentValue: settings.thoughts });
  return offered;
}

export function withMode(settings: Settings, modeId: unknown): Settings | undefined {
  const mode = modeIds.find((id) => id === modeId);
  return mode && { ...settings, mode };
}

/** The settings with one option changed, or undefined for an unknown option or value. */
export function withOption(settings: Settings, configId: string, value: unknown): Settings | undefined {
  if (configId === 'thoughts') return typeof value === 'boolean' ? { ...settings, thoughts: value } : undefined;
  if (configId === 'model') {
    const model = models.find((name) => name === value);
    return model && { ...settings, model };
  }
  if (configId !== 'verbosity') return undefined;
  const verbosity = verbosities.find((name) => name === value);
  return verbosity && { ...settings, verbosity };
}
