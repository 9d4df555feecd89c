// The Neovims beside the project, and the one on PATH; scripts/nvim starts them.
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpack } from './apt.mjs';
import { Failure } from './failure.mjs';
import { findMirror } from './mirror.mjs';
import { deps, temporary } from './paths.mjs';
import { lastLines, run } from './run.mjs';
import { isAtLeast } from './versions.mjs';

/** @typedef {'0.10' | '0.12'} Version */

/** The suites never go back: what they have now is the least they will have. */
const sources = {
  '0.10': { suite: 'trixie', minimum: [0, 10, 4] },
  0.12: { suite: 'forky', minimum: [0, 12] },
};

const oldest = sources['0.10'].minimum;

/** @type {readonly Version[]} */
export const allVersions = ['0.12', '0.10'];

/** @param {Version} version */
const homeOf = (version) => join(deps, `nvim-${version}`);

/** Where it was made ready: its loader is found by an absolute path, so a moved project needs that again. @param {string} home */
const stampOf = (home) => join(home, 'ready-in');

/** @param {Version} version */
export const isReady = (version) => {
  const stamp = stampOf(homeOf(version));
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === homeOf(version);
};

/** @param {string} program @param {NodeJS.ProcessEnv} [env] @returns {Promise<string | undefined>} */
const versionOf = async (program, env = process.env) => {
  const { code, stdout } = await run(program, ['--version'], { env });
  return code === 0 ? /^NVIM v(\S+)/.exec(stdout)?.[1] : undefined;
};

/** The version of the `nvim` on PATH if it is new enough. @returns {Promise<string | undefined>} */
export const findOnPath = async () => {
  const found = await versionOf('nvim');
  return found !== undefined && isAtLeast(found, oldest) ? found : undefined;
};

/** @param {string} home */
const librariesOf = (home) => {
  const lib = join(home, 'usr', 'lib');
  const name = readdirSync(lib).find((entry) => entry.includes('-linux-gnu'));
  if (name === undefined) throw new Failure(`no libraries were unpacked into ${lib}`);
  return join(lib, name);
};

/** @param {string} libraries */
const loaderIn = (libraries) => {
  const name = readdirSync(libraries).find((entry) => entry.startsWith('ld-linux'));
  if (name === undefined) throw new Failure(`no loader was unpacked into ${libraries}`);
  return join(libraries, name);
};

/**
 * Makes the program use the unpacked C library, not the machine's older one. The tool that does it came with it and is
 * run by its loader, as it cannot find its libraries by itself.
 * @param {string} home
 * @param {string} final the folder it will be moved to
 */
const bind = async (home, final) => {
  const libraries = librariesOf(home);
  const loader = loaderIn(libraries);
  const interpreter = join(final, 'usr', 'lib', basename(libraries), basename(loader));
  const outcome = await run(loader, [
    ...['--library-path', libraries, join(home, 'usr', 'bin', 'patchelf')],
    ...['--set-interpreter', interpreter, '--force-rpath', '--set-rpath', `$ORIGIN/../lib/${basename(libraries)}`],
    join(home, 'usr', 'bin', 'nvim'),
  ]);
  if (outcome.code !== 0) throw new Failure(`patchelf fails:\n${lastLines(outcome)}`);
};

/** Its state stays beside the project, and nothing is written into the person's folders. @param {string} home @param {readonly number[]} minimum */
export const checkNeovim = async (home, minimum) => {
  const env = {
    ...process.env,
    VIMRUNTIME: join(home, 'usr', 'share', 'nvim', 'runtime'),
    XDG_STATE_HOME: join(temporary, 'state'),
  };
  const program = join(home, 'usr', 'bin', 'nvim');
  const version = await versionOf(program, env);
  if (version === undefined || !isAtLeast(version, minimum)) {
    throw new Failure(`it is ${version ?? 'not able to run here'}, and ${minimum.join('.')} is wanted`);
  }
  const parsers = ['--clean', '--headless', '-c', 'lua vim.treesitter.language.add("lua")', '-c', 'quitall'];
  const outcome = await run(program, parsers, { env });
  if (outcome.code !== 0 || outcome.stderr !== '') throw new Failure(`its parsers do not load:\n${lastLines(outcome)}`);
};

/** Whether packages of Debian can be fetched here. */
export const canInstall = () => existsSync('/usr/bin/apt-get') && findMirror() !== undefined;

/** @param {Version} version */
const fetchTo = async (version) => {
  const mirror = canInstall() ? findMirror() : undefined;
  if (mirror === undefined) throw new Failure('there is no apt-get here that knows a Debian mirror');
  const folder = join(temporary, `nvim-${version}`);
  return unpack({ folder, suite: sources[version].suite, mirror, packages: ['neovim', 'patchelf'] });
};

/** @param {Version} version */
const place = async (version) => {
  const home = homeOf(version);
  // A folder that was copied or moved here needs its loader's new place and nothing else.
  if (existsSync(stampOf(home))) {
    rmSync(stampOf(home));
    await bind(home, home);
  } else {
    const unpacked = await fetchTo(version);
    await bind(unpacked, home);
    if (lstatSync(home, { throwIfNoEntry: false })) rmSync(home, { recursive: true, force: true });
    renameSync(unpacked, home);
  }
  await checkNeovim(home, sources[version].minimum);
  writeFileSync(stampOf(home), home);
};

/** @param {Version} version */
export const install = async (version) => {
  try {
    await place(version);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `Neovim ${version} could not be brought beside the project: ${error.message}\n` +
        'Install Neovim 0.10.4 or newer yourself, or see that apt-get reaches its mirror, then run `npm run setup` again.',
      { cause: error },
    );
  }
};
