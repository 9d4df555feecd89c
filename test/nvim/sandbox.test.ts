// Containers and sandboxes (SPEC 4): stopped and removed by the lines of the configuration, by key and by command. Agents in
// them: container.test.ts.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Place } from './support/place.ts';
import { startWith } from './product/person.ts';

const completed = (text: string) => `return vim.fn.getcompletion('Sidekicks ${text}', 'cmdline')`;

/** An agent whose sandbox is only its lines: whatever they do, Sidekicks runs them. */
const boxed = (own: Place, lifecycle: Readonly<Record<string, string>>) =>
  scriptedAgent(own, 'box', { entry: { runtime: { lifecycle } } });

describeNvim('the sandbox of an agent', (ground) => {
  it('is stopped by its key in the panel: first the agent ends, then the line runs in the folder of the file', async () => {
    const own = ground.place();
    const stop = `pwd; echo "agents: $(cat box.pids | wc -l)"; kill -0 $(sed -n 's/agent //p' box.pids) || echo gone; echo oops >&2`;
    const { nvim, sidekicks } = await startWith(ground, { box: boxed(own, { stop }) }, { place: own });
    await sidekicks.call('AgentService.Start', { name: 'box' });
    await nvim.command('Sidekicks');
    await nvim.waitForScreen(/box +ready/);
    await nvim.feed('X');
    await nvim.waitForScreen('the sandbox of box is stopped');
    const { lines } = await sidekicks.call('AgentService.Logs', { name: 'box' });
    expect(lines).toContain(`sandbox: ${dirname(own.config)}`);
    expect(lines).toContain('sandbox: agents: 1');
    expect(lines).toContain('sandbox: gone');
    expect(lines).toContain('sandbox: oops');
    expect(await sidekicks.agentState('box')).toBe('stopped');
    await nvim.command('Sidekicks log box');
    await nvim.waitForScreen('sandbox: oops');
  });

  it('is removed only after a question', async () => {
    const own = ground.place();
    const { nvim } = await startWith(ground, { box: boxed(own, { remove: 'touch removed' }) }, { place: own });
    const removed = join(dirname(own.config), 'removed');
    await nvim.command('Sidekicks');
    await nvim.waitForScreen(/box +stopped/);
    await nvim.feed('D');
    await nvim.waitForScreen('Remove the sandbox of box');
    await nvim.feed('1<CR>');
    await nvim.waitForScreen(/box +stopped/);
    expect(existsSync(removed)).toBe(false);
    await nvim.feed('D');
    await nvim.waitForScreen('Remove the sandbox of box');
    await nvim.feed('2<CR>');
    await nvim.waitForScreen('the sandbox of box is removed');
    expect(existsSync(removed)).toBe(true);
  });

  it('is named only where the configuration has a line for it', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(
      ground,
      { box: boxed(own, { stop: 'true' }), bob: {}, web: scriptedAgent(own, 'web', CONTAINER) },
      { place: own },
    );
    const { agents } = await sidekicks.call('AgentService.List', {});
    expect(agents.map((one) => [one.name, one.runtime, one.canStopSandbox, one.canRemoveSandbox])).toEqual([
      ['box', 'local', true, false],
      ['bob', 'local', false, false],
      ['web', 'container', false, true],
    ]);
    await nvim.waitForLua('the completion', `return #vim.fn.getcompletion('Sidekicks sandbox stop ', 'cmdline') > 0`);
    expect(await nvim.lua(completed('sandbox '))).toEqual(['remove', 'stop']);
    expect(await nvim.lua(completed('sandbox stop '))).toEqual(['box']);
    expect(await nvim.lua(completed('sandbox remove '))).toEqual(['web']);
    expect(await nvim.lua(completed('sandbox remove web '))).toEqual([]);
    await expect(sidekicks.request('AgentService.StopSandbox', { name: 'bob' })).rejects.toThrow(
      /^refused: the configuration of bob has no line lifecycle\.stop/,
    );
    await expect(sidekicks.request('AgentService.RemoveSandbox', { name: 'box' })).rejects.toThrow(
      /^refused: the configuration of box has no line lifecycle\.remove/,
    );
    await expect(sidekicks.request('AgentService.StopSandbox', { name: 'nobody' })).rejects.toThrow(/^not-found: /);
    nvim.allowErrors(/say what to do with the sandbox|no line lifecycle/);
    await nvim.feed(':Sidekicks sandbox pause box<CR>');
    await nvim.waitForScreen('say what to do with the sandbox of which agent');
    await nvim.feed(':Sidekicks sandbox remove bob<CR>');
    await nvim.waitForScreen('the configuration of bob has no line lifecycle.remove');
  });

  it('of an agent nobody configured is not asked about', async () => {
    const { nvim } = await startWith(ground, { bob: {} });
    nvim.allowErrors(/no agent named/);
    await nvim.lua(`vim.ui.select = function() _G.asked = true end`);
    await nvim.command('Sidekicks sandbox remove zoe');
    await nvim.waitForScreen('no agent named zoe is configured');
    expect(await nvim.lua('return _G.asked')).toBeNull();
  });

  it('that cannot be stopped is told with its status', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(
      ground,
      { box: boxed(own, { stop: 'echo no >&2; exit 3' }) },
      { place: own },
    );
    nvim.allowErrors(/ended with status 3/);
    await nvim.feed(':Sidekicks sandbox stop box<CR>');
    await nvim.waitFor('the error', async () =>
      (await nvim.messages()).includes('echo no >&2; exit 3 ended with status 3; the log of box has what it printed'),
    );
    expect((await sidekicks.call('AgentService.Logs', { name: 'box' })).lines).toEqual(['sandbox: no']);
  });

  it('is not stopped twice at once, and its command ends with Neovim', async () => {
    const own = ground.place();
    const lines = { stop: `trap '' HUP; sleep 600 & echo $! > child; wait` };
    const { nvim, sidekicks } = await startWith(ground, { box: boxed(own, lines) }, { place: own });
    await nvim.command('Sidekicks sandbox stop box');
    const file = join(dirname(own.config), 'child');
    const child = await nvim.waitFor('the command', () => existsSync(file) && Number(readFileSync(file, 'utf8')));
    await expect(sidekicks.request('AgentService.StopSandbox', { name: 'box' })).rejects.toThrow(
      'busy: the sandbox of box is being stopped or removed already',
    );
    expect(nvim.processes().map(({ pid }) => pid)).toContain(child);
    // That nothing of it is left is looked at after every test.
    await nvim.crash();
  });
});

const CONTAINER = { entry: { runtime: { type: 'container', name: 'web-1', lifecycle: { remove: 'true' } } } };
