// `:Sidekicks reset` (SPEC 15): what it asks, and what is in the files then.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';

/** Chooses the entry that is worded so. */
const choose = (nvim: Nvim, wording: string) =>
  nvim.lua(
    `local wording = ...
    vim.ui.select = function(items, opts, callback)
      _G.question = opts.prompt
      for _, item in ipairs(items) do
        if vim.startswith(opts.format_item(item), wording) then
          return callback(item)
        end
      end
      callback(nil)
    end`,
    wording,
  );

describeNvim(':Sidekicks reset', ({ start, place }) => {
  it('asks first, and changes nothing without a yes', async () => {
    const own = place();
    writeFileSync(own.config, 'agents:\n  bob: {command: cat}\n');
    const nvim = await start({ place: own });
    await choose(nvim, 'no');
    await nvim.command('Sidekicks reset everything');
    expect(await nvim.lua('return _G.question')).toBe('Reset the settings and empty every history?');
    expect(await nvim.lua(`return package.loaded['sidekicks.host'].running()`)).toBe(false);
    expect(readFileSync(own.config, 'utf8')).toBe('agents:\n  bob: {command: cat}\n');
  });

  it.each(['settings', 'history', 'allHistory', 'everything'] as const)('resets %s and keeps a copy', async (what) => {
    const own = place();
    const home = join(own.root, 'config', 'sidekicks');
    const nvim = await start({ place: own, env: { SIDEKICKS_CONFIG: '' } });
    const sidekicks = await Sidekicks.in(nvim);
    const { path } = await sidekicks.call('ConfigService.Current', {});
    expect(path.startsWith(home)).toBe(true);
    const mine = `agents:\n  bob: {command: cat}\n`;
    writeFileSync(path, mine);
    await nvim.waitFor('bob', async () => (await sidekicks.call('AgentService.List', {})).agents[0]?.name === 'bob');
    const before = await sidekicks.direct('bob');
    await choose(nvim, 'yes');
    await nvim.command(`Sidekicks reset ${what}`);
    await nvim.waitForScreen('begun anew; kept');
    const settings = what === 'settings' || what === 'everything';
    expect(readFileSync(path, 'utf8') === mine).toBe(!settings);
    const { channels } = await sidekicks.call('ChannelService.List', { all: true });
    const kept = channels.some(({ id }) => id === before.id);
    expect(kept).toBe(what === 'settings');
    const files = readdirSync(home, { recursive: true }).map(String);
    expect(files.filter((file) => /20\d\d/.test(file))).not.toEqual([]);
  });

  it('names what can be reset, and completes it', async () => {
    const nvim = await start();
    nvim.allowErrors(/name what to reset/);
    await nvim.command('Sidekicks reset');
    await nvim.waitForScreen('name what to reset: settings, history, allHistory, everything');
    expect(await nvim.lua(`return vim.fn.getcompletion('Sidekicks reset all', 'cmdline')`)).toEqual(['allHistory']);
  });
});
