// Owns a Docker engine of a test's own and the containers it runs. Must not: use an engine that was there before, or leave anything behind.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { engineHome, engineIsReady, noEngineHere } from '../../scripts/lib/engine.mjs';

const call = promisify(execFile);
const image = 'sidekicks-test:1';
/** A shell and the usual commands, and the libraries of this machine for programs of it. */
const linked = { lib: 'usr/lib', lib64: 'usr/lib64' };

/** Why no container can be run here; undefined where one can. */
export const noEngine = (): string | undefined =>
  noEngineHere() ?? (engineIsReady() ? undefined : 'the engine was not brought: npm test does it');

export interface ContainerOptions {
  /** Path on this machine to path inside. */
  readonly mounts?: Readonly<Record<string, string>>;
}

export class Engine {
  readonly #folder: string;
  readonly #daemon: ChildProcess;

  private constructor(folder: string, daemon: ChildProcess) {
    this.#folder = folder;
    this.#daemon = daemon;
  }

  /** Settles when it answers and knows its image. */
  static async start(): Promise<Engine> {
    const folder = mkdtempSync(join(realpathSync('/tmp'), 'sk-engine-'));
    for (const name of ['bin', 'image']) mkdirSync(join(folder, name));
    const engine = new Engine(folder, startDaemon(folder));
    writePrograms(folder);
    await engine.#answers();
    await engine.#makeImage();
    return engine;
  }

  /** What a process needs to find `docker` and `sbx`, and by them this engine. */
  get env(): { readonly PATH: string; readonly DOCKER_HOST: string } {
    return {
      PATH: [join(this.#folder, 'bin'), process.env['PATH']].join(delimiter),
      DOCKER_HOST: `unix://${join(this.#folder, 'socket')}`,
    };
  }

  /** Runs `docker` and gives what it prints. */
  async docker(...args: readonly string[]): Promise<string> {
    const { stdout } = await call(join(this.#folder, 'bin', 'docker'), args, { env: { ...process.env, ...this.env } });
    return stdout;
  }

  /** A container that runs until it is removed; `node` in it is the one that runs the tests. */
  async run(name: string, { mounts = {} }: ContainerOptions = {}): Promise<void> {
    const given = { '/usr/lib': '/usr/lib', '/usr/lib64': '/usr/lib64', [process.execPath]: '/bin/node' };
    const readOnly = Object.entries(given).flatMap(([here, there]) => ['-v', `${here}:${there}:ro`]);
    const shared = Object.entries(mounts).flatMap(([here, there]) => ['-v', `${here}:${there}`]);
    const forever = ['sh', '-c', 'trap exit TERM; while :; do sleep 3600 & wait; done'];
    await this.docker('run', '-d', '--name', name, '--network', 'none', ...readOnly, ...shared, image, ...forever);
  }

  /** The command lines of all that runs in a container, without its own and the one that looks. */
  async processes(name: string): Promise<readonly string[]> {
    const { stdout } = await call(join(this.#folder, 'bin', 'docker'), ['top', name, '-o', 'pid,args'], {
      env: { ...process.env, ...this.env },
    });
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().replace(/^\d+\s+/, ''))
      .filter((line) => !/trap exit TERM|^sleep 3600/.test(line));
  }

  async dispose(): Promise<void> {
    const ids = (await this.docker('ps', '-aq')).split('\n').filter((id) => id !== '');
    if (ids.length > 0) await this.docker('rm', '-f', ...ids);
    if (this.#daemon.exitCode === null) {
      const ended = once(this.#daemon, 'exit');
      this.#daemon.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #answers(): Promise<void> {
    for (;;) {
      if (this.#daemon.exitCode !== null) throw new Error(`the engine ended: ${join(this.#folder, 'log')}`);
      const answered = await this.docker('version').catch(() => undefined);
      if (answered !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #makeImage(): Promise<void> {
    const root = join(this.#folder, 'image');
    for (const name of ['bin', 'tmp', 'root', 'etc', 'proc', 'usr/lib', 'usr/lib64']) {
      mkdirSync(join(root, name), { recursive: true });
    }
    for (const [name, target] of Object.entries(linked)) symlinkSync(target, join(root, name));
    const busybox = busyboxPath();
    const { stdout } = await call(busybox, ['--list']);
    await call('cp', [busybox, join(root, 'bin', 'busybox')]);
    for (const name of stdout.trim().split('\n'))
      if (name !== 'busybox') symlinkSync('busybox', join(root, 'bin', name));
    const archive = join(this.#folder, 'image.tar');
    await call('tar', ['-C', root, '-cf', archive, '.']);
    await this.docker('import', archive, image);
  }
}

const busyboxPath = (): string => {
  const found = ['bin', 'usr/bin'].map((folder) => join(engineHome, folder, 'busybox')).find(existsSync);
  if (found === undefined) throw new Error(`no busybox in ${engineHome}`);
  return found;
};

function startDaemon(folder: string): ChildProcess {
  const programs = ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map((name) => join(engineHome, name));
  const libraries = ['usr/lib', 'lib'].map((name) =>
    join(engineHome, name, `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`),
  );
  const options = {
    'data-root': join(folder, 'data'),
    'exec-root': join(folder, 'exec'),
    host: `unix://${join(folder, 'socket')}`,
    pidfile: join(folder, 'pid'),
    iptables: 'false',
    bridge: 'none',
    'storage-driver': 'vfs',
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return spawn(join(engineHome, 'usr/sbin/dockerd'), args, {
    stdio: 'ignore',
    env: {
      PATH: [...programs, process.env['PATH']].join(delimiter),
      LD_LIBRARY_PATH: libraries.join(delimiter),
    },
  });
}

/** `docker`, and an `sbx` that shares its flags: the real one cannot be had (SPEC section 11). */
function writePrograms(folder: string): void {
  const docker = join(folder, 'bin', 'docker');
  symlinkSync(resolve(engineHome, 'usr/bin/docker'), docker);
  const sbx = join(folder, 'bin', 'sbx');
  const script = [
    '#!/bin/sh',
    'if [ "$1" != exec ]; then echo "unknown command: $1" >&2; exit 1; fi',
    'exec docker "$@"',
  ];
  writeFileSync(sbx, `${script.join('\n')}\n`);
  chmodSync(sbx, 0o755);
}
