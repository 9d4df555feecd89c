// What an agent is given with a new session: the MCP servers it can use, its default mode and model; and what the person
// hears where that cannot be.
import { expect, it } from 'vitest';
import { received, wireLog } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { startWith } from './product/person.ts';

const MODES = JSON.stringify({
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
});

const countOf = (text: string, part: string): number => text.split(part).length - 1;

describeNvim('a new session', (ground) => {
  it('tells the agent of the MCP servers it can use, and the person once which one it cannot', async () => {
    const own = ground.place();
    const mcpServers = [
      { name: 'files', command: 'files', args: ['--root', '~'], env: { KEY: 'value' } },
      { name: 'docs', url: 'https://example.org/mcp', headers: { Authorization: 'Bearer x' } },
    ];
    const { nvim, sidekicks } = await startWith(ground, { bob: { entry: { mcpServers } } }, { place: own });
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'hello');
    expect(received(own, 'bob', 'session/new')[0]?.['params']).toMatchObject({
      mcpServers: [
        { name: 'files', command: 'files', args: ['--root', own.home], env: [{ name: 'KEY', value: 'value' }] },
      ],
    });
    const words = 'bob cannot use MCP servers of the type http: it is not told of docs';
    await nvim.waitForScreen(words);
    await sidekicks.call('AgentService.Restart', { name: 'bob' });
    await sidekicks.ask(id, 'hello again');
    expect(countOf(await nvim.messages(), words)).toBe(1);
  });

  it('has the default mode and model where they are offered', async () => {
    const own = ground.place();
    const entry = { defaults: { mode: 'code' } };
    const { nvim, sidekicks } = await startWith(ground, { bob: { entry, args: ['--modes', MODES] } }, { place: own });
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'hello');
    expect(received(own, 'bob', 'session/set_mode')[0]?.['params']).toMatchObject({ modeId: 'code' });
    expect(await nvim.messages()).not.toContain('default');
  });

  it.each([
    [
      'en',
      'bob does not offer its default mode plan; it offers: ask, code',
      'bob offers no models, so its default model big is not chosen',
    ],
    [
      'fr',
      'bob ne propose pas son mode par défaut plan\u00a0; il propose\u00a0: ask, code',
      'bob ne propose pas de modèles\u00a0: son modèle par défaut big n’est pas choisi',
    ],
  ])('says once which defaults are not offered (%s)', async (language, mode, model) => {
    const own = ground.place();
    const entry = { defaults: { mode: 'plan', model: 'big' } };
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: { entry, args: ['--modes', MODES] } },
      { place: own, config: { language } },
    );
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'hello');
    await nvim.waitFor('the warnings', async () => (await nvim.messages()).includes(model));
    await sidekicks.call('ChannelService.NewSession', { id });
    await sidekicks.ask(id, 'hello again');
    expect(received(own, 'bob', 'session/new')).toHaveLength(2);
    const messages = await nvim.messages();
    expect(countOf(messages, mode)).toBe(1);
    expect(countOf(messages, model)).toBe(1);
  });

  it('says why the agent did not take a default', async () => {
    const own = ground.place();
    const refusal = 'session/set_mode={"code":-32603,"message":"not today"}';
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: { entry: { defaults: { mode: 'code' } }, args: ['--modes', MODES, '--error', refusal] } },
      { place: own },
    );
    await sidekicks.ask((await sidekicks.direct('bob')).id, 'hello');
    await nvim.waitForScreen('bob does not take its default mode code: not today');
  });
});

describeNvim('the session of an agent that is started again', (ground) => {
  it.each([
    ['loading', ['--load'], ['session/load']],
    ['resuming', ['--session-capabilities', '{"resume":{}}'], ['session/resume']],
    ['neither', [], ['session/new']],
  ])('is taken up by %s, and the agent is told only what it does not know', async (_how, able, methods) => {
    const own = ground.place({ 'store/.keep': '' });
    const args = ['--reply', 'answered', '--store', own.path('store'), ...able];
    const { sidekicks } = await startWith(ground, { bob: { args } }, { place: own });
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'first');
    const opened = () =>
      wireLog(own, 'bob').flatMap(({ dir, msg }) => {
        const method = String(msg?.['method']);
        return dir === 'in' && /^session\/(new|load|resume)$/.test(method) ? [method] : [];
      });
    expect(opened()).toEqual(['session/new']);
    await sidekicks.call('AgentService.Restart', { name: 'bob' });
    const { messages } = await sidekicks.ask(id, 'second');
    expect(opened().slice(1)).toEqual(methods);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'agent', 'user', 'agent']);
    const { prompt } = received(own, 'bob', 'session/prompt').at(-1)?.['params'] as { prompt: { text: string }[] };
    const isTold = prompt.some(({ text }) => text.includes('answered'));
    expect(isTold).toBe(methods[0] === 'session/new');
    expect(prompt.at(-1)?.text).toBe('second');
  });
});
