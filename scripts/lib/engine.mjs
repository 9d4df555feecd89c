// A Docker engine beside the project, for the tests of containers; it is started by them and never by a person's Neovim.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpack } from './apt.mjs';
import { Failure } from './failure.mjs';
import { findMirror } from './mirror.mjs';
import { deps, temporary } from './paths.mjs';

export const engineHome = join(deps, 'engine');
const stamp = join(engineHome, 'ready');

export const engineIsReady = () => existsSync(stamp);

/** The machine's own release: the engine uses the machine's C library. */
const suite = () => {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID=debian$/m.test(release) ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined;
};

/** Root in a container mostly may not: the bit of CAP_SYS_ADMIN in what this process may do (capabilities(7)). */
const mayMount = () => {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const mask = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return mask !== undefined && ((BigInt(`0x${mask}`) >> 21n) & 1n) === 1n;
};

/** Why no engine can run here; undefined where one can. @returns {string | undefined} */
export const noEngineHere = () => {
  if (process.getuid?.() !== 0) return 'an engine needs root';
  if (!mayMount()) return 'an engine needs the right to mount folders';
  if (suite() === undefined || findMirror() === undefined) return 'the engine is brought from Debian, and this is not';
  return undefined;
};

/** Unpacks the engine, what it runs containers with, and one program with all the usual commands. */
export const installEngine = async () => {
  const [release, mirror] = [suite(), findMirror()];
  if (release === undefined || mirror === undefined) throw new Failure(noEngineHere() ?? 'no engine can be had here');
  const folder = join(temporary, 'engine');
  const packages = ['docker.io', 'busybox-static', 'iptables'];
  const unpacked = await unpack({ folder, suite: release, mirror, packages });
  rmSync(engineHome, { recursive: true, force: true });
  renameSync(unpacked, engineHome);
  writeFileSync(stamp, release);
};
