// The built host in rplugin/node/sidekicks/dist; it is built only when a source changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { dist, modules, plugin, root, temporary } from './paths.mjs';
import { lastLines, run } from './run.mjs';

/** @typedef {{ sources: string, files: string[], replaced: string[] }} Stamp */

const generated = join('src', 'generated');
const stampPath = join(dist, 'stamp.json');

/** @param {string} folder @returns {string[]} */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

/** What a build reads, without what it writes itself. */
const sourceNames = () => {
  const under = ['src', 'scripts/generate'].flatMap((folder) =>
    filesIn(join(root, folder)).map((name) => join(folder, name)),
  );
  const alone = ['scripts/generate.mjs', 'tsup.config.ts', 'tsconfig.json', 'package-lock.json'];
  return [...under.filter((name) => !name.startsWith(generated)), ...alone];
};

const hashSources = () => {
  const hash = createHash('sha256');
  for (const name of sourceNames())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0');
  return hash.digest('hex');
};

/** @returns {Stamp | undefined} */
const readStamp = () => {
  if (!existsSync(stampPath)) return undefined;
  return JSON.parse(readFileSync(stampPath, 'utf8'));
};

export const buildIsReady = () => {
  const stamp = readStamp();
  if (stamp === undefined || !existsSync(join(root, generated))) return false;
  return stamp.files.every((name) => existsSync(join(dist, name))) && stamp.sources === hashSources();
};

/**
 * Puts the new files in place. Those of the build before stay: a host that runs loads some of them only when it needs them.
 * @param {string} built
 * @param {string} sources
 */
const place = (built, sources) => {
  const before = readStamp() ?? { files: filesIn(dist), replaced: [] };
  const files = filesIn(built);
  for (const name of files) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    renameSync(join(built, name), join(dist, name));
  }
  const replaced = before.files.filter((name) => !files.includes(name));
  const kept = new Set([...files, ...replaced]);
  for (const name of before.replaced) if (!kept.has(name)) rmSync(join(dist, name), { force: true });
  writeFileSync(`${stampPath}.new`, JSON.stringify({ sources, files, replaced }));
  renameSync(`${stampPath}.new`, stampPath);
};

/** Where the tool was when it found the fault helps nobody. @param {import('./run.mjs').Outcome} outcome */
const withoutStack = (outcome) => ({ ...outcome, stderr: outcome.stderr.replace(/^ {4}at .*$/gm, '') });

/** @param {string} node @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
const mustRun = async (node, args, env = process.env) => {
  const outcome = await run(node, args, { cwd: root, env });
  if (outcome.code !== 0) throw new Failure(`The host could not be built:\n${lastLines(withoutStack(outcome), 30)}`);
};

/**
 * A host whose input is closed ends by itself: this shows that the bundle loads, and leaves its compiled code for the
 * first real start; with the flags of lua/sidekicks/program.lua, as V8 takes code for its own flags only.
 * @param {string} node
 */
const tryOut = (node) => {
  const home = join(temporary, 'home');
  const env = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
  return mustRun(node, ['--max-semi-space-size=8', join(plugin, 'index.cjs')], { ...process.env, ...env });
};

/** @param {string} node */
export const build = async (node) => {
  const built = join(temporary, 'dist');
  await mustRun(node, [join(root, 'scripts', 'generate.mjs')]);
  const sources = hashSources();
  await mustRun(node, [join(modules, 'tsup', 'dist', 'cli-default.js'), '--out-dir', built, '--silent']);
  for (const name of filesIn(built)) await mustRun(node, ['--check', join(built, name)]);
  mkdirSync(dist, { recursive: true });
  rmSync(join(dist, '.compile-cache'), { recursive: true, force: true });
  place(built, sources);
  await tryOut(node);
};
