// Runs vitest with the right Node and prints the counts last; which tests there are says vitest.config.ts.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { deps, modules, root } from './paths.mjs';
import { runInForeground } from './run.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const countsPath = join(deps, `test-counts-${process.pid}.json`);

/** A run that broke off before it could count has failed. @returns {Counts} */
const readCounts = () =>
  existsSync(countsPath) ? JSON.parse(readFileSync(countsPath, 'utf8')) : { passed: 0, failed: 1, skipped: 0 };

/** @param {Counts} counts */
const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** @param {string[]} args */
const projects = (args) => {
  if (args.includes('--project')) return [];
  if (args.includes('--agents')) return ['--project', 'agents'];
  return process.env['SIDEKICKS_TEST_AGENTS'] ? [] : ['--project', 'main'];
};

/**
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<number>} the exit status
 */
export const runTests = async (node, args) => {
  mkdirSync(deps, { recursive: true });
  rmSync(countsPath, { force: true });
  const vitest = [join(modules, 'vitest', 'vitest.mjs'), 'run', ...projects(args)];
  const rest = args.filter((arg) => arg !== '--agents');
  const env = { ...process.env, SIDEKICKS_TEST_COUNTS: countsPath };
  const status = await runInForeground(node, [...vitest, ...rest], { cwd: root, env });
  const counts = readCounts();
  rmSync(countsPath, { force: true });
  process.stdout.write(`${summary(counts)}\n`);
  return counts.failed > 0 ? status || 1 : status;
};
