// The window of a permission request: what it says, where it stands, and that it never takes a key from anybody (SPEC 8).
import { expect, it } from 'vitest';
import type { Permission } from '../../src/core/contract/shapes.ts';
import { block, CONVERSATION, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const TOOL: Permission['toolCall'] = {
  id: 't1',
  title: 'Run the tests',
  kind: 'execute',
  status: 'pending',
  input: '{"command":"npm test"}',
  output: '',
  locations: [],
  diffs: [],
};

const OPTIONS: Permission['options'] = [
  { optionId: 'once', name: 'Allow', kind: 'allow_once' },
  { optionId: 'ever', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

const permission = (id: string, rest: Partial<Permission> = {}): Permission => ({
  id,
  channel: CONVERSATION.id,
  agent: 'bob',
  messageId: 'm1',
  toolCall: TOOL,
  options: OPTIONS,
  rejections: 0,
  ...rest,
});

const text = block(
  'p',
  'prose',
  Array.from({ length: 60 }, (_, index) => `row ${index + 1}`),
);

async function opened(nvim: Nvim): Promise<StandIn> {
  const host = await StandIn.open(nvim, [text]);
  await nvim.waitForScreen('row 60');
  return host;
}

/** First and last row of the window on the screen, its border included. */
async function rowsOfWindow(nvim: Nvim): Promise<readonly [number, number]> {
  const top = await nvim.waitFor('the window', () => nvim.screen.find('╭'));
  const bottom = nvim.screen.find('╰');
  return [top.row, bottom?.row ?? -1];
}

const answers = async (host: StandIn) =>
  (await host.asked('ChannelService.AnswerPermission')).map(({ params }) => [params['id'], params['optionId']]);

describeNvim('the permission window', ({ start }) => {
  it('says who asks for what, with the whole command and the options in the words of the agent', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1', { rejections: 2 }));
    await nvim.waitForScreen('Bob asks for permission');
    for (const part of [
      'Run the tests',
      'run',
      'npm test',
      '1  Allow',
      '2  Always allow',
      '3  Reject',
      'refused 2 times',
    ]) {
      expect(nvim.screen.text()).toContain(part);
    }
  });

  it('says how to get there from where one is, and the first keys where there is no room for all', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('╰ gp: 1-9 choose · q later');
    await nvim.feed('<Esc>gp');
    await nvim.waitForScreen('╰ 1-9 choose · q later · Tab next');
    await nvim.command('wincmd t');
    await nvim.waitForScreen('╰ :Sidekicks permit: 1-9 choose');
  });

  it('takes no key and no focus from somebody who is typing', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('I will wri');
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('te 1 2 3q');
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['I will write 1 2 3q']);
    expect(await nvim.mode()).toBe('i');
    expect(await answers(host)).toEqual([]);
    expect(nvim.screen.text()).toContain('Bob asks for permission');
  });

  it('shows while a command line is written, and leaves that alone', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('<Esc>:echo 1');
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('2');
    await nvim.waitForScreen(':echo 12');
    expect(await nvim.mode()).toBe('c');
    await nvim.feed('<CR>');
    await nvim.waitForScreen(/^12/m);
  });

  it('is reached with gp, answered with a digit, and gives the focus back', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1'));
    await nvim.waitForScreen('Bob asks for permission');
    await nvim.feed('<Esc>gp');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await nvim.feed('3');
    await nvim.waitFor('the answer', async () => (await answers(host)).length > 0);
    expect(await answers(host)).toEqual([['q1', 'no']]);
    expect(await nvim.lua('return vim.bo.filetype')).toBe('sidekicks-input');
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    await host.send('permission:resolved', { id: 'q1', channel: CONVERSATION.id });
  });

  it('leaves a request waiting when it is closed, however that is done', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1'));
    for (const keys of ['q', '<Esc>', ':close<CR>', '<C-w>o']) {
      await nvim.feed('<Esc>gp');
      await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
      if (keys === '<C-w>o') await nvim.feed('<C-w>p');
      await nvim.feed(keys);
      await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    }
    expect(await answers(host)).toEqual([]);
    await nvim.command('Sidekicks permit allow');
    expect(await answers(host)).toEqual([['q1', 'once']]);
  });

  it('keeps several requests apart, each answered by its own id (B09)', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const options: Permission['options'] = [
      { optionId: 'ok-session', name: 'Allow in this session', kind: 'allow_always' },
      { optionId: 'ok-forever', name: 'Allow for ever', kind: 'allow_always' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    await host.send('permission:requested', permission('11', { options, toolCall: { ...TOOL, title: 'first tool' } }));
    await host.send(
      'permission:requested',
      permission('12', { agent: 'ann', options, toolCall: { ...TOOL, id: 't2', title: 'second tool' } }),
    );
    await nvim.waitForScreen('first tool');
    await nvim.waitForScreen('(1 of 2)');
    for (const option of options) expect(nvim.screen.text()).toContain(option.name);
    await nvim.feed('<Esc>gp<Tab>');
    await nvim.waitForScreen('second tool');
    expect(nvim.screen.text()).toContain('ann asks');
    await nvim.feed('1');
    await nvim.waitForScreen('first tool');
    await nvim.feed('3');
    await nvim.waitFor('both answers', async () => (await answers(host)).length === 2);
    expect(await answers(host)).toEqual([
      ['12', 'ok-session'],
      ['11', 'no'],
    ]);
  });

  it('closes when the request was answered elsewhere, and a key on it sends nothing (B07)', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1'));
    await nvim.feed('<Esc>gp');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await host.send('permission:resolved', { id: 'q1', channel: CONVERSATION.id });
    await nvim.feed('1<Esc>');
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    expect(await answers(host)).toEqual([]);
    await nvim.command('Sidekicks permit');
    await nvim.waitForScreen('no permission request');
  });

  it('shows line breaks and odd characters without harm (B08)', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const toolCall = { ...TOOL, title: 'cat <<X\nhello\r\nX', input: '', output: 'a\0b\x1b[31m' };
    const options: Permission['options'] = [
      { optionId: 'always', name: 'Allow\nalways', kind: 'allow_always' },
      { optionId: 'no', name: '%s%%#Error#\t', kind: 'reject_once' },
    ];
    await host.send('permission:requested', permission('q1', { toolCall, options, agent: 'ev\nil%#x#' }));
    await nvim.waitForScreen('1  Allow ↵ always');
    expect(nvim.screen.text()).toContain('cat <<X ↵ hello ↵ X');
    expect(nvim.screen.text()).toContain('2  %s%%#Error#');
    await nvim.feed('<Esc>gpG');
    await nvim.waitForScreen('a^@b^[[31m');
    await nvim.feed('1');
    await nvim.waitFor('the answer', async () => (await answers(host)).length > 0);
    expect(await answers(host)).toEqual([['q1', 'always']]);
  });

  it('shows a command of several lines that is its own title once', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const command = 'cat <<X\nhello\nX';
    const toolCall = { ...TOOL, title: command, input: JSON.stringify({ command }) };
    await host.send('permission:requested', permission('q1', { toolCall }));
    await nvim.waitForScreen('cat <<X ↵ hello ↵ X');
    expect(nvim.screen.text().match(/│hello/g)).toHaveLength(1);
  });

  it('shows names and values of the input that hold line ends and escape sequences', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const input = JSON.stringify({ 'k\u001b[31m\ney': 'v\u0007\nalue' });
    await host.send('permission:requested', permission('q1', { toolCall: { ...TOOL, input } }));
    await nvim.waitForScreen('k^[[31m ↵ ey: v^G');
    expect(nvim.screen.text()).toContain('3  Reject');
  });

  it('begins with what kind of thing is asked where a request has no title', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1', { toolCall: { ...TOOL, title: '' } }));
    const [top] = await rowsOfWindow(nvim);
    expect(nvim.screen.row(top + 1)).toContain('│run ');
  });

  it('shows an edit as a difference', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const diff = { path: '/project/a.txt', oldText: 'one\ntwo\n', newText: 'one\n2\n', newFile: false };
    const toolCall: Permission['toolCall'] = { ...TOOL, kind: 'edit', diffs: [diff], input: '{"old_string":"x"}' };
    await host.send('permission:requested', permission('q1', { toolCall }));
    await nvim.waitForScreen('/project/a.txt');
    await nvim.feed('<Esc>gpG');
    await nvim.waitForScreen('+2');
    expect(nvim.screen.text()).toContain('-two');
    expect(nvim.screen.text()).not.toContain('old_string');
  });

  it('shows what a small edit changes without a key, on a small screen too', async () => {
    const nvim = await start({ lines: 34 });
    const host = await opened(nvim);
    const before = 'one\ntwo\nthree\nfour\n';
    const diff = { path: '/project/a.txt', oldText: before, newText: `${before}added\n`, newFile: false };
    const toolCall: Permission['toolCall'] = { ...TOOL, title: 'Edit a.txt', kind: 'edit', diffs: [diff] };
    await host.send('permission:requested', permission('q1', { toolCall }));
    await nvim.waitForScreen('+added');
    expect(nvim.screen.text()).toContain('/project/a.txt');
  });

  it('answers by number, id and word from the command line, and names an option there is not', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    for (const id of ['q1', 'q2', 'q3']) await host.send('permission:requested', permission(id));
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks permit 2');
    await nvim.command('Sidekicks permit reject');
    await nvim.command('Sidekicks permit perhaps');
    await nvim.waitForScreen('no option perhaps');
    nvim.allowErrors(/no option perhaps/);
    await nvim.command('Sidekicks permit ever');
    expect(await answers(host)).toEqual([
      ['q1', 'ever'],
      ['q2', 'no'],
      ['q3', 'ever'],
    ]);
  });

  it('stays when the host refuses the answer, and says why', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.answer('ChannelService.AnswerPermission', { error: { code: 'internal', message: 'no luck' } });
    await host.send('permission:requested', permission('q1'));
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks permit 1');
    await nvim.waitForScreen('no luck');
    await nvim.waitForScreen('Bob asks for permission');
    nvim.allowErrors(/no luck/);
  });
});

describeNvim('the place of the permission window', ({ start }) => {
  const long = {
    ...TOOL,
    input: JSON.stringify({ command: Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n') }),
  };

  it('is the foot of the conversation, and at most 40 % of the screen', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1', { toolCall: long }));
    const [top, bottom] = await rowsOfWindow(nvim);
    expect(bottom - top + 1).toBeLessThanOrEqual(16);
    const input = nvim.screen.find('<CR> send');
    expect(bottom).toBeLessThan(input?.row ?? 0);
    expect(nvim.screen.text()).toContain('3  Reject');
  });

  it('is never the line of the cursor, wherever that goes', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1', { toolCall: long }));
    await rowsOfWindow(nvim);
    await nvim.feed('<Esc><C-w>k');
    for (const keys of ['H', 'M', 'L', 'gg', 'G', '20k', '10k', '8j']) {
      await nvim.feed(keys);
      await nvim.waitFor(`room for the cursor after ${keys}`, async () => {
        const { row } = nvim.screen.cursor;
        const [top, bottom] = await rowsOfWindow(nvim);
        const line = await nvim.lua<string>('return vim.api.nvim_get_current_line()');
        return (row < top || row > bottom) && nvim.screen.row(row).includes(line);
      });
    }
  });

  it('is the foot of the screen in a tab page without the conversation, and it comes along', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('<Esc>');
    await nvim.command('tabnew');
    await host.send('permission:requested', permission('q1'));
    const [, bottom] = await rowsOfWindow(nvim);
    expect(bottom).toBe(37);
    await nvim.command('tabnew');
    await rowsOfWindow(nvim);
    await nvim.command('tabclose');
    await rowsOfWindow(nvim);
    await nvim.command('tabfirst');
    await nvim.waitFor('the window above the input', async () => {
      const [, low] = await rowsOfWindow(nvim);
      return low < (nvim.screen.find('<CR> send')?.row ?? 0);
    });
    expect(await nvim.lua('return #vim.api.nvim_list_wins()')).toBe(5);
  });

  it('fits the screen when that changes', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await host.send('permission:requested', permission('q1', { toolCall: long }));
    await rowsOfWindow(nvim);
    await nvim.request('nvim_ui_try_resize', 60, 16);
    await nvim.waitFor('a smaller window', async () => {
      const [top, bottom] = await rowsOfWindow(nvim);
      return bottom - top + 1 <= 6 && bottom < 14;
    });
  });
});
