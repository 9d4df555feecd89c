// A Node new enough for the host and the tools: the caller's own, else one beside the plugin.
import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Failure } from './failure.mjs';
import { npm } from './npm.mjs';
import { deps, modules, root, temporary } from './paths.mjs';
import { lastLines, run } from './run.mjs';
import { isAtLeast } from './versions.mjs';

const minimum = [22, 22];
const version = '24.21.0';
const home = join(deps, `node-${version}`);
const program = join(home, 'bin', 'node');
const link = join(modules, '.bin', 'node');

/** One inside the project is reached by its link only, which has to be there for others too. */
const ownIsEnough = () => isAtLeast(process.versions.node, minimum) && !process.execPath.startsWith(root);

/** Somebody's own Node in node_modules serves as well as ours, whose version needs no asking. */
const linkIsEnough = async () => {
  if (!existsSync(link)) return false;
  if (realpathSync(link) === program) return true;
  const { code, stdout } = await run(link, ['--version']);
  return code === 0 && isAtLeast(stdout.trim(), minimum);
};

/** The Node that runs the host and the tools, or nothing if it has yet to be brought. @returns {Promise<string | undefined>} */
export const findNode = async () => {
  if (ownIsEnough()) return process.execPath;
  return (await linkIsEnough()) ? link : undefined;
};

const packageName = () => {
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${family}-${process.platform}-${process.arch}`;
};

/** @param {string} path */
const check = async (path) => {
  const outcome = await run(path, ['--version']);
  if (outcome.code === 0) return;
  const reason = lastLines(outcome, 1);
  throw new Failure(
    `Node ${version} from npm does not run here (${reason}): install Node 22.22 or newer, then run \`npm run setup\` again.`,
  );
};

const fetchNode = async () => {
  const name = packageName();
  const folder = join(temporary, 'node');
  mkdirSync(folder, { recursive: true });
  // Of 60 MB that are fetched once no cache is kept.
  const flags = ['--no-save', '--no-package-lock', `--prefix=${folder}`, `--cache=${join(folder, 'cache')}`];
  await npm(['install', ...flags, `${name}@${version}`], { cwd: folder, what: `Node ${version}` });
  const fetched = join(folder, 'node_modules', name);
  const binary = join(fetched, 'bin', 'node');
  chmodSync(binary, 0o755);
  await check(binary);
  // Headers and manuals are half of the package and of no use here.
  for (const part of ['include', 'share']) rmSync(join(fetched, part), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
  renameSync(fetched, home);
};

const makeLink = () => {
  mkdirSync(dirname(link), { recursive: true });
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), program), link);
};

/** Brings the Node beside the plugin; one that an earlier `npm ci` unlinked is linked again. */
export const installNode = async () => {
  if (!existsSync(program)) await fetchNode();
  makeLink();
  return link;
};

export const nodeVersion = version;
