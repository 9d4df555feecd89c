// Beginning anew (SPEC 15), and what the assistant that adds agents reads (SPEC 14, 15).
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { agentNames, errorOf } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Place } from './support/place.ts';
import { Sidekicks } from './support/sidekicks.ts';

describeNvim('beginning anew', ({ start, place }) => {
  const env = { SIDEKICKS_CONFIG: '' };

  /** The default configuration with an agent of its own, some history, and another file opened once. */
  async function begin() {
    const own = place();
    mkdirSync(join(own.root, 'config/sidekicks'), { recursive: true });
    const file = join(own.root, 'config/sidekicks/sidekicks.yaml');
    const text = `# mine\n${JSON.stringify({ agents: { bob: scriptedAgent(own, 'bob') } })}\n`;
    writeFileSync(file, text);
    const nvim = await start({ place: own, env });
    const sidekicks = await Sidekicks.in(nvim);
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'remember this');
    return { own, nvim, sidekicks, file, text, id };
  }

  const histories = (own: Place) => {
    const data = join(own.root, 'config/sidekicks/data');
    return readdirSync(data, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.db'))
      .sort();
  };

  it('with the history: empty, the old one kept, agents stopped, the configuration as it was', async () => {
    const { own, sidekicks, file, text, id } = await begin();
    const before = sidekicks.events('config:changed').length;
    const { copies } = await sidekicks.call('ConfigService.Reset', { choice: 'history' });
    expect(copies).toHaveLength(1);
    expect(copies[0]).toMatch(/data\/[0-9a-f]{16}\/history\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.db$/);
    expect(readFileSync(String(copies[0])).includes('remember this')).toBe(true);
    expect(statSync(String(copies[0])).mode & 0o777).toBe(0o600);
    expect(await sidekicks.call('ChannelService.List', { all: true })).toEqual({ channels: [] });
    expect(await errorOf(sidekicks.request('ChannelService.Conversation', { id }))).toMatch(/^not-found/);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await sidekicks.agentState('bob')).toBe('stopped');
    expect(sidekicks.events('config:changed').length).toBe(before + 1);
    const { id: fresh } = await sidekicks.direct('bob');
    expect((await sidekicks.ask(fresh, 'hello')).messages).toHaveLength(2);
    const names = histories(own).map((name) => name.slice(17));
    expect(names.filter((name) => name === 'history.db')).toHaveLength(1);
    expect(
      readFileSync(
        join(own.root, 'config/sidekicks/data', histories(own).find((name) => name.endsWith('/history.db')) ?? ''),
      ).includes('remember this'),
    ).toBe(false);
  });

  it('with the settings: the default configuration, what was opened forgotten, both kept', async () => {
    const { own, sidekicks, file, text, id } = await begin();
    const other = join(own.root, 'other.yaml');
    writeFileSync(other, 'language: fr\n');
    await sidekicks.call('ConfigService.Open', { path: other });
    const { copies } = await sidekicks.call('ConfigService.Reset', { choice: 'settings' });
    expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual([text, expect.stringContaining(other) as string]);
    expect(copies[0]).toMatch(/sidekicks\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.yaml$/);
    expect(readFileSync(other, 'utf8')).toBe('language: fr\n');
    expect(readFileSync(file, 'utf8')).toContain(':help sidekicks-configuration');
    expect(await sidekicks.call('ConfigService.Current', {})).toMatchObject({
      path: file,
      source: 'default',
      language: 'en',
    });
    expect(await agentNames(sidekicks)).toContain('demo');
    expect(await sidekicks.call('ConfigService.Recent', {})).toEqual({ paths: [] });
    expect((await sidekicks.conversation(id)).messages).toHaveLength(2);
  });

  it('with the settings of a file somewhere else: it names no schema, which stands beside the default one only', async () => {
    const own = place();
    own.writeConfig('agents: {}\n');
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('ConfigService.Reset', { choice: 'settings' });
    const text = readFileSync(own.config, 'utf8');
    expect(text).toContain(':help sidekicks-configuration');
    expect(text).not.toContain('$schema');
  });

  it('with every history, and with everything', async () => {
    const { own, sidekicks } = await begin();
    const other = join(own.root, 'other.yaml');
    writeFileSync(other, JSON.stringify({ agents: { zoe: scriptedAgent(own, 'zoe') } }));
    await sidekicks.call('ConfigService.Open', { path: other });
    await sidekicks.ask((await sidekicks.direct('zoe')).id, 'and this');
    const all = await sidekicks.call('ConfigService.Reset', { choice: 'allHistory' });
    expect(all.copies).toHaveLength(2);
    expect(await sidekicks.call('ConfigService.Current', {})).toMatchObject({ path: other });
    expect(await sidekicks.call('ChannelService.List', { all: true })).toEqual({ channels: [] });
    const everything = await sidekicks.call('ConfigService.Reset', { choice: 'everything' });
    expect(everything.copies.map((copy) => copy.replace(/\.\d{4}-.*(?=\.)/, '').replace(/.*\//, '')).sort()).toEqual([
      'history.db',
      'history.db',
      'preferences.json',
      'sidekicks.yaml',
    ]);
    expect(await sidekicks.call('ConfigService.Current', {})).toMatchObject({ source: 'default' });
    expect(new Set(everything.copies).size).toBe(4);
  });

  it('moves a history that is none out of the way as it is', async () => {
    const { own, nvim } = await begin();
    await nvim.dispose();
    const data = join(own.root, 'config/sidekicks/data');
    const history = join(data, histories(own)[0] ?? '');
    writeFileSync(history, 'not a database');
    const sidekicks = await Sidekicks.in(await start({ place: own, env }));
    expect((await sidekicks.call('ConfigService.Current', {})).historyProblem).toContain('is not a history');
    const { copies } = await sidekicks.call('ConfigService.Reset', { choice: 'history' });
    expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual(['not a database']);
    expect((await sidekicks.call('ConfigService.Current', {})).historyProblem).toBe('');
  });
});

describeNvim('what the assistant reads', ({ start, place }) => {
  it('a Compose file and an sbx environment file, from the working directory', async () => {
    const own = place({
      'compose.yaml':
        'services:\n  web:\n    extends: {file: base.yml, service: x}\n  db: {container_name: "${DB:-pg}"}\n',
      '.sbxenv.yaml': 'schemaVersion: "1"\nagent: claude\nname: box\nworkspace: ./src\n',
    });
    const sidekicks = await Sidekicks.in(await start({ place: own }));
    const compose = await sidekicks.call('ConfigService.ReadCompose', { path: 'compose.yaml' });
    expect(compose).toEqual({
      folder: own.project,
      services: [
        {
          name: 'db',
          container: 'pg',
          createCommand: `docker compose -f ${own.path('compose.yaml')} up -d db`,
          stopCommand: `docker compose -f ${own.path('compose.yaml')} stop db`,
          removeCommand: `docker compose -f ${own.path('compose.yaml')} rm -sf db`,
        },
      ],
      problems: [{ line: 3, column: 5, message: `there is no file ${own.path('base.yml')}`, warning: false }],
    });
    expect(await sidekicks.call('ConfigService.ReadSandboxEnv', { path: own.path('.sbxenv.yaml') })).toEqual({
      name: 'box',
      workspace: own.path('src'),
      sandboxFolder: own.path('src'),
      createCommand: `sbx env create ${own.path('.sbxenv.yaml')}`,
      stopCommand: 'sbx stop box',
      removeCommand: `sbx env rm --force ${own.path('.sbxenv.yaml')}`,
    });
    for (const [method, path, message] of [
      ['ConfigService.ReadCompose', 'none.yaml', /^not-found: /],
      ['ConfigService.ReadCompose', '.', /^invalid: .* is a folder, not a file/],
      ['ConfigService.ReadCompose', '/dev/zero', /^invalid: .*not a regular file/],
      ['ConfigService.ReadCompose', '.sbxenv.yaml', /^invalid: .*has no services/],
      ['ConfigService.ReadSandboxEnv', 'compose.yaml', /^invalid: .*is no sbx environment/],
    ] as const) {
      expect(await errorOf(sidekicks.request(method, { path }))).toMatch(message);
    }
    own.write('big.yaml', '#'.repeat(1_100_000));
    expect(await errorOf(sidekicks.request('ConfigService.ReadCompose', { path: 'big.yaml' }))).toMatch(/^limit: /);
  });

  it('the memory of this computer', async () => {
    const sidekicks = await Sidekicks.in(await start());
    const { level, used, total } = await sidekicks.call('SystemService.Memory', {});
    expect(['normal', 'warning', 'critical']).toContain(level);
    expect(used).toBeGreaterThan(0);
    expect(total).toBeGreaterThan(used);
  });
});
