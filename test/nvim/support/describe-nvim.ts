// Owns running tests against every Neovim version, with a fresh child each, and what must hold at the end of each test.
// SIDEKICKS_TEST_NVIM=0.10 (or 0.12) limits a run to one version.
import { afterEach, describe } from 'vitest';
import { Nvim, type NvimOptions, type NvimVersion } from './nvim.ts';
import { Place } from './place.ts';
import { NvimTerminal } from './terminal.ts';

const VERSIONS: readonly NvimVersion[] = ['0.12', '0.10'];
const TEST_LIMIT_MS = 40_000;

export interface StartOptions extends Omit<Partial<NvimOptions>, 'version'> {
  /** Files of the project, where no `place` is given. */
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: object | string;
}

export interface Ground {
  readonly version: NvimVersion;
  /** A child Neovim in a place of its own, or in the one given (to start again, or to have two in one place). */
  readonly start: (options?: StartOptions) => Promise<Nvim>;
  /** The same in a real pseudo-terminal, to see the bytes that reach it. */
  readonly startTerminal: (options?: StartOptions) => Promise<NvimTerminal>;
  /** Folders that live until the end of the test. */
  readonly place: (files?: Readonly<Record<string, string>>) => Place;
  /** Has something called at the end of the test, after every Neovim has left. */
  readonly atEnd: (cleanUp: () => Promise<void> | void) => void;
}

export function describeNvim(name: string, body: (ground: Ground) => void, limitMs = TEST_LIMIT_MS): void {
  for (const version of chosenVersions()) {
    describe(`${name} (Neovim ${version})`, { timeout: limitMs }, () => body(prepare(version)));
  }
}

function chosenVersions(): readonly NvimVersion[] {
  const wanted = process.env['SIDEKICKS_TEST_NVIM'];
  if (!wanted) return VERSIONS;
  const chosen = VERSIONS.filter((version) => wanted.split(',').includes(version));
  if (chosen.length === 0) throw new Error(`SIDEKICKS_TEST_NVIM is ${wanted}; it may be ${VERSIONS.join(' or ')}`);
  return chosen;
}

/** Registers the end of each test: no error was shown, Neovim leaves, nothing stays running, no folder is left. */
function prepare(version: NvimVersion): Ground {
  const running: Nvim[] = [];
  const terminals: NvimTerminal[] = [];
  const places: Place[] = [];
  const cleanUps: (() => Promise<void> | void)[] = [];

  const place: Ground['place'] = (files) => {
    const made = new Place(files);
    places.push(made);
    return made;
  };

  afterEach(async ({ task }) => {
    const children = running.splice(0);
    const leaving = [...children, ...terminals.splice(0)].map((nvim) => () => nvim.dispose());
    const ends = [...leaving, ...cleanUps.splice(0)];
    const removals = places.splice(0).map((made) => () => made.remove());
    const failed = task.result?.state === 'fail';
    await allOf([...children.map((nvim) => () => inspect(nvim, failed)), ...ends, ...removals]);
  }, TEST_LIMIT_MS);

  const settle = ({ files, config, ...options }: StartOptions): NvimOptions => {
    const own = options.place ?? place(files);
    if (config !== undefined) own.writeConfig(config);
    return { ...options, version, place: own };
  };

  return {
    version,
    place,
    async start(options = {}) {
      const nvim = await Nvim.start(settle(options));
      running.push(nvim);
      return nvim;
    },
    async startTerminal(options = {}) {
      const terminal = await NvimTerminal.start(settle(options));
      terminals.push(terminal);
      return terminal;
    },
    atEnd: (cleanUp) => void cleanUps.push(cleanUp),
  };
}

/** Shows what a failed test left on the screen; in a test that passed, an error shown to the user fails it. */
async function inspect(nvim: Nvim, failed: boolean): Promise<void> {
  if (failed) {
    console.error(await nvim.describe());
    return;
  }
  const errors = await nvim.errors();
  if (errors.length > 0) throw new Error(`errors were shown:\n${errors.join('\n')}`);
}

/** Does every step even if one fails, so that nothing is left behind; then throws the failures. */
async function allOf(steps: readonly (() => Promise<void> | void)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('\n'));
}
