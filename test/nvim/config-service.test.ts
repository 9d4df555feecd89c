// ConfigService as scripts and views use it (SPEC 3, 14, 15): the file, its text, agents added to it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoAgent, pids, scriptedAgent } from './support/agents.ts';
import { agentNames, errorOf, isGone } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Place } from './support/place.ts';
import { Sidekicks, textOf } from './support/sidekicks.ts';

describeNvim('the configuration file, through its service', ({ start, place }) => {
  async function begin(config: object | string = {}, own: Place = place()) {
    own.writeConfig(config);
    const nvim = await start({ place: own });
    return { own, nvim, sidekicks: await Sidekicks.in(nvim) };
  }

  it('is given as it is, checked and written only if it is valid', async () => {
    const text = '\uFEFF# mine\r\nlanguage: en\r\n';
    const { own, sidekicks } = await begin(text);
    expect(await sidekicks.call('ConfigService.Content', {})).toEqual({ text });
    const broken = 'agents:\n  bob: {comand: x}\n';
    const { problems } = await sidekicks.call('ConfigService.Validate', { text: broken });
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(['2:3', '2:9']);
    expect(await sidekicks.call('ConfigService.Save', { text: broken })).toEqual({ saved: false, problems });
    expect(readFileSync(own.config, 'utf8')).toBe(text);
    const good = 'agents:\r\n  bob: {command: x, args: ["${NOT_SET_HERE}"]}\r\n';
    const saved = await sidekicks.call('ConfigService.Save', { text: good });
    expect(saved).toMatchObject({ saved: true, problems: [{ line: 2, column: 29, warning: true }] });
    expect(readFileSync(own.config, 'utf8')).toBe(good);
    expect(await agentNames(sidekicks)).toEqual(['bob']);
    expect(await sidekicks.call('ConfigService.Current', {})).toMatchObject({
      path: own.config,
      source: 'env',
      valid: true,
      warnings: [{ line: 2, column: 29 }],
    });
  });

  it('says its problems in the language of the text', async () => {
    const { sidekicks } = await begin();
    const { problems } = await sidekicks.call('ConfigService.Validate', { text: 'language: fr\nagents: 3\n' });
    expect(problems[0]?.message).toBe('agents doit être un dictionnaire de noms vers des agents');
  });

  it('keeps links and modes when it is written, and is reloaded once', async () => {
    const own = place();
    const real = join(own.root, 'real.yaml');
    writeFileSync(real, '', { mode: 0o640 });
    rmSync(own.config);
    symlinkSync(real, own.config);
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('ConfigService.Save', { text: 'agents: {a: {command: x}}\n' });
    expect(await agentNames(sidekicks)).toEqual(['a']);
    expect(readFileSync(real, 'utf8')).toBe('agents: {a: {command: x}}\n');
    expect(statSync(real).mode & 0o777).toBe(0o640);
    writeFileSync(real, 'agents: {b: {command: x}}\n');
    await sidekicks.waitForEvent('config:changed', () => sidekicks.events('config:changed').length > 1);
    expect(await agentNames(sidekicks)).toEqual(['b']);
    expect(sidekicks.events('config:changed')).toHaveLength(2);
  });

  it('has a schema in its language', async () => {
    const { sidekicks } = await begin('language: fr\n');
    const { schema } = await sidekicks.call('ConfigService.Schema', {});
    expect(schema).toMatchObject({ properties: { language: { description: 'langue de l’interface' } } });
  });

  it('that is written first has its schema beside it', async () => {
    const own = place();
    const nvim = await start({ place: own, env: { SIDEKICKS_CONFIG: '' } });
    const sidekicks = await Sidekicks.in(nvim);
    const { path, created, source } = await sidekicks.call('ConfigService.Current', {});
    expect([path, created, source]).toEqual([join(own.root, 'config/sidekicks/sidekicks.yaml'), true, 'default']);
    expect(readFileSync(path, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\/schema\.json\n/);
    const schema = join(own.root, 'config/sidekicks/schema.json');
    const described = () => existsSync(schema) && readFileSync(schema, 'utf8');
    await nvim.waitFor('the schema', () => described());
    expect(described()).toContain('language of the interface');
    writeFileSync(path, 'language: fr\n');
    await nvim.waitFor('the schema in French', () => String(described()).includes('langue de l’interface'));
  });

  it.each([
    ['missing', (file: string) => rmSync(file), 'there is no configuration'],
    [
      'a folder',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
      'is a folder, not a configuration',
    ],
    ['binary', (file: string) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0])), 'is not UTF-8 text'],
    ['too large', (file: string) => writeFileSync(file, '#'.repeat(2_000_000)), 'larger than 1 MB'],
  ])('%s is a problem, and everything else goes on', async (_, spoil, message) => {
    const own = place();
    spoil(own.config);
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    const current = await sidekicks.call('ConfigService.Current', {});
    expect(current.valid).toBe(false);
    expect(current.problems[0]?.message).toContain(message);
    expect(await errorOf(sidekicks.call('ConfigService.Content', {}))).toContain(message);
    expect(await agentNames(sidekicks)).toEqual([]);
    rmSync(own.config, { recursive: true, force: true });
    own.writeConfig({ agents: { bob: demoAgent() } });
    await sidekicks.waitForEvent('config:changed', ({ valid }) => valid);
    // An empty file is a configuration too: one that is long in being written is told of twice.
    await nvim.waitFor('the agents', async () => (await agentNames(sidekicks)).length > 0);
    expect(await agentNames(sidekicks)).toEqual(['bob']);
  });

  it('deleted or broken while agents run leaves them alone; the last good one stays', async () => {
    const own = place();
    const { nvim, sidekicks } = await begin({ agents: { bob: scriptedAgent(own, 'bob') } }, own);
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    renameSync(own.config, `${own.config}.away`);
    await sidekicks.waitForEvent('config:changed', ({ valid }) => !valid);
    expect(await sidekicks.agentState('bob')).toBe('ready');
    own.writeConfig('agents:\n\tbob: {}\n');
    await nvim.waitFor('the problem', () =>
      sidekicks.events('config:changed').some(({ problems }) => problems[0]?.line === 2 && problems[0].column === 1),
    );
    expect(await sidekicks.agentState('bob')).toBe('ready');
    const id = (await sidekicks.direct('bob')).id;
    expect(textOf((await sidekicks.ask(id, 'still there?')).messages.at(-1))).not.toBe('');
  });

  it('changes apply while agents run: reordered, added, removed, outdated, and in another language at once', async () => {
    const own = place();
    const agents = { ann: scriptedAgent(own, 'ann'), bob: scriptedAgent(own, 'bob') };
    const { nvim, sidekicks } = await begin({ agents }, own);
    const id = await sidekicks.open('ann');
    await sidekicks.ask(id, 'hello');
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    const [before] = pids(own, 'bob').filter(({ who }) => who === 'agent');
    own.writeConfig({
      language: 'fr',
      theme: { speaker: 'ErrorMsg' },
      agents: {
        cid: { command: 'x' },
        ann: { ...agents.ann, title: 'Anne', args: [...(agents.ann.args ?? []), '--delay', '1'] },
      },
    });
    await sidekicks.waitForEvent('config:changed');
    const { agents: listed } = await sidekicks.call('AgentService.List', {});
    expect(listed.map(({ name, title, outdated }) => [name, title, outdated])).toEqual([
      ['cid', 'cid', false],
      ['ann', 'Anne', true],
    ]);
    await nvim.waitFor('the new title and language', async () => {
      const lines = (await sidekicks.transcript('ann')).join('\n');
      return lines.includes('Anne') && lines.includes('Vous');
    });
    await nvim.waitForLua(
      'the theme',
      `return vim.api.nvim_get_hl(0, { name = 'SidekicksSpeaker' }).link == 'ErrorMsg'`,
    );
    await nvim.waitFor('the end of bob', () => before !== undefined && isGone(before.pid));
  });
});

describeNvim('an agent added to the configuration', ({ start, place }) => {
  const text = '# mine\nagents:\n  ann:\n    command: x # why\n\nlanguage: en\n';

  async function begin(args: readonly string[] = []) {
    const own = place();
    own.writeConfig(text);
    const nvim = await start({ place: own, args });
    return { own, nvim, sidekicks: await Sidekicks.in(nvim) };
  }

  it('stands in the file, which stays as it was, and is there at once', async () => {
    const { own, sidekicks } = await begin();
    const agent = { name: 'bob', command: 'docker', args: ['agent', 'serve', 'acp', './a b.yaml'], title: '' };
    expect(await sidekicks.call('ConfigService.AddAgent', { agent })).toEqual({});
    const lines = '  bob:\n    command: docker\n    args: [agent, serve, acp, "./a b.yaml"]\n';
    expect(readFileSync(own.config, 'utf8')).toBe(text.replace('# why\n', `# why\n${lines}`));
    expect(await agentNames(sidekicks)).toEqual(['ann', 'bob']);
  });

  it.each([
    [{ name: 'ANN', command: 'x' }, 'exists: there is an agent named ann already'],
    [{ name: 'a b', command: 'x' }, /^invalid: .*cannot name an agent/],
    [{ name: 'bob' }, 'invalid: the key command is missing'],
    [{ command: 'x' }, 'invalid: the key name is missing'],
  ])('that is %j is refused', async (agent, message) => {
    const { own, sidekicks } = await begin();
    expect(await errorOf(sidekicks.request('ConfigService.AddAgent', { agent }))).toMatch(message);
    expect(readFileSync(own.config, 'utf8')).toBe(text);
  });

  it('shows in an open buffer that has no changes of its own; one that has some keeps them', async () => {
    const { own, nvim, sidekicks } = await begin();
    await nvim.command(`edit ${own.config}`);
    await sidekicks.call('ConfigService.AddAgent', { agent: { name: 'bob', command: 'x' } });
    expect(await nvim.bufferLines(own.config)).toContain('  bob:');
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
    await nvim.feed('Go# typed<Esc>');
    await nvim.waitForLua('the typing', 'return vim.bo.modified');
    const before = readFileSync(own.config, 'utf8');
    const agent = { name: 'cid', command: 'x' };
    expect(await errorOf(sidekicks.request('ConfigService.AddAgent', { agent }))).toMatch(/^conflict: .*not saved/);
    expect(await errorOf(sidekicks.request('ConfigService.Save', { text: '' }))).toMatch(/^conflict: /);
    expect(readFileSync(own.config, 'utf8')).toBe(before);
    expect((await nvim.bufferLines(own.config)).at(-1)).toBe('# typed');
  });

  it('makes the file where it was only named', async () => {
    const own = place();
    rmSync(own.config);
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('ConfigService.AddAgent', { agent: { name: 'bob', command: 'x' } });
    expect(readFileSync(own.config, 'utf8')).toBe('agents:\n  bob:\n    command: x\n');
    expect(await agentNames(sidekicks)).toEqual(['bob']);
  });
});
