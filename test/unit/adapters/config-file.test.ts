// The configuration file on a real disk: found, made, read, and followed through every way editors save (CASES B27).
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { configFiles } from '../../../src/adapters/files/config-file.ts';
import { defaultConfig, namedConfig } from '../../../src/core/config/locate.ts';
import type { ConfigFile, ConfigSource, IsTrusted } from '../../../src/core/ports.ts';

let folder = '';
let open: ConfigSource[] = [];

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidekicks-config-'));
});

afterEach(async () => {
  await Promise.all(open.map((source) => source.dispose()));
  open = [];
  await fs.chmod(folder, 0o700);
  await fs.rm(folder, { recursive: true });
});

const at = (...names: readonly string[]): string => path.join(folder, ...names);
const text = (agent: string): string => `agents:\n  ${agent}:\n    command: x\n`;
const logged: string[] = [];

interface Named {
  readonly option?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function openFile({ option = '', env = { PATH: '' } }: Named = {}, isTrusted?: IsTrusted): Promise<ConfigSource> {
  const where = { env, home: folder, platform: 'linux', folder, option };
  const log = { write: (line: string) => logged.push(line) };
  const files = configFiles({ log, demoAgent: { command: '/node', args: ['/demo.js'] }, home: folder, env });
  const source = await files.open(namedConfig(where) ?? defaultConfig(where), isTrusted);
  open.push(source);
  return source;
}

const names = (file: ConfigFile | undefined) => file?.config?.agents.map((agent) => agent.name);
const messages = (file: ConfigFile | undefined) => file?.problems.map((problem) => problem.message);

/** Every reload, each waited for. A change that should make none is followed by one that does. */
class Reloads {
  readonly all: ConfigFile[] = [];
  #wake: () => void = () => undefined;

  constructor(source: ConfigSource) {
    source.watch((file) => {
      this.all.push(file);
      this.#wake();
    });
  }

  async count(wanted: number): Promise<readonly ConfigFile[]> {
    while (this.all.length < wanted) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.all;
  }

  get agents() {
    return this.all.map((file) => names(file)?.join(' ') ?? messages(file)?.join());
  }
}

async function saveByRename(file: string, content: string): Promise<void> {
  await fs.writeFile(`${file}.new`, content);
  await fs.rename(`${file}.new`, file);
}

/** Vim with `writebackup`: renamed away, written anew, the backup deleted. */
async function saveByBackup(file: string, content: string): Promise<void> {
  await fs.rename(file, `${file}~`);
  await fs.writeFile(file, content);
  await fs.unlink(`${file}~`);
}

describe('the file that is read', () => {
  test('is made where there is none, with the demo agent and the agents on PATH, which are not run', async () => {
    const bin = at('bin');
    await fs.mkdir(bin);
    for (const name of ['gemini', 'claude-code-acp']) {
      await fs.writeFile(path.join(bin, name), `#!/bin/sh\ntouch '${at('was-run')}'\n`, { mode: 0o755 });
    }
    await fs.writeFile(path.join(bin, 'qwen'), 'not executable');
    await fs.mkdir(path.join(bin, 'codex-acp'));
    const source = await openFile({ env: { PATH: `/no/such/folder:${bin}`, LANG: 'fr_FR.UTF-8' } });
    const file = source.current();
    expect(file).toMatchObject({ source: 'default', created: true, problems: [], warnings: [] });
    expect(file.path).toBe(at('.config/sidekicks/sidekicks.yaml'));
    expect(file.config?.language).toBe('fr');
    expect(file.config?.agents.map(({ name, command, args }) => [name, command, ...args])).toEqual([
      ['demo', '/node', '/demo.js'],
      ['claude', 'claude-code-acp'],
      ['gemini', 'gemini', '--acp'],
    ]);
    expect(await fs.readdir(at('.config/sidekicks'))).toEqual(['sidekicks.yaml']);
    await expect(fs.stat(at('was-run'))).rejects.toThrow();
  });

  test('is left as it is where there is one', async () => {
    const file = at('.config/sidekicks/sidekicks.yaml');
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, '');
    const current = (await openFile()).current();
    expect(current).toMatchObject({ created: false, problems: [] });
    expect(names(current)).toEqual([]);
    expect(await fs.readFile(file, 'utf8')).toBe('');
  });

  test('is made once by several that start together', async () => {
    const sources = await Promise.all(Array.from({ length: 5 }, () => openFile()));
    expect(sources.filter((source) => source.current().created)).toHaveLength(1);
    expect(sources.map((source) => names(source.current()))).toEqual(Array(5).fill(['demo']));
    expect(await fs.readdir(at('.config/sidekicks'))).toEqual(['sidekicks.yaml']);
  });

  test('where it cannot be made, the demo agent is there all the same, with a warning', async () => {
    await fs.writeFile(at('.config'), 'a file where the folder should be');
    const current = (await openFile()).current();
    expect(names(current)).toEqual(['demo']);
    expect(current).toMatchObject({ created: false, problems: [], warnings: [{ line: 1, column: 1, warning: true }] });
    expect(current.warnings[0]?.message).toMatch(/could not be written, so it is used without a file/);
  });

  test.each([
    ['env', { env: { SIDEKICKS_CONFIG: 'mine.yaml' } }],
    ['option', { option: '~/mine.yaml' }],
  ] as const)('named by %s and missing: a problem that says so, and nothing is made', async (source, options) => {
    const current = (await openFile(options)).current();
    expect(current).toMatchObject({ path: at('mine.yaml'), source, created: false });
    expect(messages(current)).toEqual([`there is no configuration ${at('mine.yaml')}`]);
    expect(await fs.readdir(folder)).toEqual([]);
  });

  test('the environment wins over the option', async () => {
    await fs.writeFile(at('env.yaml'), text('env'));
    await fs.writeFile(at('option.yaml'), text('option'));
    const source = await openFile({ env: { SIDEKICKS_CONFIG: at('env.yaml') }, option: at('option.yaml') });
    expect(names(source.current())).toEqual(['env']);
  });
});

describe('a file that is none', () => {
  const current = async () => (await openFile({ option: at('c.yaml') })).current();

  test('a folder', async () => {
    await fs.mkdir(at('c.yaml'));
    expect(messages(await current())).toEqual([`${at('c.yaml')} is a folder, not a configuration`]);
  });

  test('50 MB', async () => {
    await fs.writeFile(at('c.yaml'), '');
    await fs.truncate(at('c.yaml'), 50 * 1024 * 1024);
    expect(messages(await current())).toEqual(['the configuration is larger than 1 MB']);
  });

  test('binary', async () => {
    await fs.writeFile(at('c.yaml'), Buffer.from([0x7f, 0x45, 0xff, 0xfe, 0x00]));
    expect(messages(await current())).toEqual([`${at('c.yaml')} is not UTF-8 text`]);
  });

  test('zero bytes', async () => {
    await fs.writeFile(at('c.yaml'), 'agents: {}\n\0\0');
    expect((await current()).problems).toMatchObject([
      { line: 2, column: 1, message: 'the control character U+0000 is not allowed here' },
    ]);
  });

  test('a pipe, which is not waited for', async () => {
    await promisify(execFile)('mkfifo', [at('c.yaml')]);
    expect(messages(await current())).toEqual([`${at('c.yaml')} is not a regular file`]);
  });

  test('a link that leads to itself', async () => {
    await fs.symlink('c.yaml', at('c.yaml'));
    expect(messages(await current())?.[0]).toMatch(/cannot be read: ELOOP/);
  });

  test('a link that leads nowhere, until what it leads to is there', async () => {
    const nowhere = at('dotfiles', 'real.yaml');
    await fs.mkdir(path.dirname(nowhere));
    await fs.symlink(nowhere, at('c.yaml'));
    const source = await openFile({ option: at('c.yaml') });
    expect(messages(source.current())).toEqual([
      `the configuration ${at('c.yaml')} is a link to ${nowhere}, which does not exist`,
    ]);
    const reloads = new Reloads(source);
    await fs.writeFile(nowhere, text('there'));
    await reloads.count(1);
    expect(reloads.agents).toEqual(['there']);
  });

  test('such a link in the place of the first file stays as it is', async () => {
    const file = at('.config/sidekicks/sidekicks.yaml');
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.symlink('/no/such/file.yaml', file);
    const current = (await openFile()).current();
    expect(messages(current)).toEqual([
      `the configuration ${file} is a link to /no/such/file.yaml, which does not exist`,
    ]);
    expect(current.created).toBe(false);
    expect(await fs.readlink(file)).toBe('/no/such/file.yaml');
    expect(await fs.readdir(path.dirname(file))).toEqual(['sidekicks.yaml']);
  });

  test.skipIf(process.getuid?.() === 0)('unreadable (root reads everything: skipped there)', async () => {
    await fs.writeFile(at('c.yaml'), text('a'), { mode: 0 });
    expect(messages(await current())?.[0]).toMatch(/cannot be read: EACCES/);
  });

  test('broken: no configuration, and the problem with its place', async () => {
    await fs.writeFile(at('c.yaml'), 'agents:\n\tbob:\n');
    expect(await current()).toMatchObject({ problems: [{ line: 2, column: 1 }] });
    expect((await current()).config).toBeUndefined();
  });
});

describe('B27: a file that editors replace', () => {
  async function follow(content = text('first')) {
    const file = at('c.yaml');
    await fs.writeFile(file, content);
    const source = await openFile({ option: file });
    return { file, source, reloads: new Reloads(source) };
  }

  test.each([
    ['written in place', fs.writeFile],
    ['by rename', saveByRename],
    ["by vim's backup dance", saveByBackup],
  ])('three saves %s are three reloads, each with the new content', async (_, save) => {
    const { file, reloads } = await follow();
    for (const [index, name] of ['one', 'two', 'three'].entries()) {
      await save(file, text(name));
      await reloads.count(index + 1);
    }
    expect(reloads.agents).toEqual(['one', 'two', 'three']);
  });

  test('a save that changes nothing is a reload too; a file that is only looked at is none', async () => {
    const { file, reloads } = await follow();
    await saveByRename(file, text('first'));
    await reloads.count(1);
    await fs.readFile(file);
    await fs.chmod(file, 0o600);
    await saveByRename(file, text('second'));
    await reloads.count(2);
    expect(reloads.agents).toEqual(['first', 'second']);
  });

  test('written in several steps it is one reload, and half of it is never read', async () => {
    const { file, reloads } = await follow();
    const descriptor = openSync(file, 'w');
    for (const line of text('whole').split('\n').slice(0, -1)) writeSync(descriptor, `${line}\n`);
    closeSync(descriptor);
    await reloads.count(1);
    await saveByRename(file, text('next'));
    await reloads.count(2);
    expect(reloads.agents).toEqual(['whole', 'next']);
  });

  test('deleted, it is a problem until there is a new one', async () => {
    const { file, source, reloads } = await follow();
    await fs.unlink(file);
    await reloads.count(1);
    expect(source.current().config).toBeUndefined();
    await fs.writeFile(file, text('again'));
    await reloads.count(2);
    await fs.appendFile(file, '    title: Changed\n');
    await reloads.count(3);
    expect(reloads.agents).toEqual([
      `the configuration ${file} is gone; the last one read stays in force`,
      'again',
      'again',
    ]);
    expect(source.current().config?.agents[0]?.title).toBe('Changed');
  });

  test('broken and mended again, in the language it had', async () => {
    const { file, reloads } = await follow('language: fr\n');
    await saveByRename(file, 'agents:\n\tbob:\n');
    await reloads.count(1);
    await saveByRename(file, text('bob'));
    await reloads.count(2);
    expect(reloads.agents).toEqual(['une tabulation ne peut pas indenter\u00A0: utilisez des espaces', 'bob']);
  });

  test('one that appears later, in a folder that appears later', async () => {
    const file = at('later', 'deep', 'c.yaml');
    const reloads = new Reloads(await openFile({ option: file }));
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, text('late'));
    await reloads.count(1);
    await saveByRename(file, text('later'));
    await reloads.count(2);
    expect(reloads.agents).toEqual(['late', 'later']);
  });

  test('through a link: what it leads to is replaced, then the link itself', async () => {
    const [real, other, link] = [at('real.yaml'), at('other.yaml'), at('c.yaml')];
    await fs.mkdir(at('dotfiles'));
    await fs.writeFile(at('dotfiles', 'real.yaml'), text('real'));
    await fs.symlink(at('dotfiles', 'real.yaml'), real);
    await fs.symlink(real, link);
    const reloads = new Reloads(await openFile({ option: link }));
    await saveByRename(at('dotfiles', 'real.yaml'), text('one'));
    await reloads.count(1);
    await fs.writeFile(other, text('two'));
    await fs.symlink(other, `${link}.new`);
    await fs.rename(`${link}.new`, link);
    await reloads.count(2);
    await saveByRename(other, text('three'));
    await reloads.count(3);
    expect(reloads.agents).toEqual(['one', 'two', 'three']);
  });

  test('saved between its opening and its watching', async () => {
    const file = at('c.yaml');
    await fs.writeFile(file, text('old'));
    const source = await openFile({ option: file });
    await saveByRename(file, text('new'));
    const reloads = new Reloads(source);
    await reloads.count(1);
    expect(reloads.agents).toEqual(['new']);
  });

  test('beside other files that change: those are not its saves', async () => {
    const { file, reloads } = await follow();
    for (let index = 0; index < 20; index++) await fs.writeFile(at(`other-${index}`), String(index));
    await saveByRename(file, text('mine'));
    await reloads.count(1);
    await fs.rm(at('other-3'));
    await saveByRename(file, text('again'));
    await reloads.count(2);
    expect(reloads.agents).toEqual(['mine', 'again']);
  });

  test('disposed, it is not followed, also when that comes at once', async () => {
    const { file, source, reloads } = await follow();
    await source.dispose();
    await saveByRename(file, text('unheard'));
    const second = new Reloads(await openFile({ option: file }));
    await saveByRename(file, text('heard'));
    await second.count(1);
    expect([reloads.agents, second.agents]).toEqual([[], ['heard']]);
  });
});

describe('a file that needs to be trusted', () => {
  const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

  async function begin(content: string) {
    const file = at('c.yaml');
    await fs.writeFile(file, content);
    const trusted = new Set<string>();
    const open = () => openFile({ option: file }, (hash) => Promise.resolve(trusted.has(hash)));
    return { file, trust: (one: string) => trusted.add(sha256(one)), open, trusted };
  }

  test('is not used before, whatever it says; its text can be looked at', async () => {
    const { file, open } = await begin(text('a'));
    const source = await open();
    expect(source.current().config).toBeUndefined();
    expect(messages(source.current())?.[0]).toMatch(/is not trusted as it is now/);
    expect(await source.text()).toEqual({ ok: true, value: text('a') });
    expect(file).toBe(at('c.yaml'));
  });

  test('is used as soon as it is, and told once', async () => {
    const { trust, open } = await begin('\uFEFFagents: {é: {command: x}}\r\n');
    const source = await open();
    const reloads = new Reloads(source);
    await source.refresh(true);
    expect(reloads.all).toEqual([]);
    trust('\uFEFFagents: {é: {command: x}}\r\n');
    await source.refresh(true);
    await source.refresh(true);
    expect(reloads.agents).toEqual(['é']);
  });

  test('that changes is not used again before the change is trusted too', async () => {
    const { file, trust, open, trusted } = await begin(text('a'));
    trust(text('a'));
    const source = await open();
    const reloads = new Reloads(source);
    expect(names(source.current())).toEqual(['a']);
    await saveByRename(file, text('evil'));
    await reloads.count(1);
    expect(source.current().config).toBeUndefined();
    trust(text('evil'));
    await source.refresh(true);
    trusted.clear();
    await source.refresh(true);
    expect(reloads.agents.map((one) => one?.slice(-12))).toEqual([expect.any(String), 'evil', expect.any(String)]);
    expect(source.current().config).toBeUndefined();
  });
});

test('a look that is asked for notices a save at once, and it is told once', async () => {
  const file = at('c.yaml');
  await fs.writeFile(file, text('a'));
  const source = await openFile({ option: file });
  const reloads = new Reloads(source);
  await saveByRename(file, text('b'));
  await source.refresh();
  expect(reloads.agents).toEqual(['b']);
  await saveByRename(file, text('c'));
  await reloads.count(2);
  expect(reloads.agents).toEqual(['b', 'c']);
});
