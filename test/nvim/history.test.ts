// What was said, found and taken along: the queue and what was not sent, search, export, a channel asked from a command.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { script } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks, textOf } from './support/sidekicks.ts';
import { gate, goToTranscript, lineOf, openGate, say, startWith } from './product/person.ts';

const BOB = 'sidekicks://agent/bob';

/** The cursor to the line of the transcript that holds the text. */
async function goToLine(nvim: Nvim, text: string): Promise<void> {
  const line = await nvim.waitFor(text, () => lineOf(nvim, text));
  await nvim.feed(`${line}G`);
}

const answerSelect = (nvim: Nvim, index: number) =>
  nvim.lua(
    `local index = ...
    vim.ui.select = function(items, opts, choose)
      _G.question = opts.prompt
      choose(items[index], index)
    end`,
    index,
  );

describeNvim('messages that wait', (ground) => {
  it('are edited and removed where they stand, and sent in order', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await say(nvim, script(gate(own, 'go'), { op: 'text', text: 'done' }));
    await say(nvim, 'second');
    await say(nvim, 'third');
    await say(nvim, 'fourth');
    await nvim.waitForScreen('3 queued');
    await goToTranscript(nvim);
    await goToLine(nvim, 'third');
    await nvim.feed('dd');
    await nvim.waitForScreen('2 queued');
    await goToLine(nvim, 'second');
    await nvim.feed('cc');
    await nvim.waitForScreen('Waiting message');
    await nvim.feed('A, changed<Esc><CR>');
    await nvim.waitForScreen('second, changed');
    await nvim.waitForLua('the window to close', `return vim.api.nvim_win_get_config(0).relative == ''`);
    openGate(own, 'go');
    const { messages } = await sidekicks.waitUntilIdle(id);
    const said = messages.filter(({ role }) => role === 'user').map(textOf);
    expect(said.slice(1)).toEqual(['second, changed', 'fourth']);
  });

  it('keep what was written when they are sent meanwhile, and say so', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    nvim.allowErrors(/no such message/);
    const id = await sidekicks.open('bob');
    await say(nvim, script(gate(own, 'go')));
    await say(nvim, 'second');
    await nvim.waitForScreen('1 queued');
    await goToTranscript(nvim);
    await goToLine(nvim, 'second');
    await nvim.feed('cc');
    await nvim.waitForScreen('Waiting message');
    openGate(own, 'go');
    await sidekicks.waitUntilIdle(id);
    await nvim.feed('A, too late<Esc><CR>');
    await nvim.waitForScreen('no such message');
    expect(nvim.screen.text()).toContain('second, too late');
    await nvim.feed('q');
    await nvim.waitForLua('the window to close', `return vim.api.nvim_win_get_config(0).relative == ''`);
    await goToLine(nvim, 'second');
    await nvim.feed('dd');
    await nvim.waitForScreen('no waiting message is here');
  });

  it('are sent again with a key after a cancel, and stand once', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await say(nvim, script({ op: 'wait_cancel' }));
    await say(nvim, 'once more');
    await nvim.waitForScreen('1 queued');
    await goToTranscript(nvim);
    await nvim.feed('<C-c>');
    await nvim.waitForScreen('not sent: cancelled');
    await sidekicks.waitUntilIdle(id);
    await goToLine(nvim, 'once more');
    await nvim.feed('R');
    await nvim.waitForScreen('Hello from bob.');
    const { messages } = await sidekicks.waitUntilIdle(id);
    expect(messages.filter((message) => textOf(message) === 'once more')).toHaveLength(1);
    await goToLine(nvim, 'once more');
    await nvim.feed('R');
    await nvim.waitForScreen('no message that was not sent is here');
  });
});

describeNvim('search', (ground) => {
  const quickfix = (nvim: Nvim) => nvim.lua<{ text: string; module: string }[]>('return vim.fn.getqflist()');

  it('lists the messages of every conversation, and each entry goes to its own, older ones loaded', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: { args: ['--reply', 'answered'] } },
      {
        place: own,
        config: { channels: { review: { members: ['bob'] } } },
      },
    );
    const { id } = await sidekicks.direct('bob');
    await sidekicks.send(id, 'the needle of the first day');
    for (let number = 1; number <= 160; number += 1) await sidekicks.send(id, `question ${number}.`);
    await sidekicks.waitUntilIdle(id, 60_000);
    const [review] = (await sidekicks.call('ChannelService.List', {})).channels.filter(({ name }) => name === 'review');
    await sidekicks.ask(review?.id ?? '', 'a NEEDLE in a channel');
    await nvim.dispose();

    const again = await ground.start({ place: own, args: ['a.txt'] });
    await Sidekicks.in(again);
    await again.command('Sidekicks search needle');
    await again.waitFor('the hits', async () => (await quickfix(again)).length === 2);
    const hits = await quickfix(again);
    expect(hits.map(({ text }) => text).toSorted()).toEqual(['a NEEDLE in a channel', 'the needle of the first day']);
    expect(hits.map(({ module }) => module.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'then')).toSorted()).toEqual([
      '#review · You · then',
      'bob · You · then',
    ]);
    expect(await again.lua('return vim.bo.filetype')).toBe('qf');
    const index = hits.findIndex(({ text }) => text.includes('first day'));
    await again.feed(`${index + 1}G<CR>`);
    await again.waitFor('the first message', async () => {
      const [name, line] = await again.lua<string[]>(
        'return { vim.api.nvim_buf_get_name(0), vim.api.nvim_get_current_line() }',
      );
      return name === BOB && line === 'the needle of the first day';
    });
    await again.waitForScreen('the needle of the first day');
    const found = await again.lua<[string, string][]>(`
      local space = vim.api.nvim_get_namespaces()['sidekicks.search']
      return vim.tbl_map(function(mark)
        local text = vim.api.nvim_buf_get_text(0, mark[2], mark[3], mark[4].end_row, mark[4].end_col, {})
        return { text[1], mark[4].hl_group }
      end, vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true }))`);
    expect(found).toEqual([['needle', 'SidekicksFound']]);
    // The file that was there is still shown: nothing of a person's windows is taken.
    expect(again.screen.text()).toContain('a.txt');
    await again.command(`cc ${2 - index}`);
    await again.waitForLua('the other', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://channel/review'`);
    await again.waitForScreen('a NEEDLE in a channel');
    await again.command(`cc ${index + 1}`);
    await again.waitForLua('the first again', `return vim.api.nvim_buf_get_name(0) == ...`, BOB);
  });

  it('takes every sign as a text, and says when nothing is found', async () => {
    const { nvim, sidekicks } = await startWith(ground, { bob: {} });
    nvim.allowErrors(/name the words/);
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, 'where is "déjà-vu" | NOT here');
    for (const words of ['"deja-vu" | NOT', 'déjà -vu', "not ' here*"]) {
      await nvim.command('cgetexpr []');
      await nvim.command(`Sidekicks search ${words}`);
      await nvim.waitFor(words, async () => (await quickfix(nvim)).length === 1);
    }
    await nvim.command('Sidekicks search nothing like "this"');
    await nvim.waitForScreen('no message has all of: nothing like "this"');
    await nvim.command('Sidekicks search');
    await nvim.waitForScreen('name the words to search for');
  });

  it('leaves no names of messages behind once the lists that held them are gone', async () => {
    const { nvim, sidekicks } = await startWith(ground, { bob: { args: ['--reply', 'answered'] } });
    const { id } = await sidekicks.direct('bob');
    for (const text of ['apple one', 'apple two', 'pear']) await sidekicks.ask(id, text);
    const names = () =>
      nvim.lua<number>(`
        return #vim.tbl_filter(function(buf)
          return vim.startswith(vim.api.nvim_buf_get_name(buf), 'sidekicks://message/')
        end, vim.api.nvim_list_bufs())`);
    const search = async (words: string, hits: number) => {
      await nvim.command(`Sidekicks search ${words}`);
      await nvim.waitFor(words, async () => (await quickfix(nvim)).length === hits);
    };
    await search('apple', 2);
    await search('pear', 1);
    expect(await names()).toBe(3);
    await nvim.lua(`vim.fn.setqflist({}, 'f')`);
    await search('pear', 1);
    expect(await names()).toBe(1);
  });

  it('opens a conversation of another project with its folder named', async () => {
    const own = ground.place({ 'other/.git/HEAD': '' });
    const config = { channels: { review: { members: ['bob'] } } };
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own, config });
    await nvim.command(`cd ${own.path('other')}`);
    const [there] = (await sidekicks.call('ChannelService.List', {})).channels;
    await sidekicks.ask(there?.id ?? '', 'said elsewhere');
    await nvim.command(`cd ${own.project}`);
    await nvim.command('SidekicksChannel review');
    await nvim.waitForScreen('Members: @bob');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks search elsewhere');
    await nvim.waitFor('the hit', async () => (await quickfix(nvim)).length === 1);
    expect((await quickfix(nvim))[0]?.module).toContain(`#review (${own.path('other')})`);
    await nvim.command('cfirst');
    const there_too = `sidekicks://channel/review/in/${own.path('other').replaceAll('/', '%2F')}`;
    await nvim.waitForLua('the other project', `return vim.api.nvim_buf_get_name(0) == ...`, there_too);
    await nvim.waitFor('the message', async () => (await nvim.bufferLines(there_too)).includes('said elsewhere'));
    expect(nvim.screen.text()).toContain('#review (');
    await nvim.command('SidekicksChannel review');
    await nvim.waitForLua(
      'the one of this project',
      `return vim.api.nvim_buf_get_name(0) == 'sidekicks://channel/review/input'`,
    );
  });
});

describeNvim('export', (ground) => {
  it('shows the conversation as Markdown in a buffer, or writes it, asking before a file is replaced', async () => {
    const own = ground.place({ 'a file.md': 'old' });
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own, args: ['a.txt'] });
    nvim.allowErrors(/is a folder/);
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'hello');
    await nvim.feed('<Esc>');
    const { text } = await sidekicks.call('ChannelService.Export', { id });
    await nvim.command('Sidekicks export');
    await nvim.waitForLua('the text', `return vim.bo.filetype == 'markdown'`);
    expect(await nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')).toEqual(
      text.trimEnd().split('\n'),
    );
    await nvim.command('Sidekicks export new file.md');
    await nvim.waitFor('the file', () => existsSync(own.path('new file.md')));
    await nvim.waitForScreen('written to new file.md');
    expect(readFileSync(own.path('new file.md'), 'utf8')).toBe(text);
    await answerSelect(nvim, 1);
    await nvim.command('Sidekicks export a file.md');
    await nvim.waitForLua('the question', 'return _G.question');
    expect(await nvim.lua('return _G.question')).toBe('a file.md is there already. Replace it?');
    expect(own.read('a file.md')).toBe('old');
    await answerSelect(nvim, 2);
    await nvim.command('Sidekicks export a file.md');
    await nvim.waitFor('the new text', () => own.read('a file.md') === text);
    writeFileSync(own.path('a file.md'), 'old again');
    await nvim.command('Sidekicks! export a file.md');
    await nvim.waitFor('the new text', () => own.read('a file.md') === text);
    await nvim.command('Sidekicks export .');
    await nvim.waitForScreen('is a folder');
    const completed = await nvim.lua<string[]>(`return vim.fn.getcompletion('Sidekicks export a fi', 'cmdline')`);
    expect(completed).toEqual(['file.md']);
  });
});

describeNvim('a channel in scripts', (ground) => {
  it('is asked by its name, quoted where it has blanks, and gives every answer', async () => {
    const { nvim } = await startWith(
      ground,
      { ann: { args: ['--reply', 'ann’s'] }, ben: {} },
      {
        config: { channels: { 'code review': { members: ['ann', 'ben'] }, plans: { members: ['ben'] } } },
      },
    );
    nvim.allowErrors(/nobody was asked|no channel named|name an agent/);
    const told = (words: string) => nvim.waitFor(words, async () => (await nvim.messages()).includes(words));
    await nvim.command('Sidekicks ask #plans hello');
    await told('Hello from ben.');
    await nvim.command('Sidekicks ask #"code review" @ben @ann hello');
    await told('ben:\nHello from ben.\n\nann:\nann’s');
    await nvim.command('messages clear');
    await nvim.command('Sidekicks ask "#code review" @nobody hello');
    await told('nobody was asked: no agent is named nobody');
    await nvim.command('Sidekicks ask #nothing hello');
    await told('there is no channel named nothing here');
    await nvim.command('Sidekicks ask #plans');
    await told('name an agent and what to ask it');
  });
});
