// `npm start`: with a terminal Neovim and the demo agent's conversation; without one the tour, printed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from './lib/log.mjs';
import { deps, launcher, profile, root } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runInForeground } from './lib/run.mjs';
import { makeWorkspace } from './lib/tour-workspace.mjs';

/** A profile of its own, whatever the person's own environment says. @param {string} home */
const profileIn = (home) => ({
  XDG_CONFIG_HOME: join(home, 'config'),
  XDG_DATA_HOME: join(home, 'data'),
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CACHE_HOME: join(home, 'cache'),
});

/** @param {string[]} args further arguments for Neovim */
const open = (args) => {
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const env = { ...process.env, ...profileIn(profile) };
  return runInForeground(launcher, ['+Sidekicks open demo', ...args], { cwd, env });
};

/** Each tour has a history, a configuration and a small project of its own, so it looks the same every time. */
const tour = async () => {
  mkdirSync(deps, { recursive: true });
  const folder = mkdtempSync(join(deps, 'tour-'));
  try {
    const env = { ...process.env, ...profileIn(folder), SIDEKICKS_CONFIG: '' };
    const cwd = makeWorkspace(folder);
    return await runInForeground(launcher, ['--headless', '-S', join(root, 'scripts', 'tour.lua')], { cwd, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const wantedNeovim = () => {
  const wanted = process.env['SIDEKICKS_NVIM'];
  return wanted === '0.10' || wanted === '0.12' ? wanted : 'any';
};

/** @param {string[]} args @returns {Promise<number>} */
export const main = async (args) => {
  await prepare({ neovim: wantedNeovim(), log: createLog(process.stderr, { notes: false }) });
  return process.stdin.isTTY && process.stdout.isTTY ? open(args) : tour();
};
