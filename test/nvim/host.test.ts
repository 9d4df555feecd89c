// How Neovim starts the Node side, talks to it, and goes on without it.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { ROOT } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { kill } from './support/processes.ts';
import { hostPid, Sidekicks } from './support/sidekicks.ts';

const PLUGIN = join(ROOT, 'rplugin/node/sidekicks');
const NODE_HOST = join(ROOT, 'node_modules/neovim/bin/cli.js');

/** The same plugin in a folder of its own, without its Node side. */
function unbuiltPlugin(place: Place): string {
  const root = join(place.root, 'unbuilt');
  mkdirSync(root);
  for (const part of ['lua', 'plugin', 'ftplugin']) symlinkSync(join(ROOT, part), join(root, part));
  return root;
}

function program(place: Place, lines: string): string {
  const path = join(place.root, 'node');
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

describeNvim('the Node side', ({ start, place, version }) => {
  async function startWithAgent(args: readonly string[] = [], env = {}) {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const nvim = await start({ place: own, args, env });
    return { own, nvim };
  }

  it('is not started with Neovim, which loads nothing of it and loses no time', async () => {
    const own = place();
    const report = join(own.root, 'startup.txt');
    const nvim = await start({ place: own, args: ['--startuptime', report] });
    expect(await hostPid(nvim)).toBe(0);
    const loaded = await nvim.lua<string[]>(`
      return vim.tbl_filter(function(name) return vim.startswith(name, 'sidekicks') end, vim.tbl_keys(package.loaded))`);
    expect(loaded).toEqual([]);
    const line = readFileSync(report, 'utf8')
      .split('\n')
      .find((text) => text.includes('plugin/sidekicks.lua'));
    expect(Number(line?.trim().split(/\s+/)[1])).toBeLessThan(5);
  });

  it('starts at the first use, which waits for nothing', async () => {
    const { nvim } = await startWithAgent();
    const ms = await nvim.lua<number>(`
      local before = vim.uv.hrtime()
      vim.cmd('Sidekicks open bob')
      return (vim.uv.hrtime() - before) / 1e6`);
    expect(ms).toBeLessThan(150);
    await nvim.waitForLua('the conversation', `return vim.b.sidekicks.conversation ~= ''`);
    expect(await hostPid(nvim)).toBeGreaterThan(0);
  });

  it('answers both functions that are registered for it, once however often it is used', async () => {
    const { nvim } = await startWithAgent();
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('AgentService.List', {});
    const answer = await nvim.lua(`return vim.fn.SidekicksRequest('AgentService.List', vim.empty_dict())`);
    expect(answer).toMatchObject({ result: { agents: [{ name: 'bob' }] } });
    expect(await nvim.lua(`return vim.fn.SidekicksRequest('No.Such', vim.empty_dict())`)).toMatchObject({
      error: { code: 'not-found' },
    });
    expect(await nvim.lua(`return #vim.fn['remote#host#PluginsForHost']('sidekicks')`)).toBe(1);
  });

  it('gives errors as values to request, and raises their message from call', async () => {
    const { nvim } = await startWithAgent();
    const sidekicks = await Sidekicks.in(nvim);
    await expect(sidekicks.request('ChannelService.Direct', { agent: 'zoe' })).rejects.toThrow(/^not-found: .*zoe/);
    const raised = await nvim.lua(`
      local fine, message = pcall(require('sidekicks').call, 'ChannelService.Direct', { agent = 'zoe' })
      return { fine, message }`);
    expect(raised).toEqual([false, 'no agent named zoe is configured']);
  });

  it('names what it was called with that cannot be, in the line of the caller', async () => {
    const { nvim } = await startWithAgent();
    const raised = (code: string) =>
      nvim.lua<string>(`return select(2, pcall(loadstring([[require('sidekicks').${code}]], '=caller')))`);
    expect(await raised(`call('AgentService.List', 'x')`)).toBe('caller:1: params must be a table, not a string');
    expect(await raised(`request(nil)`)).toBe('caller:1: method must be a string, not a nil');
    expect(await raised(`request('AgentService.List', {}, 3)`)).toBe(
      'caller:1: callback must be a function, not a number',
    );
    expect(await raised(`on('agent:state')`)).toBe('caller:1: listener must be a function, not a nil');
  });

  it('says not-found of an agent, a message or a conversation there is not', async () => {
    const { nvim } = await startWithAgent();
    const sidekicks = await Sidekicks.in(nvim);
    const { id } = await sidekicks.direct('bob');
    const agent = 'zoe';
    const wrong = [
      sidekicks.request('ChannelService.Commands', { agent }),
      sidekicks.request('ChannelService.Options', { id, agent }),
      sidekicks.request('ChannelService.SetOption', { id, agent, optionId: 'mode', value: 'x' }),
      sidekicks.request('ChannelService.Older', { id, beforeId: 'nothing' }),
      sidekicks.request('ChannelService.Older', { id, beforeId: '' }),
      sidekicks.request('ChangesService.List', { channel: 'nothing' }),
    ];
    for (const answer of wrong) await expect(answer).rejects.toThrow(/^not-found: /);
    const noWords = sidekicks.request('ChannelService.Search', { words: ' ' });
    await expect(noWords).rejects.toThrow('invalid: there are no words to search for');
    expect(await sidekicks.call('ChangesService.List', { channel: '' })).toEqual({ turns: [], conflicts: [] });
  });

  it('tells events to listeners until they are removed, and to autocommands', async () => {
    const { nvim } = await startWithAgent();
    await nvim.lua(`
      _G.heard, _G.seen = {}, {}
      _G.remove = require('sidekicks').on('agent:state', function(event) table.insert(_G.heard, event.state) end)
      vim.api.nvim_create_autocmd('User', {
        pattern = 'SidekicksAgentState',
        callback = function(event) table.insert(_G.seen, event.data.agent .. ' ' .. event.data.state) end,
      })`);
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    await nvim.waitForLua('the autocommand', `return vim.list_contains(_G.seen, 'bob ready')`);
    expect(await nvim.lua('return _G.heard')).toEqual(expect.arrayContaining(['starting', 'ready']));
    const before = await nvim.lua('return #_G.heard');
    await nvim.lua('_G.remove()');
    await sidekicks.call('AgentService.Stop', { name: 'bob' });
    await nvim.waitForLua('the next event', `return vim.list_contains(_G.seen, 'bob stopped')`);
    expect(await nvim.lua('return #_G.heard')).toBe(before);
  });

  it('goes on with what came after an event whose listener fails', async () => {
    const { nvim } = await startWithAgent();
    nvim.allowErrors(/no good/);
    await nvim.lua(`require('sidekicks').on('agent:state', function() error('no good') end)`);
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    await nvim.waitFor('the message', async () => (await nvim.messages()).includes('no good'));
    expect(await sidekicks.agentState('bob')).toBe('ready');
  });

  it('works where the manifest of the user names the same bundle for another host', async () => {
    const { own, nvim } = await startWithAgent();
    const manifest = join(own.root, 'manifest.vim');
    const spec = (name: string, sync: number) => `{'sync': ${sync}, 'name': '${name}', 'type': 'function', 'opts': {}}`;
    const specs = `[${spec('SidekicksNotify', 0)}, ${spec('SidekicksRequest', 1)}]`;
    writeFileSync(manifest, `call remote#host#RegisterPlugin('node', '${PLUGIN}', ${specs})\n`);
    await nvim.command(`source ${manifest}`);
    const sidekicks = await Sidekicks.in(nvim);
    expect((await sidekicks.call('AgentService.List', {})).agents).toHaveLength(1);
    expect(await nvim.lua(`return vim.fn['remote#host#IsRunning']('node')`)).toBe(0);
    expect(await nvim.lua(`return vim.fn.SidekicksRequest('AgentService.List', vim.empty_dict())`)).toHaveProperty(
      'result',
    );
  });

  it('works before and after :UpdateRemotePlugins, beside another Node plugin', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const other = join(own.root, 'other');
    mkdirSync(join(other, 'rplugin/node'), { recursive: true });
    writeFileSync(
      join(other, 'rplugin/node/other.js'),
      `module.exports = (plugin) => plugin.registerFunction('OtherAnswer', () => ({ other: 42 }), { sync: true });`,
    );
    const manifest = join(own.root, 'manifest.vim');
    const nvim = await start({
      place: own,
      args: ['--cmd', `set rtp+=${other}`, '--cmd', `let g:node_host_prog = '${NODE_HOST}'`],
    });
    await nvim.command(`let g:loaded_remote_plugins = '${manifest}'`);
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('AgentService.List', {});
    await nvim.command('silent UpdateRemotePlugins');
    expect(readFileSync(manifest, 'utf8')).toContain('OtherAnswer');
    expect((await sidekicks.call('AgentService.List', {})).agents).toHaveLength(1);
    await nvim.quit();

    const again = await start({ place: own, args: ['--cmd', `let g:node_host_prog = '${NODE_HOST}'`] });
    await again.command(`source ${manifest}`);
    expect(await again.lua('return vim.fn.OtherAnswer()')).toEqual({ other: 42 });
    expect((await (await Sidekicks.in(again)).call('AgentService.List', {})).agents).toHaveLength(1);
    expect(await again.lua('return vim.fn.OtherAnswer()')).toEqual({ other: 42 });
  });

  it('leaves with Neovim, which does not wait for it', async () => {
    const { own, nvim } = await startWithAgent();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { script: [{ op: 'wait_cancel' }] }) } });
    const sidekicks = await Sidekicks.in(nvim);
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, 'take your time');
    await sidekicks.waitForEvent('turn:changed', ({ busy }) => busy);
    expect(await nvim.quit()).toBeLessThan(400);
  });

  it('that is killed is missed once in words, and comes back at the next use', async () => {
    const { nvim } = await startWithAgent();
    nvim.allowErrors(/the Node side ended/);
    const sidekicks = await Sidekicks.in(nvim);
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'before');
    const before = await hostPid(nvim);
    kill(before);
    await nvim.waitForScreen('the Node side ended');
    await nvim.waitForScreen('the next use starts it again');
    expect((await nvim.messages()).match(/the Node side ended/g)).toHaveLength(1);
    expect(await nvim.lua(`return require('sidekicks').status()`)).toEqual({
      busy: 0,
      waiting: 0,
      queued: 0,
      text: '',
    });
    expect(await hostPid(nvim)).toBe(0);

    await nvim.feed('after<CR>');
    await nvim.waitFor('the answer', async () => (await sidekicks.waitUntilIdle(id)).messages.length >= 4);
    const after = await hostPid(nvim);
    expect(after).toBeGreaterThan(0);
    expect(after).not.toBe(before);
    await nvim.waitForLua('the state', `return not require('sidekicks.state').host_lost()`);
    expect(nvim.screen.find('the next use starts it again')).toBeUndefined();
  });

  it('fails every request that waits when it is killed', async () => {
    const { nvim } = await startWithAgent();
    nvim.allowErrors(/the Node side ended/);
    const sidekicks = await Sidekicks.in(nvim);
    await sidekicks.call('AgentService.List', {});
    const pid = await hostPid(nvim);
    kill(pid, 'SIGSTOP');
    const waiting = sidekicks.request('AgentService.List', {});
    const failed = expect(waiting).rejects.toThrow(/^unavailable: /);
    kill(pid);
    await failed;
  });

  it('that cannot start says why, once, and where to look', async () => {
    const own = place();
    const node = program(own, 'echo "boom: no such luck" >&2; exit 7');
    const nvim = await start({ place: own, args: ['--cmd', `lua vim.g.sidekicks = { node = '${node}' }`] });
    nvim.allowErrors(/could not start/);
    await nvim.command('Sidekicks open bob');
    await nvim.waitForScreen(/could not start/);
    await nvim.waitForLua('the windows to go', 'return vim.fn.winnr("$") == 1');
    const messages = (await nvim.messages()).replaceAll('\n', '');
    expect(messages.match(/no such luck/g)).toHaveLength(1);
    expect(messages).toContain(':Sidekicks install');
    expect(readFileSync(join(own.root, 'state/sidekicks/host.log'), 'utf8')).toContain('boom: no such luck');
  });

  it('names its own last words where Node is good', async () => {
    const own = place();
    const node = program(own, 'test "$1" = --version && echo v24.1.0 && exit 0; echo "boom: no such luck" >&2; exit 7');
    const nvim = await start({ place: own, args: ['--cmd', `lua vim.g.sidekicks = { node = '${node}' }`] });
    nvim.allowErrors(/could not start/);
    await expect((await Sidekicks.in(nvim)).call('AgentService.List', {})).rejects.toThrow('boom: no such luck');
  });

  it('with a Node too old says so, and what to do', async () => {
    const own = place();
    const node = program(own, 'test "$1" = --version && echo v18.19.0 && exit 0; echo "SyntaxError" >&2; exit 1');
    const nvim = await start({ place: own, args: ['--cmd', `lua vim.g.sidekicks = { node = '${node}' }`] });
    nvim.allowErrors(/too old/);
    const failed = (await Sidekicks.in(nvim)).call('AgentService.List', {});
    await expect(failed).rejects.toThrow(/Node 18.19.0 .*too old.*:Sidekicks install/);
  });

  it('that is not built says which command builds it', async () => {
    const own = place();
    const root = unbuiltPlugin(own);
    const nvim = await start({
      place: own,
      args: ['--cmd', `lua vim.opt.rtp:remove('${ROOT}')`, '--cmd', `lua vim.opt.rtp:prepend('${root}')`],
    });
    nvim.allowErrors(/not built/);
    await nvim.command('Sidekicks open bob');
    await nvim.waitForScreen('run :Sidekicks install');
    await nvim.waitForLua('the windows to go', 'return vim.fn.winnr("$") == 1');
    expect(existsSync(join(own.root, 'state/sidekicks/host.log'))).toBe(false);
    expect(version).toMatch(/0\.1/);
  });
});
