// Prettier for what it knows, StyLua for Lua, over the whole project.
import { join } from 'node:path';
import { modules, root } from './paths.mjs';
import { runInForeground } from './run.mjs';

/** @param {string} node @param {'--check' | '--write'} mode */
const format = async (node, mode) => {
  const prettier = join(modules, 'prettier', 'bin', 'prettier.cjs');
  const styLua = join(root, 'scripts', 'format-lua.mjs');
  const web = await runInForeground(node, [prettier, mode, '--log-level', 'warn', '.'], { cwd: root });
  const lua = await runInForeground(node, [styLua, mode], { cwd: root });
  return web || lua;
};

/** @param {string} node */
export const checkFormat = (node) => format(node, '--check');

/** @param {string} node */
export const writeFormat = (node) => format(node, '--write');
