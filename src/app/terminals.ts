// Terminals in the workspaces of agents (SPEC section 12): which words run there, and which terminals there are. The editor
// runs them; what is left of a closed one ends through the port `Shells`.
import type { AgentDefinition } from '../core/config.ts';
import { fail, ok, type Result } from '../core/errors.ts';
import type { Shells, ShellWatch, TerminalPlan, Terminals } from '../core/ports.ts';
import { folderInside } from '../core/runtime.ts';
import { lookWords, shellInside, shellsHere } from '../core/terminal.ts';
import { once, type Once } from './once.ts';
import type { Settings } from './settings.ts';

export interface WorkspaceTerminalsOptions {
  readonly settings: () => Promise<Settings>;
  readonly project: () => Promise<string>;
  readonly terminals: Terminals;
  readonly openShells: () => Promise<Shells>;
  readonly findProgram: (command: string) => Promise<Result<string>>;
  readonly nextId: () => string;
  /** The person's, "" where none is set. */
  readonly shell: string;
}

type Way = Pick<TerminalPlan, 'words' | 'folder' | 'place'>;

export class WorkspaceTerminals {
  readonly #options: WorkspaceTerminalsOptions;
  readonly #shells: Once<Shells>;
  readonly #watches = new Map<string, ShellWatch>();

  constructor(options: WorkspaceTerminalsOptions) {
    this.#options = options;
    this.#shells = once(options.openShells);
  }

  /** What the editor is to run. From now on nothing of it outlives this process. */
  async plan(agent: string): Promise<Result<TerminalPlan>> {
    const { settings, project, nextId } = this.#options;
    const definition = (await settings()).config.agents.find(({ name }) => name === agent);
    if (!definition) return fail('not-found', 'error.unknownAgent', { agent });
    const [id, shells] = [nextId(), await this.#shells()];
    const folder = definition.workspace || (await project());
    const isHere = definition.runtime.type === 'local';
    const way = isHere ? await this.#here(shells, folder) : await inside(shells, definition, folder, id);
    if (!way.ok) return way;
    this.#watches.set(id, shells.watch(id, isHere ? undefined : definition.runtime));
    return ok({ id, agent, env: shells.marked(id), ...way.value });
  }

  began(id: string, pid: number): Result<object> {
    this.#watches.get(id)?.began(pid);
    return ok({});
  }

  async open(agent: string, cols: number, rows: number): Promise<Result<{ id: string }>> {
    const plan = await this.plan(agent);
    if (!plan.ok) return plan;
    const { id } = plan.value;
    const pid = await this.#options.terminals.open(plan.value, cols, rows);
    if (!pid.ok) {
      await this.gone(id);
      return pid;
    }
    this.began(id, pid.value);
    return ok({ id });
  }

  write(id: string, data: string): Promise<Result<object>> {
    return this.#known(id, () => this.#options.terminals.write(id, data));
  }

  resize(id: string, cols: number, rows: number): Promise<Result<object>> {
    return this.#known(id, () => this.#options.terminals.resize(id, cols, rows));
  }

  /** What it launched is looked for before the terminal goes: afterwards less tells whose it is. */
  close(id: string): Promise<Result<object>> {
    return this.#known(id, async () => {
      const gone = this.gone(id);
      const closed = await this.#options.terminals.close(id);
      await gone;
      return closed;
    });
  }

  /** Its buffer is gone, or it never ran; settles when nothing of it is left. */
  async gone(id: string): Promise<void> {
    const watch = this.#watches.get(id);
    this.#watches.delete(id);
    await watch?.hangUp();
  }

  async dispose(): Promise<void> {
    if (this.#shells.begun()) await (await this.#shells()).dispose();
  }

  async #known(id: string, action: () => Promise<Result<undefined>>): Promise<Result<object>> {
    if (!this.#watches.has(id)) return fail('not-found', 'terminal.unknown', { id });
    const done = await action();
    return done.ok ? ok({}) : done;
  }

  async #here(shells: Shells, folder: string): Promise<Result<Way>> {
    const entered = await shells.enter(folder);
    if (!entered.ok) return entered;
    for (const words of shellsHere(this.#options.shell)) {
      const found = await this.#options.findProgram(words[0] ?? '');
      if (found.ok) return ok({ words: [found.value, ...words.slice(1)], folder, place: folder });
    }
    return fail('unavailable', 'terminal.noShell');
  }
}

async function inside(
  shells: Shells,
  { runtime }: AgentDefinition,
  workspace: string,
  id: string,
): Promise<Result<Way>> {
  const folder = folderInside(runtime, workspace);
  const looked = await shells.ask(runtime, lookWords(folder));
  if (!looked.ok) return looked;
  const marks = Object.entries(shells.marked(id)).map(([name, value]) => `${name}=${value}`);
  const words = shellInside(runtime, folder, marks, looked.value);
  return words.ok ? ok({ words: words.value, folder: '', place: `${runtime.name}:${folder}` }) : words;
}
