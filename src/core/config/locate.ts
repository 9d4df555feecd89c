// Decides which file is the configuration (SPEC section 3) and where Sidekicks keeps its own. Looks at no disk.
import { posix } from 'node:path';
import type { Language } from '../texts/index.ts';

export type ConfigOrigin = 'env' | 'option' | 'project' | 'opened' | 'default';

export interface ConfigPlace {
  /** Absolute. */
  readonly path: string;
  readonly source: ConfigOrigin;
}

export interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
  /** Neovim's working directory: relative paths are from there. */
  readonly folder: string;
  /** `config` of `vim.g.sidekicks` or `setup`; "" when not given. */
  readonly option: string;
}

export function locateConfig(where: Whereabouts): ConfigPlace {
  const { env, option } = where;
  // A trusted project's file comes after the option, the file last opened after that one (SPEC 3); both arrive with their issues.
  if (env['SIDEKICKS_CONFIG']) return { path: absolute(where, env['SIDEKICKS_CONFIG']), source: 'env' };
  if (option !== '') return { path: absolute(where, option), source: 'option' };
  return { path: posix.join(userConfigFolder(where), 'sidekicks', 'sidekicks.yaml'), source: 'default' };
}

/** `<user config>` of SPEC 3 and 10. The XDG rules have a relative `XDG_CONFIG_HOME` ignored. */
export function userConfigFolder({ env, home, platform }: Pick<Whereabouts, 'env' | 'home' | 'platform'>): string {
  if (env['XDG_CONFIG_HOME']?.startsWith('/')) return env['XDG_CONFIG_HOME'];
  return posix.join(home, platform === 'darwin' ? 'Library/Application Support' : '.config');
}

function absolute({ home, folder }: Whereabouts, path: string): string {
  const expanded = path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
  return posix.resolve(folder, expanded);
}

/** The language of the system, by the rules of POSIX: the first of these that is set decides. */
export function systemLanguage(env: Whereabouts['env']): Language {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return /^fr([_.@]|$)/.test(locale) ? 'fr' : 'en';
}
