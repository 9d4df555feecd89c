// Owns the folders a child Neovim lives in: home, XDG folders, a project, a configuration. All in one temporary folder.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

/** A short path: sockets in it must stay under 107 bytes, which the usual temporary folder of macOS would pass. */
const BASE = realpathSync('/tmp');

const INHERITED = ['PATH', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TERM', 'TZ'];

export class Place {
  readonly root: string;
  readonly home: string;
  /** The working directory; it holds `.git`, so that it is a project. */
  readonly project: string;
  readonly config: string;

  /** `files`: path in the project to text. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    this.root = mkdtempSync(join(BASE, 'sk-'));
    this.home = join(this.root, 'home');
    this.project = join(this.root, 'project');
    this.config = join(this.root, 'sidekicks.yaml');
    for (const folder of ['home', 'project/.git', 'config', 'data', 'state', 'cache']) {
      mkdirSync(join(this.root, folder), { recursive: true });
    }
    mkdirSync(join(this.root, 'run'), { mode: 0o700 });
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.writeConfig({});
  }

  /** A path in the project. */
  path(path: string): string {
    return join(this.project, path);
  }

  write(path: string, text: string | Uint8Array): string {
    const file = this.path(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  exists(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** Writes the configuration file, from data or, to try a broken one, as text. */
  writeConfig(config: object | string): void {
    writeFileSync(this.config, typeof config === 'string' ? config : stringify(config));
  }

  /** The environment of a Neovim that lives here: few variables are inherited, so that no machine's settings matter. */
  environment(): Record<string, string> {
    const inherited = INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      ...Object.fromEntries(inherited),
      HOME: this.home,
      LANG: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
      XDG_CONFIG_HOME: join(this.root, 'config'),
      XDG_DATA_HOME: join(this.root, 'data'),
      XDG_STATE_HOME: join(this.root, 'state'),
      XDG_CACHE_HOME: join(this.root, 'cache'),
      XDG_RUNTIME_DIR: join(this.root, 'run'),
      SIDEKICKS_CONFIG: this.config,
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}
