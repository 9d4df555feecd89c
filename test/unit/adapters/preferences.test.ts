// What is remembered from one Neovim to the next, in a real file.
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filePreferences } from '../../../src/adapters/files/preferences.ts';

let folder = '';
const logged: string[] = [];
const file = () => path.join(folder, 'sidekicks', 'preferences.json');
const preferences = () => filePreferences(file(), { write: (text) => logged.push(text) });

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidekicks-preferences-'));
  logged.length = 0;
});

afterEach(() => fs.rm(folder, { recursive: true }));

test('nothing is remembered at first, and nothing is written by looking', async () => {
  expect(await preferences().recent()).toEqual([]);
  expect(await fs.readdir(folder)).toEqual([]);
  expect(logged).toEqual([]);
});

test('the newest is first, each once, 8 in all, in a file of the person alone', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'c']) await preferences().remember(`/${name}.yaml`);
  expect(await preferences().recent()).toEqual(['c', 'i', 'h', 'g', 'f', 'e', 'd', 'b'].map((name) => `/${name}.yaml`));
  expect((await fs.stat(file())).mode & 0o777).toBe(0o600);
  expect(await fs.readdir(path.dirname(file()))).toEqual(['preferences.json']);
});

test.each([
  ['broken', '{"recent": ['],
  ['of another shape', '{"recent": {"a": 1}}'],
  ['null', 'null'],
  ['huge', `{"recent": ["/${'a'.repeat(100_000)}"]}`],
])('a file that is %s says nothing, and is written anew', async (_, text) => {
  await fs.mkdir(path.dirname(file()));
  await fs.writeFile(file(), text);
  expect(await preferences().recent()).toEqual([]);
  await preferences().remember('/a.yaml');
  expect(await preferences().recent()).toEqual(['/a.yaml']);
});

test('what is no absolute path is left out', async () => {
  await fs.mkdir(path.dirname(file()));
  await fs.writeFile(file(), JSON.stringify({ recent: ['relative', 7, null, '/good.yaml'] }));
  expect(await preferences().recent()).toEqual(['/good.yaml']);
});

test('a folder that cannot be made is a failure', async () => {
  await fs.writeFile(path.join(folder, 'sidekicks'), 'a file');
  const remembered = await preferences().remember('/a.yaml');
  expect(!remembered.ok && remembered.error.text).toBe('file.failed');
});
