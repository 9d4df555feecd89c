// `node scripts/run.mjs node FILE [arguments]`: a script of the project, run by the Node that everything is made for.
import { createLog } from './lib/log.mjs';
import { root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runInForeground } from './lib/run.mjs';

/** @param {string[]} args @returns {Promise<number>} */
export const main = async (args) => {
  const node = await prepare({ neovim: 'any', log: createLog(process.stderr, { notes: false }) });
  return runInForeground(node, args, { cwd: root });
};
