// Talking to an agent from the first key to the last line: what is typed is sent, what is said is seen.
import { expect, it } from 'vitest';
import { demoAgent, received, script } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Place } from '../support/place.ts';
import { textOf } from '../support/sidekicks.ts';
import { gate, goToInput, goToTranscript, openGate, rowsWith, say, startWith } from './person.ts';

const INPUT = 'sidekicks://agent/bob/input';

const prompts = (own: Place, name: string): string[] =>
  received(own, name, 'session/prompt').map(
    ({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text ?? '',
  );

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
