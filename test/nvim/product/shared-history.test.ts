// Two Neovims on one history: each shows what the other says, one answers at a time, a dead one holds nothing up (SPEC section 10).
import { expect, it } from 'vitest';
import { received } from '../support/agents.ts';
import { describeNvim, type Ground } from '../support/describe-nvim.ts';
import { Sidekicks, hostPid, textOf } from '../support/sidekicks.ts';
import { gate, openGate, startWith, type Agents, type Setting } from './person.ts';

/** Both have the direct conversation with bob on screen. */
async function two(ground: Ground, agentsOf: (own: Setting['own']) => Agents) {
  const own = ground.place();
  const one = await startWith(ground, agentsOf(own), { place: own });
  const id = await one.sidekicks.open('bob');
  const nvim = await ground.start({ place: own });
  const other = await Sidekicks.in(nvim);
  await other.open('bob');
  return { own, id, one: one.sidekicks, other };
}

const texts = async (sidekicks: Sidekicks, id: string): Promise<string[]> =>
  (await sidekicks.conversation(id)).messages.map(textOf);

describeNvim('two Neovims on one history', (ground) => {
  it('each shows what the other says within a second', async () => {
    const { one, other, id } = await two(ground, () => ({ bob: {} }));
    await one.ask(id, 'from the first');
    await other.waitForEvent('message:updated', ({ message }) => textOf(message) === 'Hello from bob.', 1000);
    await other.nvim.waitForScreen('Hello from bob.');
    await other.ask(id, 'from the second');
    await one.nvim.waitForScreen('from the second');
    expect(await texts(one, id)).toEqual(await texts(other, id));
    expect(await texts(one, id)).toEqual(['from the first', 'Hello from bob.', 'from the second', 'Hello from bob.']);
  });

  it('one that answers shows it in the other; a message sent there waits, and its own Neovim sends it', async () => {
    const { own, one, other, id } = await two(ground, (place) => ({ bob: { script: [gate(place, 'end')] } }));
    await one.send(id, 'first');
    await other.waitForEvent('turn:changed', ({ busy, answering }) => busy && answering === 'bob', 1000);
    await other.send(id, 'second');
    expect(await other.conversation(id)).toMatchObject({ busy: true, answering: 'bob', queued: 1 });
    expect(received(own, 'bob', 'session/prompt')).toHaveLength(1);
    openGate(own, 'end');
    const { messages } = await other.waitUntilIdle(id);
    expect(messages.filter(({ role }) => role === 'user').map(textOf)).toEqual(['first', 'second']);
    expect(received(own, 'bob', 'session/prompt')).toHaveLength(2);
  });

  it('one that was killed frees what it answered', async () => {
    const { own, one, other, id } = await two(ground, (place) => ({ bob: { script: [gate(place, 'end')] } }));
    await one.send(id, 'first');
    await other.waitForEvent('turn:changed', ({ busy }) => busy, 1000);
    await other.send(id, 'second');
    one.nvim.allowErrors(/the Node side ended/);
    process.kill(await hostPid(one.nvim), 'SIGKILL');
    await other.nvim.waitFor('the second prompt', () => received(own, 'bob', 'session/prompt').length === 2);
    openGate(own, 'end');
    await other.waitUntilIdle(id);
  });

  it('clear and new are refused while the other answers', async () => {
    const { own, one, other, id } = await two(ground, (place) => ({ bob: { script: [gate(place, 'end')] } }));
    await one.send(id, 'first');
    await other.waitForEvent('turn:changed', ({ busy }) => busy, 1000);
    await expect(other.request('ChannelService.Clear', { id })).rejects.toThrow(/^busy: /);
    await expect(other.request('ChannelService.NewSession', { id })).rejects.toThrow(/^busy: /);
    openGate(own, 'end');
    await one.waitUntilIdle(id);
  });

  it('a new session asked for in one is a new session in the other too', async () => {
    const { own, one, other, id } = await two(ground, () => ({ bob: {} }));
    await other.ask(id, 'known');
    await one.call('ChannelService.NewSession', { id });
    await other.waitForEvent('message:updated', ({ message }) => message.code === 'session-started', 1000);
    await other.ask(id, 'what do you know?');
    const prompts = received(own, 'bob', 'session/prompt').map(
      ({ params }) => params as { readonly sessionId: string; readonly prompt: readonly { readonly text: string }[] },
    );
    expect(new Set(prompts.map(({ sessionId }) => sessionId)).size).toBe(2);
    expect(prompts.at(-1)?.prompt.map(({ text }) => text)).toEqual(['what do you know?']);
  });

  it('a channel made, renamed and deleted in one is so in the other', async () => {
    const { one, other } = await two(ground, () => ({ bob: {} }));
    const { id } = await one.call('ChannelService.Create', { name: 'review', description: '' });
    const has = (name: string) =>
      other.waitForEvent('channels:changed', ({ channels }) => channels.some((one) => one.name === name), 1000);
    await has('review');
    await one.call('ChannelService.Rename', { id, name: 'checks', description: '' });
    await has('checks');
    await one.call('ChannelService.Delete', { id });
    await other.nvim.waitFor('the channel to go', async () => {
      const { channels } = await other.call('ChannelService.List', {});
      return channels.every(({ direct }) => direct !== '');
    });
  });
});
