// The highlight groups: one for each role, linked by default, changed by whoever wants, never lost (SPEC 16).
import { expect, it } from 'vitest';
import { roles } from '../../src/core/transcript/roles.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const link = (nvim: Nvim, group: string) =>
  nvim.lua<string | null>('return vim.api.nvim_get_hl(0, { name = ... }).link', group);

describeNvim('highlight groups', ({ start }) => {
  it('are there for every role of the transcript, by its name', async () => {
    const nvim = await start();
    await nvim.lua(`require('sidekicks.highlight').setup()`);
    const known = await nvim.lua<string[]>(`return require('sidekicks.highlight').roles()`);
    expect(known).toEqual(expect.arrayContaining([...roles]));
    expect(await nvim.lua(`return require('sidekicks.highlight').group('status.in_progress')`)).toBe(
      'SidekicksStatusInProgress',
    );
    const missing = await nvim.lua(`return vim.tbl_filter(function(role)
      return vim.tbl_isempty(vim.api.nvim_get_hl(0, { name = require('sidekicks.highlight').group(role) }))
    end, require('sidekicks.highlight').roles())`);
    expect(missing).toEqual([]);
    expect(await link(nvim, 'SidekicksSpeaker')).toBe('Keyword');
    expect(await link(nvim, 'SidekicksThought')).toBe('Comment');
    expect(await link(nvim, 'SidekicksTool')).toBe('Type');
  });

  it('leave what the person has set alone, and outlive a change of colour scheme', async () => {
    const nvim = await start();
    await nvim.command('highlight link SidekicksTool Error');
    await nvim.lua(`require('sidekicks.highlight').setup()`);
    expect(await link(nvim, 'SidekicksTool')).toBe('Error');
    await nvim.command('colorscheme habamax');
    expect(await link(nvim, 'SidekicksSpeaker')).toBe('Keyword');
    expect(await nvim.lua(`return vim.api.nvim_get_hl(0, { name = 'SidekicksStrong' }).bold`)).toBe(true);
  });

  it('take the theme of the configuration, and their defaults back without it', async () => {
    const nvim = await start();
    await nvim.lua(`require('sidekicks.highlight').setup()`);
    await nvim.lua(`require('sidekicks.highlight').set_theme({ speaker = 'Title', ['status.failed'] = 'Error' })`);
    expect(await link(nvim, 'SidekicksSpeaker')).toBe('Title');
    expect(await link(nvim, 'SidekicksStatusFailed')).toBe('Error');
    await nvim.command('colorscheme habamax');
    expect(await link(nvim, 'SidekicksSpeaker')).toBe('Title');
    await nvim.lua(`require('sidekicks.highlight').set_theme({})`);
    expect(await link(nvim, 'SidekicksSpeaker')).toBe('Keyword');
  });
});
