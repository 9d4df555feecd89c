// `:Sidekicks` and its subcommands, as a person or a script types them.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { received, scriptedAgent, type AgentEntry } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { ROOT, type Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { Sidekicks } from './support/sidekicks.ts';

/** What an agent was sent as text, prompt by prompt. */
const prompts = (place: Place, agent: string): string[] =>
  received(place, agent, 'session/prompt').map((message) => {
    const { prompt } = message['params'] as { prompt: { text?: string }[] };
    return prompt.map(({ text }) => text ?? '').join('');
  });

describeNvim('the command', ({ start, place, version }) => {
  async function startWith(...agents: readonly string[]) {
    const own = place({ 'a.lua': 'local one = 1\nlocal two = 2\nlocal three = `3`\n' });
    const entries: [string, AgentEntry][] = agents.map((name) => [name, scriptedAgent(own, name)]);
    own.writeConfig({ agents: Object.fromEntries(entries) });
    const nvim = await start({ place: own, args: ['a.lua'] });
    return { own, nvim, sidekicks: await Sidekicks.in(nvim) };
  }

  const completed = (nvim: Nvim, line: string) =>
    nvim.lua<string[]>(`return vim.fn.getcompletion(..., 'cmdline')`, line);

  it.each([
    ['fr_FR.UTF-8', 'il n’y a pas de sous-commande nonsense'],
    ['de_DE.UTF-8', 'there is no subcommand nonsense'],
  ])('speaks the language of the system before the configuration is known (%s)', async (locale, text) => {
    const nvim = await start({ env: { LC_ALL: locale } });
    nvim.allowErrors(/nonsense/);
    await nvim.command('Sidekicks nonsense');
    await nvim.waitForScreen(text);
  });

  it('completes subcommands, agents and their values', async () => {
    const { nvim } = await startWith('bob', 'zoe');
    expect(await completed(nvim, 'Sidekicks op')).toEqual(['open', 'option']);
    await nvim.waitFor('the agents', async () => (await completed(nvim, 'Sidekicks open ')).length > 0);
    expect(await completed(nvim, 'Sidekicks open ')).toEqual(['bob', 'zoe']);
    expect(await completed(nvim, 'Sidekicks open z')).toEqual(['zoe']);
    expect(await completed(nvim, 'Sidekicks! ask b')).toEqual(['bob']);
    expect(await completed(nvim, 'Sidekicks open bob ')).toEqual([]);
    expect(await completed(nvim, 'Sidekicks nonsense ')).toEqual([]);
    expect(await completed(nvim, 'Sidekicks permit ')).toEqual(['allow', 'reject']);
  });

  it('tells a vim.notify that somebody wrapped around Neovim’s own the whole of a long text, and takes no key', async () => {
    const { nvim } = await startWith('bob');
    nvim.allowErrors(/no subcommand/);
    await nvim.lua(`
      local own = vim.notify
      _G.told = {}
      vim.notify = function(text, level) table.insert(_G.told, { text, level }); return own(text, level) end`);
    await nvim.command('Sidekicks nonsense');
    await nvim.waitForScreen('there is no subcommand nonsense');
    expect(await nvim.lua('return _G.told')).toEqual([
      [expect.stringMatching(/^Sidekicks: there is no subcommand nonsense; .*, toggle$/), 4],
    ]);
    expect(await nvim.lua('return vim.api.nvim_get_mode()')).toEqual({ mode: 'n', blocking: false });
  });

  it('tells what holds control characters without any of them, a NUL included', async () => {
    const { nvim } = await startWith('bob');
    nvim.allowErrors(/odd/);
    await nvim.lua(`require('sidekicks.notify').error('odd: a\\0b\\27[31mc')`);
    await nvim.waitForScreen('odd: a\ufffdb\ufffd[31mc');
    expect(await nvim.lua('return vim.api.nvim_get_mode().blocking')).toBe(false);
  });

  it('names what exists when asked for something that does not', async () => {
    const { nvim } = await startWith('bob');
    nvim.allowErrors(/no subcommand|takes no|name an agent|which code|code block/);
    const told = async (command: string, words: string) => {
      await nvim.command(command);
      await nvim.waitFor(words, async () => (await nvim.messages()).replaceAll('\n', '').includes(words));
    };
    await told('Sidekicks opne bob', 'there is no subcommand opne; there are: accept, add, agents');
    await told('2Sidekicks cancel', 'cancel takes no range');
    await told('Sidekicks! cancel', 'cancel takes no !');
    await told('Sidekicks start', 'name an agent');
    await told('Sidekicks ask bob', 'name an agent and what to ask it');
    await told('Sidekicks copy last', 'name a code block by its number');
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
  });

  it('takes | as text and not as the end of a command', async () => {
    const { own, nvim, sidekicks } = await startWith('bob');
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks send a | b "c" | qall!');
    await sidekicks.waitForEvent('turn:changed', ({ busy }) => !busy);
    await sidekicks.waitUntilIdle(id);
    expect(prompts(own, 'bob')).toEqual(['a | b "c" | qall!']);
  });

  it('says that no agent is named so, without leaving windows behind', async () => {
    const { nvim } = await startWith('bob');
    nvim.allowErrors(/no agent named/);
    await nvim.command('Sidekicks open zoe');
    await nvim.waitForScreen('no agent named zoe is configured');
    await nvim.waitForLua('the windows to go', 'return vim.fn.winnr("$") == 1');
    expect(await nvim.mode()).toBe('n');
    await nvim.command('Sidekicks open zoe');
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
  });

  it('tells each command that fails, also the same way as the one before', async () => {
    const { nvim } = await startWith('one');
    nvim.allowErrors(/agent named zoe/);
    for (const verb of ['start', 'stop', 'restart', 'log']) {
      await nvim.command('messages clear');
      await nvim.command(`Sidekicks ${verb} zoe`);
      await nvim.waitFor(verb, async () => (await nvim.messages()).includes('no agent named zoe is configured'));
    }
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1);
  });

  it('opens the only agent without a name, and asks which of several', async () => {
    const { nvim } = await startWith('bob');
    await nvim.command('Sidekicks open');
    await nvim.waitForLua('the conversation', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://agent/bob/input'`);

    const several = await startWith('bob', 'zoe');
    await several.nvim.lua(`
      vim.ui.select = function(items, opts, choose)
        _G.asked = vim.tbl_map(opts.format_item, items)
        choose(items[2])
      end`);
    await several.nvim.command('Sidekicks open');
    await several.nvim.waitForLua('zoe', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://agent/zoe/input'`);
    expect(await several.nvim.lua('return _G.asked')).toEqual(['bob', 'zoe']);
  });

  it('sends lines with their place, after a text if there is one', async () => {
    const { own, nvim, sidekicks } = await startWith('bob');
    const { id } = await sidekicks.direct('bob');
    await nvim.command('2,3Sidekicks send what is this?');
    await sidekicks.waitForEvent('turn:changed', ({ busy }) => busy);
    await sidekicks.waitUntilIdle(id);
    expect(prompts(own, 'bob')).toEqual(['what is this?\n\na.lua:2-3\n```lua\nlocal two = 2\nlocal three = `3`\n```']);
  });

  it('puts lines into the input without a text, so that one can be written', async () => {
    const { nvim, sidekicks } = await startWith('bob');
    await nvim.lua(`vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'a ${'`'.repeat(4)} fence' })`);
    const input = 'sidekicks://agent/bob/input';
    await sidekicks.direct('bob');
    await nvim.command('1Sidekicks send');
    const fence = '`'.repeat(5);
    const lines = ['a.lua:1-1', `${fence}lua`, `a ${'`'.repeat(4)} fence`, fence, ''];
    const written = async () =>
      (await nvim.lua('return vim.api.nvim_buf_get_name(0)')) === input && nvim.bufferLines(input);
    await nvim.waitFor('the lines', async () => ((await written()) || []).length === lines.length);
    expect(await written()).toEqual(lines);
    await nvim.feed('why?<Esc><C-w>p<C-w>h');
    await nvim.command('2Sidekicks send');
    await nvim.waitFor('more lines', async () => ((await written()) || []).length > lines.length + 1);
    expect(await written()).toEqual([
      ...lines.slice(0, -1),
      'why?',
      '',
      'a.lua:2-2',
      '```lua',
      'local two = 2',
      '```',
      '',
    ]);
  });

  it('sends what stands in the input when no text is given', async () => {
    const { own, nvim, sidekicks } = await startWith('bob');
    const id = await sidekicks.open('bob');
    await nvim.feed('typed, not sent<Esc>');
    await nvim.waitForScreen('typed, not sent');
    await nvim.command('Sidekicks send');
    await nvim.waitFor('the prompt', () => prompts(own, 'bob').length > 0);
    await sidekicks.waitUntilIdle(id);
    expect(prompts(own, 'bob')).toEqual(['typed, not sent']);
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['']);
  });

  it('cancels the answer of the conversation used last', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { script: [{ op: 'wait_cancel' }] }) } });
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await sidekicks.send(id, 'take your time');
    await nvim.waitFor('the prompt', () => prompts(own, 'bob').length > 0);
    await nvim.command('wincmd p');
    await nvim.command('Sidekicks cancel');
    const { messages } = await sidekicks.waitUntilIdle(id);
    expect(messages.at(-1)).toMatchObject({ role: 'agent', stopReason: 'cancelled' });
  });

  it('says so where there is no conversation to cancel', async () => {
    const { nvim } = await startWith('bob');
    nvim.allowErrors(/no conversation is open/);
    await nvim.command('Sidekicks cancel');
    await nvim.waitForScreen('no conversation is open');
  });

  it('starts, restarts and stops an agent, and shows its log as it grows', async () => {
    const { nvim, sidekicks } = await startWith('bob');
    await nvim.command('Sidekicks start bob');
    await sidekicks.waitForState('bob', 'ready');
    await nvim.waitForScreen('bob: ready');
    await nvim.command('Sidekicks log bob');
    await nvim.waitForLua('the log', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://log/bob'`);
    expect(await nvim.lua('return { vim.bo.filetype, vim.bo.modifiable, vim.b.sidekicks.kind }')).toEqual([
      'sidekicks-log',
      false,
      'log',
    ]);
    await nvim.lua(`require('sidekicks.host').receive({
      { name = 'agent:log', payload = { agent = 'bob', line = 'a new line' } },
      { name = 'agent:log', payload = { agent = 'zoe', line = 'not of bob' } },
    })`);
    await nvim.waitForScreen('a new line');
    expect(nvim.screen.find('not of bob')).toBeUndefined();
    await nvim.feed('q');
    await nvim.waitForLua('the log to hide', 'return vim.fn.winnr("$") == 1');
    await nvim.command('Sidekicks restart bob');
    await nvim.waitFor(
      'two starts',
      () => sidekicks.events('agent:state').filter((e) => e.state === 'ready').length > 1,
    );
    await nvim.command('Sidekicks stop bob');
    await sidekicks.waitForState('bob', 'stopped');
  });

  it('begins a new session, which keeps the messages', async () => {
    const { own, nvim, sidekicks } = await startWith('bob');
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'one');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks new');
    await sidekicks.waitForEvent('message:updated', ({ message }) => message.code === 'session-started');
    const { messages } = await sidekicks.ask(id, 'two');
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(received(own, 'bob', 'session/new')).toHaveLength(2);
  });

  it('answers the oldest permission request', async () => {
    const own = place();
    const permission = { op: 'permission', toolCall: { title: 'run it' } } as const;
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { script: [permission] }) } });
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await sidekicks.send(id, 'go');
    await sidekicks.waitForPermission(id);
    await nvim.waitForLua('the request', `return require('sidekicks').status().waiting == 1`);
    expect(await nvim.lua(`return require('sidekicks').status().text`)).toMatch(/1 busy · 1 asking/);
    await nvim.command('Sidekicks permit allow');
    await sidekicks.waitUntilIdle(id);
    expect(sidekicks.events('permission:resolved')).toHaveLength(1);
  });

  interface Ended {
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }

  /** A Neovim without a screen, as a script runs it. */
  function headless(own: Place, ...args: readonly string[]): Promise<Ended> {
    return new Promise((done, fail) => {
      const child = spawn(resolve(ROOT, 'scripts/nvim'), ['--headless', ...args, '+qall!'], {
        cwd: own.project,
        env: { ...own.environment(), SIDEKICKS_NVIM: version },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let out = '';
      let err = '';
      child.stdout.on('data', (data: Buffer) => (out += data.toString()));
      child.stderr.on('data', (data: Buffer) => (err += data.toString()));
      child.on('error', fail);
      child.on('close', (code) => done({ code, out, err }));
    });
  }

  function placeWith(script: Parameters<typeof scriptedAgent>[2]): Place {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', script) } });
    return own;
  }

  it('ask prints the answer, and nothing else, to standard output', async () => {
    const own = placeWith({
      script: [
        { op: 'thought', text: 'hm' },
        { op: 'text', text: 'The answer.\n' },
      ],
    });
    expect(await headless(own, '+Sidekicks ask bob what is it?')).toEqual({ code: 0, out: 'The answer.\n', err: '' });
    expect(prompts(own, 'bob')).toEqual(['what is it?']);
  });

  it('ask lets no control character of an agent reach the terminal', async () => {
    const hostile = '\u001b[31mred\u001b]0;title\u0007 \u009b2J é\ttab\r\nend\u0000\u007f';
    const own = placeWith({ script: [{ op: 'text', text: hostile }] });
    const { out } = await headless(own, '+Sidekicks ask bob hello');
    expect(out).toBe('␛[31mred␛]0;title␇ <9b>2J é\ttab\nend␀␡\n');
  });

  it('ask ends with status 1 and the reason where there is no answer', async () => {
    const missing = placeWith({ entry: { command: 'no-such-program' } });
    const failed = await headless(missing, '+Sidekicks ask bob hello');
    expect(failed).toMatchObject({ code: 1, out: '' });
    expect(failed.err).toContain('no-such-program');
    const unknown = await headless(missing, '+Sidekicks ask zoe hello');
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toContain('no agent named zoe is configured');
  });

  it('ask names the problem of a configuration that cannot be used', async () => {
    const own = placeWith({});
    own.writeConfig('agents:\n  bob: 3\n');
    const { code, err } = await headless(own, '+Sidekicks ask bob hello');
    expect(code).toBe(1);
    expect(err).toContain('no agent named bob is configured (the configuration cannot be used: ');
    expect(err).toMatch(/sidekicks\.yaml:2:8: /);
  });

  it('ask refuses permissions, and ask! allows each one once', async () => {
    const asked = {
      op: 'permission',
      on: { allow: [{ op: 'text', text: 'allowed. ' }], reject: [{ op: 'text', text: 'refused. ' }] },
    } as const;
    const own = placeWith({ script: [asked, asked] });
    expect(await headless(own, '+Sidekicks ask bob go')).toEqual({ code: 0, out: 'refused. refused. \n', err: '' });
    expect(await headless(own, '+Sidekicks! ask bob go')).toEqual({ code: 0, out: 'allowed. allowed. \n', err: '' });
  });

  it('ask cancels where a request offers no refusal', async () => {
    const options = [{ optionId: 'always', name: 'Always', kind: 'allow_always' }];
    const own = placeWith({
      script: [
        { op: 'permission', options },
        { op: 'text', text: 'too late' },
      ],
    });
    const ended = await headless(own, '+Sidekicks ask bob go');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain('cancelled');
  });

  it('ask in an open Neovim goes on at once, and prints when it is done', async () => {
    const own = placeWith({
      script: [
        { op: 'wait', ms: 50 },
        { op: 'text', text: 'The answer.' },
      ],
    });
    const nvim = await start({ place: own });
    const ms = await nvim.lua<number>(`
      local before = vim.uv.hrtime()
      vim.cmd('Sidekicks ask bob what is it?')
      return (vim.uv.hrtime() - before) / 1e6`);
    expect(ms).toBeLessThan(150);
    await nvim.waitForScreen('The answer.');
    expect(await nvim.messages()).toContain('The answer.');
  });
});
