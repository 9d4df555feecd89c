// `npm run setup`: prepares all that the project needs, inside its own folder.
// --plugin leaves the Neovims out (for plugin managers); --build does too, and builds the host anew.
import { createLog } from './lib/log.mjs';
import { prepare } from './lib/prepare.mjs';

/** @param {string[]} args @returns {Promise<number>} */
export const main = async (args) => {
  const rebuild = args.includes('--build');
  const neovim = rebuild || args.includes('--plugin') ? 'none' : 'all';
  await prepare({ neovim, rebuild, log: createLog(process.stdout, { notes: true }) });
  return 0;
};
