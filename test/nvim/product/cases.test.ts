// The field cases that need the whole product: agents that start, speak, ask and end badly, as real ones have done.
// Ids are those of the list of cases the project began with; each names the kind of fault it stands for.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pids, received, script, wireLog, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import { textOf, type Message, type Snapshot } from '../support/sidekicks.ts';
import { gate, goToInput, goToTranscript, openGate, say, startWith } from './person.ts';
import { answers, CANCELLED, selected } from './wire.ts';

const lastOf = ({ messages }: Snapshot): Message | undefined => messages.at(-1);

const toolsOf = (message: Message | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.kind === 'tool' ? [part.tool] : []));

const ask = (id: number, toolCallId: string, rest: Readonly<Record<string, unknown>> = {}): Step => ({
  op: 'permission',
  id,
  wait: false,
  toolCall: { toolCallId, title: `Tool ${toolCallId}`, kind: 'execute', status: 'pending' },
  ...rest,
});

const SESSION_OR_FOREVER = [
  { optionId: 'ok-session', name: 'Allow in this session', kind: 'allow_always' },
  { optionId: 'ok-forever', name: 'Allow for ever', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

describeNvim('an agent that does not start', (ground) => {
  it('says why, whatever the cause is, and leaves the others unharmed (B03)', async () => {
    const { nvim, own, sidekicks } = await startWith(ground, {
      silent: { args: ['--silent', 'initialize'], entry: { startTimeout: '1s' } },
      locked: { args: ['--stderr', 'please log in first', '--exit', 'initialize=0'] },
      missing: { command: 'no-such-agent' },
      homeless: { entry: { workspace: '/no/such/dir' } },
      good: {},
    });
    const causes = {
      silent: /no answer to initialize within 1 s/,
      locked: /exit code 0[\s\S]*please log in first/,
      missing: /no-such-agent was not found/,
      homeless: /^(unavailable: )?the folder \/no\/such\/dir does not exist$/,
    };
    const starts = Object.entries(causes).map(([name, cause]) =>
      expect(sidekicks.request('AgentService.Start', { name })).rejects.toThrow(cause),
    );
    await Promise.all(starts.slice(1));
    const { id } = await sidekicks.direct('good');
    expect(textOf(lastOf(await sidekicks.ask(id, 'hello')))).toBe('Hello from good.');
    await starts[0];
    const { agents } = await sidekicks.call('AgentService.List', {});
    for (const { name, state, error } of agents) {
      if (name === 'good') expect([state, error]).toEqual(['ready', '']);
      else expect([state, error]).toEqual(['error', expect.stringMatching(causes[name as keyof typeof causes])]);
    }
    const [silent] = pids(own, 'silent');
    await nvim.waitFor('the end of the silent one', () => nvim.processes().every(({ pid }) => pid !== silent?.pid));

    await sidekicks.open('locked');
    await nvim.waitFor('the message', async () => /Sidekicks: locked: ended before it was/.test(await nvim.messages()));
    await say(nvim, 'anybody there?');
    await nvim.waitForScreen('locked cannot be reached: ended before it was');
    await nvim.waitForScreen('please log in first');
    await nvim.waitForScreen(/locked {2}error: /);
    nvim.allowErrors(/no-such-agent was not found/);
    await nvim.feed('<Esc>:Sidekicks start missing<CR>');
    await nvim.waitFor('the message', async () => (await nvim.messages()).includes('no-such-agent was not found'));
    expect(await sidekicks.agentState('good')).toBe('ready');
    expect(pids(own, 'good')).toHaveLength(1);
  });
});

describeNvim('an agent that speaks badly', (ground) => {
  it('may print text on its standard output: it is logged, not shown, and not answered (B04)', async () => {
    const noise = ['Signed in from cache.', JSON.stringify('\x1b[31m'), ''].flatMap((line) => ['--noise', line]);
    const { own, nvim, sidekicks } = await startWith(ground, {
      bob: {
        args: noise,
        script: [
          { op: 'text', text: 'one, ' },
          { op: 'line', text: 'warn: slow disk' },
          { op: 'text', text: 'two' },
        ],
      },
    });
    const id = await sidekicks.open('bob');
    await say(nvim, 'count');
    await nvim.waitForScreen('│one, two');
    expect(textOf(lastOf(await sidekicks.waitUntilIdle(id)))).toBe('one, two');
    expect(nvim.screen.text()).not.toMatch(/Signed in|slow disk/);
    expect((await sidekicks.call('AgentService.Logs', { name: 'bob' })).lines).toEqual(
      expect.arrayContaining(['Signed in from cache.', 'warn: slow disk']),
    );
    expect(sidekicks.events('agent:log')).toContainEqual({ agent: 'bob', line: 'warn: slow disk' });
    expect(wireLog(own, 'bob').filter(({ dir, msg }) => dir === 'in' && msg !== undefined && 'error' in msg)).toEqual(
      [],
    );
  });

  it('may update a tool call that it never announced (B05)', async () => {
    const { nvim, sidekicks } = await startWith(ground, { bob: {} });
    const id = await sidekicks.open('bob');
    const ghost = await sidekicks.ask(
      id,
      script(
        { op: 'tool_call_update', toolCallId: 'ghost', status: 'completed' },
        { op: 'text', text: 'and that is all' },
      ),
    );
    expect(lastOf(ghost)).toMatchObject({ stopReason: 'end_turn', error: '' });
    expect(toolsOf(lastOf(ghost)).filter(({ status }) => status === 'failed')).toEqual([]);
    await nvim.waitForScreen('│and that is all');

    const toolCall = { toolCallId: 'p1', title: 'Run tests' };
    const done: Step = { op: 'tool_call_update', toolCallId: 'p1', status: 'completed' };
    await sidekicks.send(id, script({ op: 'permission', toolCall, on: { allow: [done] } }));
    await nvim.waitForScreen('asks for permission');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks permit allow');
    expect(toolsOf(lastOf(await sidekicks.waitUntilIdle(id)))).toMatchObject([
      { title: 'Run tests', status: 'completed' },
    ]);
    await nvim.waitForScreen(/✓ \S+ {2}Run tests/);
  });

  it('may go on after its answer: late text joins it, also when the next prompt is out (B06)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.send(
      id,
      script({ op: 'text', text: 'Hel' }, { op: 'end' }, gate(own, 'late'), { op: 'text', text: 'lo' }),
    );
    await sidekicks.waitUntilIdle(id);
    openGate(own, 'late');
    await nvim.waitForScreen('│Hello');
    expect(textOf(lastOf(await sidekicks.conversation(id)))).toBe('Hello');
    expect(await sidekicks.agentState('bob')).toBe('ready');
    expect((await sidekicks.conversation(id)).busy).toBe(false);

    await sidekicks.send(
      id,
      script({ op: 'text', text: 'Go' }, { op: 'end' }, gate(own, 'later'), { op: 'text', text: 'od' }),
    );
    await sidekicks.waitUntilIdle(id);
    await sidekicks.send(id, script(gate(own, 'more'), { op: 'text', text: ' morning' }));
    await nvim.waitFor('the second prompt', () => received(own, 'bob', 'session/prompt').length === 3);
    openGate(own, 'later');
    await nvim.waitFor('the late text', async () =>
      /od/.test((await sidekicks.conversation(id)).messages.slice(-3).map(textOf).join()),
    );
    openGate(own, 'more');
    const { messages } = await sidekicks.waitUntilIdle(id);
    const [, before, prompt, after] = messages.slice(-4).map(textOf);
    expect(`${before}${after}`).toBe('Good morning');
    expect(prompt).toBe(script(gate(own, 'more'), { op: 'text', text: ' morning' }));
    expect(messages.every(({ error }) => error === '')).toBe(true);
    await nvim.dispose();

    const again = await startWith(ground, { bob: {} }, { place: own });
    await again.sidekicks.open('bob');
    await again.nvim.waitForScreen('│Hello');
  });

  it('may put line breaks and NUL where no line can hold them (B08)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    const steps: Step[] = [
      {
        op: 'permission',
        toolCall: { toolCallId: 'h', title: 'cat <<X\nhello\r\nX', kind: 'execute', status: 'pending' },
        options: [
          { optionId: 'always', name: 'Allow\nalways', kind: 'allow_always' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
      },
      {
        op: 'tool_call_update',
        toolCallId: 'h',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'a\u0000b\r\nc' } }],
      },
      { op: 'text', text: 'still here' },
    ];
    await sidekicks.send(id, script(...steps));
    await nvim.waitForScreen('1  Allow ↵ always');
    expect(nvim.screen.text()).toContain('2  No');
    await nvim.feed('<Esc>gp1');
    await nvim.waitForScreen('│still here');
    expect(toolsOf(lastOf(await sidekicks.waitUntilIdle(id)))).toMatchObject([{ status: 'completed' }]);
    await nvim.waitForScreen('│a␀b');
    expect(answers(own, 'bob').map(([, answer]) => answer)).toEqual([selected('always')]);
  });
});

describeNvim('an agent that asks', (ground) => {
  it('gets one answer for each open question when it is cancelled, and none from the window that was (B07)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(ask(7, 't1'), ask(8, 't2'), { op: 'join' }, { op: 'wait_cancel' }));
    await nvim.waitForScreen('(1 of 2)');
    await nvim.feed('<Esc>gp');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await sidekicks.call('ChannelService.Cancel', { id });
    await nvim.feed('1<Esc>');
    expect(lastOf(await sidekicks.waitUntilIdle(id))).toMatchObject({ stopReason: 'cancelled' });
    await nvim.waitFor('the window to go', () => !nvim.screen.text().includes('asks for permission'));
    expect(answers(own, 'bob')).toEqual([
      [7, CANCELLED],
      [8, CANCELLED],
    ]);
    expect(await sidekicks.agentState('bob')).toBe('ready');
    expect(textOf(lastOf(await sidekicks.ask(id, 'hello again')))).toBe('Hello from bob.');
    expect(received(own, 'bob', 'session/cancel')).toHaveLength(1);
  });

  it('gets it too when it is stopped (B07)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.send(id, script(ask(9, 't1'), { op: 'join' }));
    await nvim.waitForScreen('asks for permission');
    await sidekicks.call('AgentService.Stop', { name: 'bob' });
    expect(lastOf(await sidekicks.waitUntilIdle(id))).toMatchObject({ stopReason: 'cancelled', done: true });
    expect(answers(own, 'bob')).toEqual([[9, CANCELLED]]);
    await nvim.waitFor('the window to go', () => !nvim.screen.text().includes('asks for permission'));
    expect(textOf(lastOf(await sidekicks.ask(id, 'hello again')))).toBe('Hello from bob.');
    expect(pids(own, 'bob')).toHaveLength(2);
  });

  it('twice at once is answered by the ids of its questions, with every option there (B09)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    const both = script(
      ask(11, 't1', { options: SESSION_OR_FOREVER }),
      ask(12, 't2', { options: SESSION_OR_FOREVER }),
      { op: 'join' },
    );
    await sidekicks.send(id, both);
    await nvim.waitForScreen('(1 of 2)');
    for (const { name } of SESSION_OR_FOREVER) expect(nvim.screen.text()).toContain(name);
    await nvim.feed('<Esc>gp');
    await nvim.waitForLua('the window', `return vim.bo.filetype == 'sidekicks-permission'`);
    await nvim.feed('<Tab>');
    await nvim.waitForScreen('(2 of 2)');
    await nvim.feed('1');
    await nvim.waitFor('one answer', () => answers(own, 'bob').length === 1);
    await nvim.waitFor(
      'the other question',
      () => /Tool t1/.test(nvim.screen.text()) && !/of 2\)/.test(nvim.screen.text()),
    );
    await nvim.feed('3');
    await sidekicks.waitUntilIdle(id);
    const byKeys = answers(own, 'bob');
    expect(byKeys).toEqual([
      [12, selected('ok-session')],
      [11, selected('no')],
    ]);

    await sidekicks.send(id, both.replaceAll('"id":1', '"id":2'));
    const [first, second] = await nvim.waitFor('both', async () => {
      const { permissions } = await sidekicks.conversation(id);
      return permissions.length === 2 && permissions;
    });
    const answer = (permission: typeof first, optionId: string) =>
      sidekicks.call('ChannelService.AnswerPermission', { id: permission?.id ?? '', optionId });
    await answer(second, 'ok-session');
    await expect(answer(second, 'no')).rejects.toThrow('no such permission request');
    await expect(answer(first, 'perhaps')).rejects.toThrow('no option perhaps');
    await answer(first, 'no');
    await sidekicks.waitUntilIdle(id);
    expect(answers(own, 'bob').slice(2)).toEqual([
      [22, selected('ok-session')],
      [21, selected('no')],
    ]);
  });

  it('at the same time as another one is told apart (B09)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {}, zoe: {} }, { place: own });
    for (const [name, number] of [
      ['bob', 1],
      ['zoe', 2],
    ] as const) {
      const { id } = await sidekicks.direct(name);
      await sidekicks.send(id, script(ask(number, 't'), { op: 'join' }));
      await sidekicks.waitForPermission(id);
    }
    await nvim.waitForScreen('bob asks for permission');
    await nvim.waitForScreen('(1 of 2)');
    await nvim.command('Sidekicks permit reject');
    await nvim.waitForScreen('zoe asks for permission');
    await nvim.command('Sidekicks permit allow');
    await nvim.waitFor('both answers', () => answers(own, 'bob').length + answers(own, 'zoe').length === 2);
    expect([answers(own, 'bob'), answers(own, 'zoe')]).toEqual([[[1, selected('reject')]], [[2, selected('allow')]]]);
  });
});

describeNvim('an agent that does not obey', (ground) => {
  it('stays shown as stopping, is told once, and nothing written meanwhile is lost (B11)', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const id = await sidekicks.open('bob');
    await sidekicks.send(
      id,
      script(
        { op: 'text', text: 'never mind' },
        { op: 'ignore_cancel' },
        ask(5, 'late', { op: 'wait_file', path: join(own.root, 'gate-ask') }),
        ask(6, 'late'),
        { op: 'never' },
      ),
    );
    await nvim.waitForScreen('│never mind');
    await goToTranscript(nvim);
    await nvim.feed('<C-c>');
    await nvim.waitForScreen('stopping');
    await nvim.feed('<C-c>');
    await goToInput(nvim);
    await say(nvim, 'hello');
    await nvim.waitForScreen('1 queued');
    expect(await sidekicks.conversation(id)).toMatchObject({ busy: true, cancelling: true, queued: 1 });
    expect(await sidekicks.agentState('bob')).toBe('busy');
    openGate(own, 'ask');
    await nvim.waitFor('an answer to what it asks after the cancel', () => answers(own, 'bob').length === 1);
    expect(answers(own, 'bob')).toEqual([[6, CANCELLED]]);
    expect(nvim.screen.text()).not.toContain('asks for permission');
    expect(received(own, 'bob', 'session/cancel')).toHaveLength(1);

    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks stop bob');
    const { messages } = await sidekicks.waitUntilIdle(id);
    await nvim.waitFor('the end of the process', async () => (await sidekicks.agentState('bob')) === 'stopped');
    expect(messages.map(({ stopReason, error }) => stopReason || error)).toEqual(['', 'cancelled', 'cancelled']);
    await nvim.waitForScreen('not sent: cancelled');
    const { id: again } = await sidekicks.call('ChannelService.Resend', { id, messageId: messages[2]?.id ?? '' });
    const later = await sidekicks.waitUntilIdle(id);
    expect(later.messages.map(({ id: message }) => message)).toContain(again);
    expect(later.messages.slice(-2).map(textOf)).toEqual(['hello', 'Hello from bob.']);
    expect(pids(own, 'bob')).toHaveLength(2);
  });
});
