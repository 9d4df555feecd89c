import { expect, it } from 'vitest';
import { received, script, scriptedAgent } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { Sidekicks, textOf } from '../support/sidekicks.ts';

describeNvim('scratch', ({ start, place }) => {
  it('shows the answer', async () => {
    const own = place({ 'a.txt': 'text on disk\n' });
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const nvim = await start({ place: own, args: ['a.txt'] });
    const sidekicks = await Sidekicks.in(nvim);
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>ihello<CR>');
    await nvim.waitForScreen('Hello from bob.');
    console.log(nvim.screen.text());
    const now = await sidekicks.ask(id, script({ op: 'text', text: 'as told' }));
    expect(textOf(now.messages.at(-1))).toBe('as told');
    expect(received(own, 'bob', 'session/prompt')).toHaveLength(2);
    await sidekicks.send(id, script({ op: 'permission', echo: 'answer' }));
    const p = await sidekicks.waitForPermission(id);
    await nvim.waitForScreen('Reject');
    console.log(nvim.screen.text());
    await nvim.command('Sidekicks permit allow');
    await sidekicks.waitUntilIdle(id);
    console.log(sidekicks.events().map((e) => e.name).join(' '));
    expect((await sidekicks.request('ChannelService.Conversation', { id })).busy).toBe(false);
    await expect(sidekicks.request('ChannelService.Conversation', { id: 'x' })).rejects.toThrow('not-found');
    await expect(sidekicks.call('ChannelService.Conversation', { id: 'x' })).rejects.toThrow();
    expect(await sidekicks.agentState('bob')).toBe('ready');
  });
});
