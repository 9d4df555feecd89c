// Two Neovims on one configuration and history: what one says the other shows, who answers, what waits, one that is killed (SPEC 10).
import { expect, it } from 'vitest';
import { received } from './support/agents.ts';
import { describeNvim, type Ground } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';
import { gate, openGate, rowsWith, say, startWith } from './product/person.ts';

const answers = (nvim: Nvim) => rowsWith(nvim, /Hello from bob\./).length;

/** Two of them, each with the channel open and in Insert mode. */
async function both(ground: Ground, script?: Parameters<typeof startWith>[1][string]) {
  const own = ground.place();
  const config = { channels: { review: { members: ['bob'] } } };
  const first = await startWith(ground, { bob: script ?? {} }, { place: own, config });
  const other = await ground.start({ place: own });
  const neovims = { own, one: first.nvim, two: other, sidekicks: first.sidekicks, others: await Sidekicks.in(other) };
  for (const nvim of [neovims.one, neovims.two]) {
    await nvim.command('SidekicksChannel review');
    await nvim.waitForLua('the input', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://channel/review/input'`);
    await nvim.waitForScreen('Members: @bob');
  }
  return neovims;
}

describeNvim('two Neovims on one history', (ground) => {
  it('show each other’s messages and answers, and both go on', async () => {
    const { one, two } = await both(ground);
    await say(one, 'from the first');
    await two.waitForScreen('from the first');
    await two.waitFor('the answer', () => answers(two) === 1);
    expect(two.screen.text()).not.toContain('Members: @bob');
    await say(two, 'from the second');
    await one.waitForScreen('from the second');
    await one.waitFor('the second answer', () => answers(one) === 2);
  });

  it('say that the other answers; what is sent meanwhile waits, and is sent by the one it was typed in', async () => {
    const own = ground.place();
    const script = [{ op: 'text', text: 'Hello from bob.' }, gate(own, 'go')];
    const { one, two, others } = await both(ground, { script });
    await say(one, 'long work');
    await two.waitForScreen('bob answers in another Neovim');
    expect(one.screen.text()).not.toContain('another Neovim');
    await say(two, 'then this');
    await two.waitForScreen('1 queued');
    await say(two, 'a draft of the second');
    await two.waitForScreen('2 queued');
    openGate(own, 'go');
    await two.waitFor('all answers', () => answers(two) === 3);
    // Each answer under its question, in the one that waited too.
    const rows = two.screen.text().split('\n');
    const place = (text: string) => rows.findIndex((row) => row.includes(text));
    expect(rows.findIndex((row) => row.includes('Hello from bob.'))).toBeLessThan(place('then this'));
    await one.waitFor('them here too', () => answers(one) === 3);
    const { channels } = await others.call('ChannelService.List', {});
    await others.waitUntilIdle(channels[0]?.id ?? '');
    await one.waitFor('rest', () => !one.screen.text().includes('another Neovim'));
  });

  it('a killed one frees what it answered, and the other goes on within a second or two', async () => {
    const own = ground.place();
    const { one, two } = await both(ground, { script: [gate(own, 'never'), { op: 'text', text: 'Hello from bob.' }] });
    await say(one, 'long work');
    await two.waitForScreen('bob answers in another Neovim');
    await say(two, 'and mine');
    await two.waitForScreen('1 queued');
    await one.crash();
    await two.waitFor('its turn', () => !two.screen.text().includes('1 queued'));
    expect(two.screen.text()).not.toContain('another Neovim');
    openGate(own, 'never');
    await two.waitFor('the answer', () => answers(two) === 1);
    await two.waitFor('both prompts', () => received(two.place, 'bob', 'session/prompt').length === 2);
  });

  it('show members, names and the end of a channel as the other has them', async () => {
    const { one, two } = await both(ground);
    await say(two, 'hello');
    await one.waitFor('an answer', () => answers(one) === 1);
    await one.feed('<Esc>');
    await two.feed('<Esc>');
    await one.command('Sidekicks channel rename plans');
    await two.waitForScreen('#plans  bob');
    await two.waitForLua('the name', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://channel/plans/input'`);
    await two.command('Sidekicks channel remove bob');
    await one.waitForScreen('#plans  no members');
    await one.waitForScreen('bob left');
    await one.command('Sidekicks! channel clear');
    await two.waitFor('no message', () => answers(two) === 0);
    await one.command('Sidekicks! channel delete');
    await two.waitForScreen('#plans was deleted');
    await two.waitForLua('one window', 'return vim.fn.winnr("$") == 1');
  });
});
