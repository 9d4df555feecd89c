// Where the set-up finds the Debian mirror of a machine: in both forms of apt's files, and nowhere else.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { root, run } from './run.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

async function mirrorOf(files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const etc = mkdtempSync(join(tmpdir(), 'sk-apt-'));
  made.push(etc);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(etc, name)), { recursive: true });
    writeFileSync(join(etc, name), text);
  }
  const code = `import { findMirror } from ${JSON.stringify(join(root, 'scripts/lib/mirror.mjs'))};
    console.log(JSON.stringify(findMirror(process.argv[1]) ?? 'none'));`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', code, etc], {
    ...process.env,
    ...env,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('reads the new form, a comment in a paragraph and several names in a field', async () => {
  const sources = `# made by hand
Types: deb
# the nearest one
URIs: http://mirror.invalid/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/some.gpg

Types: deb
URIs: http://mirror.invalid/debian-security
Suites: bookworm-security
`;
  expect(await mirrorOf({ 'sources.list.d/debian.sources': sources })).toEqual({
    uri: 'http://mirror.invalid/debian',
    keyring: '/usr/share/keyrings/some.gpg',
  });
});

it('reads the old form, with and without options', async () => {
  const list = `# deb http://old.invalid/debian bookworm main
deb-src http://source.invalid/debian bookworm main
deb [arch=amd64 signed-by=/k.gpg] http://mirror.invalid/debian bookworm main contrib # near
`;
  expect(await mirrorOf({ 'sources.list': list })).toEqual({ uri: 'http://mirror.invalid/debian', keyring: '/k.gpg' });
  expect(await mirrorOf({ 'sources.list': 'deb http://plain.invalid/debian trixie main\n' })).toMatchObject({
    uri: 'http://plain.invalid/debian',
  });
});

it('does not take a key written into the file for the path of one', async () => {
  const key =
    'Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF/abc\n -----END PGP PUBLIC KEY BLOCK-----\n';
  const sources = `Types: deb\nURIs: http://mirror.invalid/debian\nSuites: trixie\n${key}`;
  const found = await mirrorOf({ 'sources.list.d/debian.sources': sources });
  expect(found).toMatchObject({ uri: 'http://mirror.invalid/debian' });
  expect(JSON.stringify(found)).not.toContain('abc');
});

it.each([
  ['another distribution', 'Types: deb\nURIs: http://mirror.invalid/ubuntu\nSuites: noble\n'],
  ['a vendor', 'Types: deb\nURIs: http://vendor.invalid/apt\nSuites: nodistro\n'],
  ['only security updates', 'Types: deb\nURIs: http://mirror.invalid/debian-security\nSuites: bookworm-security\n'],
  ['a source that is switched off', 'Enabled: no\nTypes: deb\nURIs: http://mirror.invalid/debian\nSuites: bookworm\n'],
  ['sources only', 'Types: deb-src\nURIs: http://mirror.invalid/debian\nSuites: bookworm\n'],
])('finds none in %s', async (_what, sources) => {
  expect(await mirrorOf({ 'sources.list.d/some.sources': sources })).toBe('none');
  expect(
    await mirrorOf({ 'sources.list.d/some.sources': sources }, { SIDEKICKS_DEBIAN_MIRROR: 'http://m.invalid/d' }),
  ).toMatchObject({
    uri: 'http://m.invalid/d',
  });
});
