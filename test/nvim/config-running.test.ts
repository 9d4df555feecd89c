// The configuration changes while agents are at work and windows show them (SPEC 3, last paragraph; SPEC 4).
import { expect, it } from 'vitest';
import { pids, script, scriptedAgent } from './support/agents.ts';
import { isGone } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { textOf } from './support/sidekicks.ts';
import { say, startWith } from './product/person.ts';

const PANEL = 'sidekicks://agents';

describeNvim('a configuration that changes', (ground) => {
  it('stops an agent it no longer names, also one at work: its answer, its question and what waited end', async () => {
    const own = ground.place();
    const ann = scriptedAgent(own, 'ann');
    const { nvim, sidekicks } = await startWith(ground, { ann, bob: { args: ['--child'] } }, { place: own });
    const id = await sidekicks.open('bob');
    const asking = { op: 'permission', toolCall: { toolCallId: 't', title: 'Remove all', kind: 'execute' } };
    await sidekicks.send(id, script({ op: 'text', text: 'so far' }, asking));
    await sidekicks.waitForPermission(id);
    await say(nvim, 'this one waits');
    await nvim.waitForScreen('1 queued');
    const running = pids(own, 'bob').map(({ pid }) => pid);
    own.writeConfig({ agents: { ann } });
    const { messages, permissions } = await sidekicks.waitUntilIdle(id);
    expect(permissions).toEqual([]);
    expect(messages[1]).toMatchObject({ done: true, stopReason: 'cancelled' });
    expect(textOf(messages[1])).toBe('so far');
    expect(messages[2]).toMatchObject({ queued: false, error: 'cancelled' });
    await nvim.waitFor('the end of all it launched', () => running.every(isGone));
    await nvim.command('Sidekicks');
    await nvim.waitForScreen(/ann +stopped · local/);
    expect(await nvim.bufferLines(PANEL)).toEqual(['ann  stopped · local']);

    // What was said stays on screen; nobody is there to go on.
    await sidekicks.ask(id, 'are you there?');
    const transcript = (await sidekicks.transcript('bob')).join('\n');
    expect(transcript).toContain('so far');
    expect(transcript).toContain('bob cannot be reached: no agent named bob is configured');
  });

  it('that gives an agent another name ends the old one; the new one is another agent', async () => {
    const own = ground.place();
    const bob = scriptedAgent(own, 'bob');
    const { nvim, sidekicks } = await startWith(ground, { bob }, { place: own });
    await nvim.command('Sidekicks');
    await nvim.waitForScreen(/bob +stopped/);
    await nvim.feed('s');
    await nvim.waitForScreen(/bob +ready/);
    const [first] = pids(own, 'bob');
    own.writeConfig({ agents: { robert: bob } });
    await nvim.waitForScreen(/robert +stopped/);
    expect(await nvim.bufferLines(PANEL)).toEqual(['robert  stopped · local']);
    await nvim.waitFor('the end of the old one', () => isGone(first?.pid ?? 0));
    const { id } = await sidekicks.direct('robert');
    expect(textOf((await sidekicks.ask(id, 'hello')).messages.at(-1))).toBe('Hello from bob.');
    await nvim.waitForScreen(/robert +ready/);
  });

  it('in order, language or theme shows at once, in the panel and in an open conversation', async () => {
    const own = ground.place();
    const agents = { ann: scriptedAgent(own, 'ann'), bob: scriptedAgent(own, 'bob') };
    const { nvim, sidekicks } = await startWith(ground, agents, { place: own });
    await nvim.command('Sidekicks');
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'hello');
    await nvim.feed('<Esc>');
    await nvim.waitForScreen('‣ bob');
    await nvim.waitForScreen(/bob +ready/);
    own.writeConfig({ language: 'fr', theme: { speaker: 'ErrorMsg' }, agents: { bob: agents.bob, ann: agents.ann } });
    await nvim.waitForScreen('‣ Vous');
    await nvim.waitForScreen(/bob +prêt[^]*ann +arrêté/);
    await nvim.waitForScreen('<CR> envoyer');
    await nvim.waitFor('the colour', () => nvim.screen.groupsOf('‣ bob').includes('ErrorMsg'));
    own.writeConfig({ agents: { bob: agents.bob, ann: agents.ann } });
    await nvim.waitForScreen('‣ You');
    await nvim.waitForScreen(/bob +ready[^]*ann +stopped/);
    await nvim.waitFor('the colour of before', () => !nvim.screen.groupsOf('‣ bob').includes('ErrorMsg'));
  });
});
