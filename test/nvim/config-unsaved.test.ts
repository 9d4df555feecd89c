// Text typed into the configuration and not saved yet, while something happens to its file (SPEC 3): it is never lost, and
// nobody is asked anything.
import { renameSync, rmSync, symlinkSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { agentNames, errorOf } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';

describeNvim('text in the configuration that is not saved', ({ start, place }) => {
  async function begin() {
    const own = place();
    const config = (...names: readonly string[]): object => ({
      agents: Object.fromEntries(names.map((name) => [name, scriptedAgent(own, name)])),
    });
    own.writeConfig(config('bob'));
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    await nvim.command('Sidekicks config');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', own.config);
    await nvim.feed('Go<C-u># typed<Esc>');
    await nvim.waitForLua('the typing', 'return vim.bo.modified');
    const lines = await nvim.bufferLines(own.config);
    /** All of it is there, no key is waited for, and nothing writes over it. */
    const isKept = async (): Promise<void> => {
      const agent = { name: 'cid', command: 'x' };
      expect(await errorOf(sidekicks.request('ConfigService.AddAgent', { agent }))).toMatch(/^conflict: .*not saved/);
      expect(await errorOf(sidekicks.request('ConfigService.Save', { text: '' }))).toMatch(/^conflict: .*not saved/);
      expect(await nvim.lua('return { vim.api.nvim_get_mode(), vim.bo.modified }')).toEqual([
        { mode: 'n', blocking: false },
        true,
      ]);
      expect(await nvim.bufferLines(own.config)).toEqual(lines);
      expect(lines.at(-1)).toBe('# typed');
    };
    return { own, nvim, sidekicks, config, isKept };
  }

  it('stays when the file is deleted, and brings it back', async () => {
    const { own, nvim, sidekicks, isKept } = await begin();
    rmSync(own.config);
    await sidekicks.waitForEvent('config:changed', ({ valid }) => !valid);
    await isKept();
    expect(await sidekicks.agentState('bob')).toBe('ready');
    await nvim.command('write');
    await sidekicks.waitForEvent('config:changed', ({ valid }) => valid);
    expect(readFileSync(own.config, 'utf8')).toMatch(/# typed\n$/);
    expect(await sidekicks.agentState('bob')).toBe('ready');
  });

  it('stays when the file is replaced, which is followed', async () => {
    const { own, sidekicks, config, isKept } = await begin();
    const beside = place();
    beside.writeConfig(config('bob', 'zoe'));
    renameSync(beside.config, own.config);
    await sidekicks.waitForEvent('config:changed');
    expect(await agentNames(sidekicks)).toEqual(['bob', 'zoe']);
    await isKept();
  });

  it('stays when the file becomes a link that leads nowhere', async () => {
    const { own, sidekicks, isKept } = await begin();
    const nowhere = join(own.root, 'nowhere.yaml');
    symlinkSync(nowhere, `${own.config}.new`);
    renameSync(`${own.config}.new`, own.config);
    const { problems } = await sidekicks.waitForEvent('config:changed', ({ valid }) => !valid);
    expect(problems[0]?.message).toContain(`is a link to ${nowhere}, which does not exist`);
    await isKept();
    writeFileSync(nowhere, 'agents: {}\n');
    await sidekicks.waitForEvent('config:changed', ({ valid }) => valid);
    await isKept();
  });
});
