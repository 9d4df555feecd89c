// What is opened once and shared by all services: the configuration in force, the pool, the desk. Ends all work when another
// configuration or an empty history takes their place. Answers no method.
import type { HostEvent } from '../core/contract/events.ts';
import { causeText, fail, ok, type Failure, type Result } from '../core/errors.ts';
import type {
  AgentLauncher,
  Clock,
  CommandRunner,
  Disk,
  Editor,
  History,
  Log,
  WatchFile,
  WatchFolder,
  WorkspaceFiles,
} from '../core/ports.ts';
import type { AgentDefinition } from '../core/config.ts';
import { withAgentPaths } from './agent-paths.ts';
import { AgentPool } from './agent-pool.ts';
import type { ChosenConfig, ConfigChoice } from './config-choice.ts';
import type { Desk } from './desk.ts';
import type { FilePlaces } from './file-place.ts';
import type { ReadInside } from './named-files.ts';
import { once, type Once } from './once.ts';
import { Sandboxes } from './sandboxes.ts';
import { Settings } from './settings.ts';

/** Watching the configuration begins when the first answer is out: loading the watcher would delay it. */
const followAfterMs = 100;
const idleLimitMs = 5_000;

export interface WorkbenchOptions {
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly editor: Editor;
  readonly disk: Disk;
  readonly files: WorkspaceFiles;
  readonly filePlace: FilePlaces;
  readonly readInside: ReadInside;
  readonly log: Log;
  /** Where the host was started. */
  readonly folder: string;
  readonly choice: ConfigChoice;
  readonly watchFile: WatchFile;
  readonly watchFolder: WatchFolder;
  readonly openHistory: (configPath: string, word: (failure: Failure) => string) => Promise<History>;
  readonly openLauncher: () => Promise<AgentLauncher>;
  readonly openCommands: () => Promise<CommandRunner>;
  readonly tell: (event: HostEvent) => void;
}

export class Workbench {
  readonly settings: Once<Settings>;
  readonly pool: Once<AgentPool>;
  readonly desk: Once<Desk>;
  readonly sandboxes: Sandboxes;
  readonly #options: WorkbenchOptions;
  #renewing: Promise<unknown> = Promise.resolve();
  #unfollowTrust: () => void = () => undefined;

  constructor(options: WorkbenchOptions) {
    this.#options = options;
    this.settings = once(() => this.#openSettings());
    this.pool = once(async () => this.#openPool());
    this.sandboxes = new Sandboxes({ ...options, agents: this.pool, settings: this.settings });
    this.desk = once(() => this.#openDesk());
  }

  /** Settles when no change of configuration or history is under way. */
  async ready(): Promise<void> {
    await this.#renewing;
  }

  /**
   * Stops the answers and all agents and closes the history; then `change` is made, and all begins anew, with another
   * configuration if it gives one.
   */
  renew<T>(change: () => Promise<Result<Renewed<T>>>): Promise<Result<T>> {
    const renewed = this.#renewing.then(() => this.#renew(change));
    this.#renewing = renewed.catch(() => undefined); // whoever asked hears of it
    return renewed;
  }

  async dispose(): Promise<void> {
    this.#unfollowTrust();
    if (!this.settings.begun()) return;
    const sandboxes = this.sandboxes.dispose();
    const desk = this.desk.begun() ? await this.desk() : undefined;
    desk?.keepQueues();
    if (this.pool.begun()) await (await this.pool()).dispose();
    await sandboxes;
    desk?.dispose();
    await (await this.settings()).dispose();
  }

  async #openSettings(): Promise<Settings> {
    const { choice, clock, tell } = this.#options;
    const opened = new Settings(await choice.find(), tell);
    clock.after(followAfterMs, () => {
      opened.follow();
      this.#followTrust(opened.chosen);
      void this.#keepSchema(opened);
    });
    return opened;
  }

  async #openPool(): Promise<AgentPool> {
    const bring = (definition: AgentDefinition) => this.sandboxes.bring(definition);
    const openLauncher = async () => withAgentPaths(await this.#options.openLauncher());
    return new AgentPool({ ...this.#options, settings: await this.settings(), openLauncher, bring });
  }

  async #keepSchema(settings: Settings): Promise<void> {
    const { keepSchema } = await import('./schema-file.ts');
    await keepSchema(settings, this.#options.disk, this.#options.log);
  }

  async #openDesk(): Promise<Desk> {
    const settings = await this.settings();
    // Loading the history holds everything up: what needs only the configuration is answered first.
    await new Promise<void>((resolve) => this.#options.clock.after(0, resolve));
    const history = await this.#options.openHistory(settings.path, (failure) => settings.wordFailure(failure));
    const agents = await this.pool();
    const { Desk } = await import('./desk.ts');
    const opened = new Desk({ ...this.#options, history, settings, agents });
    await agents.connect(opened);
    return opened;
  }

  async #renew<T>(change: () => Promise<Result<Renewed<T>>>): Promise<Result<T>> {
    await this.#endWork();
    const changed = await change().catch((cause: unknown): Result<Renewed<T>> =>
      fail('internal', 'error.internal', { what: causeText(cause) }, cause),
    );
    const settings = await this.settings();
    const chosen = changed.ok ? changed.value.chosen : undefined;
    if (chosen) {
      await settings.replace(chosen);
      this.#followTrust(chosen);
    } else {
      settings.announce();
    }
    this.#options.tell({ name: 'history:opened', payload: {} });
    return changed.ok ? ok(changed.value.value) : changed;
  }

  async #endWork(): Promise<void> {
    const desk = this.desk.begun() ? await this.desk() : undefined;
    desk?.cancelAll();
    if (this.pool.begun()) await (await this.pool()).clear();
    if (desk) await Promise.race([desk.idle(), this.#enough()]);
    desk?.dispose();
    this.desk.forget();
  }

  /** An agent that is gone answers no more; a turn that has not noticed must not keep the person waiting. */
  #enough(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(idleLimitMs, resolve));
  }

  /** Neovim's `:trust` tells nobody: its database is watched for as long as the choice depends on it. */
  #followTrust({ database, untrusted }: ChosenConfig): void {
    this.#unfollowTrust();
    this.#unfollowTrust = () => undefined;
    if (database === '') return;
    this.#unfollowTrust = this.#options.watchFile(database, () => {
      void this.#trustChanged(untrusted);
    });
  }

  async #trustChanged(untrusted: readonly string[]): Promise<void> {
    await this.ready();
    const settings = await this.settings();
    await settings.refresh(true);
    for (const path of untrusted) {
      if (await this.#options.choice.isTrusted(path)) return this.#useTrusted(settings, path);
    }
  }

  /** Taken at once where that ends no work; else the person says when. */
  async #useTrusted(settings: Settings, path: string): Promise<void> {
    const isAtWork = this.pool.begun() && (await this.pool()).isRunning();
    if (isAtWork) {
      const message = settings.word('config.file.trusted', { path });
      this.#options.tell({ name: 'host:notice', payload: { level: 'info', message } });
    } else {
      await this.renew(async () => ok({ chosen: await this.#options.choice.find(), value: undefined }));
    }
  }
}

export interface Renewed<T> {
  readonly chosen?: ChosenConfig;
  readonly value: T;
}
