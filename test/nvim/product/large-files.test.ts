// Open files of several megabytes, which are read in slices: exact, whatever is in them and whoever types meanwhile (SPEC 9).
import { utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { received, script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { startWith, type Setting } from './person.ts';
import { answerTo } from './wire.ts';

const line = (number: number): string => `${number} – 日本 😀 ${'x'.repeat(50)}`;
const numbered = (count: number, end: string): string => Array.from({ length: count }, (_, at) => line(at)).join(end);

async function answered({ own, sidekicks }: Setting, step: Step): Promise<unknown> {
  const number = received(own, 'bob', 'session/prompt').length;
  const { id } = await sidekicks.direct('bob');
  await sidekicks.ask(id, script({ ...step, path: own.path('a.txt'), id: number }));
  return answerTo(own, 'bob', number);
}

const contentOf = async (setting: Setting): Promise<string> => {
  const answer = await answered(setting, { op: 'read' });
  return (answer as { readonly content?: string }).content ?? JSON.stringify(answer);
};

describeNvim('a large open file', (ground) => {
  it.each([
    ['LF', `${numbered(40_000, '\n')}\n`],
    ['CR LF, a byte-order mark and no last line end', `\ufeff${numbered(40_000, '\r\n')}`],
    ['one line longer than a slice between short ones', `a\n${'é'.repeat(1_500_000)}\nb\n`],
  ])('is read exactly, clean and with unsaved text: %s', async (_name, text) => {
    const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': text }, args: ['a.txt'] });
    expect((await contentOf(setting)) === text).toBe(true);
    await setting.nvim.command('call setline(1, "mine")');
    const mine = text.replace(/^(\ufeff?)[^\r\n]*/, '$1mine');
    expect((await contentOf(setting)) === mine).toBe(true);
    const wanted = `${mine.slice(0, mine.lastIndexOf('\n', mine.length - 2) + 1)}last${mine.endsWith('\n') ? '\n' : ''}`;
    expect(await answered(setting, { op: 'write', content: wanted })).toEqual({});
    expect((await contentOf(setting)) === wanted).toBe(true);
    await setting.nvim.command('undo');
    expect((await contentOf(setting)) === mine).toBe(true);
  });

  it('is read as it is now when it changed on disk, also with the same size in the same moment', async () => {
    const text = `${numbered(40_000, '\n')}\n`;
    const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': text } });
    const { nvim, own } = setting;
    const touch = () => utimesSync(own.path('a.txt'), 1_700_000_000, 1_700_000_000);
    touch();
    await nvim.command('edit a.txt');
    expect((await contentOf(setting)) === text).toBe(true);
    const changed = text.replace('20000 – ', '2000x – ');
    own.write('a.txt', changed);
    touch();
    expect((await contentOf(setting)) === changed).toBe(true);
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
  });

  it('that is not UTF-8, or shown in another form, is refused', async () => {
    const own = ground.place();
    own.write('a.txt', Buffer.concat([Buffer.from(`${numbered(40_000, '\n')}\n`), Buffer.from('\xe9\n', 'latin1')]));
    const setting = await startWith(ground, { bob: {} }, { place: own });
    const { nvim } = setting;
    await nvim.command('edit ++enc=latin1 a.txt');
    expect(await contentOf(setting)).toMatch(/not in UTF-8/);
    own.write('a.txt', `${numbered(40_000, '\n')}\n`);
    await nvim.command('edit! ++enc=utf-8 a.txt | silent 1delete | setlocal nomodified');
    expect(await contentOf(setting)).toMatch(/does not hold exactly/);
  });

  it('in which somebody goes on typing is read all the same', async () => {
    const text = `${numbered(40_000, '\n')}\n`;
    const setting = await startWith(ground, { bob: {} }, { files: { 'a.txt': text }, args: ['a.txt'] });
    await setting.nvim.lua(`
      local timer = vim.uv.new_timer()
      timer:start(0, 20, vim.schedule_wrap(function()
        vim.api.nvim_buf_set_lines(0, 0, 1, false, { tostring(vim.uv.hrtime()) })
      end))`);
    const content = await contentOf(setting);
    expect(content.slice(content.indexOf('\n')) === text.slice(text.indexOf('\n'))).toBe(true);
  });
});
