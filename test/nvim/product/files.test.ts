// Files between an agent and a person: unsaved text is read, writes land in buffers, and neither loses anything (SPEC 9).
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { received, script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import type { Place } from '../support/place.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';
import { answerTo } from './wire.ts';

const NUMBERS = '1\n2\n3\n';
const BOB = { bob: {} };

/** What Bob is answered to one request about a file, made in a turn of its own. */
async function answered({ own, sidekicks }: Setting, step: Step): Promise<unknown> {
  const number = received(own, 'bob', 'session/prompt').length;
  const { id } = await sidekicks.direct('bob');
  await sidekicks.ask(id, script({ ...step, id: number }));
  return answerTo(own, 'bob', number);
}

const read = (setting: Setting, path: string, rest: object = {}) =>
  answered(setting, { op: 'read', path: absolute(setting.own, path), ...rest });

const write = (setting: Setting, path: string, content: string) =>
  answered(setting, { op: 'write', path: absolute(setting.own, path), content });

const absolute = (own: Place, path: string): string => (path.startsWith('/') ? path : own.path(path));

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');

const isModified = (nvim: Nvim) => nvim.lua<boolean>('return vim.bo.modified');

const bufferFacts = (nvim: Nvim) =>
  nvim.lua(
    `return { #vim.api.nvim_list_wins(), #vim.api.nvim_list_bufs(), vim.fn.bufname(), vim.api.nvim_get_mode().mode }`,
  );

describeNvim('an agent that reads', (ground) => {
  it('gets what is on screen: unsaved text, never written text, and the disk where nothing is open (B16, B17)', async () => {
    const setting = await startWith(ground, BOB, {
      files: { 'a.txt': 'old\n', 'b.txt': 'disk\n', 'c.txt': 'clean\n', 'd.txt': 'gone\n' },
      args: ['a.txt'],
    });
    const { nvim, own } = setting;
    await nvim.command('set hidden | autocmd FileChangedShell * echoerr "asked"');
    await nvim.command('call setline(1, "new")');
    expect(await read(setting, 'a.txt')).toEqual({ content: 'new\n' });
    expect(own.read('a.txt')).toBe('old\n');
    expect(await isModified(nvim)).toBe(true);
    expect(await read(setting, 'b.txt')).toEqual({ content: 'disk\n' });

    await nvim.command(
      'badd b.txt | edit n.txt | call setline(1, "never written") | edit c.txt | edit d.txt | buffer a.txt',
    );
    expect(await read(setting, 'n.txt')).toEqual({ content: 'never written\n' });
    expect(await read(setting, 'b.txt')).toEqual({ content: 'disk\n' });
    expect(await nvim.lua(`return vim.fn.bufloaded('b.txt')`)).toBe(0);

    // Another program changes what is open: a clean buffer follows, one with unsaved text does not.
    own.write('c.txt', 'other\n');
    own.write('a.txt', 'OLD\n');
    await nvim.lua('vim.uv.fs_unlink(...)', own.path('d.txt'));
    expect(await read(setting, 'c.txt')).toEqual({ content: 'other\n' });
    expect(await nvim.bufferLines('c.txt')).toEqual(['other']);
    expect(await read(setting, 'a.txt')).toEqual({ content: 'new\n' });
    expect(await read(setting, 'd.txt')).toEqual({ content: 'gone\n' });
    expect(await lines(nvim)).toEqual(['new']);
  });

  it('gets the lines it asks for, the same from a buffer and from the disk (B19)', async () => {
    const setting = await startWith(ground, BOB, {
      files: { 'a.txt': 'red\ngreen\nblue\n', 'b.txt': 'x\n' },
      args: ['b.txt'],
    });
    await setting.nvim.command(`call setline(1, ['red', 'green', 'blue'])`);
    const rows: readonly (readonly [object, unknown])[] = [
      [{ line: 1, limit: 1 }, 'red\n'],
      [{ limit: 2 }, 'red\ngreen\n'],
      [{ line: 3 }, 'blue\n'],
      [{ line: 2, limit: 50 }, 'green\nblue\n'],
      [{ line: 9 }, ''],
      [{ limit: 0 }, ''],
      [{ line: 0, limit: 1 }, 'red\n'],
      [{ line: null, limit: null }, 'red\ngreen\nblue\n'],
      [{ line: -1 }, -32602],
      [{ limit: 1.5 }, -32602],
    ];
    for (const [part, expected] of rows) {
      for (const file of ['a.txt', 'b.txt']) {
        const answer = await read(setting, file, part);
        if (typeof expected === 'string') expect([file, part, answer]).toEqual([file, part, { content: expected }]);
        else expect(answer).toMatchObject({ code: expected });
      }
    }
  });
});

describeNvim('an agent that writes to an open file', (ground) => {
  it('changes the buffer in one undo step, not the disk; cursors, marks, folds and views stay', async () => {
    const text = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
    const setting = await startWith(ground, BOB, { files: { 'a.txt': `${text.join('\n')}\n` }, args: ['a.txt'] });
    const { nvim, own } = setting;
    await nvim.command('set foldmethod=manual | 120,130fold');
    await nvim.feed('100Gzt5j4lma:99mark b<CR>:split<CR>150G0zt');
    const views = `return vim.tbl_map(function(win)
      return vim.api.nvim_win_call(win, function()
        local view = vim.fn.winsaveview()
        return { view.topline, view.lnum, view.col }
      end)
    end, vim.api.nvim_tabpage_list_wins(0))`;
    const [[upper = 0] = [], [lower = 0] = []] = await nvim.lua<number[][]>(views);
    expect(await read(setting, 'a.txt')).toHaveProperty('content');
    const after = text.with(149, 'line 150, changed').with(104, 'LINE 105').toSpliced(10, 2, 'a', 'b', 'c', 'd', 'e');
    expect(await write(setting, 'a.txt', `${after.join('\n')}\n`)).toEqual({});

    expect(await lines(nvim)).toEqual(after);
    expect(await isModified(nvim)).toBe(true);
    expect(own.read('a.txt')).toBe(`${text.join('\n')}\n`);
    expect(await nvim.lua(views)).toEqual([
      [upper + 3, 153, 0],
      [lower + 3, 108, 4],
    ]);
    expect(await nvim.lua(`return { vim.fn.line("'a"), vim.fn.line("'b") }`)).toEqual([108, 102]);
    await nvim.command('wincmd j');
    expect(await nvim.lua('return { vim.fn.foldclosed(124), vim.fn.foldclosedend(124) }')).toEqual([123, 133]);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(text);
    expect(await isModified(nvim)).toBe(false);
    await nvim.command('redo | write');
    expect(own.read('a.txt')).toBe(`${after.join('\n')}\n`);
  });

  it('and text typed meanwhile both survive, as one undo step each (B18)', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own } = setting;
    await nvim.command('set foldmethod=manual | 2,3fold | normal! zR');
    await nvim.feed('2Gl');
    expect(await read(setting, 'a.txt')).toEqual({ content: NUMBERS });
    await nvim.command('call setline(1, "X")');
    expect(await write(setting, 'a.txt', '1\n2\n4\n')).toEqual({});
    expect(await lines(nvim)).toEqual(['X', '2', '4']);
    expect(own.read('a.txt')).toBe(NUMBERS);
    expect(await nvim.lua(`return { vim.fn.line('.'), vim.fn.foldlevel(3) }`)).toEqual([2, 1]);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['X', '2', '3']);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['1', '2', '3']);
    await nvim.command('redo | redo');
    // The agent goes on from what it wrote, and the line it never saw stays.
    expect(await write(setting, 'a.txt', '1\n2\n4\n5\n')).toEqual({});
    expect(await lines(nvim)).toEqual(['X', '2', '4', '5']);
  });

  it('is refused where somebody changed the same lines: it is told what stands there, and both texts are kept (B18)', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    expect(await read(setting, 'a.txt')).toEqual({ content: NUMBERS });
    await nvim.command('call setline(3, "mine")');
    expect(await write(setting, 'a.txt', '1\n2\n4\n')).toMatchObject({
      message: expect.stringMatching(/3: mine\n.*[Rr]ead the file again/) as unknown,
    });
    expect(await lines(nvim)).toEqual(['1', '2', 'mine']);
    expect(own.read('a.txt')).toBe(NUMBERS);
    const { conflicts, turns } = await sidekicks.call('ChangesService.List', {});
    expect(turns).toEqual([]);
    expect(conflicts).toMatchObject([{ agent: 'bob', path: own.path('a.txt') }]);
    const id = conflicts[0]?.id ?? '';
    expect(await sidekicks.call('ViewService.Conflict', { id })).toMatchObject({
      base: NUMBERS,
      mine: '1\n2\nmine\n',
      theirs: '1\n2\n4\n',
    });
    await nvim.waitForLua(
      'the person told',
      `return vim.fn.execute('messages'):find('bob and you changed the same lines', 1, true) ~= nil`,
    );

    await sidekicks.call('ViewService.ResolveConflict', { id, choice: 'edited', text: '1\n2\nboth\n' });
    expect(await lines(nvim)).toEqual(['1', '2', 'both']);
    expect((await sidekicks.call('ChangesService.List', {})).conflicts).toEqual([]);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['1', '2', 'mine']);
    // Having read it, the agent may write there.
    expect(await read(setting, 'a.txt')).toEqual({ content: '1\n2\nmine\n' });
    expect(await write(setting, 'a.txt', '1\n2\nagreed\n')).toEqual({});
    expect(await lines(nvim)).toEqual(['1', '2', 'agreed']);
  });

  it('lands while somebody types in that very buffer, who notices nothing but the text', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.feed('2GA and');
    await nvim.waitFor('the typed words', async () => (await lines(nvim))[1] === '2 and');
    const { id } = await sidekicks.direct('bob');
    const file = own.path('a.txt');
    await sidekicks.send(
      id,
      script({ op: 'read', path: file }, gate(own, 'write'), {
        op: 'write',
        path: file,
        content: 'zero\n1\n2 and\nTHREE\n',
        id: 90_001,
      }),
    );
    openGate(own, 'write');
    await sidekicks.waitUntilIdle(id);
    expect(answerTo(own, 'bob', 90_001)).toEqual({});
    expect(await nvim.mode()).toBe('i');
    await nvim.feed(' more');
    expect(await lines(nvim)).toEqual(['zero', '1', '2 and more', 'THREE']);
    await nvim.feed('<Esc>u');
    expect(await lines(nvim)).toEqual(['zero', '1', '2 and', 'THREE']);
    await nvim.feed('u');
    expect(await lines(nvim)).toEqual(['1', '2 and', '3']);
  });

  it('and is in a hidden buffer too, without a window, a question, or a swap file in the way', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': 'b\n' }, args: ['b.txt'] });
    const { nvim, own } = setting;
    await nvim.command('set hidden | edit a.txt | buffer b.txt');
    const before = await bufferFacts(nvim);
    expect(await write(setting, 'a.txt', '1\n2\n3\n4\n')).toEqual({});
    expect(await bufferFacts(nvim)).toEqual(before);
    expect(await nvim.bufferLines('a.txt')).toEqual(['1', '2', '3', '4']);
    expect(own.read('a.txt')).toBe(NUMBERS);
  });
});

describeNvim('an agent that writes to a file nobody has open', (ground) => {
  it('writes it to disk, parents too, and opens nothing (B21)', async () => {
    const setting = await startWith(ground, BOB, {
      files: { 'a.txt': 'a\n', file: 'not a folder\n' },
      args: ['a.txt'],
    });
    const { nvim, own } = setting;
    mkdirSync(own.path('folder'));
    const before = await bufferFacts(nvim);
    expect(await read(setting, 'new/deep/x.txt')).toMatchObject({ code: -32002 });
    expect(await write(setting, 'new/deep/x.txt', 'hi\n')).toEqual({});
    expect(own.read('new/deep/x.txt')).toBe('hi\n');
    expect(await read(setting, 'new/deep/x.txt')).toEqual({ content: 'hi\n' });
    expect(readdirSync(own.path('new/deep'))).toEqual(['x.txt']);

    for (const [path, words] of [
      ['file/x.txt', /is a file, not a folder/],
      ['folder', /not a regular file|folder/],
    ] as const) {
      const answer = await write(setting, path, 'hi\n');
      expect(answer).toMatchObject({
        code: expect.any(Number) as unknown,
        message: expect.stringMatching(words) as unknown,
      });
    }
    expect(await answered(setting, { op: 'write', path: 'relative.txt', content: 'hi\n' })).toMatchObject({
      message: expect.stringContaining('not an absolute path') as unknown,
    });
    expect(readdirSync(own.project).sort()).toEqual(['.git', 'a.txt', 'file', 'folder', 'new']);
    expect(readdirSync(own.path('folder'))).toEqual([]);
    expect(await bufferFacts(nvim)).toEqual(before);
  });

  it('is kept inside its workspace: by "..", by links, and where only the names begin alike', async () => {
    const own = ground.place({ 'a.txt': 'a\n' });
    for (const folder of ['outside', 'project-two']) mkdirSync(join(own.root, folder));
    symlinkSync(join(own.root, 'outside'), own.path('link'));
    symlinkSync(join(own.root, 'outside/made.txt'), own.path('dangling.txt'));
    const setting = await startWith(ground, BOB, { place: own });
    for (const path of [
      `${own.project}/../outside/x.txt`,
      join(own.root, 'outside/y.txt'),
      own.path('link/z.txt'),
      own.path('dangling.txt'),
      join(own.root, 'project-two/x.txt'),
      '/etc/hosts',
    ]) {
      const outside = { message: expect.stringContaining('outside the workspace') as unknown };
      expect(await write(setting, path, 'hi\n')).toMatchObject(outside);
      expect(await read(setting, path)).toMatchObject(outside);
    }
    for (const folder of ['outside', 'project-two']) expect(readdirSync(join(own.root, folder))).toEqual([]);
    expect(await write(setting, `${own.project}/sub/../in.txt`, 'hi\n')).toEqual({});
    expect(own.read('in.txt')).toBe('hi\n');
  });
});

describeNvim('line ends', (ground) => {
  const DOS = 'a\r\nb\r\n';

  it('stay what they are, in an open file and in a closed one (B20)', async () => {
    const files = { 'open.txt': DOS, 'closed.txt': DOS, 'lf.txt': DOS, 'lf-closed.txt': DOS, 'mixed.txt': 'a\r\nb\n' };
    const setting = await startWith(ground, BOB, { files, args: ['open.txt'] });
    const { nvim, own } = setting;
    await nvim.command('set hidden | edit lf.txt | edit mixed.txt | buffer open.txt');
    for (const file of ['open.txt', 'closed.txt']) {
      expect(await read(setting, file)).toEqual({ content: DOS });
      expect(await write(setting, file, 'a\r\nc\r\n')).toEqual({});
    }
    expect(await lines(nvim)).toEqual(['a', 'c']);
    await nvim.command('write');
    for (const file of ['lf.txt', 'lf-closed.txt']) expect(await write(setting, file, 'a\nc\n')).toEqual({});
    expect(await read(setting, 'mixed.txt')).toEqual({ content: 'a\r\nb\n' });
    expect(await write(setting, 'mixed.txt', 'a\r\nb\n')).toEqual({});
    await nvim.command('buffer lf.txt | write | buffer mixed.txt | write | buffer open.txt');
    expect(await nvim.lua('return vim.bo.fileformat')).toBe('dos');
    for (const file of ['open.txt', 'closed.txt', 'lf.txt', 'lf-closed.txt']) {
      expect([file, own.read(file)]).toEqual([file, 'a\r\nc\r\n']);
    }
    expect(own.read('mixed.txt')).toBe('a\r\nb\n');
  });
});
