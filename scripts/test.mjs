// `npm test`: the set-up, then the tests; their counts stand alone on the last line.
// --agents, or SIDEKICKS_TEST_AGENTS, adds the tests with real agents; other arguments go to vitest.
import { createLog } from './lib/log.mjs';
import { prepare } from './lib/prepare.mjs';
import { runTests } from './lib/tests.mjs';

/** @param {string[]} args @returns {Promise<number>} */
export const main = async (args) => {
  const node = await prepare({ neovim: 'all', withEngine: true, log: createLog(process.stderr, { notes: false }) });
  return runTests(node, args);
};
