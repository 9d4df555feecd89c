// Where things lie in the project; it touches no file.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const modules = join(root, 'node_modules');
export const deps = join(root, '.deps');
export const temporary = join(deps, 'tmp');
export const profile = join(deps, 'profile');
export const plugin = join(root, 'rplugin', 'node', 'sidekicks');
export const dist = join(plugin, 'dist');
export const launcher = join(root, 'scripts', 'nvim');
