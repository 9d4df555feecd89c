// Creates, stops and removes the container or sandbox of an agent by the lines its configuration names (SPEC sections 3, 4 and 14).
// What these lines mean is the person's own; Sidekicks only runs them and tells what they print.
import type { AgentDefinition } from '../core/config.ts';
import { fail, ok, type Failure, type Result } from '../core/errors.ts';
import type { CommandRunner, Exit } from '../core/ports.ts';
import { runsInside, type Inside } from '../core/runtime.ts';
import type { Agents } from './agents.ts';
import { once, type Once } from './once.ts';
import type { Settings } from './settings.ts';

export interface SandboxesOptions {
  readonly agents: () => Promise<Agents>;
  readonly settings: () => Promise<Settings>;
  readonly openCommands: () => Promise<CommandRunner>;
}

type Action = 'stop' | 'remove';

export class Sandboxes {
  readonly #options: SandboxesOptions;
  readonly #commands: Once<CommandRunner>;
  /** Agents whose sandbox is being stopped or removed. */
  readonly #busy = new Set<string>();

  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#commands = once(options.openCommands);
  }

  /** Stops the agent, then runs its line for this; settles when that has ended. */
  async run(name: string, action: Action): Promise<Result<undefined>> {
    const settings = await this.#options.settings();
    const definition = settings.config.agents.find((agent) => agent.name === name);
    if (!definition) return fail('not-found', 'error.unknownAgent', { agent: name });
    const line = definition.runtime.lifecycle[action];
    if (line === '') return { ok: false, error: noLine(name, action) };
    if (this.#busy.has(name)) return fail('busy', 'sandbox.busy', { agent: name });
    this.#busy.add(name);
    try {
      return await this.#stopAndRun(definition, line, settings.source.setting().folder);
    } finally {
      this.#busy.delete(name);
    }
  }

  /** Whether programs can be run there now. */
  async reach(inside: Inside): Promise<Result<undefined>> {
    return (await this.#commands()).reach(inside);
  }

  /** Before a start: one that is absent is created by its line, if it has one (SPEC 4). */
  async bring(definition: AgentDefinition): Promise<Result<undefined>> {
    const { runtime } = definition;
    const line = runtime.lifecycle.create;
    if (runtime.type === 'local' || (line === '' && !runsInside(definition))) return ok(undefined);
    const there = await this.reach(runtime);
    if (there.ok || line === '') return there;
    const settings = await this.#options.settings();
    const created = await this.#runLine(definition, line, settings.source.setting().folder);
    if (!created.ok || !runsInside(definition)) return created;
    return this.reach(runtime);
  }

  async dispose(): Promise<void> {
    if (this.#commands.begun()) await (await this.#commands()).dispose();
  }

  async #stopAndRun(definition: AgentDefinition, line: string, folder: string): Promise<Result<undefined>> {
    const agents = await this.#options.agents();
    const stopped = await agents.stop(definition.name);
    return stopped.ok ? this.#runLine(definition, line, folder) : stopped;
  }

  async #runLine({ name }: AgentDefinition, line: string, folder: string): Promise<Result<undefined>> {
    const agents = await this.#options.agents();
    const commands = await this.#commands();
    const ended = await commands.run(line, folder, (printed) => agents.note(name, `sandbox: ${printed}`));
    return ended.ok ? outcome(name, line, ended.value) : ended;
  }
}

const noLine = (agent: string, action: Action): Failure =>
  fail('refused', action === 'stop' ? 'sandbox.noStop' : 'sandbox.noRemove', { agent }).error;

function outcome(agent: string, command: string, { code, signal }: Exit): Result<undefined> {
  if (signal !== '') return fail('unavailable', 'sandbox.killed', { agent, command, signal });
  return code === 0 ? ok(undefined) : fail('unavailable', 'sandbox.failed', { agent, command, code });
}
