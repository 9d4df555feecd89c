// A question of an agent that comes while a person is at something else: it waits, and is answered when they choose to.
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import type { Place } from '../support/place.ts';
import { startWith, type Setting } from './person.ts';
import { answers, selected } from './wire.ts';

const OPTIONS = [
  { optionId: 'once', name: 'Allow it', kind: 'allow_once' },
  { optionId: 'never', name: 'Never again', kind: 'reject_always' },
];

/** Bob asks before he writes a file, and says how it went. */
const careful = (own: Place): Step[] => [
  { op: 'tool_call', toolCallId: 'w', title: 'Write made.txt', kind: 'edit', status: 'pending' },
  {
    op: 'permission',
    id: 'ask',
    toolCall: { toolCallId: 'w' },
    options: OPTIONS,
    on: {
      once: [
        { op: 'write', id: 'write', path: own.path('made.txt'), content: 'made\n' },
        { op: 'tool_call_update', toolCallId: 'w', status: 'completed' },
        { op: 'text', text: 'It is written.' },
      ],
      else: [{ op: 'text', text: 'Then not.' }],
    },
  },
];

describeNvim('a question that comes while somebody types in a file', (ground) => {
  async function asked(): Promise<Setting & { readonly id: string }> {
    const own = ground.place({ 'a.txt': '' });
    const setting = await startWith(ground, { bob: {} }, { place: own, args: ['a.txt'] });
    const { nvim, sidekicks } = setting;
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd t');
    await nvim.feed('iI write ');
    await sidekicks.send(id, script(...careful(own)));
    await nvim.waitForScreen('bob asks for permission');
    await nvim.feed('1 2 3q gp<CR>and go on');
    return { ...setting, id };
  }

  const written = (nvim: Nvim) => nvim.bufferLines('a.txt');
  const TYPED = ['I write 1 2 3q gp', 'and go on'];

  it('takes no key; it is answered with gp and a digit in the conversation', async () => {
    const { nvim, own, sidekicks, id } = await asked();
    expect(await written(nvim)).toEqual(TYPED);
    expect(await nvim.mode()).toBe('i');
    expect(answers(own, 'bob')).toEqual([]);
    expect(nvim.screen.text()).toContain('asks for permission (1): gp');
    await nvim.feed('<Esc>');
    await nvim.command('wincmd b');
    await nvim.feed('gp');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await nvim.feed('1');
    await nvim.waitForScreen('It is written.');
    await sidekicks.waitUntilIdle(id);
    expect(answers(own, 'bob')).toEqual([
      ['ask', selected('once')],
      ['write', {}],
    ]);
    expect(own.read('made.txt')).toBe('made\n');
    expect(await nvim.lua('return vim.b.sidekicks.kind')).toBe('input');
    await nvim.waitForScreen(/✓ edit {2}Write made.txt/);
  });

  it('is gone to with :Sidekicks permit, put off, answered by it, and comes back when it is asked again', async () => {
    const { nvim, own, sidekicks, id } = await asked();
    await nvim.feed('<Esc>:Sidekicks permit<CR>');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await nvim.feed('q');
    await nvim.waitFor('the window to go', () => !nvim.screen.text().includes('bob asks for permission'));
    expect(nvim.screen.text()).toContain('waiting for your permission: gp');
    expect(answers(own, 'bob')).toEqual([]);
    await nvim.feed(':Sidekicks permit 2<CR>');
    await nvim.waitForScreen('Then not.');
    await sidekicks.waitUntilIdle(id);
    expect(answers(own, 'bob')).toEqual([['ask', selected('never')]]);
    expect(own.exists('made.txt')).toBe(false);
    await nvim.waitForScreen(/✗ edit {2}Write made.txt/);
    expect(await written(nvim)).toEqual(TYPED);
    expect(await nvim.lua(`return vim.fn.expand('%:t')`)).toBe('a.txt');

    await sidekicks.send(id, script(...careful(own)));
    await nvim.waitForScreen('bob asks for permission');
    await nvim.command('Sidekicks permit allow');
    await nvim.waitForScreen('It is written.');
    await sidekicks.waitUntilIdle(id);
    await nvim.command('Sidekicks permit');
    await nvim.waitForScreen('no permission request is waiting');
  });
});
