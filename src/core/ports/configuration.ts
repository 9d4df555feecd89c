// The configuration file, and what is remembered between two Neovims. Interfaces and plain data only.
import type { Config } from '../config.ts';
import type { FoundAgent } from '../config/known-agents.ts';
import type { ConfigOrigin, ConfigPlace } from '../config/locate.ts';
import type { Setting } from '../config/resolve.ts';
import type { Problem } from '../contract/shapes.ts';
import type { Result } from '../errors.ts';

/** The configuration file as it was read last; `config` is undefined while it is broken or missing. */
export interface ConfigFile {
  readonly path: string;
  readonly source: ConfigPlace['source'];
  /** Written with the commented default at this start. */
  readonly created: boolean;
  readonly config?: Config;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Says whether the content with this SHA-256 may be used. */
export type IsTrusted = (sha256: string) => Promise<boolean>;

export interface ConfigFiles {
  /** `isTrusted` is asked before each content of the file is used. */
  open(place: ConfigPlace, isTrusted?: IsTrusted): Promise<ConfigSource>;
  /** What a first configuration says; only the default one has the schema beside it, and names it. */
  firstText(source: ConfigOrigin): Promise<string>;
  /** The known agents that are installed. */
  knownAgents(): Promise<readonly FoundAgent[]>;
}

export interface ConfigSource {
  current(): ConfigFile;
  /** The text as it is on disk now, also a broken one. */
  text(): Promise<Result<string>>;
  /** What a text of this file is read with. */
  setting(): Setting;
  /** One call for each save, by rename too (SPEC 3). */
  watch(changed: (file: ConfigFile) => void): void;
  /** Looks at once for what `watch` would notice in a moment; `anew`: also whether what was read before is trusted now. */
  refresh(anew?: boolean): Promise<void>;
  dispose(): Promise<void>;
}

/** What is remembered from one Neovim to the next (SPEC 14, `Open`, `Recent`). */
export interface Preferences {
  readonly path: string;
  /** The configurations opened, newest first. */
  recent(): Promise<readonly string[]>;
  remember(path: string): Promise<Result<undefined>>;
}
