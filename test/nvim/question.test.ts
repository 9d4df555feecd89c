// The window of an agent's question: one field after the other, by the rules of permission requests (SPEC 8).
import { expect, it } from 'vitest';
import type { Permission, Question, QuestionField } from '../../src/core/contract/shapes.ts';
import { block, CONVERSATION, StandIn } from './stand-in.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';

const question = (id: string, rest: Partial<Question> = {}): Question => ({
  id,
  channel: CONVERSATION.id,
  agent: 'bob',
  message: 'Which way shall I go?',
  schema: { type: 'object' },
  ...rest,
});

const field = (rest: Partial<QuestionField>): QuestionField => ({
  name: 'a',
  title: 'Way',
  description: '',
  required: true,
  hint: '',
  kind: 'text',
  lines: false,
  choices: [],
  ...rest,
});

const choice = (value: string | boolean, title: string, description = '') => ({ value, title, description });
const WAYS = [choice('l', 'Left', 'by the river'), choice('r', 'Right')];

/** The host takes every value, but refuses `bad`. */
const CHECKS = `
  local host = require('sidekicks.host')
  local request = host.request
  function host.request(method, params, callback)
    if method ~= 'ViewService.CheckField' then return request(method, params, callback) end
    table.insert(stand_in.asked, { method = method, params = params })
    local bad = params.value == 'bad'
    vim.schedule(function()
      callback(nil, bad and { problem = 'Way: that is bad' } or { problem = '', value = params.value })
    end)
  end`;

async function opened(nvim: Nvim, fields: readonly QuestionField[]): Promise<StandIn> {
  const host = await StandIn.open(nvim, [block('p', 'prose', ['hello'])], {
    'ViewService.Question': { fields },
    'ChannelService.AnswerQuestion': {},
  });
  await nvim.lua(CHECKS);
  await nvim.waitForScreen('hello');
  return host;
}

async function asked(nvim: Nvim, fields: readonly QuestionField[], rest: Partial<Question> = {}): Promise<StandIn> {
  const host = await opened(nvim, fields);
  await host.send('question:requested', question('q1', rest));
  await nvim.waitForScreen('Bob asks');
  await nvim.feed('<Esc>gp');
  await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
  return host;
}

const answers = async (host: StandIn) =>
  (await host.asked('ChannelService.AnswerQuestion')).map(({ params }) => params);

const answered = async (host: StandIn, count = 1) => {
  await host.waitForAsked('ChannelService.AnswerQuestion', count);
  return answers(host);
};

describeNvim('the window of a question', ({ start }) => {
  it('takes no key from somebody who is typing, and shows what is asked', async () => {
    const nvim = await start();
    const host = await opened(nvim, [field({ kind: 'one', choices: WAYS, required: false, hint: 'one of them' })]);
    await nvim.feed('I wri');
    await host.send('question:requested', question('q1'));
    await nvim.waitForScreen('1  Left — by the river');
    await nvim.feed('te 1 2 dcq');
    expect(await nvim.bufferLines('sidekicks://agent/bob/input')).toEqual(['I write 1 2 dcq']);
    for (const part of [
      'Which way shall I go?',
      'Way · may be left out · one of them',
      '2  Right',
      '0  leave it out',
    ]) {
      expect(nvim.screen.text()).toContain(part);
    }
    expect(nvim.screen.text()).toContain('asks a question (1): gp');
    expect(await answers(host)).toEqual([]);
  });

  it('asks one field after the other and sends all of them at the end', async () => {
    const nvim = await start();
    const host = await asked(nvim, [
      field({ kind: 'one', choices: WAYS }),
      field({ name: 'b', title: 'Things', kind: 'many', choices: [choice('x', 'Axe'), choice('y', 'Bow')] }),
      field({ name: 'c', title: 'Sure', kind: 'boolean', choices: [choice(true, 'yes'), choice(false, 'no')] }),
    ]);
    await nvim.waitForScreen('(1/3) Way · required');
    await nvim.feed('2');
    await nvim.waitForScreen('(2/3) Things');
    await nvim.feed('2');
    await nvim.waitForScreen('2  [x] Bow');
    await nvim.feed('gg/Axe<CR><Space>');
    await nvim.waitForScreen('1  [x] Axe');
    await nvim.feed('1');
    await nvim.waitForScreen('1  [ ] Axe');
    expect(await answers(host)).toEqual([]);
    await nvim.feed('<CR>');
    await nvim.waitForScreen('(3/3) Sure');
    await nvim.feed('2');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'r', b: ['y'], c: false } }]);
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    expect(await nvim.lua('return vim.bo.filetype')).toBe('sidekicks-input');
  });

  it('has the cursor at the first choice from the start, so that <CR> takes it', async () => {
    const nvim = await start();
    const host = await asked(nvim, [field({ kind: 'one', choices: WAYS })]);
    await nvim.waitForScreen('1  Left');
    await nvim.feed('<CR>');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'l' } }]);
  });

  it('takes free text, says what is wrong with it and asks again', async () => {
    const nvim = await start();
    const host = await asked(nvim, [field({ preset: 'home' })]);
    await nvim.waitForScreen('1  your answer: home');
    await nvim.feed('<CR>');
    await nvim.waitForScreen('Way: home');
    await nvim.feed('<C-u>bad<CR>');
    await nvim.waitForScreen('Way: that is bad');
    expect(await answers(host)).toEqual([]);
    await nvim.feed('<CR>');
    await nvim.waitForScreen('Way: bad');
    await nvim.feed('<BS><BS><BS>good<CR>');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'good' } }]);
  });

  it('takes free text of several lines in a window of its own, which keeps it when it is left', async () => {
    const nvim = await start();
    const host = await asked(nvim, [field({ lines: true })]);
    await nvim.waitForScreen('2  write several lines');
    await nvim.feed('2');
    await nvim.waitForScreen('C-s answer · q leave');
    await nvim.feed('first<CR>bad<Esc>q');
    await nvim.waitForScreen('1  your answer: first ↵ bad');
    expect(await answers(host)).toEqual([]);
    await nvim.feed('1');
    await nvim.waitForScreen('C-s answer · q leave');
    await nvim.feed('<C-u>second<C-s>');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'first\nsecond' } }]);
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    expect(await nvim.lua('return vim.bo.filetype')).toBe('sidekicks-input');
    expect(await nvim.mode()).toBe('n');
  });

  it('leaves a field out with 0, and goes back with <BS>', async () => {
    const nvim = await start();
    const host = await asked(nvim, [
      field({ kind: 'one', choices: WAYS }),
      field({ name: 'b', title: 'Why', required: false }),
    ]);
    await nvim.waitForScreen('(1/2)');
    await nvim.feed('1');
    await nvim.waitForScreen('(2/2) Why · may be left out');
    await nvim.feed('<BS>');
    await nvim.waitForScreen('(1/2) Way');
    await nvim.feed('0');
    await nvim.feed('2');
    await nvim.waitForScreen('(2/2) Why');
    await nvim.feed('0');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'r' } }]);
  });

  it.each([
    ['d', 'decline'],
    ['c', 'cancel'],
  ])('tells decline and cancel apart: %s', async (key, action) => {
    const nvim = await start();
    const host = await asked(nvim, [field({})]);
    expect(nvim.screen.text()).toContain('d decline · c cancel');
    await nvim.feed(key);
    expect(await answered(host)).toEqual([{ id: 'q1', action }]);
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
  });

  it('closing answers nothing; it comes back with :Sidekicks permit', async () => {
    const nvim = await start();
    const host = await asked(nvim, [field({ kind: 'one', choices: WAYS })]);
    await nvim.feed('q');
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    expect(await answers(host)).toEqual([]);
    await nvim.command('Sidekicks permit');
    await nvim.waitForScreen('1  Left');
    expect(await nvim.lua(`return vim.fn.getcompletion('Sidekicks permit ', 'cmdline')`)).toEqual([
      'l',
      'r',
      'decline',
      'cancel',
    ]);
    await nvim.command('Sidekicks permit allow');
    await nvim.waitForScreen('answered in its window');
    nvim.allowErrors(/answered in its window/);
    await nvim.command('Sidekicks permit r');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'r' } }]);
  });

  it('waits in order with permission requests, each answered by its own id', async () => {
    const nvim = await start();
    const host = await opened(nvim, [field({ kind: 'one', choices: WAYS })]);
    const toolCall: Permission['toolCall'] = {
      id: 't1',
      title: 'Run it',
      kind: 'execute',
      status: 'pending',
      input: '',
      output: '',
      locations: [],
      diffs: [],
    };
    const options: Permission['options'] = [{ optionId: 'ok', name: 'Allow', kind: 'allow_once' }];
    const rest = { channel: CONVERSATION.id, agent: 'bob', messageId: 'm1', toolCall, options, rejections: 0 };
    await host.send('permission:requested', { id: 'p1', ...rest });
    await host.send('question:requested', question('q1'));
    await nvim.waitForScreen('Bob asks for permission (1 of 2)');
    await nvim.feed('<Esc>gp<Tab>');
    await nvim.waitForScreen('Bob asks (2 of 2)');
    await nvim.waitForScreen('1  Left');
    await nvim.feed('1');
    expect(await answered(host)).toMatchObject([{ id: 'q1' }]);
    await nvim.waitForScreen('Bob asks for permission');
    expect(nvim.screen.text()).not.toContain('of 2');
    await nvim.feed('1');
    expect(await host.waitForAsked('ChannelService.AnswerPermission')).toMatchObject([
      { params: { id: 'p1', optionId: 'ok' } },
    ]);
  });

  it('goes when it was settled elsewhere, and a key on it sends nothing (B07)', async () => {
    const nvim = await start();
    const host = await asked(nvim, [field({ kind: 'one', choices: WAYS })]);
    await host.send('question:resolved', { id: 'q1', channel: CONVERSATION.id });
    await nvim.feed('1d<Esc>');
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    expect(await answers(host)).toEqual([]);
    expect(await host.asked('ViewService.CheckField')).toEqual([]);
  });

  it('stays, and begins anew, when the host refuses the answer', async () => {
    const nvim = await start();
    const host = await opened(nvim, [field({ kind: 'one', choices: WAYS })]);
    await host.answer('ChannelService.AnswerQuestion', { error: { code: 'invalid', message: 'Way: no' } });
    await host.send('question:requested', question('q1'));
    await nvim.feed('<Esc>gp');
    await nvim.waitForScreen('1  Left');
    await nvim.feed('1');
    await nvim.waitForScreen('Way: no');
    await nvim.waitForScreen('1  Left');
    nvim.allowErrors(/Way: no/);
  });

  it('shows an address whole, and opens it only by a key', async () => {
    const nvim = await start();
    const url = 'https://example.com/sign-in?state=0123456789';
    await nvim.lua(`_G.opened = {}; vim.ui.open = function(url) table.insert(opened, url) return {}, nil end`);
    const host = await asked(nvim, [], { url, schema: {} });
    await nvim.waitForScreen('1  open in the browser');
    expect(nvim.screen.text()).toContain(url);
    expect(await nvim.lua('return opened')).toEqual([]);
    await nvim.feed('1');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept' }]);
    expect(await nvim.lua('return opened')).toEqual([url]);
  });

  it('says so when an address cannot be opened, and takes that the person opened it', async () => {
    const nvim = await start();
    await nvim.lua(`vim.ui.open = function() return nil, 'no handler' end`);
    const host = await asked(nvim, [], { url: 'http://localhost:1/', schema: {} });
    await nvim.waitForScreen('2  I opened it myself');
    await nvim.feed('1');
    await nvim.waitForScreen('no handler');
    nvim.allowErrors(/no handler/);
    expect(await answers(host)).toEqual([]);
    await nvim.feed('<CR><Esc>gp');
    await nvim.feed('2');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept' }]);
  });

  it('opens nothing but web addresses', async () => {
    const nvim = await start();
    await nvim.lua(`_G.opened = {}; vim.ui.open = function(url) table.insert(opened, url) return {}, nil end`);
    const host = await asked(nvim, [], { url: 'file:///etc/passwd', schema: {} });
    await nvim.waitForScreen('1  open');
    await nvim.feed('1');
    await nvim.waitForScreen('only http and https');
    nvim.allowErrors(/only http and https/);
    expect(await nvim.lua('return opened')).toEqual([]);
    expect(await answers(host)).toEqual([]);
  });

  it('takes at most 40 % of the screen, with 40 choices; those past 9 by the row', async () => {
    const nvim = await start();
    const many = Array.from({ length: 40 }, (_, index) => choice(`v${String(index)}`, `Choice ${String(index + 1)}`));
    const host = await asked(nvim, [field({ kind: 'one', choices: many })]);
    await nvim.waitForScreen('1  Choice 1');
    const top = nvim.screen.find('╭')?.row ?? 0;
    const bottom = nvim.screen.find('╰')?.row ?? 99;
    expect(bottom - top + 1).toBeLessThanOrEqual(16);
    await nvim.feed('/Choice 25<CR><CR>');
    expect(await answered(host)).toEqual([{ id: 'q1', action: 'accept', content: { a: 'v24' } }]);
  });
});
