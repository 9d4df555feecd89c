// The options: those of vim.g and of setup, wrong ones, and what each does to what a person sees.
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';

describeNvim('options', ({ start, place }) => {
  async function startWith(options: string): Promise<Nvim> {
    const own = place({ 'a.txt': 'text\n' });
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    return start({ place: own, args: ['--cmd', `lua vim.g.sidekicks = ${options}`, 'a.txt'] });
  }

  const resolved = (nvim: Nvim) => nvim.lua(`return require('sidekicks.options').get()`);

  it('are those of vim.g, and setup overrides them one by one', async () => {
    const nvim = await startWith(`{ window = { position = 'left', size = 50 }, notify = false }`);
    await nvim.lua(`require('sidekicks').setup({ window = { size = 0.3 } })`);
    expect(await resolved(nvim)).toMatchObject({ window: { position: 'left', size: 0.3 }, notify: false });
  });

  it('need not be given at all', async () => {
    const nvim = await startWith('nil');
    expect(await resolved(nvim)).toMatchObject({ window: { position: 'right' }, notify: true });
  });

  it('that are wrong are named in one warning, and the rest goes on', async () => {
    const nvim = await startWith(`{ nodde = 'x', window = { position = 'top', size = 70 }, keys = { sned = 'x' } }`);
    await nvim.command('Sidekicks open bob');
    await nvim.waitFor('the conversation', async () => (await nvim.lua('return vim.fn.winnr("$")')) === 3);
    const shown = await nvim.waitFor('the warning', async () => {
      const messages = await nvim.messages();
      return messages.includes('nodde') && messages;
    });
    expect(shown.split('\n')[0]).toContain('Sidekicks:');
    expect(shown).toContain('window.position');
    expect(shown).toContain('keys.sned');
    expect(shown.match(/nodde/g)).toHaveLength(1);
    const problems = await nvim.lua<string[]>(`return require('sidekicks.options').problems()`);
    expect(problems).toHaveLength(3);
    expect(await resolved(nvim)).toMatchObject({ window: { position: 'right', size: 70 } });
  });

  it('that are no table at all do no harm', async () => {
    const nvim = await startWith(`'nonsense'`);
    expect(await resolved(nvim)).toMatchObject({ notify: true });
    await nvim.lua(`require('sidekicks').setup(7)`);
    expect(await resolved(nvim)).toMatchObject({ notify: true });
    expect(await nvim.lua(`return #require('sidekicks.options').problems()`)).toBe(2);
    nvim.allowErrors(/nonsense/);
  });

  const placed: Record<string, (nvim: Nvim) => Promise<unknown>> = {
    right: (nvim) => nvim.lua('return vim.fn.win_screenpos(0)[2] > 40 and vim.fn.winnr("$") == 3'),
    left: (nvim) => nvim.lua('return vim.fn.win_screenpos(0)[2] == 1 and vim.fn.winwidth(0) < 70'),
    bottom: (nvim) => nvim.lua('return vim.fn.winwidth(0) == vim.o.columns and vim.fn.winnr("$") == 3'),
    tab: (nvim) => nvim.lua('return vim.fn.tabpagenr("$") == 2 and vim.fn.winnr("$") == 2'),
    float: (nvim) => nvim.lua('return vim.api.nvim_win_get_config(0).relative == "editor"'),
    current: (nvim) => nvim.lua('return vim.fn.winnr("$") == 2 and vim.fn.winwidth(0) == vim.o.columns'),
  };

  for (const [position, isThere] of Object.entries(placed)) {
    it(`window.position "${position}" says where a conversation opens`, async () => {
      const nvim = await startWith(`{ window = { position = '${position}' } }`);
      const sidekicks = await Sidekicks.in(nvim);
      await sidekicks.open('bob');
      expect(await isThere(nvim)).toBe(true);
      const names = await nvim.lua<string[]>(`
        return vim.tbl_map(function(win)
          return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))
        end, vim.api.nvim_tabpage_list_wins(0))`);
      expect(names).toContain('sidekicks://agent/bob');
      expect(names).toContain('sidekicks://agent/bob/input');
      await nvim.feed('<Esc>');
      await nvim.command('Sidekicks close');
      expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
    });
  }

  it('window.size is a number of columns, or a part of them', async () => {
    for (const [size, columns] of [
      [40, 40],
      [0.25, 30],
    ]) {
      const nvim = await startWith(`{ window = { size = ${size} } }`);
      await (await Sidekicks.in(nvim)).open('bob');
      expect(await nvim.lua('return vim.fn.winwidth(0)')).toBe(columns);
    }
  });

  it('keys give an action another key, several, or none; the map with its name is always there', async () => {
    const nvim = await startWith(`{ keys = { hide = 'Z', help = false, send = { '<C-g>', '<F2>' } } }`);
    await (await Sidekicks.in(nvim)).open('bob');
    const mapped = (mode: string, key: string) =>
      nvim.lua('local mode, key = ... return vim.fn.maparg(key, mode, false, true).buffer == 1', mode, key);
    expect(await mapped('i', '<C-g>')).toBe(true);
    expect(await mapped('i', '<F2>')).toBe(true);
    expect(await mapped('i', '<CR>')).toBe(false);
    expect(await mapped('n', 'g?')).toBe(false);
    expect(await mapped('n', '<Plug>(sidekicks-help)')).toBe(true);
    await nvim.feed('<Esc>');
    await nvim.command('wincmd k');
    await nvim.feed('Z');
    await nvim.waitForLua('the windows to go', 'return vim.fn.winnr("$") == 1');
  });

  it('config names the configuration file', async () => {
    const own = place();
    const other = own.path('other.yaml');
    own.write('other.yaml', 'agents: {zoe: {command: none}}\n');
    const nvim = await start({
      place: own,
      env: { SIDEKICKS_CONFIG: '' },
      args: ['--cmd', `lua vim.g.sidekicks = { config = '${other}' }`],
    });
    const sidekicks = await Sidekicks.in(nvim);
    expect(await sidekicks.call('ConfigService.Current', {})).toMatchObject({ path: other, source: 'option' });
  });
});
