// Files no agent can be given or may write, and those that are easily harmed: a clear error or a faithful file, nothing lost (SPEC 9, 19).
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { expect, it } from 'vitest';
import { received, script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { gate, openGate, startWith, type Setting } from './person.ts';
import { answerTo } from './wire.ts';

const NUMBERS = '1\n2\n3\n4\n5\n';
const BOB = { bob: {} };
const answerLimitMs = 2_000;

/** What Bob is answered to one request about a file, made in a turn of its own. */
async function answered({ own, sidekicks }: Setting, step: Step): Promise<unknown> {
  const number = received(own, 'bob', 'session/prompt').length;
  const { id } = await sidekicks.direct('bob');
  await sidekicks.ask(id, script({ ...step, id: number }));
  return answerTo(own, 'bob', number);
}

const read = (setting: Setting, path: string) => answered(setting, { op: 'read', path: setting.own.path(path) });

const write = (setting: Setting, path: string, content: string) =>
  answered(setting, { op: 'write', path: setting.own.path(path), content });

const said = (words: RegExp): unknown => expect.objectContaining({ message: expect.stringMatching(words) as unknown });

const lines = (nvim: Nvim) => nvim.lua<string[]>('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');

const isModified = (nvim: Nvim) => nvim.lua<boolean>('return vim.bo.modified');

async function timesTold(nvim: Nvim, words: RegExp): Promise<number> {
  return (await nvim.messages()).split('\n').filter((line) => words.test(line)).length;
}

/** Whether the system lets us mount a disk of 256 KB there. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describeNvim('a file no agent can be given', (ground) => {
  it('is refused at once, to read and to write, and stays as it is', async () => {
    const own = ground.place({
      'huge.txt': `${'0123456789abcdef'.repeat(64)}\n`.repeat(20_480),
      'folder/in.txt': 'in\n',
      'locked.txt': 'locked\n',
    });
    own.write('binary', Buffer.from([0x66, 0x00, 0x0a]));
    own.write('latin1.txt', Buffer.from([0x66, 0xe9, 0x0a]));
    own.write('utf16.txt', Buffer.from('\ufeffa\n', 'utf16le'));
    chmodSync(own.path('locked.txt'), 0o444);
    execFileSync('mkfifo', [own.path('pipe')]);
    symlinkSync('loop-b', own.path('loop-a'));
    symlinkSync('loop-a', own.path('loop-b'));
    symlinkSync('/dev/zero', own.path('device'));
    const setting = await startWith(ground, BOB, { place: own });
    const names = readdirSync(own.project).sort();
    const rows: readonly (readonly [string, RegExp | undefined, RegExp])[] = [
      ['huge.txt', /larger than 20 MB/, /larger than 20 MB/],
      ['binary', /not UTF-8 text/, /not UTF-8 text/],
      ['latin1.txt', /not UTF-8 text/, /not UTF-8 text/],
      ['utf16.txt', /not UTF-8 text/, /not UTF-8 text/],
      ['folder', /is a folder, not a file/, /is a folder, not a file/],
      ['pipe', /not a regular file/, /not a regular file/],
      ['device', /outside the workspace/, /outside the workspace/],
      ['loop-a', /lead in a circle/, /lead in a circle/],
      ['locked.txt', undefined, /read-only/],
    ];
    for (const [file, toRead, toWrite] of rows) {
      const since = performance.now();
      if (toRead) expect([file, await read(setting, file)]).toEqual([file, said(toRead)]);
      expect([file, await write(setting, file, 'x\n')]).toEqual([file, said(toWrite)]);
      expect(performance.now() - since).toBeLessThan(2 * answerLimitMs);
    }
    expect(readdirSync(own.project).sort()).toEqual(names);
    expect(statSync(own.path('huge.txt')).size).toBe(1025 * 20_480);
    expect(readFileSync(own.path('latin1.txt'))).toEqual(Buffer.from([0x66, 0xe9, 0x0a]));
    expect([own.read('locked.txt'), readlinkSync(own.path('loop-a'))]).toEqual(['locked\n', 'loop-b']);
    expect(lstatSync(own.path('pipe')).isFIFO()).toBe(true);
  });

  it('is told once to the person, however often it is asked for', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS } });
    const { nvim, own } = setting;
    own.write('binary', Buffer.from([0x66, 0x00, 0x0a]));
    for (let times = 0; times < 3; times += 1) {
      expect(await read(setting, 'binary')).toEqual(said(/not UTF-8 text/));
      expect(await read(setting, 'none.txt')).toMatchObject({ code: -32002 });
    }
    expect(await write(setting, 'binary', 'x\n')).toEqual(said(/not UTF-8 text/));
    await nvim.waitFor('the person told', () => timesTold(nvim, /bob could not write a file: .*binary is not UTF-8/));
    expect(await timesTold(nvim, /bob could not read a file: .*binary is not UTF-8/)).toBe(1);
    expect(await timesTold(nvim, /none\.txt/)).toBe(0);
  });

  it('is none in a buffer either: other encodings, and more than 20 MB', async () => {
    const own = ground.place({ 'huge.txt': `${'0123456789abcdef'.repeat(64)}\n`.repeat(20_480) });
    own.write('latin1.txt', Buffer.from([0x66, 0xe9, 0x0a]));
    own.write('utf16.txt', Buffer.from('\ufeffa\n', 'utf16le'));
    const setting = await startWith(ground, BOB, { place: own });
    const { nvim } = setting;
    await nvim.command('set hidden fileencodings=ucs-bom,utf-8,latin1');
    for (const [file, words] of [
      ['latin1.txt', /not in UTF-8/],
      ['utf16.txt', /not in UTF-8/],
      ['huge.txt', /larger than 20 MB/],
    ] as const) {
      const bytes = readFileSync(own.path(file));
      await nvim.command(`edit ${file}`);
      const before = await nvim.lua('return vim.b.changedtick');
      expect([file, await read(setting, file)]).toEqual([file, said(words)]);
      expect([file, await write(setting, file, 'x\n')]).toEqual([file, said(words)]);
      expect(await nvim.lua('return vim.b.changedtick')).toBe(before);
      expect(readFileSync(own.path(file)).equals(bytes)).toBe(true);
    }
  });
});

describeNvim('a full disk', (ground) => {
  it('is said to the agent and, once, to the person; files and buffers are as they were', async ({ skip }) => {
    const own = ground.place({ 'full/a.txt': '' });
    if (!mountSmallDisk(own.path('full'))) {
      process.stderr.write('no small disk can be mounted here: the test of a full disk is left out\n');
      skip('no small disk can be mounted here');
    }
    ground.atEnd(() => void execFileSync('umount', [own.path('full')]));
    for (const file of ['full/a.txt', 'full/open.txt']) own.write(file, NUMBERS);
    const setting = await startWith(ground, BOB, {
      place: own,
      args: ['full/open.txt'],
      config: { edits: { save: 'always' } },
    });
    const { nvim } = setting;
    const big = 'x\n'.repeat(300_000);
    for (const file of ['full/a.txt', 'full/new/deep/b.txt']) {
      expect([file, await write(setting, file, big)]).toEqual([file, said(/no space left/)]);
    }
    expect(readdirSync(own.path('full')).sort()).toEqual(['a.txt', 'open.txt']);
    expect(own.read('full/a.txt')).toBe(NUMBERS);
    await nvim.waitFor('the person told', () => timesTold(nvim, /bob could not write a file: .*no space left/));

    // In a buffer it is; only saving fails.
    nvim.allowErrors(/E514/);
    expect(await write(setting, 'full/open.txt', big)).toEqual({});
    await nvim.waitFor('that told too', () => timesTold(nvim, /open\.txt could not be written: E514/));
    expect([(await lines(nvim)).length, await isModified(nvim)]).toEqual([300_000, true]);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['1', '2', '3', '4', '5']);
  });
});

describeNvim('a file that is easily harmed', (ground) => {
  it.each(['closed', 'open'])('keeps names, links, mode and owner: %s', async (how) => {
    const own = ground.place({ 'a.txt': NUMBERS, 'sub/target.txt': NUMBERS });
    chmodSync(own.path('a.txt'), 0o751);
    linkSync(own.path('a.txt'), own.path('b.txt'));
    symlinkSync('sub/target.txt', own.path('link.txt'));
    symlinkSync('sub/made.txt', own.path('dangling.txt'));
    const { ino } = statSync(own.path('a.txt'));
    const setting = await startWith(ground, BOB, { place: own, config: { edits: { save: 'always' } } });
    const { nvim } = setting;
    await nvim.command('set hidden');
    for (const file of ['b.txt', 'link.txt', 'dangling.txt']) {
      if (how === 'open') await nvim.command(`edit ${file}`);
      expect([file, await write(setting, file, 'new\n')]).toEqual([file, {}]);
      await nvim.waitFor(`${file} on disk`, () => own.exists(file) && own.read(file) === 'new\n');
    }
    expect(statSync(own.path('b.txt'))).toMatchObject({ ino, nlink: 2, mode: 0o100751 });
    expect(own.read('a.txt')).toBe('new\n');
    expect([readlinkSync(own.path('link.txt')), readlinkSync(own.path('dangling.txt'))]).toEqual([
      'sub/target.txt',
      'sub/made.txt',
    ]);
    expect([own.read('sub/target.txt'), own.read('sub/made.txt')]).toEqual(['new\n', 'new\n']);
    expect(readdirSync(own.project).sort()).toEqual(['.git', 'a.txt', 'b.txt', 'dangling.txt', 'link.txt', 'sub']);
  });

  it('whose buffer is wiped between read and write takes the edit on disk', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS, 'b.txt': 'b\n' }, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.command('call setline(1, "mine")');
    const { id } = await sidekicks.direct('bob');
    const path = own.path('a.txt');
    const content = 'mine\n2\n3\n4\nFIVE\n';
    await sidekicks.send(
      id,
      script({ op: 'read', path }, { op: 'text', text: 'read' }, gate(own, 'wiped'), {
        op: 'write',
        path,
        content,
        id: 94,
      }),
    );
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'read');
    await nvim.command('edit! b.txt | bwipeout! a.txt');
    openGate(own, 'wiped');
    await sidekicks.waitUntilIdle(id);
    expect(answerTo(own, 'bob', 94)).toEqual({});
    // What the person threw away was not the agent's to bring back.
    expect(own.read('a.txt')).toBe('1\n2\n3\n4\nFIVE\n');
    expect(await nvim.lua(`return vim.fn.bufexists('a.txt')`)).toBe(0);
  });
});

describeNvim('a special buffer', (ground) => {
  it('that another Neovim has open too, with a swap file, asks nothing', async () => {
    const own = ground.place({ 'a.txt': NUMBERS, 'b.txt': NUMBERS });
    const other = await ground.start({ place: own, args: ['a.txt', 'b.txt'] });
    await other.command(
      'call setline(1, "theirs") | preserve | set hidden | buffer b.txt | call setline(1, "theirs") | preserve',
    );
    const setting = await startWith(ground, BOB, { place: own, config: { edits: { unopened: 'buffer' } } });
    const { nvim, sidekicks } = setting;
    await nvim.command('set shortmess+=A | edit a.txt | set shortmess-=A');
    for (const file of ['a.txt', 'b.txt']) {
      expect([file, await write(setting, file, '1\n2\n3\n4\nFIVE\n')]).toEqual([file, {}]);
      expect(await nvim.bufferLines(file)).toEqual(['1', '2', '3', '4', 'FIVE']);
    }
    const { id } = await sidekicks.direct('bob');
    await sidekicks.ask(id, script({ op: 'disk_write', path: 'a.txt', content: 'ONE\n2\n3\n4\n5\n' }));
    expect(await nvim.bufferLines('a.txt')).toEqual(['ONE', '2', '3', '4', 'FIVE']);
    expect(await nvim.messages()).not.toMatch(/E325|W1[126]/);
    expect(await nvim.isBlocked()).toBe(false);
  });

  it('of a plugin that writes it itself gets the text, and its own write saves it', async () => {
    const setting = await startWith(ground, BOB, {
      files: { 'a.txt': NUMBERS },
      config: { edits: { save: 'always' } },
    });
    const { nvim, own } = setting;
    await nvim.command(
      `autocmd BufWriteCmd a.txt call writefile(['by the plugin'] + getline(1, '$'), 'written.txt') | set nomodified`,
    );
    await nvim.command('edit a.txt');
    expect(await write(setting, 'a.txt', '1\n2\n3\n4\nFIVE\n')).toEqual({});
    await nvim.waitFor('what the plugin wrote', () => own.exists('written.txt'));
    expect(own.read('written.txt')).toBe('by the plugin\n1\n2\n3\n4\nFIVE\n');
    expect(own.read('a.txt')).toBe(NUMBERS);
    expect(await lines(nvim)).toEqual(['1', '2', '3', '4', 'FIVE']);
  });

  it('of a plugin that shows the file in another form is refused, and file and buffer stay', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS } });
    const { nvim, own } = setting;
    await nvim.command(`autocmd BufReadCmd a.txt call setline(1, ['shown', 'otherwise']) | set nomodified`);
    await nvim.command('edit a.txt');
    expect(await read(setting, 'a.txt')).toEqual(said(/does not hold exactly/));
    expect(await write(setting, 'a.txt', 'x\n')).toEqual(said(/does not hold exactly/));
    expect([await lines(nvim), own.read('a.txt')]).toEqual([['shown', 'otherwise'], NUMBERS]);
  });

  it('that is no file but is named like one leaves the file to the disk', async () => {
    const setting = await startWith(ground, BOB, { files: { 'a.txt': NUMBERS } });
    const { nvim, own } = setting;
    await nvim.command('enew | setlocal buftype=nofile noswapfile | file a.txt | call setline(1, "scratch")');
    expect(await read(setting, 'a.txt')).toEqual({ content: NUMBERS });
    expect(await write(setting, 'a.txt', '1\n')).toEqual({});
    expect([own.read('a.txt'), await lines(nvim)]).toEqual(['1\n', ['scratch']]);
  });
});

describeNvim('edits.save: always', (ground) => {
  it('saves at once what held no text of the person, new folders too, and never what did', async () => {
    const setting = await startWith(ground, BOB, {
      config: { edits: { save: 'always', unopened: 'buffer' } },
      files: { 'a.txt': NUMBERS, 'b.txt': NUMBERS },
      args: ['a.txt'],
    });
    const { nvim, own, sidekicks } = setting;
    await nvim.command('set hidden | edit b.txt | call setline(1, "mine") | buffer a.txt');
    const { id } = await sidekicks.direct('bob');
    const [a, b] = [own.path('a.txt'), own.path('b.txt')];
    await sidekicks.send(
      id,
      script(
        { op: 'write', path: a, content: 'ONE\n2\n3\n4\n5\n' },
        { op: 'write', path: a, content: 'ONE\n2\n3\n4\nFIVE\n' },
        { op: 'write', path: b, content: '1\n2\n3\n4\nFIVE\n' },
        { op: 'write', path: own.path('new/deep.txt'), content: 'new\n' },
        { op: 'text', text: 'written' },
        gate(own, 'end'),
      ),
    );
    await sidekicks.waitForEvent('message:delta', ({ text }) => text === 'written');
    expect([own.read('a.txt'), own.read('b.txt'), own.read('new/deep.txt')]).toEqual([
      'ONE\n2\n3\n4\nFIVE\n',
      NUMBERS,
      'new\n',
    ]);
    expect(await isModified(nvim)).toBe(false);
    openGate(own, 'end');
    await sidekicks.waitUntilIdle(id);
    expect(own.read('b.txt')).toBe(NUMBERS);
    expect(await nvim.bufferLines('b.txt')).toEqual(['mine', '2', '3', '4', 'FIVE']);
    const { turns, conflicts } = await sidekicks.call('ChangesService.List', {});
    expect(conflicts).toEqual([]);
    expect(turns.flatMap(({ files }) => files.map(({ path }) => path)).sort()).toEqual([
      a,
      b,
      own.path('new/deep.txt'),
    ]);
    await nvim.command('undo');
    expect(await lines(nvim)).toEqual(['ONE', '2', '3', '4', '5']);
  });
});
