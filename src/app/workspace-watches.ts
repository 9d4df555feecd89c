// Which workspaces are followed, and how often that was asked for (SPEC sections 11 and 14). Looks at no file itself.
import type { HostEvent } from '../core/contract/events.ts';
import { ok, type Result } from '../core/errors.ts';
import type { Settings } from './settings.ts';
import { whatOf, type Workspaces } from './workspaces.ts';

export interface WatchesOptions {
  readonly settings: () => Promise<Settings>;
  readonly workspaces: Workspaces;
  readonly tell: (event: HostEvent) => void;
}

interface Watched {
  count: number;
  /** What is followed: another folder or container under the same name is another workspace. */
  readonly what: string;
  readonly end: () => void;
}

export class WorkspaceWatches {
  readonly #options: WatchesOptions;
  readonly #watched = new Map<string, Watched>();
  /** By agent: each thing asked for is done before the next one begins, so that what is counted is what is followed. */
  readonly #last = new Map<string, Promise<unknown>>();
  #unfollow: (() => void) | undefined;

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  watch(agent: string): Promise<Result<object>> {
    return this.#next(agent, async () => {
      const known = this.#watched.get(agent);
      if (known) {
        known.count += 1;
        return ok({});
      }
      await this.#followSettings();
      return this.#begin(agent, 1);
    });
  }

  /** Without an agent: none is followed any more, however often that was asked for. */
  async unwatch(agent?: string): Promise<Result<object>> {
    if (agent !== undefined) return this.#next(agent, () => Promise.resolve(this.#release(agent)));
    const endOf = (one: string) => (): Promise<void> => {
      this.#end(one);
      return Promise.resolve();
    };
    await Promise.all([...this.#last.keys()].map((one) => this.#next(one, endOf(one))));
    return ok({});
  }

  async dispose(): Promise<void> {
    this.#unfollow?.();
    await this.unwatch();
  }

  #release(agent: string): Result<object> {
    const known = this.#watched.get(agent);
    if (known) known.count -= 1;
    if (known?.count === 0) this.#end(agent);
    return ok({});
  }

  #end(agent: string): void {
    this.#watched.get(agent)?.end();
    this.#watched.delete(agent);
  }

  async #begin(agent: string, count: number): Promise<Result<object>> {
    const place = await this.#options.workspaces.of(agent);
    if (!place.ok) return place;
    const watching = await place.value.workspace.watch(() => this.#changed(agent));
    if (!watching.ok) return watching;
    this.#watched.set(agent, { count, what: whatOf(place.value), end: watching.value });
    return ok({});
  }

  async #followSettings(): Promise<void> {
    if (this.#unfollow) return;
    const settings = await this.#options.settings();
    this.#unfollow = settings.onChange(() => {
      for (const agent of this.#last.keys()) void this.#next(agent, () => this.#followAnew(agent));
    });
  }

  async #followAnew(agent: string): Promise<void> {
    const known = this.#watched.get(agent);
    if (!known) return;
    const place = await this.#options.workspaces.of(agent);
    if (place.ok && whatOf(place.value) === known.what) return;
    this.#end(agent);
    if (place.ok) await this.#begin(agent, known.count);
    this.#changed(agent);
  }

  #next<T>(agent: string, act: () => Promise<T>): Promise<T> {
    const done = (this.#last.get(agent) ?? Promise.resolve()).then(act);
    this.#last.set(
      agent,
      done.catch(() => undefined), // whoever asked hears of it
    );
    return done;
  }

  #changed(agent: string): void {
    this.#options.tell({ name: 'workspace:changed', payload: { agent } });
  }
}
