// The lists that open in the input after `/` and `@`, and the two meanings of <CR> (SPEC 16, CASES B14).
import { expect, it } from 'vitest';
import type { Command } from '../../src/core/contract/shapes.ts';
import { writeFile } from '../../src/core/prompt/writing.ts';
import { block, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const INPUT = 'sidekicks://agent/bob/input';

const COMMANDS: Command[] = [
  { name: 'web', description: 'search the web', hint: 'query' },
  { name: 'web-read', description: 'read one page', hint: '' },
  { name: 'plan', description: 'make a plan\nfirst', hint: '' },
];

const opened = (nvim: Nvim, answers: Parameters<typeof StandIn.open>[2] = {}) =>
  StandIn.open(nvim, [block('p', 'prose', ['hello'])], {
    'ChannelService.Commands': { commands: COMMANDS },
    ...answers,
  });

/** What the host answers where these files were found. */
const found = (paths: readonly string[], complete = true) => ({
  files: paths.map((path) => ({ path, word: writeFile('@', path) })),
  complete,
});

/** The words of the list that is open, in its order. */
const list = (nvim: Nvim): Promise<string[]> =>
  nvim.lua(`return vim.fn.pumvisible() == 1
    and vim.tbl_map(function(item) return item.word end, vim.fn.complete_info({ 'items' }).items) or {}`);

async function waitForList(nvim: Nvim, words: readonly string[]): Promise<void> {
  await nvim.waitFor(`the list ${words.join(' ')}`, async () => (await list(nvim)).join('\n') === words.join('\n'));
}

const sent = async (host: StandIn) => (await host.asked('ChannelService.Send')).map(({ params }) => params['text']);
const input = (nvim: Nvim) => nvim.bufferLines(INPUT);

describeNvim('the list of commands', ({ start }) => {
  it('opens where / is typed, with what each does, and narrows as one types', async () => {
    const nvim = await start();
    await opened(nvim);
    await nvim.feed('/');
    await waitForList(nvim, ['/web', '/web-read', '/plan']);
    expect(nvim.screen.text()).toMatch(/\/web +‹query› search the web/);
    expect(nvim.screen.text()).toMatch(/\/plan +make a plan first/);
    await nvim.feed('we');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<BS><BS>pl');
    await waitForList(nvim, ['/plan']);
    await nvim.feed('zzz');
    await waitForList(nvim, []);
    expect(await input(nvim)).toEqual(['/plzzz']);
  });

  it('opens only where a command can begin', async () => {
    const nvim = await start();
    await opened(nvim);
    for (const text of ['see ', '/usr', 'first<C-j>', ' ']) {
      await nvim.feed(`${text}/`);
      expect(await list(nvim)).toEqual([]);
      await nvim.feed('<Esc>ggdGi');
    }
  });

  it('completes an unfinished word with <CR>, and sends a finished one', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('/pl');
    await waitForList(nvim, ['/plan']);
    await nvim.feed('<CR>');
    expect(await input(nvim)).toEqual(['/plan']);
    expect(await list(nvim)).toEqual([]);
    expect(await sent(host)).toEqual([]);
    await nvim.feed('<CR>');
    await nvim.waitFor('the prompt', async () => (await sent(host)).length === 1);
    expect(await sent(host)).toEqual(['/plan']);
    expect(await nvim.mode()).toMatch(/^i/);
  });

  it('sends a word that reads like a command although others go on from it', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('/web');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<CR>');
    await nvim.waitFor('the prompt', async () => (await sent(host)).length === 1);
    expect(await sent(host)).toEqual(['/web']);
    expect(await input(nvim)).toEqual(['']);
    await nvim.feed('/web');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<Down><CR>');
    expect(await input(nvim)).toEqual(['/web-read']);
  });

  it('has the keys of Neovim’s own list', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('/w');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<C-n>');
    expect(await input(nvim)).toEqual(['/web-read']);
    await nvim.feed('<C-y> x<CR>');
    await nvim.waitFor('the prompt', async () => (await sent(host)).length === 1);
    expect(await sent(host)).toEqual(['/web-read x']);
    await nvim.feed('/w');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<Up><Up><C-e>');
    expect(await list(nvim)).toEqual([]);
    expect(await input(nvim)).toEqual(['/w']);
  });

  it('closes when the word is complete', async () => {
    const nvim = await start();
    await opened(nvim);
    await nvim.feed('/pla');
    await waitForList(nvim, ['/plan']);
    await nvim.feed('n');
    await waitForList(nvim, []);
    await nvim.feed(' now');
    expect(await input(nvim)).toEqual(['/plan now']);
  });

  it('fills itself when commands are announced while it is open, after asking the agents to get ready', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ChannelService.Commands': { commands: [] } });
    const before = (await host.asked('ChannelService.Prepare')).length;
    await nvim.feed('/');
    await host.waitForAsked('ChannelService.Prepare', before + 1);
    expect(await list(nvim)).toEqual([]);
    await host.send('commands:changed', { agent: 'bob', commands: COMMANDS.slice(2) });
    await waitForList(nvim, ['/plan']);
    await host.send('commands:changed', { agent: 'bob', commands: COMMANDS });
    await waitForList(nvim, ['/web', '/web-read', '/plan']);
    await host.send('commands:changed', { agent: 'bob', commands: [] });
    await waitForList(nvim, []);
    await nvim.feed('x');
    expect(await input(nvim)).toEqual(['/x']);
  });

  it('works as an omnifunc, and leaves the options of others alone', async () => {
    const nvim = await start();
    await nvim.command('set completeopt=menu,preview');
    await opened(nvim);
    await nvim.feed('/w');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<C-e>');
    await waitForList(nvim, []);
    await nvim.feed('<C-x><C-o>');
    await waitForList(nvim, ['/web', '/web-read']);
    await nvim.feed('<C-y><Esc>');
    expect(await input(nvim)).toEqual(['/web']);
    expect(await nvim.lua('return vim.go.completeopt')).toBe('menu,preview');
  });
});

describeNvim('the list of files', ({ start }) => {
  it('asks the host for what is typed, and shows what it finds', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ViewService.Files': found(['src/main.ts', 'main.md']) });
    await nvim.feed('look at @ma');
    await waitForList(nvim, ['@src/main.ts', '@main.md']);
    expect((await host.asked('ViewService.Files')).at(-1)?.params).toMatchObject({ id: 'c1', query: 'ma' });
    expect(nvim.screen.text()).toMatch(/src\/main\.ts +file/);
    await nvim.feed('<CR>');
    expect(await input(nvim)).toEqual(['look at @src/main.ts']);
    await nvim.feed(' please<CR>');
    await nvim.waitFor('the prompt', async () => (await sent(host)).length === 1);
    expect(await sent(host)).toEqual(['look at @src/main.ts please']);
  });

  it('goes on through a path, also one that a word of Neovim would end', async () => {
    const nvim = await start();
    await opened(nvim, { 'ViewService.Files': found(['src/core/a-b.ts', 'src/core/a.test.ts']) });
    await nvim.feed('@src/core/a');
    await waitForList(nvim, ['@src/core/a-b.ts', '@src/core/a.test.ts']);
    await nvim.feed('.test.t');
    await waitForList(nvim, ['@src/core/a-b.ts', '@src/core/a.test.ts']);
    await nvim.feed('<Down><CR>');
    expect(await input(nvim)).toEqual(['@src/core/a.test.ts']);
  });

  it('drops an answer that comes late', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.hold('ViewService.Files');
    await nvim.feed('@a');
    await host.waitForAsked('ViewService.Files');
    await nvim.lua('stand_in.first = stand_in.held["ViewService.Files"]');
    await nvim.feed('b');
    await host.waitForAsked('ViewService.Files', 2);
    await nvim.lua(`stand_in.first(nil, { files = { { path = 'late.txt', word = '@late.txt' } }, complete = true })`);
    expect(await list(nvim)).toEqual([]);
    await host.release('ViewService.Files', found(['ab.txt']));
    await waitForList(nvim, ['@ab.txt']);
    await nvim.feed(' gone');
    await nvim.lua(`stand_in.first(nil, { files = { { path = 'late.txt', word = '@late.txt' } }, complete = true })`);
    expect(await input(nvim)).toEqual(['@ab gone']);
    expect(await list(nvim)).toEqual([]);
  });

  it('never completes to a file that what is typed cannot mean, however late the answer', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ViewService.Files': found(['Makefile', 'main.ts']) });
    await nvim.feed('@m');
    await waitForList(nvim, ['@Makefile', '@main.ts']);
    await host.hold('ViewService.Files');
    await nvim.feed('ain');
    await waitForList(nvim, ['@main.ts']);
    await nvim.feed('<CR>');
    expect(await input(nvim)).toEqual(['@main.ts']);
  });

  it('asks again while a large tree is still being read', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ViewService.Files': { files: [], complete: false } });
    await nvim.feed('@big');
    await host.waitForAsked('ViewService.Files', 2);
    await host.answer('ViewService.Files', found(['big.txt']));
    await waitForList(nvim, ['@big.txt']);
  });

  it.each([
    ['my notes.md', '@"my notes.md"'],
    ['a (1).txt', '@"a (1).txt"'],
    ['été.md', '@été.md'],
    ['e\u0301te\u0301.md', '@e\u0301te\u0301.md'],
    ['100%.csv', '@100%.csv'],
    ["it's.md", `@"it's.md"`],
    ['dir with space/x.md', '@"dir with space/x.md"'],
    ['a\u00a0b.md', '@"a\u00a0b.md"'],
    ['ends.', '@"ends."'],
    ['c:1', '@"c:1"'],
  ])('writes %s so that it reads back to that file (B14)', async (path, word) => {
    const nvim = await start();
    await opened(nvim, { 'ViewService.Files': { files: [{ path, word }], complete: true } });
    await nvim.feed('@');
    await waitForList(nvim, [word]);
    await nvim.feed('<CR>');
    expect(await input(nvim)).toEqual([word]);
  });

  it('goes on in a quoted path, and does not open where @ names no file (B12)', async () => {
    const nvim = await start();
    await opened(nvim, { 'ViewService.Files': found(['my notes.md']) });
    await nvim.feed('see @"my no');
    await waitForList(nvim, ['@"my notes.md"']);
    await nvim.feed('<CR>, then');
    expect(await input(nvim)).toEqual(['see @"my notes.md", then']);
    for (const text of ['sam@', 'in `code @', '```<C-j>@']) {
      await nvim.feed(`<Esc>ggdGi${text}`);
      expect(await list(nvim)).toEqual([]);
    }
    await nvim.feed('<Esc>ggdGi(@');
    await waitForList(nvim, ['@"my notes.md"']);
  });
});

describeNvim('the lists of attachments and contexts', ({ start }) => {
  const attachable = { files: [{ path: '5 notes.md', word: '$"5 notes.md"' }], complete: true };

  it('open after $ and #, where a letter follows and a word begins', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ViewService.Files': attachable });
    for (const text of ['costs $', '5$no', 'x$no', 'in `code $no', '# ', '#', 'x#di', '$5', '#Di']) {
      await nvim.feed(text);
      expect([text, await list(nvim)]).toEqual([text, []]);
      await nvim.feed('<Esc>ggdGi');
    }
    await nvim.feed('see $no');
    await waitForList(nvim, ['$"5 notes.md"']);
    expect((await host.asked('ViewService.Files')).at(-1)?.params).toMatchObject({
      id: 'c1',
      sign: '$',
      query: 'no',
      text: 'see $no',
    });
    await nvim.feed('<CR> $"5 n');
    await waitForList(nvim, ['$"5 notes.md"']);
    await nvim.feed('<CR> (#di');
    await waitForList(nvim, ['#diagnostics', '#diff']);
    expect(await nvim.lua('return vim.fn.complete_info({ "items" }).items[2].menu')).toBe(
      'what changed since the last commit',
    );
    await nvim.feed('f');
    await waitForList(nvim, ['#diff']);
    await nvim.feed('<CR>)<CR>');
    await nvim.waitFor('the prompt', async () => (await sent(host)).length === 1);
    expect(await sent(host)).toEqual(['see $"5 notes.md" $"5 notes.md" (#diff)']);
  });

  it('never mix the ways in which the two signs write a file', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ViewService.Files': attachable });
    await nvim.feed('$no');
    await waitForList(nvim, ['$"5 notes.md"']);
    await host.hold('ViewService.Files');
    await nvim.feed('<C-e> @no');
    await host.waitForAsked('ViewService.Files', 2);
    expect(await list(nvim)).toEqual([]);
    await host.release('ViewService.Files', found(['notes.md']));
    await waitForList(nvim, ['@notes.md']);
  });
});

describeNvim('the lists and completion plugins', ({ start }) => {
  it('leaves other lists off in the input, unless they have our source', async () => {
    const nvim = await start();
    await nvim.lua(
      `package.loaded['cmp'] = { setup = { buffer = function(opts) vim.b.cmp_enabled = opts.enabled end } }`,
    );
    await opened(nvim);
    expect(await nvim.lua(`return { vim.b.completion, vim.b.minicompletion_disable, vim.b.cmp_enabled }`)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('gives nvim-cmp its entries, and stays closed then', async () => {
    const nvim = await start();
    await nvim.lua(`
      package.loaded['cmp'] = { register_source = function(name, source) stand_in_source = { name, source } end }
      require('sidekicks.integrations.cmp').setup()`);
    await opened(nvim, { 'ViewService.Files': found(['my notes.md']) });
    await nvim.feed('see @my');
    await nvim.lua(`stand_in_source[2]:complete({}, function(answer) stand_in.items = answer.items end)`);
    const items = await nvim.waitForLua('the entries', 'return stand_in.items');
    expect(items).toMatchObject([
      {
        label: 'my notes.md',
        textEdit: {
          newText: '@"my notes.md"',
          range: { start: { line: 0, character: 4 }, end: { line: 0, character: 7 } },
        },
      },
    ]);
    expect(await nvim.lua('return { stand_in_source[1], stand_in_source[2]:is_available() }')).toEqual([
      'sidekicks',
      true,
    ]);
    expect(await list(nvim)).toEqual([]);
  });

  it('gives blink.cmp its entries, and stays closed then', async () => {
    const nvim = await start();
    await nvim.lua(`
      package.loaded['blink.cmp.config'] = {
        sources = { providers = { sidekicks = { module = 'sidekicks.integrations.blink' } } },
      }`);
    await opened(nvim);
    await nvim.feed('/pl');
    await nvim.lua(`
      local source = require('sidekicks.integrations.blink').new()
      source:get_completions({ bufnr = vim.api.nvim_get_current_buf() }, function(answer) stand_in.items = answer.items end)`);
    await nvim.feed('a');
    await nvim.lua(`
      local source = require('sidekicks.integrations.blink').new()
      source:get_completions({ bufnr = vim.api.nvim_get_current_buf() }, function(answer) stand_in.items = answer.items end)`);
    expect(await nvim.lua('return stand_in.items')).toMatchObject([{ label: '/plan', textEdit: { newText: '/plan' } }]);
    expect(await list(nvim)).toEqual([]);
    expect(await nvim.lua('return vim.b.completion == nil')).toBe(true);
  });
});
