// The packages of package-lock.json in node_modules; it installs all of them or none.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { modules, root, temporary } from './paths.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry */

/** @param {string} path @returns {Record<string, Entry> | undefined} */
const readLock = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    // Missing or cut short: npm writes this file last, so the packages are not complete.
    return undefined;
  }
};

/** @param {Entry} entry what only other machines need is left out by npm */
const isForHere = (entry) =>
  !entry.optional ||
  (entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch) && entry.libc === undefined);

/** npm keeps what it installed in a lock file of its own; packages added by hand beside ours do no harm. */
export const packagesAreReady = () => {
  const wanted = readLock(join(root, 'package-lock.json'));
  const present = readLock(join(modules, '.package-lock.json'));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      !isForHere(entry) ||
      (present[path]?.version === entry.version && present[path]?.integrity === entry.integrity),
  );
};

/**
 * Installed beside and moved into place: one that fails or is cut short leaves what was there, and a host that runs
 * keeps the package it may still load.
 */
export const installPackages = async () => {
  const folder = join(temporary, 'packages');
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(folder, name));
  }
  await npm(['ci', '--include=dev', '--include=optional'], { cwd: folder, what: 'The packages' });
  if (existsSync(modules)) renameSync(modules, join(temporary, 'replaced-packages'));
  renameSync(join(folder, 'node_modules'), modules);
};
