// One set-up at a time in a project; a lock whose owner is dead is taken over.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.mjs';
import { deps, temporary } from './paths.mjs';

const path = join(deps, 'setup.lock');
const patience = 15 * 60 * 1000;

/** @param {unknown} error @param {string} code */
const hasCode = (error, code) => error instanceof Error && 'code' in error && error.code === code;

/** Linking a written file is the one step that both makes the lock and names its owner. */
const take = () => {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
};

const owner = () => {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
};

/** @param {number} pid */
const lives = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
};

/** Renamed first: of two that find the same dead owner only one can take its lock away. @param {number} pid */
const breakLock = (pid) => {
  const dead = `${path}.${pid}.dead`;
  try {
    renameSync(path, dead);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  rmSync(dead, { force: true });
};

/** @param {() => void} onWait */
const acquire = async (onWait) => {
  const since = Date.now();
  for (let told = false; !take();) {
    const pid = owner();
    if (pid > 0 && !lives(pid)) {
      breakLock(pid);
      continue;
    }
    if (!told) onWait();
    told = true;
    if (Date.now() - since > patience) {
      throw new Failure(
        `Another set-up (process ${pid}) does not end: end it, or delete ${path}, then run this again.`,
      );
    }
    await delay(200);
  }
};

/**
 * @template T
 * @param {() => void} onWait called once if another set-up is at work
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const withLock = async (onWait, work) => {
  mkdirSync(deps, { recursive: true });
  await acquire(onWait);
  try {
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary, { recursive: true });
    return await work();
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    rmSync(path, { force: true });
  }
};
