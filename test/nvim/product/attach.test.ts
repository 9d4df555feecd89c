// Files of this computer and contexts that come into a message: by command, by a drop, from the clipboard, by `#` (SPEC 6, 11).
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { received } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { startWith, type Setting } from './person.ts';

const INPUT = 'sidekicks://agent/bob/input';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

const input = async (nvim: Nvim): Promise<string> => (await nvim.bufferLines(INPUT)).join('\n');

const waitForInput = (nvim: Nvim, text: string) =>
  nvim.waitFor(`the input ${text}`, async () => (await input(nvim)) === text);

/** Opens the input and waits until it is that of the conversation. */
async function openInput({ sidekicks, nvim }: Setting): Promise<string> {
  const id = await sidekicks.open('bob');
  await nvim.waitForLua('the conversation of the input', 'return vim.b.sidekicks.conversation == ...', id);
  return id;
}

const attach = ({ sidekicks }: Setting, hostPath: string, agent = 'bob') =>
  sidekicks.request('WorkspaceService.Attach', { agent, hostPath });

/** The text blocks of the last prompt but the first. */
function contexts({ own }: Setting): string[] {
  const params = received(own, 'bob', 'session/prompt').at(-1)?.['params'] as { prompt: { text: string }[] };
  return params.prompt.slice(1).map(({ text }) => text);
}

describeNvim('a file of this computer', (ground) => {
  it('is used in place in the workspace, else copied to attachments/ under a free name', async () => {
    const setting = await startWith(ground, { bob: {} }, { files: { 'src/a.ts': 'a\n', 'été.md': 'é\n' } });
    const { own } = setting;
    const outside = own.write('../my shot  1.png', PNG);
    expect(await attach(setting, own.path('src/a.ts'))).toEqual({ path: 'src/a.ts' });
    expect(await attach(setting, own.path('src/../src/a.ts'))).toEqual({ path: 'src/a.ts' });
    expect(await attach(setting, own.path('e\u0301te\u0301.md'))).toEqual({ path: 'été.md' });
    expect(existsSync(own.path('attachments'))).toBe(false);
    expect(await attach(setting, outside)).toEqual({ path: 'attachments/my-shot-1.png' });
    expect(await attach(setting, outside)).toEqual({ path: 'attachments/my-shot-1-2.png' });
    expect(readFileSync(own.path('attachments/my-shot-1-2.png'))).toEqual(PNG);
    const large = own.write('../5.bin', 'x');
    truncateSync(large, 5 << 20);
    expect(await attach(setting, large)).toEqual({ path: 'attachments/5.bin' });
    const { url } = await setting.sidekicks.request('WorkspaceService.Image', {
      agent: 'bob',
      path: 'attachments/my-shot-1.png',
    });
    expect(url).toBe(`data:image/png;base64,${PNG.toString('base64')}`);
  });

  it('is refused with a reason, and nothing half is left', async () => {
    const own = ground.place({ 'a.txt': 'a\n' });
    const large = own.write('../big.bin', 'x');
    truncateSync(large, (5 << 20) + 1);
    mkdirSync(join(own.root, 'other'));
    execFileSync('mkfifo', [join(own.root, 'pipe')]);
    const setting = await startWith(ground, { bob: {} }, { place: own });
    const rows: readonly (readonly [string, RegExp])[] = [
      [large, /^limit: .*big\.bin is larger than 5 MB/],
      [join(own.root, 'other'), /^invalid: .*other is a folder/],
      [join(own.root, 'pipe'), /^invalid: .*not a regular file/],
      [join(own.root, 'none'), /^not-found: there is no file/],
      ['relative.txt', /^invalid: .*not an absolute path/],
    ];
    for (const [path, words] of rows) await expect(attach(setting, path)).rejects.toThrow(words);
    await expect(attach(setting, own.path('a.txt'), 'zoe')).rejects.toThrow(/^not-found: .*zoe/);
    expect(readdirSync(own.project).sort()).toEqual(['.git', 'a.txt']);
    // A folder of that name that leads elsewhere is not followed out of the workspace.
    symlinkSync(join(own.root, 'other'), own.path('attachments'));
    const small = own.write('../small.txt', 'x');
    await expect(attach(setting, small)).rejects.toThrow(/^refused: .*outside the workspace/);
    expect(readdirSync(join(own.root, 'other'))).toEqual([]);
    for (const path of ['a.txt', '../small.txt', 'none.png']) {
      await expect(setting.sidekicks.request('WorkspaceService.Image', { agent: 'bob', path })).rejects.toThrow(
        /not an image|outside the workspace|no file/,
      );
    }
  });

  it('comes into the message by :Sidekicks attach, as it is written there', async () => {
    const setting = await startWith(ground, { bob: {} }, { files: { 'my notes.md': 'n\n' } });
    const { nvim, own } = setting;
    await openInput(setting);
    await nvim.feed('see ');
    own.write('../shot.png', PNG);
    await nvim.command(`Sidekicks attach ${join(own.root, 'shot.png')}`);
    await waitForInput(nvim, 'see $attachments/shot.png ');
    expect(await nvim.lua(`return vim.fn.getcompletion('Sidekicks attach my', 'cmdline')`)).toEqual(['my\\ notes.md']);
    await nvim.feed('and <Esc>');
    await nvim.command('Sidekicks attach my\\ notes.md');
    await waitForInput(nvim, 'see $attachments/shot.png and $"my notes.md" ');
    await nvim.lua(
      `vim.ui.input = (function(path) return function(opts, done) asked = opts.prompt; done(path) end end)(...)`,
      own.path('my notes.md'),
    );
    await nvim.command('Sidekicks attach');
    await waitForInput(nvim, 'see $attachments/shot.png and $"my notes.md" $"my notes.md" ');
    expect(await nvim.lua('return asked')).toBe('Attach which file? ');
    nvim.allowErrors(/cannot be attached/);
    await nvim.command('Sidekicks attach no-such-file');
    await nvim.waitForScreen('no-such-file cannot be attached: there is no such file');
  });
});

describeNvim('what is dropped on the input', (ground) => {
  it('is attached if it is nothing but files, in every way terminals paste them', async () => {
    const setting = await startWith(
      ground,
      { bob: {} },
      { files: { 'a.txt': 'a\n', 'my notes.md': 'n\n', "it's.md": '' } },
    );
    const { nvim, own } = setting;
    const id = await openInput(setting);
    await nvim.lua(
      `drops = {}; require('sidekicks').on('files:dropped', function(drop) table.insert(drops, drop) end)`,
    );
    const notes = own.path('my notes.md');
    const both = '$a.txt $"my notes.md" ';
    const rows: readonly (readonly [string, string])[] = [
      [own.path('a.txt'), '$a.txt '],
      [`${own.path('a.txt')} `, '$a.txt '],
      [notes, '$"my notes.md" '],
      [notes.replace(' ', '\\ '), '$"my notes.md" '],
      [`'${notes}'`, '$"my notes.md" '],
      [`"${notes}"`, '$"my notes.md" '],
      [`'${own.path("it'\\''s.md")}'`, '$"it\'s.md" '],
      [pathToFileURL(notes).href, '$"my notes.md" '],
      [`${own.path('a.txt')} ${notes.replace(' ', '\\ ')}`, both],
      [`'${own.path('a.txt')}' '${notes}'`, both],
      [`${pathToFileURL(own.path('a.txt')).href}\r\n${pathToFileURL(notes).href}\r\n`, both],
    ];
    for (const [pasted, written] of rows) {
      await nvim.request('nvim_paste', pasted, true, -1);
      await nvim.waitFor(`${pasted} to be attached`, async () => (await input(nvim)) === written);
      await nvim.feed('<Esc>ggdGi');
    }
    // In parts, as a terminal sends it; and at the cursor, with blanks around.
    await nvim.feed('see now<Esc>bhi');
    for (const [part, phase] of [
      [notes.slice(0, 9), 1],
      [notes.slice(9), 2],
      ['', 3],
    ] as const) {
      await nvim.request('nvim_paste', part, true, phase);
    }
    await waitForInput(nvim, 'see $"my notes.md" now');
    await nvim.feed('X');
    expect(await input(nvim)).toBe('see $"my notes.md"X now');
    const drops = await nvim.lua<{ target: string; files: string[] }[]>('return drops');
    expect(drops).toHaveLength(rows.length + 1);
    expect(drops.at(-1)).toEqual({ target: id, files: [notes] });
  });

  it('is text if it is anything else, and what cannot be attached stays text', async () => {
    const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': 'a\n' } });
    const { nvim, own } = setting;
    await openInput(setting);
    const texts = [
      '/no/such/file',
      `${own.path('a.txt')} and more`,
      'a.txt',
      own.project,
      '/',
      'a\nb',
      `'${own.path('a.txt')}`,
    ];
    for (const text of texts) {
      await nvim.request('nvim_paste', text, true, -1);
      expect(await input(nvim)).toBe(text);
      await nvim.feed('<Esc>ggdGi');
    }
    for (const [part, phase] of [
      ['/no/', 1],
      ['such\nfile', 2],
      [' x', 3],
    ] as const) {
      await nvim.request('nvim_paste', part, true, phase);
    }
    expect(await input(nvim)).toBe('/no/such\nfile x');
    await nvim.feed('<Esc>ggdGi');
    nvim.allowErrors(/cannot be attached/);
    const large = own.write('../big.bin', 'x');
    truncateSync(large, 6 << 20);
    await nvim.request('nvim_paste', large, true, -1);
    await waitForInput(nvim, `${large} `);
    await nvim.waitForScreen('is larger than 5 MB');
    // Elsewhere a path is a path.
    await nvim.command('stopinsert | new');
    await nvim.request('nvim_paste', own.path('a.txt'), true, -1);
    expect(await nvim.lua('return vim.api.nvim_get_current_line()')).toBe(own.path('a.txt'));
  });
});

describeNvim('<C-v> in the input', (ground) => {
  /** A clipboard that holds an image as long as `image` exists. */
  function clipboard({ own }: Pick<Setting, 'own'>): void {
    mkdirSync(join(own.root, 'bin'));
    const script = `#!/bin/sh
if [ "$1" = --list-types ]; then
  if [ -f '${own.root}/image' ]; then echo text/html; echo image/png; else echo text/plain; fi
else cat '${own.root}/image'; fi`;
    writeFileSync(join(own.root, 'bin/wl-paste'), script);
    chmodSync(join(own.root, 'bin/wl-paste'), 0o755);
  }

  const useClipboard = (nvim: Nvim, { own }: Pick<Setting, 'own'>) =>
    nvim.lua(`vim.env.PATH = ... .. ':' .. vim.env.PATH; vim.env.WAYLAND_DISPLAY = 'test'`, join(own.root, 'bin'));

  it('attaches an image that the clipboard holds, and is Neovim’s own key otherwise', async () => {
    const setting = await startWith(ground, { bob: { args: ['--prompt-capabilities', '{"image":true}'] } });
    const { nvim, own, sidekicks } = setting;
    clipboard(setting);
    await useClipboard(nvim, setting);
    const id = await openInput(setting);
    await nvim.feed('a<C-v>u00e9');
    await waitForInput(nvim, 'aé');
    writeFileSync(join(own.root, 'image'), PNG);
    await nvim.feed('<C-v>');
    await nvim.waitFor('the image', async () => /^aé \$attachments\/image-\d{8}-\d{6}\.png $/.test(await input(nvim)));
    const [file = ''] = readdirSync(own.path('attachments'));
    expect(readFileSync(own.path(`attachments/${file}`))).toEqual(PNG);
    await nvim.feed('look<CR>');
    await nvim.waitFor('the prompt', () => received(own, 'bob', 'session/prompt').length > 0);
    await sidekicks.waitUntilIdle(id);
    expect(received(own, 'bob', 'session/prompt')[0]?.['params']).toMatchObject({
      prompt: [
        { type: 'text', text: `aé $attachments/${file} look` },
        { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') },
      ],
    });
  });

  it('says why an image could not be taken', async () => {
    const setting = await startWith(ground, { bob: {} });
    const { nvim, own } = setting;
    clipboard(setting);
    await useClipboard(nvim, setting);
    await openInput(setting);
    nvim.allowErrors(/could not be taken|cannot be attached/);
    writeFileSync(join(own.root, 'image'), '');
    await nvim.feed('<C-v>');
    await nvim.waitForScreen('the image could not be taken from the clipboard');
    truncateSync(join(own.root, 'image'), 6 << 20);
    await nvim.feed('<C-v>');
    await nvim.waitForScreen('the image in the clipboard cannot be attached: it is larger than 5 MB');
    expect(await input(nvim)).toBe('');
    expect(existsSync(own.path('attachments'))).toBe(false);
  });
});

describeNvim('#contexts', (ground) => {
  const git = (own: Setting['own'], ...args: string[]) =>
    execFileSync('git', ['-C', own.project, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);

  it('mean the last window that is not ours, as it was when the message was sent', async () => {
    const own = ground.place({ 'a.lua': 'local one = 1\nlocal two = 2\nlocal three = 3\n' });
    git(own, 'init', '-q');
    git(own, 'add', 'a.lua');
    git(own, 'commit', '-qm', 'x');
    own.write('a.lua', 'local one = 1\nlocal two = 22\nlocal three = 3\n');
    const setting = await startWith(ground, { bob: {} }, { place: own, args: ['a.lua'] });
    const { nvim, sidekicks } = setting;
    await nvim.lua(`
      vim.diagnostic.set(vim.api.nvim_create_namespace('t'), 0, {
        { lnum = 2, col = 6, message = 'unused', severity = vim.diagnostic.severity.WARN, source = 'luals' },
      })
      vim.fn.setqflist({}, ' ', { title = ':make', items = { { bufnr = vim.fn.bufnr(), lnum = 1, col = 2, text = 'bad', type = 'E' } } })`);
    await nvim.feed('2GVj<Esc>');
    const id = await openInput(setting);
    const text = 'see #selection #buffer, #diagnostics #quickfix #diff';
    await nvim.feed(`${text}<CR>`);
    await nvim.waitFor('the prompt', () => received(own, 'bob', 'session/prompt').length > 0);
    await sidekicks.waitUntilIdle(id);
    const params = received(own, 'bob', 'session/prompt')[0]?.['params'];
    expect(params).toMatchObject({ prompt: [{ type: 'text', text }, {}, {}, {}, {}, {}] });
    const [selection, buffer, diagnostics, quickfix, diff] = contexts(setting);
    expect(selection).toBe('#selection: a.lua:2-3\n```lua\nlocal two = 22\nlocal three = 3\n```\n');
    expect(buffer).toBe('#buffer: a.lua:1-3\n```lua\nlocal one = 1\nlocal two = 22\nlocal three = 3\n```\n');
    expect(diagnostics).toBe('#diagnostics: a.lua\n```\na.lua:3:7: warning: unused [luals]\n```\n');
    expect(quickfix).toBe('#quickfix: :make\n```\na.lua:1:2: error: bad\n```\n');
    expect(diff).toMatch(/^#diff: git diff HEAD\n```diff\ndiff --git [^]*-local two = 2\n\+local two = 22\n[^]*```\n$/);

    // What waits keeps what it was sent with.
    await sidekicks.send(id, 'SCRIPT[{"op":"wait_file","path":"' + join(own.root, 'go') + '"}]SCRIPT');
    await sidekicks.send(id, 'and #buffer');
    await nvim.lua(`vim.api.nvim_buf_set_lines(vim.fn.bufnr('a.lua'), 0, -1, false, { 'changed' })`);
    writeFileSync(join(own.root, 'go'), '');
    await sidekicks.waitUntilIdle(id);
    expect(contexts(setting)).toEqual([buffer]);
  });

  it('say that there is nothing', async () => {
    const own = ground.place({ 'a.txt': 'a\n' });
    const setting = await startWith(ground, { bob: {} }, { place: own, args: ['a.txt'] });
    const { id } = await setting.sidekicks.direct('bob');
    await setting.sidekicks.ask(id, '#selection #diagnostics #quickfix #diff');
    expect(contexts(setting)).toEqual([
      '#selection: nothing was selected in a.txt\n',
      '#diagnostics: there are no diagnostics in a.txt\n',
      '#quickfix: the quickfix list is empty\n',
      expect.stringMatching(/^#diff: git cannot tell what was changed: .+\n$/),
    ]);
  });
});
