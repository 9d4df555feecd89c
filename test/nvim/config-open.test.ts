// Another configuration than the one in force (SPEC 3, 14): opened, remembered, asked for.
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pids, script, scriptedAgent } from './support/agents.ts';
import { agentNames, errorOf, isGone } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';

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
