// Owns putting one exact version of a real agent into .deps/agents/NAME, npm's cache beside it. Starts no agent.
// By hand: node test/e2e/install.ts NAME …
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { realAgent, type RealAgent } from './agents.ts';
import { asText, parseObject } from './fake-model/json.ts';

export interface InstalledAgent {
  /** The program to run. */
  readonly command: string;
  /** The folder of its programs, to be put on PATH where the agent looks for another program. */
  readonly binFolder: string;
}

const DEPS = resolve(import.meta.dirname, '../../.deps');

export async function installAgent(name: string): Promise<InstalledAgent> {
  const agent = realAgent(name);
  const folder = join(DEPS, 'agents', name);
  if (!isInstalled(folder, agent)) await install(name, agent, folder);
  const binFolder = join(folder, 'node_modules/.bin');
  return { command: join(binFolder, agent.bin), binFolder };
}

async function install(name: string, agent: RealAgent, folder: string): Promise<void> {
  const started = performance.now();
  console.log(`installing ${agent.package}@${agent.version} for ${name}, about ${agent.megabytes} MB …`);
  // Made beside and moved into place, so that an install broken off is never taken for a whole one.
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await npmInstall(
    unfinished,
    packagesOf(agent).map(({ package: id, version }) => `${id}@${version}`),
  );
  if (!isInstalled(unfinished, agent)) throw new Error(`npm ended well, but ${agent.package} is not there`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  console.log(`installed ${name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function isInstalled(folder: string, agent: RealAgent): boolean {
  const current = ({ package: id, version }: { package: string; version: string }): boolean => {
    const manifest = join(folder, 'node_modules', id, 'package.json');
    return existsSync(manifest) && asText(parseObject(readFileSync(manifest, 'utf8'))['version']) === version;
  };
  return packagesOf(agent).every(current) && existsSync(join(folder, 'node_modules/.bin', agent.bin));
}

function packagesOf(agent: RealAgent): { package: string; version: string }[] {
  return agent.companion ? [agent, agent.companion] : [agent];
}

function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const flags = ['--save-exact', '--no-audit', '--no-fund', '--loglevel=error', '--cache', join(DEPS, 'npm-cache')];
  return new Promise((done, failed) => {
    const npm = spawn('npm', ['install', '--prefix', folder, ...flags, ...packages], { stdio: 'inherit' });
    npm.once('error', failed);
    npm.once('exit', (code, signal) => {
      if (code === 0) done();
      else failed(new Error(`npm install ${packages.join(' ')} failed: ${signal ?? `exit status ${code}`}`));
    });
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const name of process.argv.slice(2)) await installAgent(name);
}
