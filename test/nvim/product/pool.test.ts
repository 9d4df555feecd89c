// The pool as a person meets it (SPEC 4): who is refused, who makes room, what counts as use, what is kept of standard error.
import { expect, it } from 'vitest';
import { script } from '../support/agents.ts';
import { errorOf } from '../support/config.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Sidekicks } from '../support/sidekicks.ts';
import { gate, openGate, startWith } from './person.ts';

const ONE = { limits: { maxRunningAgents: 1 } };

const start = (sidekicks: Sidekicks, name: string) => errorOf(sidekicks.call('AgentService.Start', { name }));

describeNvim('an agent at work is never idle', (ground) => {
  it('with an open permission request, a running tool or a queued message no other takes its place', async () => {
    const own = ground.place();
    const { sidekicks } = await startWith(ground, { bob: {}, zoe: {} }, { place: own, config: ONE });
    const { id } = await sidekicks.direct('bob');
    const refused = /too many agents running: 1 agent\(s\) busy \(bob\), the limit is 1/;

    await sidekicks.send(id, script({ op: 'permission' }));
    const permission = await sidekicks.waitForPermission(id);
    expect(await start(sidekicks, 'zoe')).toMatch(refused);
    await sidekicks.answer(permission, 'allow_once');
    await sidekicks.waitUntilIdle(id);

    const tool = { op: 'tool_call', toolCallId: 't', title: 'Long work', kind: 'execute', status: 'in_progress' };
    await sidekicks.send(id, script(tool, gate(own, 'tool')));
    await sidekicks.send(id, 'the next one');
    await sidekicks.waitForEvent('turn:changed', ({ queued }) => queued === 1);
    expect(await start(sidekicks, 'zoe')).toMatch(refused);
    expect(await sidekicks.agentState('zoe')).toBe('stopped');
    expect(await sidekicks.agentState('bob')).toBe('busy');
    openGate(own, 'tool');
    await sidekicks.waitUntilIdle(id);

    expect(await start(sidekicks, 'zoe')).toBe('no error');
    expect(await sidekicks.agentState('bob')).toBe('stopped');
  });
});

describeNvim('the limit of running agents', (ground) => {
  it('is told in the language of the person, and the idle agent used least recently makes room', async () => {
    const config = { language: 'fr', limits: { maxRunningAgents: 2 } };
    const { sidekicks } = await startWith(ground, { ann: {}, bob: {}, zoe: {} }, { config });
    const [ann, bob] = [await sidekicks.direct('ann'), await sidekicks.direct('bob')];
    await sidekicks.ask(bob.id, 'first');
    await sidekicks.ask(ann.id, 'second');
    expect(await start(sidekicks, 'zoe')).toBe('no error');
    expect(await sidekicks.agentState('bob')).toBe('stopped');
    expect(await sidekicks.agentState('ann')).toBe('ready');

    const zoe = await sidekicks.direct('zoe');
    for (const { id } of [ann, zoe]) await sidekicks.send(id, script({ op: 'text', text: 'working' }, { op: 'never' }));
    for (const name of ['ann', 'zoe']) await sidekicks.waitForState(name, 'busy');
    expect(await start(sidekicks, 'bob')).toContain(
      'trop d’agents en marche\u00a0: 2 agent(s) occupé(s) (ann, zoe), la limite est 2',
    );
    expect(await sidekicks.agentState('bob')).toBe('stopped');
    for (const { id } of [ann, zoe]) await sidekicks.call('ChannelService.Cancel', { id });
    for (const { id } of [ann, zoe]) await sidekicks.waitUntilIdle(id);
  });
});

describeNvim('what an agent says on standard error', (ground) => {
  it('is kept for 200 lines, and its log shows them', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `line ${index + 1}`);
    const args = lines.flatMap((line) => ['--stderr', line]);
    const { nvim, sidekicks } = await startWith(ground, { bob: { args } });
    await sidekicks.call('AgentService.Start', { name: 'bob' });
    await sidekicks.waitForEvent('agent:log', ({ line }) => line === 'line 250');
    expect((await sidekicks.call('AgentService.Logs', { name: 'bob' })).lines).toEqual(lines.slice(50));
    await nvim.command('Sidekicks log bob');
    await nvim.waitForScreen('line 250');
    expect(await nvim.bufferLines('sidekicks://log/bob')).toEqual(lines.slice(50));
  });
});
