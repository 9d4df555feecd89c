// `npm run format`: writes every file of ours as the formatters have it.
import { writeFormat } from './lib/format.mjs';
import { createLog } from './lib/log.mjs';
import { prepare } from './lib/prepare.mjs';

/** @returns {Promise<number>} */
export const main = async () =>
  writeFormat(await prepare({ neovim: 'none', log: createLog(process.stderr, { notes: false }) }));
