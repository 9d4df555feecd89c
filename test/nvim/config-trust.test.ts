// The configuration a project brings along, used only once Neovim trusts it (SPEC 3).
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { agentNames } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { Sidekicks } from './support/sidekicks.ts';

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
