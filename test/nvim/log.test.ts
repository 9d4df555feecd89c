// The log of an agent on screen (SPEC 4): whose it is, and the memory of this computer while it is visible.
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { StandIn } from './stand-in.ts';

const GB = 1024 ** 3;

describeNvim('the line above a log', ({ start, place }) => {
  it('tells the agent and the memory of this computer', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const nvim = await start({ place: own });
    await nvim.command('Sidekicks log bob');
    await nvim.waitForScreen(/Log of bob +memory (normal|low|critical): \d+\.\d of \d+\.\d GB/);
  });

  it.each([
    ['en', 'warning', 'memory low: 15.2 of 16.0 GB', 'SidekicksWarning'],
    ['fr', 'critical', 'mémoire critique\u00a0: 15,2 sur 16,0\u00a0Go', 'SidekicksError'],
  ] as const)('words and colours the level in %s', async (language, level, text, group) => {
    const nvim = await start();
    const host = await StandIn.install(nvim, { 'SystemService.Memory': { level, used: 15.2 * GB, total: 16 * GB } });
    const current = { source: 'env', created: false, valid: true, problems: [], warnings: [], theme: {} };
    await host.answer('ConfigService.Current', { ...current, path: '/c.yaml', language, historyProblem: '' });
    await nvim.command('edit sidekicks://log/bob');
    await nvim.waitForScreen(text);
    const winbar = await nvim.lua<string>(`
      vim.g.statusline_winid = vim.api.nvim_get_current_win()
      return require('sidekicks.log.memory').draw()`);
    expect(winbar).toContain(`%#${group}#${text}`);
  });

  it.each([
    ['en', 'nothing yet: what bob writes to its standard error will stand here'],
    ['fr', 'rien encore\u00a0: ce que bob écrira sur sa sortie d’erreur sera ici'],
  ])('stands above what says that an agent has written nothing, until it has (%s)', async (language, text) => {
    const own = place();
    own.writeConfig({ language, agents: { bob: scriptedAgent(own, 'bob', { args: ['--stderr', 'first'] }) } });
    const nvim = await start({ place: own });
    await nvim.command('Sidekicks log bob');
    await nvim.waitForScreen(text);
    // It can be neither copied nor taken for a line.
    expect(await nvim.bufferLines('sidekicks://log/bob')).toEqual(['']);
    await nvim.command('Sidekicks start bob');
    await nvim.waitFor('the first line', async () => (await nvim.bufferLines('sidekicks://log/bob'))[0] === 'first');
    await nvim.waitFor('no more of it', () => !nvim.screen.text().includes(text));
  });

  it('of an agent nobody configured is not opened', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const nvim = await start({ place: own });
    nvim.allowErrors(/no agent named/);
    await nvim.lua(`require('sidekicks').call('AgentService.List', {})`);
    await nvim.command('Sidekicks log zoe');
    await nvim.waitForScreen('no agent named zoe is configured');
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
  });

  it('shows nothing where the memory cannot be measured', async () => {
    const nvim = await start();
    const host = await StandIn.install(nvim, { 'SystemService.Memory': { level: '', used: 0, total: 0 } });
    await nvim.command('edit sidekicks://log/bob');
    await host.waitForAsked('SystemService.Memory');
    await nvim.waitForScreen('Log of bob');
    expect(nvim.screen.text()).not.toContain('memory');
  });

  it('asks again every 5 s, and no more once the log is hidden', async () => {
    const nvim = await start();
    // The time alone is turned: a period of 5 s becomes 20 ms.
    await nvim.lua(`
      local new_timer = vim.uv.new_timer
      _G.periods = {}
      vim.uv.new_timer = function()
        local timer = new_timer()
        return setmetatable({}, { __index = {
          start = function(_, timeout, period, callback)
            if period == 5000 then
              table.insert(_G.periods, period)
              period = 20
            end
            return timer:start(timeout, period, callback)
          end,
          stop = function() return timer:stop() end,
          close = function() _G.closed = true return timer:close() end,
        } })
      end`);
    const host = await StandIn.install(nvim, { 'SystemService.Memory': { level: 'normal', used: GB, total: 2 * GB } });
    await nvim.command('Sidekicks log bob');
    await host.waitForAsked('SystemService.Memory', 3);
    expect(await nvim.lua('return _G.periods')).toEqual([5000]);
    await nvim.command('tabnew');
    await nvim.waitForLua('the end of the timer', 'return _G.closed == true');
    const before = (await host.asked('SystemService.Memory')).length;
    await nvim.command('tabclose');
    await host.waitForAsked('SystemService.Memory', before + 1);
  });
});
