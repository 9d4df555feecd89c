// What a session lets the person choose, whichever way the agent offers it: session modes, the old models, config
// options, shown once each and kept in step (SPEC section 18). Sends nothing; says which request to send.
import type { Option } from '../../core/contract/shapes.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import { isObject, listOf, objectOf, textOf, type Json } from './json.ts';

type Choice = Option['choices'][number];

interface Selector {
  readonly value: string;
  readonly choices: readonly Choice[];
}

interface ConfigOption extends Option {
  readonly isBoolean: boolean;
}

export interface SetRequest {
  readonly method: string;
  readonly params: Json;
}

export class SessionOptions {
  #modes: Selector | undefined;
  #models: Selector | undefined;
  #config: readonly ConfigOption[] = [];

  /** From the answer to session/new, load, resume or set_config_option; what it does not mention stays. */
  take(answer: Json): void {
    this.#modes = selector(answer['modes'], 'currentModeId', 'availableModes', 'id') ?? this.#modes;
    this.#models = selector(answer['models'], 'currentModelId', 'availableModels', 'modelId') ?? this.#models;
    if (Array.isArray(answer['configOptions'])) this.#takeConfig(answer['configOptions']);
  }

  /** The agent, or we, changed the mode or model the old way: a config option that means the same follows. */
  changed(category: 'mode' | 'model', value: string): void {
    if (category === 'mode') this.#modes = this.#modes && { ...this.#modes, value };
    else this.#models = this.#models && { ...this.#models, value };
    this.#config = this.#config.map((one) =>
      one.category === category && offers(one.choices, value) ? { ...one, value } : one,
    );
  }

  list(): readonly Option[] {
    return [
      ...this.#old('mode', this.#modes),
      ...this.#old('model', this.#models),
      ...this.#config.map(({ isBoolean: _, ...option }) => option),
    ];
  }

  request(sessionId: string, optionId: string, value: string): Result<SetRequest> {
    const option = this.list().find((one) => one.optionId === optionId);
    if (!option) return fail('invalid', 'agent.unknownOption', { option: optionId });
    if (!offers(option.choices, value)) return fail('invalid', 'agent.unknownValue', { option: optionId, value });
    const config = this.#config.find((one) => one.optionId === optionId);
    if (config) {
      const chosen = config.isBoolean ? { type: 'boolean', value: value === 'true' } : { value };
      return ok({ method: 'session/set_config_option', params: { sessionId, configId: optionId, ...chosen } });
    }
    if (optionId === 'mode') return ok({ method: 'session/set_mode', params: { sessionId, modeId: value } });
    return ok({ method: 'session/set_model', params: { sessionId, modelId: value } });
  }

  /** The request was accepted: config options come whole in the answer, the old ways say nothing. */
  accepted(request: SetRequest, answer: Json): void {
    if (request.method === 'session/set_mode') this.changed('mode', textOf(request.params['modeId']));
    if (request.method === 'session/set_model') this.changed('model', textOf(request.params['modelId']));
    if (request.method === 'session/set_config_option') this.take(answer);
  }

  #takeConfig(list: readonly unknown[]): void {
    this.#config = list.flatMap(configOption);
    this.#modes = this.#follow(this.#modes, 'mode');
    this.#models = this.#follow(this.#models, 'model');
  }

  #follow(old: Selector | undefined, category: string): Selector | undefined {
    const value = this.#config.find((one) => one.category === category)?.value;
    return old && value !== undefined && offers(old.choices, value) ? { ...old, value } : old;
  }

  /** Nothing where a config option means the same. `name` is empty: the words are the interface's own. */
  #old(category: 'mode' | 'model', offered: Selector | undefined): Option[] {
    if (!offered || this.#config.some((one) => one.category === category)) return [];
    const { value, choices } = offered;
    return [{ optionId: category, name: '', description: '', category, value, choices: [...choices] }];
  }
}

const offers = (choices: readonly Choice[], value: string): boolean => choices.some((one) => one.value === value);

function selector(value: unknown, current: string, available: string, id: string): Selector | undefined {
  const choices = listOf(objectOf(value)[available]).flatMap((one) => choice(objectOf(one), id));
  return choices.length === 0 ? undefined : { value: textOf(objectOf(value)[current]), choices };
}

function choice(one: Json, id: string, group = ''): Choice[] {
  const value = one[id];
  if (typeof value !== 'string') return [];
  return [{ value, name: textOf(one['name']) || value, description: textOf(one['description']) || group }];
}

function configOption(value: unknown): ConfigOption[] {
  const one = objectOf(value);
  const optionId = textOf(one['id']);
  if (optionId === '') return [];
  const isBoolean = one['type'] === 'boolean' || typeof one['currentValue'] === 'boolean';
  const current = one['currentValue'];
  return [
    {
      optionId,
      name: textOf(one['name']) || optionId,
      description: textOf(one['description']),
      category: categoryOf(optionId, textOf(one['category'])),
      value: isBoolean ? String(current === true) : textOf(current),
      choices: isBoolean ? switchChoices() : listOf(one['options']).flatMap(groupOrChoice),
      isBoolean,
    },
  ];
}

/** An option of that name means the mode or the model, also where the agent gives it no category (ACP.md 5.2). */
const categoryOf = (optionId: string, category: string): string =>
  optionId === 'mode' || optionId === 'model' ? optionId : category;

const switchChoices = (): Choice[] => ['true', 'false'].map((value) => ({ value, name: value, description: '' }));

function groupOrChoice(value: unknown): Choice[] {
  if (!isObject(value)) return [];
  const group = textOf(value['name']);
  return Array.isArray(value['options'])
    ? value['options'].flatMap((one) => choice(objectOf(one), 'value', group))
    : choice(value, 'value');
}
