// A conversation that was closed, hidden or left, and is opened again: it looks the same, goes on, and nothing is lost.
import { expect, it } from 'vitest';
import { script } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { Sidekicks } from '../support/sidekicks.ts';
import { drawing, gate, goToTranscript, lineOf, openGate, rowsWith, startWith } from './person.ts';

const INPUT = 'sidekicks://agent/bob/input';

/** What stands in the windows at the right, without their status lines. */
const LOOK = /│(?!sidekicks:).*/;

describeNvim('a conversation that is opened again', (ground) => {
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
    await expect.poll(() => rowsWith(nvim, LOOK)).toEqual(look);

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
});
