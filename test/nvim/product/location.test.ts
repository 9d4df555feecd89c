// <CR> on a tool call goes to the file it names: to its line, else to what was changed there, else where the cursor already is (SPEC 16).
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { goToTranscript, lineOf, startWith } from './person.ts';

const NUMBERS = `${Array.from({ length: 60 }, (_, at) => String(at + 1)).join('\n')}\n`;

const place = (nvim: Nvim) => nvim.lua(`return { vim.fn.fnamemodify(vim.fn.bufname(), ':t'), vim.fn.line('.') }`);

/** The call is drawn under its title. */
async function enter(nvim: Nvim, title: string): Promise<void> {
  await nvim.command('drop sidekicks://agent/bob');
  await nvim.feed(`${await lineOf(nvim, `tool  ${title}`)}G<CR>`);
  await nvim.waitForLua('the file', `return vim.b.sidekicks == nil`);
}

describeNvim('<CR> on a tool call', (ground) => {
  it('goes to its line, to its change, or leaves the cursor where it is, whatever is unsaved there', async () => {
    const files = { 'a.txt': NUMBERS, 'b.txt': NUMBERS };
    const setting = await startWith(ground, { bob: {} }, { files, args: ['a.txt'] });
    const { nvim, own, sidekicks } = setting;
    await nvim.command('set hidden | call setline(1, "mine") | 30');
    const call = (title: string, name: string, line?: number): Step => ({
      op: 'tool_call',
      toolCallId: title,
      title,
      status: 'completed',
      locations: [{ path: own.path(name), ...(line !== undefined && { line }) }],
    });
    const id = await sidekicks.open('bob');
    await goToTranscript(nvim);
    await sidekicks.ask(
      id,
      script(call('Look at a', 'a.txt'), call('Line of a', 'a.txt', 12), call('Look at b', 'b.txt'), { op: 'end' }),
    );
    await enter(nvim, 'Look at a');
    expect(await place(nvim)).toEqual(['a.txt', 30]);
    await enter(nvim, 'Line of a');
    expect(await place(nvim)).toEqual(['a.txt', 12]);
    await enter(nvim, 'Look at b');
    expect(await place(nvim)).toEqual(['b.txt', 1]);
    await nvim.command('20');
    await enter(nvim, 'Look at b');
    expect(await place(nvim)).toEqual(['b.txt', 20]);

    const content = NUMBERS.replace('50\n', 'FIFTY\n');
    await sidekicks.ask(id, script({ op: 'disk_write', path: 'b.txt', content }, call('Edit b', 'b.txt')));
    await nvim.waitFor('the sign', async () => (await sidekicks.call('ChangesService.List', {})).turns.length === 1);
    await nvim.waitForScreen('1 file to review');
    await enter(nvim, 'Edit b');
    expect(await place(nvim)).toEqual(['b.txt', 50]);
    await enter(nvim, 'Look at a');
    expect(await place(nvim)).toEqual(['a.txt', 12]);
    expect(await nvim.lua('return vim.bo.modified')).toBe(true);
  });
});
