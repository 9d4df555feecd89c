// scripts/nvim: which Neovim it becomes, what it hands on, and that it says nothing of its own.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { root, run, type Outcome } from './run.ts';

const launcher = join(root, 'scripts', 'nvim');
const versions = ['0.10', '0.12'].filter((version) => existsSync(join(root, `.deps/nvim-${version}/ready-in`)));

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "sk launcher's ")));
  made.push(path);
  return path;
}

/** Nothing of the environment that the tests themselves run in decides. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(XDG_|SIDEKICKS|N?VIM)/.test(name));
  return { ...Object.fromEntries(own), ...more };
}

/** What a Lua expression is in the Neovim that comes up. */
async function ask(expression: string, more: NodeJS.ProcessEnv = {}, program = launcher, cwd = root): Promise<unknown> {
  const lua = `lua io.stdout:write(vim.json.encode(${expression}))`;
  const { code, stdout, stderr } = await run(program, ['--headless', '-c', lua, '-c', 'qall!'], environment(more), cwd);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const refusal = ({ code, stdout, stderr }: Outcome): string => {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr;
};

describe.each(versions)('Neovim %s', (version) => {
  const chosen = { SIDEKICKS_NVIM: version };

  it('is the one that comes up', async () => {
    expect(await ask('tostring(vim.version())', chosen)).toContain(`${version}.`);
  });

  it('has this plugin, its own runtime, and nothing of the machine', async () => {
    const path = String(await ask('vim.o.runtimepath', chosen)).split(',');
    expect(path[0]).toBe(root);
    expect(path.filter((entry) => !entry.startsWith(root))).toEqual([]);
    expect(await ask('vim.fn.exists(":Sidekicks")', chosen)).toBe(2);
  });

  it('has the parsers that colour code', async () => {
    const parsers =
      'vim.tbl_map(function(l) return (pcall(vim.treesitter.get_string_parser, "", l)) end, {"lua","c","markdown"})';
    expect(await ask(parsers, chosen)).toEqual([true, true, true]);
  });
});

it.skipIf(!versions.includes('0.12'))('is 0.12 where nobody asks (skipped where none was brought)', async () => {
  expect(await ask('vim.fn.has("nvim-0.12")')).toBe(1);
});

it('hands every argument on as it is', async () => {
  const odd = ['a b.txt', "it's.txt", '$HOME "x".txt', '*.txt'];
  const { stdout } = await run(
    launcher,
    ['--headless', '-c', 'lua io.stdout:write(vim.json.encode(vim.fn.argv()))', '-c', 'qall!', '--', ...odd],
    environment(),
  );
  expect(JSON.parse(stdout)).toEqual(odd);
});

it('gives the exit status of Neovim', async () => {
  expect((await run(launcher, ['--headless', '-c', 'cquit 7'], environment())).code).toBe(7);
});

it('keeps its profile in the project, and the one that is given', async () => {
  expect(await ask('vim.fn.stdpath("config")')).toBe(join(root, '.deps/profile/config/nvim'));
  const home = folder();
  const given = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_RUNTIME_DIR: home, SIDEKICKS_CONFIG: '/x.yaml' };
  expect(
    await ask(
      '{vim.env.XDG_CONFIG_HOME, vim.fn.stdpath("state"), vim.env.XDG_RUNTIME_DIR, vim.env.SIDEKICKS_CONFIG}',
      given,
    ),
  ).toEqual([home, join(home, 'nvim'), home, '/x.yaml']);
});

it('works from any folder and through links', async () => {
  const elsewhere = folder();
  symlinkSync(launcher, join(elsewhere, 'first'));
  symlinkSync('first', join(elsewhere, 'second'));
  const asked = '{vim.fn.getcwd(), vim.split(vim.o.runtimepath, ",")[1]}';
  expect(await ask(asked, {}, join(elsewhere, 'second'), elsewhere)).toEqual([elsewhere, root]);
});

it('refuses a version there is none of, in one line', async () => {
  expect(refusal(await run(launcher, [], environment({ SIDEKICKS_NVIM: '0.9' })))).toContain('0.10 or 0.12');
});

describe('without a Neovim beside the project', () => {
  /** A project that has only the launcher. */
  function bareLauncher(): string {
    const project = folder();
    mkdirSync(join(project, 'scripts'));
    for (const name of ['nvim', 'profile.lua']) {
      copyFileSync(join(root, 'scripts', name), join(project, 'scripts', name));
    }
    return join(project, 'scripts', 'nvim');
  }

  /** A PATH whose `nvim` says it is of that version, and prints what it is called with. */
  function pathWith(version: string): string {
    const bin = folder();
    const program = `#!/bin/sh\nif [ "$1" = --version ]; then echo 'NVIM v${version}'; else printf '%s\\n' "$@"; fi\n`;
    writeFileSync(join(bin, 'nvim'), program, { mode: 0o755 });
    return `${bin}:/usr/bin:/bin`;
  }

  it.each(['0.10.4', '0.11.0', '0.12.0-dev+g1234', '1.0.0'])('takes a %s of PATH', async (version) => {
    const { stdout, code } = await run(bareLauncher(), ['a b'], environment({ PATH: pathWith(version) }));
    expect(code).toBe(0);
    expect(stdout.split('\n')).toContain('a b');
  });

  it.each(['0.10.3', '0.9.5', '0.4.4'])('names the step to take where PATH has %s', async (version) => {
    const outcome = await run(bareLauncher(), [], environment({ PATH: pathWith(version) }));
    expect(refusal(outcome)).toContain('npm run setup');
  });

  it('takes none of PATH where a version is asked for', async () => {
    const env = environment({ PATH: pathWith('0.12.4'), SIDEKICKS_NVIM: '0.12' });
    expect(refusal(await run(bareLauncher(), [], env))).toContain('npm run setup');
  });

  it('does not call itself where it is the nvim of PATH', async () => {
    const launched = bareLauncher();
    const bin = folder();
    symlinkSync(launched, join(bin, 'nvim'));
    expect(refusal(await run(join(bin, 'nvim'), [], environment({ PATH: `${bin}:/usr/bin:/bin` })))).toContain('setup');
  });

  it('does not start one that was made ready in another folder', async () => {
    const launched = bareLauncher();
    const home = join(launched, '../../.deps/nvim-0.12');
    mkdirSync(join(home, 'usr/bin'), { recursive: true });
    writeFileSync(join(home, 'usr/bin/nvim'), '#!/nowhere/ld.so\n', { mode: 0o755 });
    writeFileSync(join(home, 'ready-in'), '/somewhere/else/.deps/nvim-0.12');
    const env = environment({ PATH: pathWith('0.9.5') });
    expect(refusal(await run(launched, [], env))).toContain('npm run setup');
  });
});
