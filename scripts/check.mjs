// `npm run check`: everything that CI and a reviewer look at: format, lint, types, generated files, tests.
import { join } from 'node:path';
import { checkFormat } from './lib/format.mjs';
import { createLog } from './lib/log.mjs';
import { modules, root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runInForeground } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/** @param {string} node @param {string[]} args @returns {() => Promise<number>} */
const tool = (node, args) => () => runInForeground(node, args, { cwd: root });

/** @param {string} node @param {string[]} args for vitest @returns {[name: string, run: () => Promise<number>][]} */
const checks = (node, args) => {
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  return [
    ['format', () => checkFormat(node)],
    ['lint', tool(node, [join(modules, 'eslint', 'bin', 'eslint.js'), '--max-warnings=0', '.'])],
    ['types', tool(node, [tsc])],
    ['types of the scripts', tool(node, [tsc, '--project', 'scripts'])],
    ['generated files', tool(node, [join(root, 'scripts', 'generate.mjs'), '--check'])],
    ['tests', () => runTests(node, args)],
  ];
};

/** All are run, so that one look shows everything that is wrong. @param {string[]} args @returns {Promise<number>} */
export const main = async (args) => {
  const node = await prepare({ neovim: 'all', withEngine: true, log: createLog(process.stderr, { notes: false }) });
  const failed = [];
  for (const [name, run] of checks(node, args)) {
    process.stdout.write(`── ${name}\n`);
    if ((await run()) !== 0) failed.push(name);
  }
  if (failed.length > 0) process.stderr.write(`not right: ${failed.join(', ')}\n`);
  return failed.length > 0 ? 1 : 0;
};
