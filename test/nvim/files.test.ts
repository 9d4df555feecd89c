// The files of a workspace on this computer as a buffer (SPEC 2, 11): shown, followed, opened, made, deleted, attached.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Questions } from './support/questions.ts';
import { Sidekicks } from './support/sidekicks.ts';

const FILES = 'sidekicks://files/bob/';

const cursorRow = (nvim: Nvim) => nvim.lua<string>('return vim.api.nvim_get_current_line()');
const current = (nvim: Nvim) => nvim.lua<string>('return vim.api.nvim_buf_get_name(0)');

const waitForRows = (nvim: Nvim, rows: readonly string[], name = FILES) =>
  nvim.waitFor(`the rows ${rows.join(' ')}`, async () => {
    const lines = await nvim.bufferLines(name);
    return JSON.stringify(lines) === JSON.stringify(rows);
  });

const waitForBuffer = (nvim: Nvim, name: string) =>
  nvim.waitForLua(name, 'return vim.api.nvim_buf_get_name(0) == ...', name);

describeNvim('the files of a workspace', ({ start, place }) => {
  async function open(files: Readonly<Record<string, string>>, config: object = {}) {
    const own = place();
    mkdirSync(own.path('app'));
    for (const [path, text] of Object.entries(files)) own.write(`app/${path}`, text);
    own.writeConfig({
      agents: { bob: scriptedAgent(own, 'bob', { entry: { workspace: own.path('app') } }) },
      ...config,
    });
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    await nvim.command('Sidekicks files bob');
    await waitForBuffer(nvim, FILES);
    return { own, nvim, sidekicks, app: (path: string): string => join(own.project, 'app', path) };
  }

  it('shows folders first, then by name, with size and time, and where they are', async () => {
    const { nvim, own } = await open({ 'b.txt': 'x'.repeat(2048), 'a.txt': 'four', 'src/x': '', '.hidden': '' });
    await waitForRows(nvim, ['src/', '.hidden', 'a.txt', 'b.txt']);
    await nvim.waitForScreen(/a\.txt +4 B {2}\d{4}-\d\d-\d\d \d\d:\d\d/);
    await nvim.waitForScreen(/b\.txt +2\.0 KB/);
    await nvim.waitForScreen(`local · ${own.path('app')}`);
    expect(
      await nvim.lua(
        'return { vim.bo.filetype, vim.bo.modifiable, vim.bo.modified, vim.bo.swapfile, vim.b.sidekicks.kind }',
      ),
    ).toEqual(['sidekicks-files', false, false, false, 'files']);
  });

  it('goes down and up with a key, the cursor to where it came from', async () => {
    const { nvim } = await open({ 'a/x': '', 'src/deep/file': '', 'src/one': '', 'z.txt': '' });
    await waitForRows(nvim, ['a/', 'src/', 'z.txt']);
    await nvim.feed('j<CR>');
    await waitForRows(nvim, ['../', 'deep/', 'one'], `${FILES}src`);
    await nvim.feed('j<CR>');
    await waitForRows(nvim, ['../', 'file'], `${FILES}src/deep`);
    await nvim.feed('-');
    await nvim.waitFor('the folder', async () => (await cursorRow(nvim)) === 'deep/');
    await nvim.feed('gg<CR>');
    await nvim.waitFor('the folder', async () => (await cursorRow(nvim)) === 'src/');
    expect(await current(nvim)).toBe(FILES);
    await nvim.feed('-');
    await nvim.waitForScreen('this is the folder of the workspace itself');
  });

  it('opens the real file in this window, at once on screen, whatever it is called', async () => {
    const names = ['-rf', '[a]*?.txt', 'a b%#.txt', '$HOME', "it's|x"];
    const { nvim, app } = await open(Object.fromEntries(names.map((name) => [name, `text of ${name}\n`])));
    for (const name of names) {
      await nvim.waitFor('its row', () =>
        nvim.lua<number>(`return vim.fn.search('\\\\V\\\\^' .. vim.fn.escape(..., '\\\\') .. '\\\\$', 'cw')`, name),
      );
      await nvim.feed('<CR>');
      await waitForBuffer(nvim, app(name));
      await nvim.waitForScreen(`text of ${name}`);
      expect(await nvim.lua('return { vim.bo.buftype, vim.bo.buflisted }')).toEqual(['', true]);
      await nvim.feed('<C-o>');
      await waitForBuffer(nvim, FILES);
    }
  });

  it('shows names on one line, and opens them', async () => {
    const { nvim, app } = await open({ 'a\nb': 'text\n', 'x\u001b[31my': '' });
    await waitForRows(nvim, ['a^Jb', 'x^[[31my']);
    await nvim.feed('<CR>');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_lines(0, 0, -1, false)[1] == "text"');
    expect(await current(nvim)).toBe(app('a\nb'));
  });

  it('follows what changes while it is seen, the cursor on its file', async () => {
    const { nvim, own, app } = await open({ b: '', c: '', d: '' });
    await waitForRows(nvim, ['b', 'c', 'd']);
    await nvim.feed('j');
    own.write('app/a', '');
    await waitForRows(nvim, ['a', 'b', 'c', 'd']);
    expect(await cursorRow(nvim)).toBe('c');
    mkdirSync(app('folder'));
    await waitForRows(nvim, ['folder/', 'a', 'b', 'c', 'd']);
    expect(await cursorRow(nvim)).toBe('c');
    rmSync(app('c'));
    await waitForRows(nvim, ['folder/', 'a', 'b', 'd']);
    expect(await cursorRow(nvim)).toBe('d');
  });

  it('is followed as long as it is seen, and looked at again when it is seen again', async () => {
    const { nvim, own, sidekicks } = await open({ a: '' });
    await waitForRows(nvim, ['a']);
    await nvim.feed('q');
    await nvim.waitForLua('the files to hide', `return vim.fn.bufwinid('${FILES}') == -1`);
    await sidekicks.call('WorkspaceService.Watch', { agent: 'bob' });
    await sidekicks.call('WorkspaceService.Unwatch', { agent: 'bob' });
    const told = sidekicks.events('workspace:changed').length;
    own.write('app/b', '');
    await nvim.command('Sidekicks files bob');
    await waitForRows(nvim, ['a', 'b']);
    expect(sidekicks.events('workspace:changed')).toHaveLength(told);
    own.write('app/c', '');
    await waitForRows(nvim, ['a', 'b', 'c']);
  });

  it('makes a file of the name that is typed, and says why not', async () => {
    const { nvim, own } = await open({ 'src/a': '' });
    const questions = await Questions.in(nvim);
    await waitForRows(nvim, ['src/']);
    await nvim.feed('<CR>');
    await waitForRows(nvim, ['../', 'a'], `${FILES}src`);
    await nvim.feed('a');
    expect((await questions.answer('my new file')).prompt).toBe('Name of the new file:');
    await waitForRows(nvim, ['../', 'a', 'my new file'], `${FILES}src`);
    await nvim.waitFor('the cursor', async () => (await cursorRow(nvim)) === 'my new file');
    expect(own.read('app/src/my new file')).toBe('');
    nvim.allowErrors(/there is a src\/a already|cannot be the name/);
    await nvim.feed('a');
    await questions.answer('a');
    await nvim.waitForScreen('there is a src/a already');
    await nvim.feed('a');
    await questions.answer('b/c');
    await nvim.waitForScreen('“b/c” cannot be the name of a file');
    await nvim.feed('a');
    await questions.answer(null);
  });

  it('moves files and folders to the trash, after a question that says so', async () => {
    const { nvim, own } = await open({ 'a.txt': 'text', 'dir/x': 'deep' });
    const questions = await Questions.in(nvim);
    await waitForRows(nvim, ['dir/', 'a.txt']);
    await nvim.feed('Gdd');
    expect(await questions.answer('no')).toEqual({
      prompt: 'Move a.txt to the trash?',
      choices: ['no, keep it', 'yes, to the trash'],
    });
    expect(own.exists('app/a.txt')).toBe(true);
    await nvim.feed('dd');
    await questions.answer('yes');
    await waitForRows(nvim, ['dir/']);
    await nvim.waitForScreen('a.txt is in the trash');
    await nvim.feed('dd');
    expect((await questions.answer('yes')).prompt).toBe('Move the folder dir and all that is in it to the trash?');
    await nvim.waitForScreen('This folder is empty.');
    const trash = join('..', 'data', 'Trash', 'files');
    expect([own.read(join(trash, 'a.txt')), own.read(join(trash, 'dir/x'))]).toEqual(['text', 'deep']);
    nvim.allowErrors(/there is no file on this line/);
    await nvim.feed('dd');
    await nvim.waitForScreen('there is no file on this line');
  });

  it('attaches the file to the message being written', async () => {
    const { nvim, sidekicks } = await open({ 'src/my notes.txt': 'text' });
    await waitForRows(nvim, ['src/']);
    await nvim.feed('<CR>');
    await waitForRows(nvim, ['../', 'my notes.txt'], `${FILES}src`);
    await nvim.feed('jga');
    await waitForBuffer(nvim, 'sidekicks://agent/bob/input');
    await nvim.waitFor('the name', async () =>
      (await nvim.bufferLines('sidekicks://agent/bob/input')).join('\n').includes('$"src/my notes.txt"'),
    );
    expect((await sidekicks.direct('bob')).direct).toBe('bob');
  });

  it('opens an image with the program for it', async () => {
    const { nvim, app } = await open({ 'logo.PNG': '' });
    await nvim.lua('vim.ui.open = function(path) _G.opened = path end');
    await waitForRows(nvim, ['logo.PNG']);
    await nvim.feed('<CR>');
    await nvim.waitForLua('the program', 'return _G.opened == ...', app('logo.PNG'));
    expect(await current(nvim)).toBe(FILES);
  });

  it('opens nothing a link leads out to, and deletes the link alone', async () => {
    const { nvim, own, app } = await open({ a: '' });
    own.write('secret', 'secret\n');
    symlinkSync(own.path('secret'), app('link'));
    const questions = await Questions.in(nvim);
    await waitForRows(nvim, ['a', 'link']);
    nvim.allowErrors(/outside the workspace/);
    await nvim.feed('G<CR>');
    await nvim.waitForScreen('link is outside the workspace');
    await nvim.feed('dd');
    await questions.answer('yes');
    await waitForRows(nvim, ['a']);
    expect(own.read('secret')).toBe('secret\n');
  });

  it('says why nothing can be shown, and shows it as soon as it can', async () => {
    const { nvim, own, app } = await open({});
    await waitForRows(nvim, ['This folder is empty.', 'a makes a file.']);
    renameSync(app('.'), own.path('away'));
    await nvim.feed('R');
    await waitForRows(nvim, [`the folder ${own.path('app')} does not exist`]);
    renameSync(own.path('away'), own.path('app'));
    await nvim.feed('R');
    await waitForRows(nvim, ['This folder is empty.', 'a makes a file.']);
    await nvim.command('Sidekicks files nobody');
    await waitForRows(nvim, ['no agent named nobody is configured'], 'sidekicks://files/nobody/');
  });

  it('shows another folder as soon as the configuration names it', async () => {
    const { nvim, own } = await open({ a: '' });
    await waitForRows(nvim, ['a']);
    own.write('other/b', '');
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { entry: { workspace: own.path('other') } }) } });
    await waitForRows(nvim, ['b']);
    await nvim.waitForScreen(`local · ${own.path('other')}`);
    own.write('other/c', '');
    await waitForRows(nvim, ['b', 'c']);
  });

  it('is an ordinary buffer: :edit fills it, a split shows it twice, a session brings it back', async () => {
    const { nvim, own } = await open({ 'src/a b/x': '' });
    await nvim.command('edit sidekicks://files/bob/src/a\\%20b');
    await waitForRows(nvim, ['../', 'x'], `${FILES}src/a%20b`);
    await nvim.command('edit');
    await nvim.command('split');
    await waitForRows(nvim, ['../', 'x'], `${FILES}src/a%20b`);
    await nvim.command('only');
    const session = own.path('Session.vim');
    await nvim.command(`mksession ${session}`);
    await nvim.quit();
    const again = await start({ place: own, args: ['-S', session] });
    await waitForRows(again, ['../', 'x'], `${FILES}src/a%20b`);
    own.write('app/src/a b/y', '');
    await waitForRows(again, ['../', 'x', 'y'], `${FILES}src/a%20b`);
  });

  it('is opened from the Agents panel, and by the command without a name', async () => {
    const { nvim } = await open({ a: '' });
    await nvim.command('Sidekicks agents');
    await nvim.waitFor('bob', async () =>
      (await nvim.bufferLines('sidekicks://agents')).some((row) => /^bob/.test(row)),
    );
    await nvim.feed('gf');
    await waitForBuffer(nvim, FILES);
    await nvim.feed('q');
    await nvim.command('Sidekicks files');
    await waitForBuffer(nvim, FILES);
    expect(await nvim.lua(`return vim.fn.getcompletion('Sidekicks files ', 'cmdline')`)).toEqual(['bob']);
  });

  it('tells its keys, in French too', async () => {
    const { nvim, own } = await open({ a: 'x'.repeat(1536) });
    await waitForRows(nvim, ['a']);
    await nvim.feed('g?');
    await nvim.waitForScreen('attach it to the message being written');
    await nvim.feed('q');
    own.writeConfig({
      language: 'fr',
      agents: { bob: scriptedAgent(own, 'bob', { entry: { workspace: own.path('app') } }) },
    });
    await nvim.waitForScreen(/a +1,5\sKo/);
    await nvim.waitForScreen('Fichiers de bob');
    const questions = await Questions.in(nvim);
    await nvim.feed('dd');
    expect((await questions.answer('non')).prompt).toBe('Mettre a à la corbeille\u00a0?');
  });

  it('holds nobody up: a thousand files are there within a second, and keys work meanwhile', async () => {
    const own = place();
    mkdirSync(own.path('app'));
    for (let index = 0; index < 1000; index++) writeFileSync(own.path(`app/file-${index}`), '');
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { entry: { workspace: own.path('app') } }) } });
    const nvim = await start({ place: own });
    await nvim.command('Sidekicks files bob');
    await nvim.waitFor('all of them', async () => (await nvim.bufferLines(FILES)).length === 1000);
  });
});
