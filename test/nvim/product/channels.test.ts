// A channel as the host keeps it: several agents answer, each hears what it has not seen; names, members, clear, delete (SPEC section 5).
import { expect, it } from 'vitest';
import { received, script } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Place } from '../support/place.ts';
import { textOf, type Sidekicks, type Snapshot } from '../support/sidekicks.ts';
import { gate, openGate, startWith } from './person.ts';

interface Prompt {
  readonly sessionId: string;
  readonly prompt: readonly { readonly text?: string }[];
}

/** The text blocks of every prompt an agent got. */
const prompts = (own: Place, name: string): string[][] =>
  received(own, name, 'session/prompt').map(({ params }) => (params as Prompt).prompt.map(({ text }) => text ?? ''));

async function channelOf(sidekicks: Sidekicks, name: string, members: readonly string[]): Promise<string> {
  const { id } = await sidekicks.call('ChannelService.Create', { name, description: '' });
  for (const agent of members) await sidekicks.call('ChannelService.AddMember', { id, agent });
  return id;
}

const shown = ({ messages }: Snapshot): string[][] =>
  messages.map((message) => [message.code || message.agent || 'user', textOf(message) || message.error]);

const says = (text: string) => ({ script: [{ op: 'text', text }] });

describeNvim('a channel', (ground) => {
  it('mentioned agents answer one after the other, each told what it has not seen, once', async () => {
    const { own, sidekicks } = await startWith(ground, { ann: says('I am Ann.'), ben: says('I am Ben.') });
    const id = await channelOf(sidekicks, 'review', ['ann', 'ben']);
    await sidekicks.ask(id, '@ann @ben who are you?');
    const second = await sidekicks.ask(id, '@ann and now?');
    expect(shown(second).slice(2)).toEqual([
      ['user', '@ann @ben who are you?'],
      ['ann', 'I am Ann.'],
      ['ben', 'I am Ben.'],
      ['user', '@ann and now?'],
      ['ann', 'I am Ann.'],
    ]);
    const [annFirst = [], annSecond = []] = prompts(own, 'ann');
    const [benFirst = []] = prompts(own, 'ben');
    expect(annFirst).toEqual(['@ann @ben who are you?']);
    expect(benFirst).toHaveLength(2);
    expect(benFirst[0]).toContain('@ann:\nI am Ann.');
    expect(benFirst[1]).toBe('@ann @ben who are you?');
    expect(annSecond[0]).toContain('@ben:\nI am Ben.');
    expect(annSecond[0]).not.toContain('I am Ann.');
    expect(annSecond[0]).not.toContain('who are you?');
    expect(annSecond[1]).toBe('@ann and now?');
  });

  it('B13: agents that mention each other, a ring, or themselves wake nobody', async () => {
    const { own, sidekicks } = await startWith(ground, {
      ann: says('@ben thanks'),
      ben: says('@eve thanks'),
      eve: says('@ann @eve thanks'),
    });
    const id = await channelOf(sidekicks, 'ring', ['ann', 'ben', 'eve']);
    await sidekicks.ask(id, '@ann start');
    await sidekicks.ask(id, '@eve and you');
    expect([prompts(own, 'ann').length, prompts(own, 'ben').length, prompts(own, 'eve').length]).toEqual([1, 0, 1]);
  });

  it('a command goes alone to the agent it names; what was not seen comes with the next message', async () => {
    const { own, sidekicks } = await startWith(ground, { ann: says('I am Ann.'), ben: says('I am Ben.') });
    const id = await channelOf(sidekicks, 'review', ['ann']);
    await sidekicks.ask(id, '@ann hello');
    await sidekicks.ask(id, '/ben:compact all of it');
    await sidekicks.ask(id, '@ben hello');
    const [command, next = []] = prompts(own, 'ben');
    expect(command).toEqual(['/compact all of it']);
    expect(next[0]).toContain('I am Ann.');
    expect(next[0]).not.toContain('compact');
    expect(next[1]).toBe('@ben hello');
    expect((await sidekicks.conversation(id)).channel.members).toEqual(['ann', 'ben']);
  });

  it('nobody is asked where nobody is meant, and it says so', async () => {
    const { sidekicks } = await startWith(ground, { ann: {}, ben: {} });
    const id = await channelOf(sidekicks, 'review', ['ann', 'ben']);
    expect(shown(await sidekicks.ask(id, 'hello')).at(-1)).toEqual(['no-recipient', '']);
    expect(shown(await sidekicks.ask(id, '@nobody hello')).at(-1)).toEqual(['no-recipient', 'nobody']);
  });

  it('an agent busy elsewhere: the conversation says whose turn it is, and answers when it is free', async () => {
    const own = ground.place();
    const ann = { script: [{ op: 'text', text: 'One.' }, gate(own, 'one')] };
    const { sidekicks } = await startWith(ground, { ann }, { place: own });
    const first = await channelOf(sidekicks, 'first', ['ann']);
    const second = await channelOf(sidekicks, 'second', ['ann']);
    await sidekicks.send(first, 'go');
    await sidekicks.send(second, 'go');
    await sidekicks.waitForEvent(
      'turn:changed',
      ({ channel, waitingFor }) => channel === second && waitingFor === first,
    );
    expect(await sidekicks.conversation(second)).toMatchObject({ busy: true, answering: 'ann', waitingFor: first });
    openGate(own, 'one');
    await sidekicks.waitUntilIdle(second);
    await sidekicks.waitForEvent(
      'turn:changed',
      ({ channel, busy, waitingFor }) => channel === second && busy && waitingFor === '',
    );
  });

  it('names: unique without regard to case or composition, 1 to 64 characters; not a direct conversation', async () => {
    const { sidekicks } = await startWith(ground, { ann: {} });
    const id = await channelOf(sidekicks, 'Équipe', []);
    const create = (name: string) => sidekicks.request('ChannelService.Create', { name, description: '' });
    await expect(create('e\u0301QUIPE')).rejects.toThrow('exists: there is a channel named Équipe here already');
    await expect(create('x'.repeat(65))).rejects.toThrow(/^invalid: /);
    await expect(create('  ')).rejects.toThrow(/^invalid: /);
    await expect(create('a\nb')).rejects.toThrow(/^invalid: /);
    const renamed = await sidekicks.call('ChannelService.Rename', { id, name: 'équipe', description: 'all of us' });
    expect(renamed).toMatchObject({ id, name: 'équipe', description: 'all of us' });
    const direct = await sidekicks.direct('ann');
    await expect(
      sidekicks.request('ChannelService.Rename', { id: direct.id, name: 'x', description: '' }),
    ).rejects.toThrow(/^invalid: /);
    await expect(sidekicks.request('ChannelService.AddMember', { id, agent: 'nobody' })).rejects.toThrow(
      /^not-found: /,
    );
  });

  it('declared channels exist in the project, with their members, once', async () => {
    const channels = { review: { description: 'code review', members: ['ann', 'ben'] } };
    const { sidekicks, own } = await startWith(ground, { ann: {}, ben: {} }, { config: { channels } });
    const { channels: list } = await sidekicks.call('ChannelService.List', {});
    expect(list).toMatchObject([
      { name: 'review', description: 'code review', members: ['ann', 'ben'], direct: '', project: own.project },
    ]);
    expect((await sidekicks.call('ChannelService.List', {})).channels).toEqual(list);
  });

  it('clear: refused while an agent answers; then all messages are gone and the agent knows nothing of them', async () => {
    const own = ground.place();
    const { sidekicks } = await startWith(ground, { ann: {} }, { place: own });
    const id = await channelOf(sidekicks, 'review', ['ann']);
    await sidekicks.send(id, `one ${script({ op: 'text', text: 'first' }, gate(own, 'one'))}`);
    await expect(sidekicks.request('ChannelService.Clear', { id })).rejects.toThrow(
      /^busy: an agent is answering in this channel/,
    );
    openGate(own, 'one');
    await sidekicks.waitUntilIdle(id);
    await sidekicks.call('ChannelService.Clear', { id });
    expect(await sidekicks.conversation(id)).toMatchObject({
      messages: [],
      channel: { name: 'review', members: ['ann'] },
    });
    await sidekicks.ask(id, 'two');
    const sessions = received(own, 'ann', 'session/prompt').map(({ params }) => (params as Prompt).sessionId);
    expect(new Set(sessions).size).toBe(2);
    expect(prompts(own, 'ann').at(-1)).toEqual(['two']);
  });

  it('delete stops the answer, and the agent is free for others', async () => {
    const own = ground.place();
    const { sidekicks } = await startWith(ground, { ann: {} }, { place: own });
    const id = await channelOf(sidekicks, 'review', ['ann']);
    await sidekicks.send(id, `one ${script({ op: 'text', text: 'first' }, gate(own, 'never'))}`);
    await sidekicks.waitForEvent('message:delta', ({ channel }) => channel === id);
    await sidekicks.call('ChannelService.Delete', { id });
    await expect(sidekicks.request('ChannelService.Conversation', { id })).rejects.toThrow(/^not-found: /);
    expect((await sidekicks.call('ChannelService.List', {})).channels).toEqual([]);
    await sidekicks.waitForState('ann', 'ready');
    const { id: direct } = await sidekicks.direct('ann');
    expect(shown(await sidekicks.ask(direct, 'still there?')).at(-1)).toEqual(['ann', 'Hello from ann.']);
  });

  it('removing the member that answers ends its turn cancelled; messages that waited for it are not sent', async () => {
    const own = ground.place();
    const ann = { script: [{ op: 'text', text: 'first' }, gate(own, 'never')] };
    const { sidekicks } = await startWith(ground, { ann, ben: says('I am Ben.') }, { place: own });
    const id = await channelOf(sidekicks, 'review', ['ann', 'ben']);
    await sidekicks.send(id, '@ann go');
    await sidekicks.waitForEvent('message:delta', ({ channel }) => channel === id);
    await sidekicks.send(id, '@ann again');
    await sidekicks.send(id, '@ben you');
    await sidekicks.call('ChannelService.RemoveMember', { id, agent: 'ann' });
    const { messages, channel } = await sidekicks.waitUntilIdle(id);
    expect(channel.members).toEqual(['ben']);
    expect(messages.find(({ agent, role }) => agent === 'ann' && role === 'agent')).toMatchObject({
      stopReason: 'cancelled',
    });
    expect(messages.find((message) => textOf(message) === '@ann again')).toMatchObject({ error: 'cancelled' });
    expect(textOf(messages.at(-1))).toBe('I am Ben.');
  });

  it('export gives the whole conversation as Markdown', async () => {
    const { sidekicks } = await startWith(ground, { ann: says('```lua\nreturn 1\n```') });
    const id = await channelOf(sidekicks, 'review', ['ann']);
    await sidekicks.ask(id, 'show me code');
    const { text } = await sidekicks.call('ChannelService.Export', { id });
    expect(text).toMatch(
      /^# review\n\n\*ann joined\*\n\n## You · [\d: -]+\n\nshow me code\n\n## ann · [\d: -]+\n\n```lua\nreturn 1\n```\n$/,
    );
  });
});

describeNvim('a conversation after a cancel', (ground) => {
  it('tells the agent nothing again of what it was told or said itself', async () => {
    const own = ground.place();
    const bob = { script: [{ op: 'text', text: 'Beginning.' }, gate(own, 'never')] };
    const { sidekicks } = await startWith(ground, { bob }, { place: own });
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, 'one');
    await sidekicks.waitForEvent('message:delta', ({ channel }) => channel === id);
    await sidekicks.call('ChannelService.Cancel', { id });
    await sidekicks.waitUntilIdle(id);
    await sidekicks.send(id, 'two');
    await sidekicks.nvim.waitFor('the second prompt', () => prompts(own, 'bob').length === 2);
    expect(prompts(own, 'bob')).toEqual([['one'], ['two']]);
    openGate(own, 'never');
    await sidekicks.waitUntilIdle(id);
  });
});

describeNvim('a cancel before the prompt is on its way', (ground) => {
  it.each(['initialize', 'session/new'])('while the agent is at %s: the next prompt is answered', async (method) => {
    const { own, sidekicks } = await startWith(ground, { bob: { args: ['--delay', `${method}=700`] } });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, 'one');
    await sidekicks.nvim.waitFor('the request', () => received(own, 'bob', method).length === 1);
    await sidekicks.call('ChannelService.Cancel', { id });
    await sidekicks.waitUntilIdle(id);
    const { messages } = await sidekicks.ask(id, 'two');
    expect(messages.map(textOf)).toEqual(['one', '', 'two', 'Hello from bob.']);
    expect(prompts(own, 'bob').at(-1)?.at(-1)).toBe('two');
  });
});

describeNvim('a conversation after a restart', (ground) => {
  it('what waited when Neovim left is in the draft again, with what was being written, and was not sent', async () => {
    const own = ground.place();
    const bob = { script: [gate(own, 'never')] };
    const first = await startWith(ground, { bob }, { place: own });
    const id = await first.sidekicks.open('bob');
    await first.sidekicks.send(id, 'one');
    await first.nvim.waitFor('the prompt', () => received(own, 'bob', 'session/prompt').length === 1);
    await first.sidekicks.send(id, 'two');
    await first.sidekicks.send(id, 'three');
    await first.nvim.feed('and four');
    await first.nvim.waitForScreen('and four');
    await first.nvim.dispose();
    const second = await startWith(ground, { bob }, { place: own });
    await second.sidekicks.open('bob');
    const input = 'sidekicks://agent/bob/input';
    await second.nvim.waitFor('the draft', async () => (await second.nvim.bufferLines(input)).length > 1);
    expect(await second.nvim.bufferLines(input)).toEqual(['two', '', 'three', '', 'and four']);
    expect((await second.sidekicks.conversation(id)).messages.map(textOf)).not.toContain('two');
    expect(received(own, 'bob', 'session/prompt')).toHaveLength(1);
  });

  it('an agent that cannot load its session is told the last messages, its own among them, before the prompt', async () => {
    const own = ground.place();
    const first = await startWith(ground, { ann: says('I am Ann.') }, { place: own });
    const id = await channelOf(first.sidekicks, 'review', ['ann']);
    await first.sidekicks.ask(id, 'hello');
    await first.nvim.dispose();
    const second = await startWith(ground, { ann: says('I am Ann.') }, { place: own });
    await second.sidekicks.ask(id, 'again');
    const [, [context = '', text] = []] = prompts(own, 'ann');
    expect(context).toMatch(/User:\nhello\n\n@ann:\nI am Ann\.$/);
    expect(text).toBe('again');
  });
});
