// The buffers and windows of a conversation: how they open, hide, come back and look.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent, type AgentEntry, type ScriptedOptions } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';

const names = (nvim: Nvim) =>
  nvim.lua<string[]>(`
    return vim.tbl_map(function(win)
      return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)), ':.')
    end, vim.api.nvim_tabpage_list_wins(0))`);

const BOB = ['sidekicks://agent/bob', 'sidekicks://agent/bob/input'];
const ZOE = ['sidekicks://agent/zoe', 'sidekicks://agent/zoe/input'];

describeNvim('the conversation on screen', ({ start, place }) => {
  async function startWith(agents: Readonly<Record<string, ScriptedOptions>>, args: readonly string[] = ['a.txt']) {
    const own = place({ 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n' });
    const entries: [string, AgentEntry][] = Object.entries(agents).map(([name, options]) => [
      name,
      scriptedAgent(own, name, options),
    ]);
    own.writeConfig({ agents: Object.fromEntries(entries) });
    const nvim = await start({ place: own, args });
    return { own, nvim, sidekicks: await Sidekicks.in(nvim) };
  }

  it('is a transcript with an input below, where one can type at once', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} });
    const id = await sidekicks.open('bob');
    expect(await names(nvim)).toEqual(['a.txt', ...BOB]);
    expect(await nvim.mode()).toBe('i');
    const facts = await nvim.lua(`
      local transcript = vim.fn.bufnr('^sidekicks://agent/bob$')
      return { vim.b.sidekicks, vim.b[transcript].sidekicks, vim.bo.filetype, vim.bo[transcript].filetype,
        vim.bo[transcript].modifiable, vim.fn.winheight(0) }`);
    expect(facts).toEqual([
      { conversation: id, kind: 'input' },
      { conversation: id, kind: 'transcript' },
      'sidekicks-input',
      'sidekicks',
      false,
      expect.any(Number),
    ]);
  });

  it('is gone to, not opened twice', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} });
    await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd t');
    await sidekicks.open('bob');
    expect(await names(nvim)).toEqual(['a.txt', ...BOB]);
  });

  it('stands beside another one, and neither is squeezed', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {}, zoe: {} });
    await sidekicks.open('bob');
    await sidekicks.open('zoe');
    expect(await names(nvim)).toEqual(['a.txt', ...BOB, ...ZOE]);
    const widths = await nvim.lua<number[]>(
      `return vim.tbl_map(vim.api.nvim_win_get_width, vim.api.nvim_tabpage_list_wins(0))`,
    );
    expect(Math.min(...widths)).toBeGreaterThan(30);
    expect(Math.abs((widths[1] ?? 0) - (widths[3] ?? 0))).toBeLessThan(2);
  });

  it('leaves the options of other windows and of Neovim alone', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} }, ['--cmd', 'set number relativenumber list', 'a.txt']);
    const all = () =>
      nvim.lua(`
        local values = {}
        for name, info in pairs(vim.api.nvim_get_all_options_info()) do
          local known, value = pcall(vim.api.nvim_get_option_value, name, { scope = 'global' })
          values[name] = known and info.scope ~= 'buf' and value or nil
        end
        return values`);
    const before = await all();
    await sidekicks.open('bob');
    expect(await nvim.lua('return { vim.wo.number, vim.wo.list, vim.wo.wrap }')).toEqual([false, false, true]);
    await nvim.feed('<Esc>');
    expect(await all()).toEqual(before);
    await nvim.command('wincmd k | edit b.txt');
    expect(await nvim.lua('return { vim.wo.number, vim.wo.list, vim.wo.winbar }')).toEqual([true, true, '']);
  });

  it('hides with q, and with close; toggle brings back what was there', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {}, zoe: {} });
    await sidekicks.open('bob');
    await sidekicks.open('zoe');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks toggle');
    expect(await names(nvim)).toEqual(['a.txt']);
    await nvim.command('Sidekicks toggle');
    expect(await names(nvim)).toEqual(['a.txt', ...BOB, ...ZOE]);
    await nvim.command('wincmd k');
    await nvim.feed('q');
    await nvim.waitFor('zoe to hide', async () => (await names(nvim)).length === 3);
    expect(await names(nvim)).toEqual(['a.txt', ...BOB]);
    await nvim.command('Sidekicks close');
    expect(await names(nvim)).toEqual(['a.txt']);
    await nvim.command('Sidekicks close');
    await nvim.command('Sidekicks toggle');
    expect(await names(nvim)).toEqual(['a.txt', ...BOB]);
  });

  it('comes back where it was, at its end, when one of its two buffers was wiped', async () => {
    const script = [{ op: 'text', text: Array.from({ length: 60 }, (_, index) => `row ${index}`).join('\n') }];
    const { nvim, sidekicks } = await startWith({ bob: { script } });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'go');
    await nvim.waitForScreen('row 59');
    const layout = () => nvim.lua(`return vim.fn.winlayout()[2][2][1], #vim.api.nvim_list_wins()`);
    const names = () =>
      nvim.lua<string[]>(`
        return vim.tbl_map(function(win)
          return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win))
        end, vim.api.nvim_list_wins())`);
    const before = [await layout(), await names()];
    await nvim.feed('<Esc>');
    for (const buffer of ['sidekicks://agent/bob', 'sidekicks://agent/bob/input']) {
      await nvim.command(`bwipeout! ${buffer}`);
      await nvim.command('Sidekicks open bob');
      await nvim.waitForScreen('row 59');
      expect([await layout(), await names()]).toEqual(before);
    }
  });

  it('hides in one tab page only', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} });
    await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('tabnew b.txt');
    await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks toggle');
    expect(await names(nvim)).toEqual(['b.txt']);
    await nvim.command('tabprevious');
    expect(await names(nvim)).toEqual(['a.txt', ...BOB]);
  });

  it('can be the only windows there are, and still be hidden', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} });
    await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd k | only');
    await nvim.feed('q');
    await nvim.waitFor('another buffer', async () => !(await names(nvim)).includes(BOB[0] ?? ''));
    expect(await names(nvim)).toHaveLength(1);
    await nvim.command('Sidekicks toggle');
    expect(await names(nvim)).toEqual(expect.arrayContaining(BOB));
  });

  it('ends nothing when it is hidden, and shows what came meanwhile', async () => {
    const { nvim, sidekicks } = await startWith({ bob: { script: [{ op: 'text', text: 'said unseen' }] } });
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks close');
    await sidekicks.ask(id, 'go on');
    await nvim.command('Sidekicks toggle');
    await nvim.waitForScreen('said unseen');
  });

  it('comes back with :edit of its name, and after its buffers were wiped', async () => {
    const { nvim, sidekicks } = await startWith({ bob: { script: [{ op: 'text', text: 'here I am' }] } });
    await nvim.command('edit sidekicks://agent/bob');
    await nvim.waitForLua('the conversation', `return vim.b.sidekicks.conversation ~= ''`);
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'hello');
    await nvim.waitForScreen('here I am');
    await nvim.command('bwipeout sidekicks://agent/bob');
    await nvim.command('bwipeout sidekicks://agent/bob/input');
    await sidekicks.open('bob');
    await nvim.waitForScreen('here I am');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd k');
    await nvim.command('edit');
    await nvim.waitForScreen('here I am');
  });

  it('says in its own buffer that there is no such agent when its name is edited', async () => {
    const { nvim } = await startWith({ bob: {} });
    await nvim.command('edit sidekicks://agent/nobody');
    await nvim.waitForScreen('no agent named nobody is configured');
  });

  it('comes back with a saved session', async () => {
    const { own, nvim, sidekicks } = await startWith({ bob: { script: [{ op: 'text', text: 'kept' }] } });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'hello');
    await nvim.feed('<Esc>');
    const session = join(own.root, 'session.vim');
    await nvim.command(`mksession ${session}`);
    await nvim.quit();

    const again = await start({ place: own, args: ['-c', `silent source ${session}`] });
    await again.waitForScreen('kept');
    expect(await names(again)).toEqual(['a.txt', ...BOB]);
    const dressed = await again.lua<unknown[]>(`
      local transcript = vim.fn.bufnr('^sidekicks://agent/bob$')
      local input = vim.fn.bufnr('^sidekicks://agent/bob/input$')
      return { vim.bo[transcript].filetype, vim.bo[input].filetype, vim.wo[vim.fn.bufwinid(transcript)].winbar ~= '' }`);
    expect(dressed).toEqual(['sidekicks', 'sidekicks-input', true]);
    await again.command(`call win_gotoid(bufwinid('^sidekicks://agent/bob/input$'))`);
    await again.feed('ionce more<CR>');
    const more = await Sidekicks.in(again);
    await again.waitFor('the message', async () => (await more.conversation(id)).messages.length >= 3);
    await more.waitUntilIdle(id);
  });

  it('names what no buffer of Sidekicks is called', async () => {
    const { nvim } = await startWith({ bob: {} });
    nvim.allowErrors(/nothing of the name/);
    await nvim.command('edit sidekicks://nonsense');
    await nvim.waitForScreen('nothing of the name');
  });

  it('encodes names so that each is one part of a buffer name', async () => {
    const { nvim } = await startWith({ bob: {} });
    const round = await nvim.lua<[string, string]>(
      `
      local place = require('sidekicks.address')
      local encoded = place.encode(...)
      return { encoded, place.decode(encoded) }`,
      'a b/c%d\té',
    );
    expect(round).toEqual(['a%20b%2Fc%25d%09é', 'a b/c%d\té']);
  });

  it('shows who, what and since when above the transcript, with a sign that the clock turns', async () => {
    const modes = JSON.stringify({
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask first' },
        { id: 'code', name: 'Just code' },
      ],
    });
    const script = [{ op: 'usage', used: 50_000, size: 200_000 }, { op: 'wait_cancel' }];
    const { nvim, sidekicks } = await startWith({
      bob: { script, args: ['--modes', modes], entry: { title: 'Bob 100%' } },
    });
    await nvim.lua(`
      local redraw = vim.api.nvim__redraw
      _G.redraws = 0
      vim.api.nvim__redraw = function(opts) _G.redraws = _G.redraws + 1 return redraw(opts) end`);
    const id = await sidekicks.open('bob');
    await nvim.waitForScreen('Ask first');
    expect(nvim.screen.row(0)).toContain('Bob 100%');
    await nvim.waitForLua('rest', `return not require('sidekicks.winbar').ticking()`);
    await sidekicks.send(id, 'work');
    await nvim.waitForScreen(/Bob 100% {2}[⠁-⣿] \d s .*Ask first · 25 % of 200k/);
    const sign = () => /[⠁-⣿]/.exec(nvim.screen.row(0))?.[0];
    const first = sign();
    await nvim.waitFor('the sign to turn', () => sign() !== first);
    await sidekicks.send(id, 'and then');
    await nvim.waitForScreen('1 queued');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks mode code');
    await nvim.waitForScreen('Just code');
    nvim.allowErrors(/no value/);
    await nvim.command('Sidekicks mode fly');
    await nvim.waitForScreen('mode has no value fly');
    await nvim.command('Sidekicks close');
    await nvim.waitForLua('rest', `return not require('sidekicks.winbar').ticking()`);
    const unseen = await nvim.lua<number>('return _G.redraws');
    await nvim.command('Sidekicks cancel');
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.lua('return _G.redraws')).toBe(unseen);
    await nvim.command('Sidekicks toggle');
    await nvim.waitForScreen('Just code');
    expect(await nvim.lua(`return require('sidekicks.winbar').ticking()`)).toBe(false);
  });

  it('the sign is a function of the clock', async () => {
    const { nvim } = await startWith({ bob: {} });
    const signs = await nvim.lua<string[]>(`
      local winbar = require('sidekicks.winbar')
      return { winbar.spinner(0), winbar.spinner(99), winbar.spinner(100), winbar.spinner(1000), winbar.elapsed(59999),
        winbar.elapsed(125000), winbar.usage({ used = 999, size = 0 }), winbar.usage({ used = 1234567, size = 2000000 }) }`);
    expect(signs).toEqual(['⠋', '⠋', '⠙', '⠋', '59 s', '2 min 05 s', '999', '62 % of 2.0M']);
  });

  it('says above the transcript why an agent could not start', async () => {
    const { nvim } = await startWith({ bob: { entry: { command: 'no-such-program' } } });
    await nvim.command('Sidekicks open bob');
    await nvim.waitForScreen(/bob {2}error: .*no-such-program/);
  });

  it('tells that an agent asks or is done only where nobody sees its window', async () => {
    const { nvim, sidekicks } = await startWith({ bob: { script: [{ op: 'permission' }] } });
    await nvim.lua(`
      _G.told = {}
      vim.notify = function(text) table.insert(_G.told, text) end`);
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, 'one');
    await sidekicks.answer(await sidekicks.waitForPermission(id), 'allow_once');
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.lua('return _G.told')).toEqual([]);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks close');
    await sidekicks.send(id, 'two');
    await sidekicks.answer(await sidekicks.waitForPermission(id), 'allow_once');
    await sidekicks.waitUntilIdle(id);
    await nvim.waitForLua('both notices', 'return #_G.told == 2');
    expect(await nvim.lua('return _G.told')).toEqual(['Sidekicks: bob asks for permission', 'Sidekicks: bob is done']);
    await nvim.lua(`require('sidekicks').setup({ notify = false })`);
    await sidekicks.send(id, 'three');
    await sidekicks.answer(await sidekicks.waitForPermission(id), 'allow_once');
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.lua('return #_G.told')).toBe(2);
  });

  it('tells the terminal when Neovim has lost the focus', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} });
    const id = await sidekicks.open('bob');
    await nvim.lua(`vim.api.nvim_exec_autocmds('FocusLost', {})`);
    await sidekicks.ask(id, 'hello');
    await nvim.waitFor('the notice', () => nvim.terminalOutput().includes('\x1b]9;Sidekicks: bob is done\x07'));
  });

  it('shows its keys, and goes from message to message', async () => {
    const { nvim, sidekicks } = await startWith({ bob: {} });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'first');
    await sidekicks.ask(id, 'second');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd k');
    await nvim.feed('gg');
    const headers = await nvim.lua<number[]>(`
      local rows = {}
      for block, row in require('sidekicks.transcript').blocks(vim.api.nvim_get_current_buf()) do
        if block.kind == 'header' then table.insert(rows, row + 1) end
      end
      return rows`);
    expect(headers.length).toBe(4);
    const line = () => nvim.lua<number>('return vim.fn.line(".")');
    await nvim.feed('2]]');
    await nvim.waitFor('the third message', async () => (await line()) === headers[2]);
    await nvim.feed('[[');
    await nvim.waitFor('the second message', async () => (await line()) === headers[1]);
    await nvim.feed('g?');
    await nvim.waitForScreen('copy the block under the cursor');
    await nvim.feed('q');
    await nvim.waitFor('the list to close', () => nvim.screen.find('copy the block under the cursor') === undefined);
    await nvim.feed('i');
    await nvim.waitForLua('the input', `return vim.b.sidekicks.kind == 'input'`);
    expect(await nvim.mode()).toBe('i');
  });

  it('goes to the file and line a tool call names, in a window of files', async () => {
    const own = place({ 'b.txt': 'one\ntwo\nthree\n' });
    const toolCall = { op: 'tool_call', toolCallId: 't1', title: 'Read b', kind: 'read', status: 'completed' };
    const script = [{ ...toolCall, locations: [{ path: own.path('b.txt'), line: 2 }] }];
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { script }) } });
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'read it');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd k');
    await nvim.waitForScreen('Read b');
    await nvim.lua(`vim.fn.search('Read b', 'w')`);
    await nvim.feed('<CR>');
    await nvim.waitForLua('the file', `return vim.fn.expand('%:t') == 'b.txt' and vim.fn.line('.') == 2`);
    expect(await names(nvim)).toEqual(['b.txt', ...BOB]);
    await nvim.command('wincmd p | wincmd k');
    await nvim.lua(`vim.fn.search('Read b', 'w')`);
    await nvim.feed('K');
    await nvim.waitForLua('the tool call', `return vim.api.nvim_win_get_config(0).relative ~= ''`);
    await nvim.feed('q');
    await nvim.waitForLua('the transcript', `return vim.api.nvim_win_get_config(0).relative == ''`);
  });
  it('lets nothing of a title of a tool call drive the terminal when the whole call is shown', async () => {
    const title = 'Read\u001b[2J\u0007\nb';
    const script = [{ op: 'tool_call', toolCallId: 't1', title, kind: 'read', status: 'completed' }] as const;
    const { nvim, sidekicks } = await startWith({ bob: { script } });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'read it');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd k');
    await nvim.waitForScreen('read  Read');
    await nvim.lua(`vim.fn.search('read  Read', 'w')`);
    await nvim.feed('K');
    await nvim.waitForScreen('╭ Read␛[2J␇ ↵ b ');
    expect(nvim.screen.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
