// Talking to an agent from the first key to the last line: what is typed is sent, what is said is seen, and it stays.
import { expect, it } from 'vitest';
import { demoAgent, received, script } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import type { Place } from '../support/place.ts';
import { Sidekicks, textOf } from '../support/sidekicks.ts';
import { drawing, gate, goToInput, goToTranscript, lineOf, openGate, say, startWith } from './person.ts';

const INPUT = 'sidekicks://agent/bob/input';

/** What stands in the windows at the right, without their status lines. */
const LOOK = /│(?!sidekicks:).*/;

const prompts = (own: Place, name: string): string[] =>
  received(own, name, 'session/prompt').map(
    ({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text ?? '',
  );

/** Rows of the screen that hold the text, in order. */
const rowsWith = (nvim: Nvim, pattern: RegExp): string[] =>
  nvim.screen
    .text()
    .split('\n')
    .flatMap((row) => pattern.exec(row)?.[0] ?? []);

describeNvim('a talk with an agent', (ground) => {
  it('shows an answer while it is said: prose, thought, plan, tool call with its diff, code, use of the context', async () => {
    const own = ground.place();
    const bob = {
      script: [
        { op: 'thought', text: 'Let me think.\nAbout all of it.' },
        { op: 'text', text: 'The first words' },
        gate(own, 'rest'),
        { op: 'text', text: ' and the rest.\n\n' },
        {
          op: 'plan',
          entries: [
            { content: 'Look', priority: 'high', status: 'completed' },
            { content: 'Leap', priority: 'high', status: 'pending' },
          ],
        },
        { op: 'tool_call', toolCallId: 't1', title: 'Edit a.txt', kind: 'edit', status: 'in_progress' },
        gate(own, 'tool'),
        {
          op: 'tool_call_update',
          toolCallId: 't1',
          status: 'completed',
          content: [{ type: 'diff', path: own.path('a.txt'), oldText: 'one\n', newText: 'ONE\n' }],
        },
        { op: 'text', text: '```lua\nlocal answer = 42\n```\n' },
        { op: 'usage', used: 50_000, size: 200_000 },
        gate(own, 'end'),
      ],
    };
    const { nvim, sidekicks } = await startWith(ground, { bob }, { place: own });
    const id = await sidekicks.open('bob');
    await say(nvim, 'what is <this>?');

    await nvim.waitForScreen('‣ You');
    await nvim.waitForScreen('what is <this>?');
    await nvim.waitForScreen('The first words');
    await nvim.waitForScreen('Thinking (3 lines)');
    expect(nvim.screen.text()).not.toContain('About all of it');
    await nvim.waitForScreen(/^.*bob {2}[⠁-⣿] \d+ s/);
    expect(await nvim.bufferLines(INPUT)).toEqual(['']);
    expect(await nvim.mode()).toBe('i');
    expect((await sidekicks.conversation(id)).busy).toBe(true);

    openGate(own, 'rest');
    await nvim.waitForScreen('The first words and the rest.');
    await nvim.waitForScreen('◐ edit  Edit a.txt');
    for (const row of ['● Look', '○ Leap']) expect(nvim.screen.text()).toContain(row);

    openGate(own, 'tool');
    await nvim.waitForScreen('✓ edit  Edit a.txt  +1 −1');
    await nvim.waitForScreen('25 % of 200k');
    await nvim.waitFor(
      'the colours of the code',
      () => nvim.screen.groupsOf('local answer').join() !== nvim.screen.groupsOf('answer = 42').join(),
    );
    expect(nvim.screen.text()).toMatch(/-one.*\n.*\+ONE/);
    expect(nvim.screen.groupsOf('+ONE')).not.toEqual(nvim.screen.groupsOf('-one'));

    openGate(own, 'end');
    await sidekicks.waitUntilIdle(id);
    await nvim.waitFor('the sign to go', () => !/[⠁-⣿]/.test(nvim.screen.row(0)));
    expect(nvim.screen.row(0)).toContain('25 % of 200k');
    expect(prompts(own, 'bob')).toEqual(['what is <this>?']);
  });

  it('shows what waits, and sends it in order, each once', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(gate(own, 'first'), { op: 'text', text: 'first answer' }));
    await nvim.waitForScreen('‣ bob');
    await say(nvim, 'second question');
    await say(nvim, 'third question');
    await nvim.waitForScreen('2 queued');
    await nvim.waitFor(
      'both below the answer',
      () => rowsWith(nvim, /‣ (You · queued|You|bob)|\w+ question/).length >= 6,
    );
    expect(rowsWith(nvim, /‣ (You · queued|You|bob)|\w+ question/)).toEqual([
      '‣ You',
      '‣ bob',
      ...['‣ You · queued', 'second question'],
      ...['‣ You · queued', 'third question'],
    ]);
    await nvim.waitFor('the first prompt', () => prompts(own, 'bob').length === 1);

    openGate(own, 'first');
    const { messages } = await sidekicks.waitUntilIdle(id);
    expect(messages.map(textOf).slice(1)).toEqual([
      'first answer',
      ...['second question', 'Hello from bob.'],
      ...['third question', 'Hello from bob.'],
    ]);
    await nvim.waitFor('nothing waits', () => !nvim.screen.text().includes('queued'));
    expect(prompts(own, 'bob').slice(1)).toEqual(['second question', 'third question']);
  });

  it('stops with <C-c> from the input and from the transcript, keeps what was said, and goes on', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    const endless = (word: string) => script({ op: 'text', text: `${word} half` }, { op: 'wait_cancel' });
    await sidekicks.send(id, endless('one'));
    await nvim.waitForScreen('│one half');
    await say(nvim, 'this one waits');
    await nvim.waitForScreen('1 queued');
    await nvim.feed('half a thought');
    await nvim.feed('<C-c>');
    await nvim.waitForScreen('not sent: cancelled');
    expect(await nvim.mode()).toBe('i');
    await nvim.feed(', whole');
    expect(await nvim.bufferLines(INPUT)).toEqual(['half a thought, whole']);
    await nvim.feed('<C-u>');
    let now = await sidekicks.waitUntilIdle(id);
    expect(now.messages.map(({ stopReason, error }) => stopReason || error)).toEqual(['', 'cancelled', 'cancelled']);
    expect(received(own, 'bob', 'session/cancel')).toHaveLength(1);

    await sidekicks.send(id, endless('two'));
    await nvim.waitForScreen('│two half');
    await goToTranscript(nvim);
    await nvim.feed('<C-c>');
    now = await sidekicks.waitUntilIdle(id);
    expect(now.messages.at(-1)).toMatchObject({ stopReason: 'cancelled', done: true });
    await goToInput(nvim);
    await say(nvim, 'are you there?');
    await nvim.waitForScreen('Hello from bob.');
    expect(received(own, 'bob', 'session/cancel')).toHaveLength(2);
    expect(prompts(own, 'bob')).toHaveLength(3);
  });

  it('stands beside another one, both answer at once, each in its own place', async () => {
    const own = ground.place();
    const answer = (name: string) => ({
      script: [{ op: 'text', text: `${name} begins` }, gate(own, name), { op: 'text', text: ` and ${name} ends` }],
    });
    const { nvim, sidekicks } = await startWith(ground, { bob: answer('bob'), zoe: answer('zoe') }, { place: own });
    const bob = await sidekicks.open('bob');
    await say(nvim, 'to bob');
    await nvim.waitForScreen('bob begins');
    await nvim.feed('<Esc>');
    const zoe = await sidekicks.open('zoe');
    await say(nvim, 'to zoe');
    await nvim.waitForScreen(/bob begins.*\n?/);
    await nvim.waitForScreen('zoe begins');
    expect(nvim.screen.row(0)).toMatch(/bob {2}[⠁-⣿].*zoe {2}[⠁-⣿]/);
    openGate(own, 'zoe');
    await nvim.waitForScreen('zoe begins and zoe ends');
    expect((await sidekicks.conversation(bob)).busy).toBe(true);
    openGate(own, 'bob');
    await nvim.waitForScreen('bob begins and bob ends');
    const [ofBob, ofZoe] = [await sidekicks.waitUntilIdle(bob), await sidekicks.waitUntilIdle(zoe)];
    expect(ofBob.messages.map(textOf)).toEqual(['to bob', 'bob begins and bob ends']);
    expect(ofZoe.messages.map(textOf)).toEqual(['to zoe', 'zoe begins and zoe ends']);
    expect(prompts(own, 'bob')).toEqual(['to bob']);
    expect(prompts(own, 'zoe')).toEqual(['to zoe']);
  });

  it('looks the same when it is closed and opened again, when its buffers are wiped, and in the next Neovim', async () => {
    const own = ground.place();
    const bob = {
      script: [
        { op: 'thought', text: 'Hm.\nYes.\nNo.' },
        {
          op: 'text',
          text: '# Title\n\nSome **strong** words, a [link](https://example.org) and\n\n1. a list\n   ```sh\n   ls\n   ```\n',
        },
        {
          op: 'tool_call',
          toolCallId: 't',
          title: 'ls',
          kind: 'execute',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: 'a.txt\nb.txt' } }],
        },
        { op: 'plan', entries: [{ content: 'Look', priority: 'low', status: 'completed' }] },
        { op: 'text', text: 'The end.' },
      ],
    };
    const { nvim, sidekicks } = await startWith(ground, { bob }, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'show me');
    await sidekicks.ask(id, script({ op: 'end', stopReason: 'refusal' }));
    await nvim.waitForScreen('the agent refused');
    await nvim.feed('a draft, not sent<Esc>');
    const before = await drawing(nvim, 'bob');
    const look = rowsWith(nvim, LOOK);

    await nvim.command('Sidekicks close');
    await nvim.command('Sidekicks toggle');
    await nvim.waitForScreen('the agent refused');
    expect(await drawing(nvim, 'bob')).toEqual(before);
    expect(rowsWith(nvim, LOOK)).toEqual(look);

    await nvim.command('bwipeout! sidekicks://agent/bob sidekicks://agent/bob/input');
    await sidekicks.open('bob');
    await nvim.waitForScreen('the agent refused');
    expect(await drawing(nvim, 'bob')).toEqual(before);
    await nvim.waitFor('the draft', async () => (await nvim.bufferLines(INPUT))[0] === 'a draft, not sent');
    await nvim.dispose();

    const again = await ground.start({ place: own });
    const more = await Sidekicks.in(again);
    expect(await more.open('bob')).toBe(id);
    await again.waitForScreen('the agent refused');
    expect(await drawing(again, 'bob')).toEqual(before);
    await again.waitFor('the draft', async () => (await again.bufferLines(INPUT))[0] === 'a draft, not sent');
    expect(again.screen.text()).toContain('Thinking (4 lines)');
    await again.feed('<C-u>and now?<CR>');
    await again.waitFor('the next answer', async () => (await more.waitUntilIdle(id)).messages.length === 6);
    expect(await again.bufferLines(INPUT)).toEqual(['']);
  });

  it('that was hidden at its end shows the end when it comes back, and goes on following it', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    const lines = (word: string) => ({
      op: 'text',
      text: Array.from({ length: 60 }, (_, index) => `${word} ${index}\n\n`).join(''),
    });
    await sidekicks.send(
      id,
      script(lines('early'), gate(own, 'hidden'), lines('late'), gate(own, 'shown'), lines('last')),
    );
    await nvim.waitForScreen('│early 59');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks close');
    openGate(own, 'hidden');
    await nvim.waitFor('more', async () => (await sidekicks.transcript('bob')).includes('late 59'));
    await nvim.command('Sidekicks toggle');
    await nvim.waitForScreen('│late 59');
    openGate(own, 'shown');
    await nvim.waitForScreen('│last 59');
    await sidekicks.waitUntilIdle(id);
  });

  it('brings what nobody had sent back after leaving at once, without half a second of rest', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    await sidekicks.open('bob');
    await nvim.feed('half a thought');
    expect(await nvim.bufferLines(INPUT)).toEqual(['half a thought']);
    await nvim.dispose();
    const again = await ground.start({ place: own });
    await (await Sidekicks.in(again)).open('bob');
    await again.waitFor('the draft', async () => (await again.bufferLines(INPUT))[0] === 'half a thought');
  });

  it('with 250 messages opens at its end, and loads the older ones when the top is reached', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: { args: ['--reply', 'answered'] } }, { place: own });
    const { id } = await sidekicks.direct('bob');
    for (let number = 1; number <= 125; number += 1) await sidekicks.send(id, `question ${number}.`);
    await sidekicks.waitUntilIdle(id, 60_000);
    await nvim.dispose();

    const again = await ground.start({ place: own });
    const more = await Sidekicks.in(again);
    await more.open('bob');
    await again.waitForScreen('question 125.');
    const questions = async () =>
      (await again.bufferLines('sidekicks://agent/bob')).flatMap((line) => /^question (\d+)\.$/.exec(line)?.[1] ?? []);
    expect(await questions()).toHaveLength(50);
    await goToTranscript(again);
    await again.feed('gg');
    await again.waitFor('the page before', async () => (await questions()).length === 100);
    // What was at the top stays in sight: the reader's line does not move.
    await again.waitForScreen('question 76.');
    await again.feed('gg');
    await again.waitFor('all of it', async () => (await questions()).length === 125);
    expect(await questions()).toEqual(Array.from({ length: 125 }, (_, index) => String(index + 1)));
    await again.feed('gg');
    await again.waitForScreen('question 1.');
    expect(again.screen.text()).not.toContain('older messages');
    expect(await lineOf(again, 'question 125.')).toBeGreaterThan(600);
  });

  it('with the demo agent is a tour: it reads, explains, asks, and edits the open buffer', async () => {
    const { nvim, own, sidekicks } = await startWith(
      ground,
      { demo: demoAgent() },
      { files: { 'main.lua': 'print(1)\n' }, args: ['main.lua'] },
    );
    const id = await sidekicks.open('demo');
    await say(nvim, 'show me');
    await nvim.waitForScreen('asks for permission');
    await nvim.waitForScreen('Allow this edit');
    await nvim.feed('<Esc>gp');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await nvim.feed('1');
    const { messages } = await sidekicks.waitUntilIdle(id);
    expect(messages.at(-1)).toMatchObject({ stopReason: 'end_turn', error: '' });
    await nvim.waitForScreen('to see what else I can do');
    const lines = await nvim.bufferLines('main.lua');
    expect(lines.join('\n')).toContain('Hello from Sidekicks: visit 1');
    expect(own.read('main.lua')).toBe('print(1)\n');
    await nvim.feed('i/');
    await nvim.waitForScreen('/help');
    await nvim.feed('<C-u><Esc>');
  });
});
