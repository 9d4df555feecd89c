// The rules of permission requests that hold wherever a person is and whatever they do (SPEC 8): every mode, several agents, no window in sight.
import { expect, it } from 'vitest';
import type { Permission } from '../../src/core/contract/shapes.ts';
import { block, CONVERSATION, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const permission = (id: string, rest: Partial<Permission> = {}): Permission => ({
  id,
  channel: CONVERSATION.id,
  agent: 'bob',
  messageId: 'm1',
  toolCall: {
    id: 't1',
    title: 'Run the tests',
    kind: 'execute',
    status: 'pending',
    input: '',
    output: '',
    locations: [],
    diffs: [],
  },
  options: [
    { optionId: 'once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  rejections: 0,
  ...rest,
});

async function opened(nvim: Nvim): Promise<StandIn> {
  const host = await StandIn.open(nvim, [block('p', 'prose', ['hello'])]);
  await nvim.waitForScreen('hello');
  return host;
}

const answers = async (host: StandIn) =>
  (await host.asked('ChannelService.AnswerPermission')).map(({ params }) => [params['id'], params['optionId']]);

describeNvim('a permission request that comes in the middle of something', ({ start }) => {
  async function inFile(nvim: Nvim): Promise<StandIn> {
    const host = await opened(nvim);
    await nvim.feed('<Esc>');
    await nvim.command('tabnew');
    await nvim.lua(`vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'one two', 'three', 'four' })`);
    return host;
  }

  it('takes no key in Visual mode', async () => {
    const nvim = await start();
    const host = await inFile(nvim);
    await nvim.feed('ve');
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('cnone<Esc>');
    expect(await nvim.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')).toEqual(['none two', 'three', 'four']);
    expect(await answers(host)).toEqual([]);
  });

  it('takes no key while an operator waits for its motion', async () => {
    const nvim = await start();
    const host = await inFile(nvim);
    await nvim.feed('d');
    await host.send('permission:requested', permission('q1'));
    await nvim.feed('w');
    await nvim.waitForScreen('Bob asks for permission');
    expect(await nvim.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')).toEqual(['two', 'three', 'four']);
    expect(await answers(host)).toEqual([]);
  });

  it('takes no key from a terminal', async () => {
    const nvim = await start();
    const host = await inFile(nvim);
    await nvim.command('terminal cat');
    await nvim.feed('i');
    await nvim.waitFor('Terminal mode', async () => (await nvim.mode()) === 't');
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('12q gp<CR>');
    await nvim.waitForScreen(/12q gp\s*\n12q gp/);
    expect(await nvim.mode()).toBe('t');
    expect(await answers(host)).toEqual([]);
  });
});

describeNvim('permission requests', ({ start }) => {
  it('of several conversations are answered by their own id, in any order, and say whose they are', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('one'));
    await host.send('permission:requested', permission('two', { channel: 'c2', agent: 'ann' }));
    await host.send('permission:requested', permission('three', { channel: 'c3', agent: 'cid' }));
    await nvim.waitForScreen('Bob asks for permission (1 of 3)');
    await nvim.feed('<Esc>gp<Tab>');
    await nvim.waitForScreen('ann asks for permission (2 of 3)');
    await nvim.feed('2');
    await nvim.waitForScreen('(1 of 2)');
    await nvim.feed('<S-Tab>');
    await nvim.waitForScreen('cid asks for permission (2 of 2)');
    await nvim.feed('1');
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('2');
    await nvim.waitFor('three answers', async () => (await answers(host)).length === 3);
    expect(await answers(host)).toEqual([
      ['two', 'no'],
      ['three', 'once'],
      ['one', 'no'],
    ]);
  });

  it('of a hidden conversation stand at the foot of the screen', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks close');
    await nvim.waitFor('no transcript', () => !nvim.screen.text().includes('hello'));
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    expect(nvim.screen.find('╰')?.row).toBe(37);
    await nvim.command('Sidekicks permit');
    expect(await nvim.lua('return vim.bo.filetype')).toBe('sidekicks-permission');
  });

  it('with more than nine options are answered by the row or by number', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const options = Array.from({ length: 12 }, (_, index) => ({
      optionId: `id${String(index + 1)}`,
      name: `Way ${String(index + 1)}`,
      kind: 'allow_always' as const,
    }));
    await host.send('permission:requested', permission('q1', { options }));
    await host.send('permission:requested', permission('q2', { options }));
    await host.send('permission:requested', permission('q3', { options }));
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('<Esc>gp/Way 11<CR><CR>');
    await nvim.waitForScreen('(1 of 2)');
    await nvim.command('Sidekicks permit 12');
    await nvim.waitFor('the third', () => !nvim.screen.text().includes('of 2'));
    await nvim.feed('1');
    await nvim.waitFor('three answers', async () => (await answers(host)).length === 3);
    expect(await answers(host)).toEqual([
      ['q1', 'id11'],
      ['q2', 'id12'],
      ['q3', 'id1'],
    ]);
  });

  it('are completed by the words of the oldest one, wherever it was asked', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('<Esc>');
    const complete = () => nvim.lua(`return vim.fn.getcompletion('Sidekicks permit ', 'cmdline')`);
    expect(await complete()).toEqual(['allow', 'reject']);
    await host.send('permission:requested', permission('q1', { channel: 'c2' }));
    expect(await complete()).toEqual(['allow', 'reject', 'once', 'no']);
  });

  it('that nobody sees are told by vim.notify; those in sight are not', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    // Loaded when the host starts, for which another one stands in here.
    await nvim.lua(`
      require('sidekicks.attention')
      _G.told = {}
      vim.notify = function(text) table.insert(told, text) end`);
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    expect(await nvim.lua('return told')).toEqual([]);
    await nvim.feed('<Esc>');
    await nvim.command('tabnew');
    await host.send('permission:requested', permission('q2'));
    await host.send('question:requested', {
      id: 'q3',
      channel: CONVERSATION.id,
      agent: 'bob',
      message: 'Which?',
      schema: {},
    });
    await nvim.waitForLua('both notes', 'return #told == 2');
    const told = await nvim.lua<string[]>('return told');
    expect(told[0]).toContain('Bob asks for permission');
    expect(told[1]).toContain('Bob asks a question');
  });
});

describeNvim('an agent that ignores cancel (B11)', ({ start }) => {
  const turn = (cancelling: boolean, busy = true) => ({
    channel: CONVERSATION.id,
    busy,
    queued: 0,
    answering: busy ? 'bob' : '',
    cancelling,
    waitingFor: '',
  });

  /** Bob answers; the clock of the views stands still until it is turned. */
  async function answering(nvim: Nvim): Promise<StandIn> {
    const host = await opened(nvim);
    await host.answer('ChannelService.Cancel', {});
    await nvim.lua(`
      _G.clock, _G.selects = 1000000, {}
      require('sidekicks.state').now = function() return clock end
      vim.ui.select = function(items, opts, callback)
        table.insert(selects, { opts.prompt, vim.tbl_map(opts.format_item, items) })
        _G.choose = function(index) callback(items[index]) end
      end`);
    await host.send('turn:changed', turn(false));
    await nvim.feed('<Esc>');
    return host;
  }

  const selects = (nvim: Nvim) => nvim.lua('return selects');

  it('is shown as stopping; a second cancel offers to stop it, after 10 s and not before', async () => {
    const nvim = await start();
    const host = await answering(nvim);
    await nvim.command('Sidekicks cancel');
    await host.send('turn:changed', turn(true));
    await nvim.waitForScreen('stopping');
    await nvim.lua('clock = clock + 9999');
    await nvim.feed('<C-c>');
    await host.waitForAsked('ChannelService.Cancel', 2);
    expect(await selects(nvim)).toEqual([]);
    await nvim.lua('clock = clock + 1');
    await nvim.feed('<C-c>');
    await nvim.waitForLua('the offer', 'return #selects == 1');
    expect(await selects(nvim)).toEqual([['Bob does not stop. Stop the agent?', ['stop the agent Bob', 'wait on']]]);
    expect(await host.asked('AgentService.Stop')).toEqual([]);
    await nvim.lua('choose(1)');
    expect(await host.waitForAsked('AgentService.Stop')).toMatchObject([{ params: { name: 'bob' } }]);
  });

  it('is left alone when the person waits on, or when it has ended meanwhile', async () => {
    const nvim = await start();
    const host = await answering(nvim);
    await host.send('turn:changed', turn(true));
    await nvim.lua('clock = clock + 10000');
    await nvim.command('Sidekicks cancel');
    await nvim.waitForLua('the offer', 'return #selects == 1');
    await nvim.lua('choose(2)');
    await nvim.command('Sidekicks cancel');
    await nvim.waitForLua('the offer', 'return #selects == 2');
    await host.send('turn:changed', turn(false, false));
    await nvim.lua('choose(1)');
    expect(await host.asked('AgentService.Stop')).toEqual([]);
    await host.send('turn:changed', turn(true));
    await nvim.command('Sidekicks cancel');
    expect(await selects(nvim)).toHaveLength(2);
  });
});
