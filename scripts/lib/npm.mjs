// Calls npm so that it writes nothing outside the project and runs no package's script; says why it failed.
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { deps } from './paths.mjs';
import { run } from './run.mjs';

const settings = {
  npm_config_cache: join(deps, 'npm-cache'),
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_engine_strict: 'false',
  npm_config_ignore_scripts: 'true',
  npm_config_loglevel: 'error',
  // Its own waits would have a person without a network look at nothing for a minute and a half.
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '5000',
};

const offline =
  /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** What went wrong stands first, then come hints and the place of the log. @param {string} text */
const firstLines = (text) =>
  text
    .replace(/^npm (error|ERR!) ?/gm, '')
    .trim()
    .split('\n')
    .slice(0, 8)
    .join('\n');

/** @param {import('./run.mjs').Outcome} outcome @param {string} what */
const explain = (outcome, what) => {
  if (outcome.missing) return 'npm is not on PATH: install Node 20 or newer with npm, then run this again.';
  const reason = offline.exec(outcome.stderr)?.[1];
  if (reason)
    return `${what} could not be fetched, no network (${reason}): connect to one, then run \`npm run setup\` again.`;
  return `${what} could not be installed; npm says:\n${firstLines(outcome.stderr)}\nMend that, then run \`npm run setup\` again.`;
};

/**
 * @param {readonly string[]} args
 * @param {{ cwd: string, what: string }} options `what` is fetched, as a message names it
 */
export const npm = async (args, { cwd, what }) => {
  const outcome = await run('npm', args, { cwd, env: { ...process.env, ...settings } });
  if (outcome.code !== 0) throw new Failure(explain(outcome, what));
};
