// Fetches and unpacks Debian packages of any suite into a folder, signatures checked; installs nothing, needs no root.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { lastLines, run } from './run.mjs';

/** apt reads `%` and two digits inside quotes as a character. @param {string} text */
const quote = (text) => `"${text.replace(/[%"\\]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}"`;

/** How this machine reaches its mirrors (proxies, certificates, retries); its hooks and lists stay out. */
const machineAcquire = async () => {
  const { stdout } = await run('apt-config', ['dump']);
  return stdout.split('\n').filter((line) => line.startsWith('Acquire::') && !line.startsWith('Acquire::IndexTargets'));
};

/** @param {string} folder */
const settings = async (folder) => [
  ...(await machineAcquire()),
  `Dir::State ${quote(join(folder, 'state'))};`,
  `Dir::State::status ${quote(join(folder, 'status'))};`,
  `Dir::Cache ${quote(join(folder, 'cache'))};`,
  `Dir::Etc::SourceList ${quote(join(folder, 'sources.list'))};`,
  'Dir::Etc::SourceParts "/dev/null";',
  'Dir::Etc::Parts "/dev/null";',
  'Dir::Etc::Main "/dev/null";',
  'Dir::Etc::Preferences "/dev/null";',
  'Dir::Etc::PreferencesParts "/dev/null";',
  'Acquire::Languages "none";',
  // apt's own user cannot reach a project in a private home.
  'APT::Sandbox::User "root";',
  'APT::Install-Recommends "false";',
];

/** @param {string} folder @param {string} suite @param {import('./mirror.mjs').Mirror} mirror */
const writeFiles = async (folder, suite, mirror) => {
  for (const part of ['state/lists/partial', 'cache/archives/partial', 'debs', 'root']) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  const options = mirror.keyring === undefined ? '' : `[signed-by=${mirror.keyring}] `;
  writeFileSync(join(folder, 'sources.list'), `deb ${options}${mirror.uri} ${suite} main\n`);
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(join(folder, 'apt.conf'), `${(await settings(folder)).join('\n')}\n`);
};

/** apt marks them. @param {import('./run.mjs').Outcome} outcome */
const errorsOf = (outcome) => {
  const marked = [...outcome.stderr.matchAll(/^E: (.*)$/gm)].map(([, text]) => text);
  return marked.length > 0 ? marked.join('\n') : lastLines(outcome, 3);
};

/** @param {string} folder @returns {(program: string, args: readonly string[]) => Promise<string>} */
const runner = (folder) => {
  const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf'), LC_ALL: 'C' };
  return async (program, args) => {
    const outcome = await run(program, args, { cwd: join(folder, 'debs'), env });
    if (outcome.code !== 0) throw new Failure(errorsOf(outcome));
    return outcome.stdout;
  };
};

/** @param {string} text what `--print-uris` printed @returns {string[]} */
const packageNames = (text) => [...text.matchAll(/^'\S+' ([^_\s]+)_\S+ /gm)].map(([, name]) => name ?? '');

/**
 * Unpacks packages and all they need, the C library included, and gives the folder they lie in.
 * @param {{ folder: string, suite: string, mirror: import('./mirror.mjs').Mirror, packages: readonly string[] }} order
 * @returns {Promise<string>}
 */
export const unpack = async ({ folder, suite, mirror, packages }) => {
  await writeFiles(folder, suite, mirror);
  const call = runner(folder);
  await call('apt-get', ['update', '-o', 'APT::Update::Error-Mode=any']);
  const uris = await call('apt-get', ['install', '--print-uris', '--yes', ...packages]);
  await call('apt-get', ['download', ...packageNames(uris)]);
  const root = join(folder, 'root');
  for (const deb of readdirSync(join(folder, 'debs'))) await call('dpkg-deb', ['--extract', deb, root]);
  return root;
};
