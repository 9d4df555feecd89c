// What the assistant that adds an agent asks of the host (SPEC section 15): where it can go, what it may be called, what would be written.
import type { MethodName } from '../../core/contract/methods.ts';
import { isConfigured, knownAgents } from '../../core/config/known-agents.ts';
import { freeName } from '../../core/config/names.ts';
import { fail, ok, type Result } from '../../core/errors.ts';
import type { ConfigFiles } from '../../core/ports.ts';
import type { ConfigEditOptions } from '../config-edits.ts';
import type { Settings } from '../settings.ts';
import type { Handler } from './services.ts';

type Adding = Extract<MethodName, 'ViewService.NewAgents' | 'ViewService.AgentName' | 'ViewService.DraftAgent'>;
export type AddingMethods = { readonly [M in Adding]: Handler<M> };

export interface AddingOptions extends Omit<ConfigEditOptions, 'settings'> {
  readonly settings: () => Promise<Settings>;
  readonly openFiles: () => Promise<ConfigFiles>;
  readonly findProgram: (command: string) => Promise<Result<string>>;
}

export function addingMethods(options: AddingOptions): AddingMethods {
  return {
    'ViewService.NewAgents': () => newAgents(options),
    'ViewService.AgentName': async ({ wanted }) => {
      const { agents } = (await options.settings()).config;
      const taken = agents.map(({ name }) => name);
      return ok({ name: freeName(wanted, taken) });
    },
    'ViewService.DraftAgent': ({ agent: { name, ...fields } }) =>
      typeof name === 'string'
        ? draftAgent(options, name, fields)
        : fail('invalid', 'config.missingKey', { key: 'name' }),
  };
}

async function newAgents(options: AddingOptions) {
  const settings = await options.settings();
  const { checkAddable } = await import('../config-edits.ts');
  const addable = await checkAddable({ ...options, settings });
  if (!addable.ok) return addable;
  const found = await (await options.openFiles()).knownAgents();
  const { agents } = settings.config;
  const missing = new Set(knownAgents.filter((known) => !isConfigured(known, agents)).map(({ name }) => name));
  return ok({
    path: settings.path,
    agents: found.filter(({ name }) => missing.has(name)).map((agent) => ({ ...agent, args: [...agent.args] })),
  });
}

async function draftAgent(options: AddingOptions, name: string, fields: Readonly<Record<string, unknown>>) {
  const settings = await options.settings();
  const edits = await import('../config-edits.ts');
  const drafted = await edits.draftAgent({ settings }, { name, fields });
  if (!drafted.ok) return drafted;
  const { line, lines, warnings } = drafted.value;
  const missing = await missingProgram(options, settings, fields);
  return ok({ path: settings.path, line, lines: [...lines], warnings: [...warnings, ...missing] });
}

/** Only a program of this computer can be looked up; one with a variable in it is found when it is started. */
async function missingProgram(
  { findProgram }: AddingOptions,
  settings: Settings,
  { command, runtime }: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  if (typeof command !== 'string' || command.includes('$') || runtime !== undefined) return [];
  const found = await findProgram(command.replace(/^~(?=\/)/, settings.source.setting().home));
  return found.ok ? [] : [settings.wordFailure(found.error)];
}
