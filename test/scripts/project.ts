// A small project that has the real set-up scripts and an npm that only does what it is told. Fetches nothing.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, start, type Running } from './run.ts';

/** `npm ci` puts this in place of tsup: it writes a host that ends when its input does. */
const bundler = `
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const out = process.argv[process.argv.indexOf('--out-dir') + 1];
mkdirSync(out, { recursive: true });
const source = readFileSync('src/main.ts', 'utf8').trim();
if (source === 'broken') { console.error('src/main.ts: this is broken'); process.exit(1); }
writeFileSync(out + '/host.cjs', "// " + source + "\\nprocess.stdin.resume();");
writeFileSync(out + '/lazy-' + source + '.cjs', '// loaded when needed');
`;

const npm = `#!${process.execPath}
const { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const log = (word) => appendFileSync(process.env.NPM_LOG, word + ' ' + process.argv[2] + '\\n');
log('begin');
const fails = process.env.NPM_FAILS;
if (fails) { console.error(fails); process.exit(1); }
setTimeout(() => {
  rmSync('node_modules', { recursive: true, force: true });
  mkdirSync('node_modules/tsup/dist', { recursive: true });
  writeFileSync('node_modules/package.json', '{"type":"commonjs"}');
  writeFileSync('node_modules/tsup/dist/cli-default.js', ${JSON.stringify(bundler)});
  writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'));
  log('end');
}, Number(process.env.NPM_TAKES ?? 0));
`;

const lockFile = (version: string): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { '': {}, 'node_modules/tsup': { version, integrity: 'x' } } });

export class Project {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "sk set-up's ")));
  readonly #bin = `${this.folder}.bin`;
  readonly #log = join(this.#bin, 'log');

  constructor() {
    for (const name of ['run.mjs', 'setup.mjs', 'lib']) {
      cpSync(join(root, 'scripts', name), join(this.folder, 'scripts', name), { recursive: true });
    }
    for (const name of ['index.cjs', 'package.json']) {
      cpSync(join(root, 'rplugin/node/sidekicks', name), join(this.folder, 'rplugin/node/sidekicks', name));
    }
    this.write(
      'scripts/generate.mjs',
      "import { mkdirSync } from 'node:fs';\nmkdirSync('src/generated', { recursive: true });\n",
    );
    this.write('scripts/generate/one.mjs', '');
    this.write('package.json', '{"type":"module"}');
    this.write('tsup.config.ts', '');
    this.write('tsconfig.json', '{}');
    this.write('src/main.ts', 'first');
    this.lock('1.0.0');
    mkdirSync(this.#bin);
    writeFileSync(join(this.#bin, 'npm'), npm, { mode: 0o755 });
    writeFileSync(this.#log, '');
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** What package-lock.json asks for. */
  lock(version: string): void {
    this.write('package-lock.json', lockFile(version));
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  /** Begin and end of each call of npm, in order. */
  npmCalls(): string[] {
    return readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  setup(env: NodeJS.ProcessEnv = {}, args: readonly string[] = ['--plugin']): Running {
    const own = { ...process.env, PATH: `${this.#bin}:/usr/bin:/bin`, NPM_LOG: this.#log };
    return start(process.execPath, ['scripts/run.mjs', 'setup', ...args], { ...own, ...env }, this.folder);
  }

  remove(): void {
    for (const folder of [this.folder, this.#bin]) rmSync(folder, { recursive: true, force: true });
  }
}
