// ConfigService and SystemService as scripts and views use them (SPEC 3, 14, 15): the file, another file, agents added, beginning anew.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoAgent, pids, script, scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { Sidekicks, textOf } from './support/sidekicks.ts';

const agentNames = async (sidekicks: Sidekicks) =>
  (await sidekicks.call('AgentService.List', {})).agents.map(({ name }) => name);

/** The error of a method, as `code: message`. */
const errorOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

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
    [{ name: 'bob' }, 'invalid: this is no agent: the key command is missing'],
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

describeNvim('another configuration', ({ start, place, version }) => {
  async function begin(env = {}) {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const other = join(own.root, 'other.yaml');
    const nvim = await start({ place: own, env });
    const agents = { bob: scriptedAgent(own, 'other'), zoe: scriptedAgent(own, 'zoe') };
    writeFileSync(other, JSON.stringify({ agents }));
    return { own, other, nvim, sidekicks: await Sidekicks.in(nvim) };
  }

  it('ends all work of the first, has its own history, and what is on screen follows', async () => {
    const { own, other, nvim, sidekicks } = await begin();
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'of the first');
    await sidekicks.send(id, script({ op: 'wait_cancel' }));
    await sidekicks.waitForEvent('turn:changed', ({ busy, answering }) => busy && answering === 'bob');
    await nvim.feed('half typed');
    const opened = await sidekicks.call('ConfigService.Open', { path: other });
    expect(opened).toMatchObject({ path: other, source: 'opened', valid: true, problems: [], historyProblem: '' });
    expect(pids(own, 'bob').every(({ pid }) => isGone(pid))).toBe(true);
    expect(await agentNames(sidekicks)).toEqual(['bob', 'zoe']);
    expect((await sidekicks.call('ChannelService.List', { all: true })).channels.map((one) => one.id)).not.toContain(
      id,
    );
    expect(await errorOf(sidekicks.request('ChannelService.Conversation', { id }))).toMatch(/^not-found: /);
    const now = await nvim.waitForLua(
      'the new conversation',
      `
      local ours = vim.b.sidekicks
      return ours and ours.conversation ~= '' and ours.conversation ~= ${JSON.stringify(id)} and ours.conversation`,
    );
    await nvim.waitFor('an empty transcript', async () => (await sidekicks.transcript('bob')).join('').trim() === '');
    expect((await nvim.bufferLines('sidekicks://agent/bob/input')).join('\n')).toBe('half typed');
    await sidekicks.ask(String(now), 'of the second');
    await nvim.waitFor('the new answer', async () =>
      (await sidekicks.transcript('bob')).join('\n').includes('of the second'),
    );

    const back = await sidekicks.call('ConfigService.Open', { path: own.config });
    expect(back).toMatchObject({ path: own.config, source: 'opened' });
    const { messages } = await sidekicks.conversation(id);
    expect(messages.map((message) => [message.role, message.stopReason])).toEqual([
      ['user', ''],
      ['agent', 'end_turn'],
      ['user', ''],
      ['agent', 'cancelled'],
    ]);
    await nvim.waitFor('the first transcript', async () =>
      (await sidekicks.transcript('bob')).join('\n').includes('of the first'),
    );
  });

  it('is followed, and the one before not any more', async () => {
    const { own, other, sidekicks } = await begin();
    await sidekicks.call('ConfigService.Open', { path: other });
    const before = sidekicks.events('config:changed').length;
    own.writeConfig({});
    writeFileSync(other, 'agents: {new: {command: x}}\n');
    await sidekicks.waitForEvent('config:changed', () => sidekicks.events('config:changed').length > before);
    expect(await agentNames(sidekicks)).toEqual(['new']);
    expect(sidekicks.events('config:changed').at(-1)?.path).toBe(other);
  });

  it('is remembered, after what the environment and the option name', async () => {
    const { own, other, nvim, sidekicks } = await begin({ SIDEKICKS_CONFIG: '' });
    expect(await sidekicks.call('ConfigService.Recent', {})).toEqual({ paths: [] });
    for (let index = 0; index < 9; index++) {
      writeFileSync(join(own.root, `${index}.yaml`), '');
      await sidekicks.call('ConfigService.Open', { path: join(own.root, `${index}.yaml`) });
    }
    await sidekicks.call('ConfigService.Open', { path: join(own.root, '5.yaml') });
    await sidekicks.call('ConfigService.Open', { path: other });
    const { paths } = await sidekicks.call('ConfigService.Recent', {});
    expect(paths.map((path) => path.slice(own.root.length + 1))).toEqual(
      ['other', '5', '8', '7', '6', '4', '3', '2'].map((name) => `${name}.yaml`),
    );
    const file = join(own.root, 'config/sidekicks/preferences.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await nvim.quit();

    const source = async (options: { env?: Record<string, string>; args?: string[] }) => {
      const again = await start({ place: own, ...options });
      const current = await (await Sidekicks.in(again)).call('ConfigService.Current', {});
      return [current.path, current.source];
    };
    expect(await source({ env: { SIDEKICKS_CONFIG: '' } })).toEqual([other, 'opened']);
    const option = join(own.root, '0.yaml');
    const args = ['--cmd', `lua vim.g.sidekicks = { config = '${option}' }`];
    expect(await source({ env: { SIDEKICKS_CONFIG: '' }, args })).toEqual([option, 'option']);
    expect(await source({ args })).toEqual([own.config, 'env']);
    rmSync(other);
    const [path, fallback] = await source({ env: { SIDEKICKS_CONFIG: '' } });
    expect([path, fallback]).toEqual([join(own.root, 'config/sidekicks/sidekicks.yaml'), 'default']);
  });

  it('that is broken is opened to be mended; one that cannot be read is not', async () => {
    const { own, other, sidekicks } = await begin();
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    const missing = join(own.root, 'none.yaml');
    expect(await errorOf(sidekicks.request('ConfigService.Open', { path: missing }))).toBe(
      `not-found: there is no configuration ${missing}`,
    );
    expect(await errorOf(sidekicks.request('ConfigService.Open', { path: own.root }))).toMatch(
      /^invalid: .*is a folder/,
    );
    expect(await errorOf(sidekicks.request('ConfigService.Open', { path: '' }))).toBe('invalid: name a file');
    expect(await sidekicks.agentState('bob')).toBe('ready');
    writeFileSync(other, 'agents: 3\n');
    expect(await sidekicks.call('ConfigService.Open', { path: other })).toMatchObject({ valid: false, path: other });
    expect(await agentNames(sidekicks)).toEqual([]);
  });

  it('is asked for with the files of the home folder', async () => {
    const { own, nvim, sidekicks } = await begin();
    writeFileSync(join(own.home, 'my config.yaml'), 'agents: {home: {command: x}}\n');
    const chosen = sidekicks.request('ConfigService.Choose', {});
    await nvim.waitForScreen('Configuration: ~/');
    await nvim.feed('my<Tab><CR>');
    expect(await chosen).toEqual({ path: join(own.home, 'my config.yaml') });
    expect(await agentNames(sidekicks)).toEqual(['home']);
    const given = sidekicks.request('ConfigService.ChooseCompose', {});
    await nvim.waitForScreen('Compose file: ~/');
    await nvim.feed('<Esc>');
    expect(await given).toEqual({ path: '' });
    expect(version).not.toBe('');
  });

  it('cannot be asked for where nobody looks', async () => {
    const { nvim, sidekicks } = await begin();
    await sidekicks.call('AgentService.List', {});
    await nvim.lua('vim.api.nvim_list_uis = function() return {} end');
    for (const method of ['Choose', 'ChooseSandboxEnv', 'ChooseAgentConfig', 'ChooseCompose'] as const) {
      expect(await errorOf(sidekicks.request(`ConfigService.${method}`, {}))).toMatch(/^no-ui: /);
    }
  });
});

describeNvim('the configuration of a project', ({ start, place }) => {
  const env = { SIDEKICKS_CONFIG: '' };

  /** `trusted`: Neovim's own database has the file as it is. */
  async function begin(own: Place, trusted: boolean) {
    own.write('.sidekicks.yaml', 'agents: {team: {command: x}}\n');
    const file = own.path('.sidekicks.yaml');
    if (trusted) await trust(await start({ place: own, env }), file);
    const nvim = await start({ place: own, env });
    return { file, nvim, sidekicks: await Sidekicks.in(nvim) };
  }

  const trust = async (nvim: Nvim, file: string) => {
    await nvim.command(`edit ${file}`);
    await nvim.command('silent trust');
    await nvim.command('bdelete');
  };

  /** As somebody who types would find it: no question comes up. */
  const begun = async (sidekicks: Sidekicks, nvim: Nvim) => {
    await nvim.feed('i');
    const current = await sidekicks.call('ConfigService.Current', {});
    await nvim.feed('<Esc>');
    return current;
  };

  it('is used once it is trusted', async () => {
    const { file, sidekicks } = await begin(place(), true);
    expect(await sidekicks.call('ConfigService.Current', {})).toMatchObject({
      path: file,
      source: 'project',
      warnings: [],
    });
    expect(await agentNames(sidekicks)).toEqual(['team']);
  });

  it('is not used without; a warning says how, and :trust takes it up', async () => {
    const own = place();
    const { file, nvim, sidekicks } = await begin(own, false);
    const current = await begun(sidekicks, nvim);
    expect(current.source).toBe('default');
    expect(current.warnings.map(({ message }) => message)).toEqual([
      `the configuration of this project, ${file}, is not trusted and not used: look at it, then run :trust in its buffer`,
    ]);
    expect(await agentNames(sidekicks)).not.toContain('team');
    await nvim.waitForLua('the watching', `return vim.uv.fs_stat(vim.fn.stdpath('state')) ~= nil`);
    await trust(nvim, file);
    await sidekicks.waitForEvent('config:changed', ({ path }) => path === file);
    expect(await agentNames(sidekicks)).toEqual(['team']);
  });

  it('trusted while agents are at work, says how it is used and ends nothing', async () => {
    const own = place();
    mkdirSync(join(own.root, 'config/sidekicks'), { recursive: true });
    const agents = { bob: scriptedAgent(own, 'bob') };
    writeFileSync(join(own.root, 'config/sidekicks/sidekicks.yaml'), JSON.stringify({ agents }));
    const { file, nvim, sidekicks } = await begin(own, false);
    await begun(sidekicks, nvim);
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    await trust(nvim, file);
    const notice = `:Sidekicks config open ${file}`;
    await nvim.waitFor('the notice', async () => (await nvim.messages()).replaceAll('\n', '').includes(notice));
    expect(await sidekicks.agentState('bob')).toBe('ready');
    await sidekicks.call('ConfigService.Open', { path: file });
    expect(await agentNames(sidekicks)).toEqual(['team']);
  });

  it('is asked about where nothing typed could be the answer; no answer is no trust', async () => {
    const { file, nvim, sidekicks } = await begin(place(), false);
    const asked = sidekicks.request('ConfigService.Current', {});
    await nvim.waitForScreen(file);
    await nvim.feed('i');
    expect(await asked).toMatchObject({ source: 'default' });
  });

  it.each([
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
    ['50 MB', (file: string) => writeFileSync(file, '#'.repeat(50_000_000))],
  ])('that is %s is not used, and nothing waits for it', async (_, make) => {
    const own = place();
    make(own.path('.sidekicks.yaml'));
    const sidekicks = await Sidekicks.in(await start({ place: own, env }));
    const { source, warnings } = await sidekicks.call('ConfigService.Current', {});
    expect(source).toBe('default');
    expect(warnings[0]?.message).toContain('is not trusted and not used');
  });

  it('that changes is not used until it is trusted again; the last one stays', async () => {
    const own = place();
    const { file, nvim, sidekicks } = await begin(own, true);
    await sidekicks.call('ConfigService.Current', {});
    own.write('.sidekicks.yaml', 'agents: {evil: {command: y}}\n');
    await sidekicks.waitForEvent('config:changed', ({ valid }) => !valid);
    expect(sidekicks.events('config:changed').at(-1)?.problems[0]?.message).toContain('is not trusted as it is now');
    expect(await agentNames(sidekicks)).toEqual(['team']);
    await trust(nvim, file);
    await sidekicks.waitForEvent('config:changed', ({ valid }) => valid);
    expect(await agentNames(sidekicks)).toEqual(['evil']);
  });

  it('opened by name is trusted by that, and so is what is added to it', async () => {
    const own = place();
    const { file, nvim, sidekicks } = await begin(own, false);
    await begun(sidekicks, nvim);
    expect(await sidekicks.call('ConfigService.Open', { path: '.sidekicks.yaml' })).toMatchObject({
      path: file,
      valid: true,
    });
    await sidekicks.call('ConfigService.AddAgent', { agent: { name: 'mine', command: 'x' } });
    expect(await agentNames(sidekicks)).toEqual(['team', 'mine']);
    await nvim.quit();
    const again = await Sidekicks.in(await start({ place: own, env }));
    expect(await again.call('ConfigService.Current', {})).toMatchObject({ path: file, source: 'project', valid: true });
    expect(await agentNames(again)).toEqual(['team', 'mine']);
  });

  it('opened before and changed since is not used', async () => {
    const own = place();
    const nvim = await start({ place: own, env });
    const file = own.write('team.yaml', 'agents: {team: {command: x}}\n');
    await (await Sidekicks.in(nvim)).call('ConfigService.Open', { path: file });
    await nvim.quit();
    own.write('team.yaml', 'agents: {evil: {command: y}}\n');
    const again = await start({ place: own, env });
    const sidekicks = await Sidekicks.in(again);
    const current = await begun(sidekicks, again);
    expect(current).toMatchObject({
      source: 'default',
      warnings: [{ message: expect.stringContaining(file) as string }],
    });
  });
});

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
      ['ConfigService.ReadCompose', '.', /^invalid: .*not a regular file/],
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
