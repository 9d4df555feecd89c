// A question of an agent, from its wire to the person and back: every kind of field, an address, cancel, death, and scripts.
import { expect, it } from 'vitest';
import { script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { startWith } from './person.ts';
import { answers, CANCELLED } from './wire.ts';

const FORM = {
  type: 'object',
  properties: {
    colour: {
      type: 'string',
      title: 'Colour',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    },
    age: { type: 'integer', title: 'Age', minimum: 18, default: 20 },
    extras: { type: 'array', title: 'Extras', items: { enum: ['salt', 'pepper'] } },
    again: { type: 'boolean', title: 'Again', default: false },
    note: { type: 'string', title: 'Note' },
  },
  required: ['colour', 'age'],
};

const asking = (rest: object = {}): Step => ({
  op: 'question',
  id: 'ask',
  message: 'What shall I cook?',
  requestedSchema: FORM,
  on: { accept: [{ op: 'text', text: 'Thank you.' }], else: [{ op: 'text', text: 'Then not.' }] },
  ...rest,
});

const IN_WINDOW = `return vim.bo.filetype == 'sidekicks-permission'`;

describeNvim('a question of an agent', (ground) => {
  it('is asked field by field; what is wrong is said; the answer stands in the transcript', async () => {
    const { nvim, own, sidekicks } = await startWith(ground, { bob: {} });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(asking()));
    await nvim.waitForScreen('(1/5) Colour · required');
    await nvim.waitForScreen('○ question  What shall I cook?');
    await nvim.waitForScreen('waiting for your answer: gp');
    await nvim.feed('<Esc>gp');
    await nvim.waitForLua('the window', IN_WINDOW);
    await nvim.feed('2');
    await nvim.waitForScreen('(2/5) Age · required · a whole number · from 18');
    await nvim.feed('<CR>');
    await nvim.waitForScreen('Age: 20');
    await nvim.feed('<C-u>17<CR>');
    await nvim.waitForScreen('Age: at least 18');
    await nvim.feed('<CR>');
    await nvim.waitForScreen('Age: 17');
    await nvim.feed('<C-u>42<CR>');
    await nvim.waitForScreen('(3/5) Extras');
    await nvim.feed('1<CR>');
    await nvim.waitForScreen('(4/5) Again');
    await nvim.feed('<CR>');
    await nvim.waitForScreen('(5/5) Note · may be left out');
    await nvim.feed('0');
    await sidekicks.waitUntilIdle(id);
    const content = { colour: 'g', age: 42, extras: ['salt'], again: false };
    expect(answers(own, 'bob')).toEqual([['ask', { action: 'accept', content }]]);
    for (const row of ['✓ question  What shall I cook?', 'Colour: Green', 'Age: 42', 'Extras: salt']) {
      expect(nvim.screen.text()).toContain(row);
    }
    expect(nvim.screen.text()).not.toContain('waiting for your answer');
  });

  it.each([
    ['d', 'decline'],
    ['c', 'cancel'],
  ])('gets %s as %s', async (key, action) => {
    const { nvim, own, sidekicks } = await startWith(ground, { bob: {} });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(asking()));
    await nvim.waitForScreen('1  Red');
    await nvim.feed(`<Esc>gp${key}`);
    await sidekicks.waitUntilIdle(id);
    expect(answers(own, 'bob')).toEqual([['ask', { action }]]);
    await nvim.waitForScreen('✗ question  What shall I cook?');
  });

  it('is answered through the methods; wrong content is invalid and names the field', async () => {
    const { nvim, own, sidekicks } = await startWith(ground, { bob: {} });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(asking()));
    await nvim.waitForScreen('1  Red');
    const { questions } = await sidekicks.call('ChannelService.Conversation', { id });
    expect(questions).toMatchObject([{ channel: id, agent: 'bob', message: 'What shall I cook?' }]);
    expect(questions[0]?.schema).toMatchObject({ required: ['colour', 'age'] });
    const question = questions[0]?.id ?? '';
    const answer = (content: object) =>
      sidekicks.request('ChannelService.AnswerQuestion', { id: question, action: 'accept', content });
    await expect(answer({ colour: 'blue', age: 20 })).rejects.toThrow('invalid: Colour: not among the choices');
    await expect(answer({ colour: 'r', age: 'x' })).rejects.toThrow('invalid: Age: not a number');
    await answer({ colour: 'r', age: 20 });
    await expect(answer({ colour: 'r', age: 20 })).rejects.toThrow('not-found');
    await sidekicks.waitUntilIdle(id);
    expect(answers(own, 'bob')).toEqual([['ask', { action: 'accept', content: { colour: 'r', age: 20 } }]]);
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
  });

  it('B07: is settled once by cancel, with the permission request beside it, and its window goes', async () => {
    const { nvim, own, sidekicks } = await startWith(ground, { bob: {} });
    const id = await sidekicks.open('bob');
    await sidekicks.send(
      id,
      script({ op: 'permission', id: 'may', wait: false }, asking({ wait: false }), { op: 'join' }),
    );
    await nvim.waitForScreen('(1 of 2)');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks cancel');
    await sidekicks.waitUntilIdle(id);
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    expect(answers(own, 'bob').toSorted()).toEqual([
      ['ask', { action: 'cancel' }],
      ['may', CANCELLED],
    ]);
    await sidekicks.send(id, script({ op: 'text', text: 'still here' }));
    await nvim.waitForScreen('still here');
  });

  it('goes when the agent dies', async () => {
    const { nvim, sidekicks } = await startWith(ground, { bob: {} });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(asking({ wait: false }), { op: 'wait_file', path: 'go' }, { op: 'exit', code: 3 }));
    await nvim.waitForScreen('1  Red');
    await nvim.lua(`vim.fn.writefile({}, vim.fn.getcwd() .. '/go')`);
    await nvim.waitForScreen('exit code 3');
    await nvim.waitFor('no window', () => !nvim.screen.find('╭'));
    const { questions } = await sidekicks.call('ChannelService.Conversation', { id });
    expect(questions).toEqual([]);
    nvim.allowErrors(/exit code 3/);
  });

  it('of an address shows all of it; it is opened by a key alone', async () => {
    const { nvim, own, sidekicks } = await startWith(ground, { bob: {} });
    await nvim.lua(`_G.opened = {}; vim.ui.open = function(url) table.insert(opened, url) return {}, nil end`);
    const id = await sidekicks.open('bob');
    const url = 'https://example.com/sign-in?state=abc';
    await sidekicks.send(id, script(asking({ url, elicitationId: 'e', requestedSchema: undefined })));
    await nvim.waitForScreen('1  open in the browser');
    expect(nvim.screen.text()).toContain(url);
    expect(await nvim.lua('return opened')).toEqual([]);
    await nvim.feed('<Esc>gp1');
    await sidekicks.waitUntilIdle(id);
    expect(await nvim.lua('return opened')).toEqual([url]);
    expect(answers(own, 'bob')).toEqual([['ask', { action: 'accept' }]]);
  });

  it('in French', async () => {
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { config: { language: 'fr' } });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(asking()));
    await nvim.waitForScreen('bob pose une question');
    for (const text of ['(1/5) Colour · obligatoire', 'd décliner · c annuler', 'attend votre réponse\u00a0: gp']) {
      await nvim.waitForScreen(text);
    }
  });
});
