// The steps of a set-up in their order; each is done only if something is missing.
import { build, buildIsReady } from './build.mjs';
import { Failure } from './failure.mjs';
import { withLock } from './lock.mjs';
import { engineIsReady, installEngine, noEngineHere } from './engine.mjs';
import { allVersions, canInstall, findOnPath, install, isReady } from './neovim.mjs';
import { findNode, installNode, nodeVersion } from './node.mjs';
import { installPackages, packagesAreReady } from './packages.mjs';

/** @typedef {import('./neovim.mjs').Version} Version */
/** @typedef {import('./log.mjs').Log} Log */
/**
 * Which Neovims: every one, one that will do, a certain one, or none.
 * @typedef {'all' | 'any' | 'none' | Version} Wanted
 */
/** @typedef {string | undefined} State what to tell of a step that needs no work */
/** @typedef {{ name: string, ready: () => State | Promise<State>, what: string, work: () => Promise<unknown> }} Step */

/** @returns {Step} */
const packages = () => ({
  name: 'packages',
  ready: () => (packagesAreReady() ? 'already there' : undefined),
  what: 'installing what package-lock.json names',
  work: installPackages,
});

/** @returns {Step} */
const node = () => ({
  name: 'node',
  ready: async () => ((await findNode()) === undefined ? undefined : 'already there'),
  what: `Node ${process.versions.node} is too old for the host, bringing ${nodeVersion}`,
  work: installNode,
});

const requireNode = async () => {
  const found = await findNode();
  if (found === undefined) throw new Failure('Node is gone again: run `npm run setup`.');
  return found;
};

/** @param {boolean} force @returns {Step} */
const host = (force) => ({
  name: 'host',
  ready: () => (!force && buildIsReady() ? 'already built' : undefined),
  what: 'building the Node side',
  work: async () => build(await requireNode()),
});

/** @param {readonly Version[]} versions @returns {Step} */
const neovims = (versions) => {
  const missing = versions.filter((version) => !isReady(version));
  return {
    name: 'neovim',
    ready: () => (versions.every(isReady) ? `${versions.join(' and ')} already there` : undefined),
    what: `bringing ${missing.join(' and ')} beside the project`,
    work: () => Promise.all(missing.map(install)),
  };
};

/** One that a person has installed does as well as one of ours. @returns {Step} */
const anyNeovim = () => {
  const own = neovims(['0.12']);
  const ready = async () => {
    const found = await own.ready();
    if (found !== undefined) return found;
    const version = await findOnPath();
    return version && `${version} on PATH will do`;
  };
  return { ...own, ready };
};

/** Where no Debian package can be had, a Neovim of one's own has to do. @param {Wanted} wanted @returns {Step[]} */
const neovimSteps = (wanted) => {
  if (wanted === 'none') return [];
  if (wanted === 'any' || (wanted === 'all' && !canInstall())) return [anyNeovim()];
  return [neovims(wanted === 'all' ? allVersions : [wanted])];
};

/** Tests of containers say why they are left out where there is none. @returns {Step} */
const engine = () => ({
  name: 'engine',
  ready: () => (engineIsReady() ? 'already there' : noEngineHere()),
  what: 'bringing a Docker engine for the tests of containers',
  work: installEngine,
});

/** @param {Step} step @param {Log} log */
const perform = async ({ name, ready, what, work }, log) => {
  const state = await ready();
  if (state === undefined) await log.step(name, what, work);
  else log.note(name, state);
};

/** @param {Step[]} steps */
const allReady = async (steps) => {
  for (const { ready } of steps) if ((await ready()) === undefined) return false;
  return true;
};

/**
 * Makes everything ready and gives the Node to run the tools with.
 * @param {{ neovim: Wanted, log: Log, rebuild?: boolean, withEngine?: boolean }} options
 * @returns {Promise<string>}
 */
export const prepare = async ({ neovim: wanted, log, rebuild = false, withEngine = false }) => {
  const steps = [packages(), node(), ...neovimSteps(wanted), ...(withEngine ? [engine()] : []), host(rebuild)];
  const performAll = async () => {
    for (const step of steps) await perform(step, log);
  };
  // The lock is for those who change something: a start with all in place waits for nobody.
  if (await allReady(steps)) await performAll();
  else await withLock(() => log.note('set-up', 'waiting for another one to end'), performAll);
  return requireNode();
};
