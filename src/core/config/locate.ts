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

/** The file somebody named for this Neovim: it comes before any other. */
export function namedConfig(where: Whereabouts): ConfigPlace | undefined {
  const { env, option } = where;
  if (env['SIDEKICKS_CONFIG']) return { path: absolutePath(where, env['SIDEKICKS_CONFIG']), source: 'env' };
  return option === '' ? undefined : { path: absolutePath(where, option), source: 'option' };
}

export const defaultConfig = (where: Whereabouts): ConfigPlace => ({
  path: posix.join(userConfigFolder(where), 'sidekicks', 'sidekicks.yaml'),
  source: 'default',
});

/** The JSON Schema, kept beside the default configuration. */
export const schemaFile = 'schema.json';

/** What a project may bring along; used only once it is trusted. */
export const projectConfig = (project: string): ConfigPlace => ({
  path: posix.join(project, '.sidekicks.yaml'),
  source: 'project',
});

/** `<user config>` of SPEC 3 and 10. The XDG rules have a relative `XDG_CONFIG_HOME` ignored. */
export function userConfigFolder({ env, home, platform }: Pick<Whereabouts, 'env' | 'home' | 'platform'>): string {
  if (env['XDG_CONFIG_HOME']?.startsWith('/')) return env['XDG_CONFIG_HOME'];
  return posix.join(home, platform === 'darwin' ? 'Library/Application Support' : '.config');
}

/** Of a path a person wrote. */
export function absolutePath({ home, folder }: Pick<Whereabouts, 'home' | 'folder'>, path: string): string {
  const expanded = path === '~' || path.startsWith('~/') ? home + path.slice(1) : path;
  return posix.resolve(folder, expanded);
}

/** The language of the system, by the rules of POSIX: the first of these that is set decides. */
export function systemLanguage(env: Whereabouts['env']): Language {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return /^fr([_.@]|$)/.test(locale) ? 'fr' : 'en';
}
