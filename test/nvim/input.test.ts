// Writing to an agent: sending, the draft, earlier prompts, and that nothing typed is lost.
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Message } from '../../src/core/contract/shapes.ts';
import { block, CONVERSATION, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const INPUT = 'sidekicks://agent/bob/input';

const opened = (nvim: Nvim, answers: Parameters<typeof StandIn.open>[2] = {}) =>
  StandIn.open(nvim, [block('p', 'prose', ['hello'])], answers);

const sent = async (host: StandIn) => (await host.asked('ChannelService.Send')).map(({ params }) => params['text']);

const message = (id: string, role: Message['role'], text: string): Message => ({
  id,
  channel: CONVERSATION.id,
  createdAt: 1,
  agent: role === 'agent' ? 'bob' : '',
  role,
  parts: [{ kind: 'text', text }],
  done: true,
  queued: false,
  stopReason: '',
  error: '',
  code: '',
  attachments: [],
});

describeNvim('the input', ({ start }) => {
  it('sends with <CR> what was typed, byte for byte, and stays in insert mode', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const text = 'price is 5$ and $HOME, 100%, %1 %s, $$ $& $1 $(id) ~ {x}';
    await nvim.feed(`${text}<CR>`);
    await host.waitForAsked('ChannelService.Send');
    expect(await sent(host)).toEqual([text]);
    expect(await nvim.bufferLines(INPUT)).toEqual(['']);
    expect(await nvim.mode()).toBe('i');
  });

  it('begins a new line with <C-j>, and sends from normal mode, with <C-s> and with :w', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('one<C-j>two<Esc><CR>');
    await nvim.feed('ithree<C-s>four<Esc>:w<CR>');
    await nvim.waitFor('three prompts', async () => (await sent(host)).length === 3);
    expect(await sent(host)).toEqual(['one\ntwo', 'three', 'four']);
  });

  it('sends nothing that is blank', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('<CR>  <C-j><CR><Esc><CR>:w<CR>');
    await nvim.waitForLua('the keys are read', 'return true');
    expect(await sent(host)).toEqual([]);
  });

  it('takes pasted lines as text', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.request('nvim_paste', 'line one\nline two\n', true, -1);
    expect(await nvim.bufferLines(INPUT)).toEqual(['line one', 'line two', '']);
    expect(await sent(host)).toEqual([]);
  });

  it('gives the text back when it could not be sent', async () => {
    const nvim = await start();
    const host = await opened(nvim, {
      'ChannelService.Send': { error: { code: 'limit', message: 'too many agents' } },
    });
    nvim.allowErrors(/too many agents/);
    await nvim.feed('precious<CR>');
    await host.waitForAsked('ChannelService.Send');
    await nvim.waitFor('the text', async () => (await nvim.bufferLines(INPUT))[0] === 'precious');
    await host.hold('ChannelService.Send');
    await nvim.feed('<CR>something new');
    await host.release('ChannelService.Send', { error: { code: 'limit', message: 'too many agents' } });
    expect(await nvim.bufferLines(INPUT)).toEqual(['something new']);
    await nvim.feed('<C-u><Up>');
    expect(await nvim.bufferLines(INPUT)).toEqual(['precious']);
  });

  it('sends what was typed and sent before the host had told of the conversation', async () => {
    const nvim = await start();
    const host = await StandIn.install(nvim);
    await host.hold('ChannelService.Direct');
    await nvim.command('Sidekicks open bob');
    await nvim.feed('early<CR>');
    await host.waitForAsked('ChannelService.Direct');
    expect(await sent(host)).toEqual([]);
    await host.release('ChannelService.Direct', CONVERSATION);
    await nvim.waitFor('the prompt', async () => (await sent(host)).length === 1);
    expect(await sent(host)).toEqual(['early']);
  });

  it('sends each of several early messages by itself, and leaves what is still being written', async () => {
    const nvim = await start();
    const host = await StandIn.install(nvim);
    await host.hold('ChannelService.Direct');
    await nvim.command('Sidekicks open bob');
    await nvim.feed('one<CR>two<CR>three');
    await host.waitForAsked('ChannelService.Direct');
    await host.release('ChannelService.Direct', CONVERSATION);
    await nvim.waitFor('the prompts', async () => (await sent(host)).length === 2);
    expect(await sent(host)).toEqual(['one', 'two']);
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['three']);
  });

  it('gives early messages back when there is no such conversation', async () => {
    const nvim = await start();
    const host = await StandIn.install(nvim);
    await host.hold('ChannelService.Direct');
    await nvim.command('edit sidekicks://agent/bob/input');
    await nvim.feed('ione<CR>two<CR>three');
    await host.waitForAsked('ChannelService.Direct');
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['three']);
    await host.release('ChannelService.Direct', { error: { code: 'not-found', message: 'no agent named bob' } });
    await nvim.waitFor('the text', async () => (await nvim.bufferLines('sidekicks://agent/bob/input')).length > 1);
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['one', '', 'two', '', 'three']);
  });

  it('keeps the draft half a second after the last key, and forgets it when it is sent', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('half a thou');
    await nvim.feed('ght');
    const [draft] = await host.waitForAsked('ViewService.Draft');
    expect(draft?.params).toEqual({ id: CONVERSATION.id, text: 'half a thought' });
    await nvim.feed('<CR>');
    const drafts = await host.waitForAsked('ViewService.Draft', 2);
    expect(drafts.map(({ params }) => params['text'])).toEqual(['half a thought', '']);
  });

  it('brings the draft of the last time back, but not over what is typed already', async () => {
    const nvim = await start();
    await opened(nvim, { 'ViewService.Open': { draft: 'two\nlines' } });
    await nvim.waitFor('the draft', async () => (await nvim.bufferLines(INPUT)).length === 2);
    expect(await nvim.bufferLines(INPUT)).toEqual(['two', 'lines']);
    await nvim.feed('!');
    expect(await nvim.bufferLines(INPUT)).toEqual(['two', 'lines!']);

    const typing = await start();
    const host = await StandIn.install(typing);
    await host.hold('ViewService.Open');
    await typing.command('Sidekicks open bob');
    await host.waitForAsked('ViewService.Open');
    await typing.feed('new');
    await host.release('ViewService.Open', { draft: 'old' });
    expect(await typing.bufferLines(INPUT)).toEqual(['new']);
  });

  it('keeps the draft of a buffer that is wiped', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('do not lose me<Esc>');
    await nvim.command('bwipeout! sidekicks://agent/bob/input');
    const drafts = await host.waitForAsked('ViewService.Draft');
    expect(drafts.at(-1)?.params['text']).toBe('do not lose me');
  });

  const snapshot = (messages: readonly Message[]) => ({
    ...{ channel: CONVERSATION, more: false, busy: false, queued: 0, answering: '', cancelling: false, waitingFor: '' },
    ...{ usage: {}, permissions: [], questions: [], messages },
  });

  it('goes on from the prompt shown where others were sent from elsewhere after it', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    const messages = ['first', 'now', 'by a script'].map((text, index) => message(String(index), 'user', text));
    await host.answer('ChannelService.Conversation', snapshot(messages));
    await nvim.feed('now<CR>');
    await host.waitForAsked('ChannelService.Send');
    for (const [key, text] of [
      ['<Up>', 'now'],
      ['<Up>', 'first'],
      ['<Down>', 'now'],
      ['<Down>', 'by a script'],
    ] as const) {
      await nvim.feed(key);
      await nvim.waitFor(`${key} to give ${text}`, async () => (await nvim.bufferLines(INPUT))[0] === text);
    }
  });

  it('loses no <Up> that comes before the prompts of earlier days', async () => {
    const nvim = await start();
    const host = await opened(nvim);
    await nvim.feed('now<CR>');
    await host.waitForAsked('ChannelService.Send');
    await host.hold('ChannelService.Conversation');
    await nvim.feed('<Up><Up>');
    await nvim.waitFor('the prompt', async () => (await nvim.bufferLines(INPUT))[0] === 'now');
    const messages = ['first', 'now'].map((text, index) => message(String(index), 'user', text));
    await host.release('ChannelService.Conversation', snapshot(messages));
    await nvim.waitFor('the one before', async () => (await nvim.bufferLines(INPUT))[0] === 'first');
  });

  it('brings earlier prompts back with <Up> in an empty input, those of earlier days too', async () => {
    const nvim = await start();
    const messages = [
      message('1', 'user', 'first'),
      message('2', 'agent', 'answer'),
      message('3', 'user', 'two\nlines'),
    ];
    const host = await opened(nvim);
    await host.answer('ChannelService.Conversation', snapshot(messages));
    await nvim.feed('now<CR>');
    await host.waitForAsked('ChannelService.Send');
    await nvim.feed('<Up>');
    await nvim.waitFor('the prompt', async () => (await nvim.bufferLines(INPUT))[0] === 'now');
    for (const [key, lines] of [
      ['<Up>', ['two', 'lines']],
      ['<Up>', ['first']],
      ['<Up>', ['first']],
      ['<Down>', ['two', 'lines']],
      ['<Down>', ['now']],
      ['<Down>', ['']],
    ] as const) {
      await nvim.feed(key);
      await nvim.waitFor(`${key} to give ${lines.join('/')}`, async () =>
        isDeepStrictEqual(await nvim.bufferLines(INPUT), lines),
      );
    }
    await nvim.feed('a<C-j>b<Up>X');
    expect(await nvim.bufferLines(INPUT)).toEqual(['aX', 'b']);
    expect(await sent(host)).toEqual(['now']);
  });

  it('moves the cursor with <Up> in a prompt that was brought back and changed', async () => {
    const nvim = await start();
    await opened(nvim);
    await nvim.feed('one<C-j>two<CR><Up>!<Up>?');
    expect(await nvim.bufferLines(INPUT)).toEqual(['one?', 'two!']);
  });

  it('never keeps Neovim from leaving, and gives a sent text back to undo', async () => {
    const nvim = await start();
    await opened(nvim);
    await nvim.feed('typed');
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
    await nvim.feed('<CR><Esc>u');
    expect(await nvim.bufferLines(INPUT)).toEqual(['typed']);
    expect(await nvim.lua('return vim.bo.modified')).toBe(false);
    await nvim.feed(':qa<CR>');
    await nvim.waitFor('the end', () => nvim.hasExited);
  });

  it('cancels with <C-c> while an answer runs, and only then', async () => {
    const nvim = await start();
    const host = await opened(nvim, { 'ChannelService.Cancel': {} });
    await nvim.feed('<Esc><C-c>');
    expect(await host.asked('ChannelService.Cancel')).toEqual([]);
    const turn = { channel: CONVERSATION.id, queued: 0, cancelling: false, waitingFor: '' };
    await host.send('turn:changed', { ...turn, busy: true, answering: 'bob' });
    await nvim.feed('<C-c>');
    expect(await host.waitForAsked('ChannelService.Cancel')).toHaveLength(1);
  });
});
