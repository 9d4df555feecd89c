// The lists of the input in a channel: agents and files after @, commands as /agent:command, known before an agent runs (SPEC 16).
import { expect, it } from 'vitest';
import { received } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { startWith } from './product/person.ts';

const COMMANDS = [
  '--commands',
  JSON.stringify([{ name: 'plan', description: 'make a plan', input: { hint: 'what' } }]),
];
const AGENTS = { ann: { args: COMMANDS, entry: { title: 'Ann the first' } }, ben: {}, zoe: { args: COMMANDS } };
const CONFIG = { channels: { review: { members: ['zoe'] } } };
const INPUT = 'sidekicks://channel/review/input';

const list = (nvim: Nvim): Promise<string[]> =>
  nvim.lua(`return vim.fn.pumvisible() == 1
    and vim.tbl_map(function(item) return item.word end, vim.fn.complete_info({ 'items' }).items) or {}`);

const waitForList = (nvim: Nvim, words: readonly string[]) =>
  nvim.waitFor(`the list ${words.join(' ')}`, async () => (await list(nvim)).join('\n') === words.join('\n'));

async function open(nvim: Nvim): Promise<void> {
  await nvim.command('SidekicksChannel review');
  await nvim.waitForLua('the input', 'return vim.api.nvim_buf_get_name(0) == ...', INPUT);
  await nvim.waitForScreen('Members: @zoe');
}

describeNvim('the lists of a channel', (ground) => {
  it('offer its members after @, then the agents that would join, then files', async () => {
    const own = ground.place({ 'annex.txt': '', 'zeta.txt': '' });
    const { nvim } = await startWith(ground, AGENTS, { place: own, config: CONFIG });
    await open(nvim);
    await nvim.feed('look, @');
    await waitForList(nvim, ['@zoe', '@ann', '@ben', '@annex.txt', '@zeta.txt']);
    expect(nvim.screen.text()).toMatch(/@zoe +agent/);
    expect(nvim.screen.text()).toMatch(/@ann +Ann the first · joins when mentioned/);
    await nvim.feed('an');
    await waitForList(nvim, ['@ann', '@annex.txt']);
    await nvim.feed('<BS><BS>be');
    await waitForList(nvim, ['@ben']);
    await nvim.feed('<CR>');
    expect(await nvim.bufferLines(INPUT)).toEqual(['look, @ben']);
    await nvim.feed('<CR>');
    await nvim.waitForScreen('Hello from ben.');
    await nvim.waitForScreen('#review  zoe, ben');
  });

  it('offer commands as /agent:command, and kept ones before the agent runs', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, AGENTS, { place: own, config: CONFIG });
    await open(nvim);
    await sidekicks.waitForEvent('commands:changed', ({ agent }) => agent === 'zoe');
    expect(received(own, 'zoe', 'session/new')).toHaveLength(1);
    expect(received(own, 'ann', 'session/new')).toEqual([]);
    await nvim.feed('/');
    await waitForList(nvim, ['/zoe:plan']);
    expect(nvim.screen.text()).toMatch(/\/zoe:plan +‹what› make a plan/);
    await nvim.feed('<CR>');
    expect(await nvim.bufferLines(INPUT)).toEqual(['/zoe:plan']);
    await nvim.feed(' now<CR>');
    await nvim.waitForScreen('Hello from zoe.');
    const [prompt] = received(own, 'zoe', 'session/prompt');
    expect(prompt?.['params']).toMatchObject({ prompt: [{ type: 'text', text: '/plan now' }] });
    await nvim.dispose();

    const slow = { ...AGENTS, zoe: { args: [...COMMANDS, '--delay', 'initialize=20000'] } };
    const again = await startWith(ground, slow, { place: own, config: CONFIG });
    await again.nvim.command('SidekicksChannel review');
    await again.nvim.waitForScreen('Hello from zoe.');
    await again.nvim.feed('@ann /');
    await waitForList(again.nvim, ['/zoe:plan']);
    expect(await again.sidekicks.agentState('zoe')).toBe('starting');
  });

  it('are plain in a direct conversation', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS, { config: CONFIG });
    await sidekicks.open('zoe');
    await sidekicks.waitForEvent('commands:changed', ({ agent }) => agent === 'zoe');
    await nvim.feed('/');
    await waitForList(nvim, ['/plan']);
    await nvim.feed('<C-u>@');
    await nvim.waitForLua('an answer', 'return vim.fn.pumvisible() == 0');
    expect(await nvim.bufferLines('sidekicks://agent/zoe/input')).toEqual(['@']);
  });
});
