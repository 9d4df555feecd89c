// The files of a workspace in a container as buffers (SPEC 2, 11): read and written through it, faithful, never over what
// somebody else wrote meanwhile.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Engine } from '../engine/engine.ts';
import { describeEngine } from '../engine/describe-engine.ts';
import { received, scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Questions } from './support/questions.ts';
import { Sidekicks } from './support/sidekicks.ts';

const FILES = 'sidekicks://files/web/';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const inside = (name: string): string => `sidekicks://file/web/${name}`;

const text = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
const isModified = (nvim: Nvim) => nvim.lua<boolean>('return vim.bo.modified');
const waitForText = (nvim: Nvim, lines: readonly string[]) =>
  nvim.waitFor(`the text ${lines.join(' ')}`, async () => JSON.stringify(await text(nvim)) === JSON.stringify(lines));
const waitForRows = (nvim: Nvim, rows: readonly string[], name = FILES) =>
  nvim.waitFor(`the rows ${rows.join(' ')}`, async () => {
    const lines = await nvim.bufferLines(name);
    return JSON.stringify(lines) === JSON.stringify(rows);
  });
const waitForLoaded = (nvim: Nvim) => nvim.waitForLua('the text', 'return vim.bo.modifiable');
/** What is written is told when it is there. */
const written = (nvim: Nvim) => nvim.waitForScreen(/is written: \d+ lines?/);

describeEngine('in a container', () => {
  let engine: Engine;
  const shared = mkdtempSync('/tmp/sk-inside-');
  beforeAll(async () => {
    engine = await Engine.start();
    await engine.run('web-1', { mounts: { [shared]: '/app' } });
  }, 60_000);
  afterAll(async () => {
    await engine.dispose();
    rmSync(shared, { recursive: true });
  }, 60_000);

  describeNvim('the files of a workspace', ({ start, place }) => {
    async function open(files: Readonly<Record<string, string | Uint8Array>>, runtime: object = {}) {
      const own = place();
      const folder = mkdtempSync(join(shared, 'w-'));
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
      const workspacePath = join('/app', folder.slice(shared.length));
      const entry = {
        runtime: { type: 'container', name: 'web-1', workspacePath, launch: 'host', ...runtime },
      };
      own.writeConfig({ agents: { web: scriptedAgent(own, 'web', { entry }) } });
      const nvim = await start({ place: own, env: engine.env });
      const sidekicks = await Sidekicks.in(nvim);
      const there = (path: string): string => join(folder, path);
      return { own, nvim, sidekicks, workspacePath, there, get: (path: string) => readFileSync(there(path), 'utf8') };
    }

    it('are shown, opened by their name, and written', async () => {
      const { nvim, get, workspacePath } = await open({ 'src/a b.py': 'one\ntwo\n', 'z.txt': '' });
      await nvim.command('Sidekicks files web');
      await waitForRows(nvim, ['src/', 'z.txt']);
      await nvim.waitForScreen(`container web-1 · ${workspacePath}`);
      await nvim.feed('<CR>');
      await waitForRows(nvim, ['../', 'a b.py'], `${FILES}src`);
      await nvim.feed('j<CR>');
      await nvim.waitForScreen('two');
      expect(
        await nvim.lua('return { vim.api.nvim_buf_get_name(0), vim.bo.filetype, vim.bo.modified, vim.bo.swapfile }'),
      ).toEqual([inside('src/a%20b.py'), 'python', false, false]);
      await nvim.feed('ggOzero<Esc>');
      expect(await isModified(nvim)).toBe(true);
      await nvim.command('write');
      expect(await isModified(nvim)).toBe(false);
      await nvim.waitForScreen('“src/a b.py” is written: 3 lines, 13 B');
      expect(get('src/a b.py')).toBe('zero\none\ntwo\n');
      await nvim.feed('u');
      expect(await isModified(nvim)).toBe(true);
      await nvim.command('edit!');
      await waitForText(nvim, ['zero', 'one', 'two']);
      await nvim.feed('u');
      expect(await text(nvim)).toEqual(['zero', 'one', 'two']);
    });

    it.each([
      ['CR LF', 'a\r\nb\r\n', 'Xa\r\nb\r\n'],
      ['no last line end', 'a\nb', 'Xa\nb'],
      ['CR LF without the last', 'a\r\nb', 'Xa\r\nb'],
      ['mixed ends', 'a\r\nb\nc\r\n', 'Xa\r\nb\nc\r\n'],
      ['a mark', '\ufeffa\n', '\ufeffXa\n'],
      ['nothing', '', 'X\n'],
      ['one line end', '\n', 'X\n'],
      ['accents', 'é😀\n', 'Xé😀\n'],
    ])('stay what they are with %s', async (_, before, after) => {
      const { nvim, get } = await open({ 'a.txt': before });
      await nvim.command(`edit ${inside('a.txt')}`);
      await waitForLoaded(nvim);
      await nvim.command('write');
      expect(get('a.txt')).toBe(before);
      await nvim.feed('ggIX<Esc>');
      await nvim.command('write');
      expect([get('a.txt'), await isModified(nvim)]).toEqual([after, false]);
    });

    it('are written and left by :wq, and keep their mode', async () => {
      const { nvim, get, there } = await open({ run: 'one\n' });
      execFileSync('chmod', ['755', there('run')]);
      await nvim.command(`split ${inside('run')}`);
      await waitForLoaded(nvim);
      await nvim.feed('otrue<Esc>');
      await nvim.command('wq');
      expect([get('run'), statSync(there('run')).mode & 0o777]).toEqual(['one\ntrue\n', 0o755]);
      expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(1);
    });

    it('can be new, and are not written over when they came meanwhile', async () => {
      const { nvim, get, there } = await open({ a: '' });
      await nvim.command(`edit ${inside('new.lua')}`);
      await waitForLoaded(nvim);
      await nvim.waitForScreen('“new.lua” is new');
      expect(await nvim.lua('return vim.bo.filetype')).toBe('lua');
      await nvim.feed('ireturn<Esc>');
      await nvim.command('write');
      expect(get('new.lua')).toBe('return\n');
      const questions = await Questions.in(nvim);
      await nvim.command(`edit ${inside('other')}`);
      await waitForLoaded(nvim);
      await nvim.feed('imine<Esc>');
      writeFileSync(there('other'), 'theirs\n');
      await nvim.command('write');
      expect((await questions.answer(null)).prompt).toBe('other has changed since it was read.');
      expect([get('other'), await isModified(nvim)]).toEqual(['theirs\n', true]);
      await nvim.command('write!');
      expect([get('other'), await isModified(nvim)]).toEqual(['mine\n', false]);
    });

    async function conflict() {
      const opened = await open({ 'a.txt': 'one\ntwo\n' });
      const { nvim, there } = opened;
      await nvim.command(`edit ${inside('a.txt')}`);
      await waitForLoaded(nvim);
      await nvim.feed('ggOmine<Esc>');
      appendFileSync(there('a.txt'), 'theirs\n');
      const questions = await Questions.in(nvim);
      await nvim.command('write');
      expect(await questions.next()).toEqual({
        prompt: 'a.txt has changed since it was read.',
        choices: [
          'overwrite it with this text',
          'reload it: this text comes back by undo',
          'compare both, decide then',
        ],
      });
      expect([await isModified(nvim), opened.get('a.txt')]).toEqual([true, 'one\ntwo\ntheirs\n']);
      return { ...opened, questions };
    }

    it('are overwritten where somebody else wrote, if that is wanted', async () => {
      const { nvim, questions, get } = await conflict();
      await questions.answer('overwrite');
      await written(nvim);
      expect([get('a.txt'), await isModified(nvim)]).toEqual(['mine\none\ntwo\n', false]);
    });

    it('are reloaded, and what was typed comes back by one undo', async () => {
      const { nvim, questions } = await conflict();
      await questions.answer('reload');
      await waitForText(nvim, ['one', 'two', 'theirs']);
      expect(await isModified(nvim)).toBe(false);
      await nvim.feed('u');
      expect(await text(nvim)).toEqual(['mine', 'one', 'two']);
    });

    it('are compared, and then written over what was seen', async () => {
      const { nvim, questions, get, there } = await conflict();
      await questions.answer('compare');
      await nvim.waitForLua('the windows', 'return #vim.api.nvim_list_wins() == 2 and vim.wo.diff');
      expect(await nvim.lua('return vim.api.nvim_buf_get_name(0)')).toBe(inside('a.txt'));
      await nvim.waitForScreen('now: a.txt');
      await nvim.feed('Gdo');
      await nvim.command('write');
      expect(get('a.txt')).toBe('mine\none\ntwo\ntheirs\n');
      await nvim.waitForLua('one window', 'return #vim.api.nvim_list_wins() == 1 and not vim.wo.diff');
      // What nobody has seen is asked about again.
      appendFileSync(there('a.txt'), 'more\n');
      await nvim.feed('ggx');
      await nvim.command('write');
      await questions.answer(null);
      expect(await isModified(nvim)).toBe(true);
    });

    it('are followed: the folder, and a file that nobody changed here', async () => {
      const { nvim, there } = await open({ 'a.txt': 'one\n', b: '' });
      await nvim.command(`edit ${inside('a.txt')}`);
      await waitForText(nvim, ['one']);
      await nvim.command('Sidekicks files web');
      await waitForRows(nvim, ['a.txt', 'b']);
      await nvim.feed('j');
      writeFileSync(there('a.txt'), 'one\ntwo\n');
      writeFileSync(there('aa'), '');
      await waitForRows(nvim, ['a.txt', 'aa', 'b']);
      expect(await nvim.lua('return vim.api.nvim_get_current_line()')).toBe('b');
      await nvim.waitFor('the text', async () => (await nvim.bufferLines(inside('a.txt'))).join() === 'one,two');
      await nvim.feed('<C-w>p');
      await nvim.feed('ggOmine<Esc>');
      writeFileSync(there('a.txt'), 'other\n');
      writeFileSync(there('ab'), '');
      await waitForRows(nvim, ['a.txt', 'aa', 'ab', 'b']);
      expect(await text(nvim)).toEqual(['mine', 'one', 'two']);
    });

    it('are made and deleted, for good after a question that says so', async () => {
      const { nvim, get } = await open({ 'dir/x': '' });
      const questions = await Questions.in(nvim);
      await nvim.command('Sidekicks files web');
      await waitForRows(nvim, ['dir/']);
      await nvim.feed('a');
      await questions.answer("it's new");
      await waitForRows(nvim, ['dir/', "it's new"]);
      expect(get("it's new")).toBe('');
      await nvim.feed('dd');
      expect(await questions.answer('yes')).toEqual({
        prompt: "Delete it's new for good?",
        choices: ['no, keep it', 'yes, for good'],
      });
      await waitForRows(nvim, ['dir/']);
      await nvim.feed('dd');
      expect((await questions.answer('yes')).prompt).toBe('Delete the folder dir and all that is in it for good?');
      await nvim.waitForScreen('This folder is empty.');
    });

    it('are named in the message being written', async () => {
      const { nvim } = await open({ 'src/my notes.txt': '' });
      await nvim.command(`edit ${FILES}src`);
      await waitForRows(nvim, ['../', 'my notes.txt'], `${FILES}src`);
      await nvim.feed('jga');
      await nvim.waitForLua('the input', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://agent/web/input'`);
      await nvim.waitFor('the name', async () =>
        (await nvim.bufferLines('sidekicks://agent/web/input')).join().includes('$"src/my notes.txt"'),
      );
    });

    it('are images that open from a copy', async () => {
      const { nvim } = await open({ 'logo one.png': PNG });
      await nvim.lua('vim.ui.open = function(path) _G.opened = path end');
      await nvim.command('Sidekicks files web');
      await waitForRows(nvim, ['logo one.png']);
      await nvim.feed('<CR>');
      const copy = await nvim.waitFor('the copy', () => nvim.lua<string | null>('return _G.opened'));
      expect(copy).toMatch(/\/logo one\.png$/);
      expect(readFileSync(copy)).toEqual(PNG);
    });

    it('that are no text say so, and cannot be written', async () => {
      const { nvim, there } = await open({ binary: Buffer.from([1, 0, 255]), large: 'x'.repeat((1 << 20) + 1) });
      nvim.allowErrors(/has not been read|E21|E382/);
      for (const [name, reason] of [
        ['binary', 'is not UTF-8 text'],
        ['large', 'is larger than 1 MB'],
      ] as const) {
        await nvim.command(`edit ${inside(name)}`);
        await nvim.waitForScreen(`${name} ${reason}`);
        expect(await nvim.lua('return { vim.bo.modifiable, vim.bo.modified }')).toEqual([false, false]);
        await nvim.command('silent! write');
        await nvim.waitForScreen('has not been read');
      }
      expect(readFileSync(there('binary'))).toEqual(Buffer.from([1, 0, 255]));
    });

    it('are not written when the text is not UTF-8 any more', async () => {
      const { nvim, get } = await open({ 'a.txt': 'é😀\n' });
      await nvim.command(`edit ${inside('a.txt')}`);
      await waitForLoaded(nvim);
      nvim.allowErrors(/is not UTF-8 text/);
      await nvim.lua(`vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'a\\255b' })`);
      await nvim.command('write');
      await nvim.waitForScreen('a.txt is not UTF-8 text');
      expect([get('a.txt'), await isModified(nvim)]).toEqual(['é😀\n', true]);
    });

    it('say what is missing: the container, the program, the folder', async () => {
      const { nvim, own } = await open({}, { name: 'nobody' });
      await nvim.command('Sidekicks files web');
      await nvim.waitForScreen('nobody cannot be reached: ');
      const runtime = { type: 'container', name: 'web-1', launch: 'host' };
      const agent = (more: object) => scriptedAgent(own, 'web', { entry: { runtime: { ...runtime, ...more } } });
      own.writeConfig({ agents: { web: agent({ cli: 'nerdctl' }) } });
      await nvim.waitForScreen('the program nerdctl, which reaches web-1, was not found');
      own.writeConfig({ agents: { web: agent({ workspacePath: '/no/such/folder' }) } });
      await nvim.waitForScreen('there is no folder /no/such/folder in web-1');
    });

    it('come back with a session, the text of a file too', async () => {
      const { nvim, own, there } = await open({ 'src/a.txt': 'one\n', hidden: 'h\n' });
      await nvim.command(`edit ${inside('hidden')}`);
      await waitForLoaded(nvim);
      await nvim.command(`edit ${inside('src/a.txt')}`);
      await waitForLoaded(nvim);
      await nvim.command('split');
      await nvim.command('Sidekicks files web');
      await waitForRows(nvim, ['src/', 'hidden']);
      const session = own.path('Session.vim');
      await nvim.command(`mksession ${session}`);
      await nvim.quit();
      const again = await start({ place: own, args: ['-S', session], env: engine.env });
      await waitForRows(again, ['src/', 'hidden']);
      await again.waitFor('the file', async () => (await again.bufferLines(inside('src/a.txt'))).join() === 'one');
      await again.command(`buffer ${inside('hidden')}`);
      await waitForText(again, ['h']);
      await again.feed('x');
      await again.command('write');
      expect(readFileSync(there('hidden'), 'utf8')).toBe('\n');
    });

    it('ask in French', async () => {
      const { nvim, own, there, workspacePath } = await open({ 'a.txt': 'one\n' });
      const entry = { runtime: { type: 'container', name: 'web-1', workspacePath, launch: 'host' } };
      own.writeConfig({ language: 'fr', agents: { web: scriptedAgent(own, 'web', { entry }) } });
      await nvim.command('Sidekicks files web');
      await nvim.waitForScreen(`conteneur web-1 · ${workspacePath}`);
      await nvim.command(`edit ${inside('a.txt')}`);
      await waitForLoaded(nvim);
      await nvim.feed('ix<Esc>');
      appendFileSync(there('a.txt'), 'two\n');
      const questions = await Questions.in(nvim);
      await nvim.command('write');
      const { prompt, choices } = await questions.answer('l’écraser');
      expect([prompt, choices]).toEqual([
        'a.txt a changé depuis sa lecture.',
        [
          'l’écraser avec ce texte',
          'le recharger\u00a0: ce texte revient par annulation',
          'comparer les deux, décider ensuite',
        ],
      ]);
      await nvim.waitForScreen('est écrit');
    });

    it('go with a message from a folder that is not shared with this computer', async () => {
      const { sidekicks, nvim, own } = await open({ 'only there.txt': 'text there\n' });
      own.write('my notes.txt', 'notes\n');
      const id = await sidekicks.open('web');
      await nvim.feed('<Esc>');
      await nvim.command(`Sidekicks attach ${own.path('my\\ notes.txt')}`);
      await nvim.waitFor('the name', async () =>
        (await nvim.bufferLines('sidekicks://agent/web/input')).join().includes('$attachments/my-notes.txt'),
      );
      await sidekicks.ask(id, 'see $attachments/my-notes.txt and @"only there.txt" and $none.txt');
      const [prompt] = received(own, 'web', 'session/prompt');
      expect(JSON.stringify(prompt)).toContain('text there\\n');
      expect(JSON.stringify(prompt)).toContain('notes\\n');
      const { files } = await sidekicks.call('ViewService.Files', {
        id,
        text: '$only',
        sign: '$',
        query: 'only',
        limit: 5,
      });
      expect(files).toEqual([{ path: 'only there.txt', word: '$"only there.txt"' }]);
      const { messages } = await sidekicks.conversation(id);
      expect(messages.filter(({ code }) => code === 'attachment-unavailable').map(({ error }) => error)).toEqual([
        'there is no such file',
      ]);
    });

    it('are attached from this computer, in place where the folder is shared', async () => {
      const { sidekicks, own, get, there } = await open({ 'in.txt': 'same' });
      own.write('my notes.txt', 'notes');
      const attach = (hostPath: string) => sidekicks.request('WorkspaceService.Attach', { agent: 'web', hostPath });
      expect(await attach(own.path('my notes.txt'))).toEqual({ path: 'attachments/my-notes.txt' });
      expect(get('attachments/my-notes.txt')).toBe('notes');
      // The same path with the same content there and here is the same file.
      own.write('in.txt', 'same');
      expect(await attach(own.path('in.txt'))).toEqual({ path: 'in.txt' });
      own.write('in.txt', 'other');
      expect(await attach(own.path('in.txt'))).toEqual({ path: 'attachments/in.txt' });
      expect(readFileSync(there('in.txt'), 'utf8')).toBe('same');
    });
  });
});
