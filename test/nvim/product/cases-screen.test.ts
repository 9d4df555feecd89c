// The field cases of the screen and the wire to Neovim: what is drawn and copied, streams and the person, stray output.
// Ids are those of the list of cases the project began with; each names the kind of fault it stands for.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pids, script, type Step } from '../support/agents.ts';
import { describeNvim } from '../support/describe-nvim.ts';
import type { Nvim } from '../support/nvim.ts';
import { hostPid, textOf, type Message, type Snapshot } from '../support/sidekicks.ts';
import { goToTranscript, lineOf, say, startWith } from './person.ts';

const FENCE = '`'.repeat(4);

const lastOf = ({ messages }: Snapshot): Message | undefined => messages.at(-1);

describeNvim('what is shown and copied', (ground) => {
  const output = ['# Doc', `${FENCE}js`, 'x()', FENCE, 'end'];
  const tool = (id: string, text: string): Step[] => [
    { op: 'tool_call', toolCallId: id, title: `Show ${id}`, kind: 'read', status: 'in_progress' },
    {
      op: 'tool_call_update',
      toolCallId: id,
      status: 'completed',
      content: text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }],
    },
  ];

  it('is one region for a tool output, whatever fences it holds, and prose goes on after it (B22)', async () => {
    const rows = {
      four: output,
      nine: ['# Doc', `${'`'.repeat(9)}js`, 'x()', '`'.repeat(9), 'end'],
      waves: ['# Doc', '~~~~', 'x()', '~~~~', 'end'],
    };
    const steps = Object.entries(rows).flatMap(([name, lines]) => [
      ...tool(name, `${lines.join('\n')}${name === 'nine' ? '' : '\n'}`),
      { op: 'text', text: `after ${name}\n\n` },
    ]);
    const { nvim, sidekicks } = await startWith(ground, {
      bob: { script: [...steps, ...tool('empty', ''), { op: 'text', text: 'after empty' }] },
    });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'show');
    await nvim.waitForScreen('│after empty');
    const kinds = await nvim.lua<string[]>(`
      local kinds = {}
      for block in require('sidekicks.transcript').blocks(vim.fn.bufnr('^sidekicks://agent/bob$')) do
        if block.kind ~= 'gap' and block.kind ~= 'header' then table.insert(kinds, block.kind) end
      end
      return kinds`);
    const one = ['tool', 'output', 'prose'];
    expect(kinds).toEqual(['prose', ...one, ...one, ...one, 'tool', 'prose']);
    await goToTranscript(nvim);
    for (const [name, lines] of Object.entries(rows)) {
      await nvim.feed(`${(await lineOf(nvim, `Show ${name}`)) + 3}GY`);
      await nvim.waitForScreen('5 lines copied');
      expect(await nvim.lua(`return vim.fn.getreg('"', 1, true)`)).toEqual(lines);
      await nvim.feed(`${await lineOf(nvim, `after ${name}`)}GY`);
      await nvim.waitForScreen('1 line copied');
      expect(await nvim.register('"')).toBe(`after ${name}\n`);
    }
  });

  it('reaches the terminal as one sequence, exactly, or is said to be too long (B24)', async () => {
    const lines = ['naïve 日本 😀', '', '\ttab'];
    const list = `1. in a list\n\n   \`\`\`text\n${lines.map((line) => (line ? `   ${line}` : '')).join('\n')}\n   \`\`\`\n\n`;
    const long = `\`\`\`text\n${`${'x'.repeat(999)}\n`.repeat(200)}\`\`\`\n\nThat was long.\n`;
    const { nvim, sidekicks } = await startWith(ground, {
      bob: { script: [{ op: 'text', text: list + long, size: 700 }] },
    });
    const id = await sidekicks.open('bob');
    await sidekicks.ask(id, 'show', 30_000);
    await nvim.waitForScreen('│That was long.');
    await goToTranscript(nvim);
    await nvim.feed('gg');
    await nvim.feed(`${await lineOf(nvim, 'naïve')}GY`);
    await nvim.waitForScreen('3 lines copied');
    expect(nvim.clipboardWrites()).toEqual([
      { selection: 'c', text: lines.join('\n'), payload: Buffer.from(lines.join('\n')).toString('base64') },
    ]);
    expect(await nvim.lua(`return { vim.fn.getreg('"', 1, true), vim.fn.getregtype('"') }`)).toEqual([lines, 'V']);
    await nvim.feed(`${await lineOf(nvim, 'xxxx')}GY`);
    await nvim.waitForScreen('too long for the clipboard');
    expect(nvim.clipboardWrites()).toHaveLength(1);
    expect(await nvim.lua(`return #vim.fn.getreg('"')`)).toBe(200_000);
  });
});

describeNvim('a stream and the person', (ground) => {
  const streaming = { script: [{ op: 'chunks', count: 20, size: 8, every: 10 }] };
  const whole = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(7, '0')} `).join('');

  it('do not touch each other: neither the draft nor the reply is torn apart (B23 a)', async () => {
    const { nvim, sidekicks } = await startWith(ground, { bob: streaming });
    const id = await sidekicks.open('bob');
    await say(nvim, 'stream');
    await nvim.waitForScreen('0000001');
    await nvim.feed('line one<C-j>my next question<Up><Up>');
    await nvim.waitForScreen('0000009');
    const input = 'sidekicks://agent/bob/input';
    expect(await nvim.bufferLines(input)).toEqual(['line one', 'my next question']);
    const cursor = await nvim.lua('return vim.api.nvim_win_get_cursor(0)');
    expect(textOf(lastOf(await sidekicks.waitUntilIdle(id)))).toBe(whole);
    expect(await nvim.lua('return vim.api.nvim_win_get_cursor(0)')).toEqual(cursor);
    expect(await nvim.mode()).toBe('i');
    expect(await nvim.bufferLines(input)).toEqual(['line one', 'my next question']);
    await nvim.feed('<Esc>u');
    expect((await sidekicks.transcript('bob')).join(' ')).toContain(whole.trimEnd());
  });

  it.each([
    ['its buffer is wiped (B23 b)', 'bwipeout! sidekicks://agent/bob'],
    ['the tab page with its only window is closed (B23 c)', 'tabclose'],
  ])('the one goes on when %s', async (_name, command) => {
    const { nvim, sidekicks } = await startWith(ground, { bob: streaming });
    await nvim.command('tabnew');
    const id = await sidekicks.open('bob');
    await goToTranscript(nvim);
    await nvim.command('only');
    await sidekicks.send(id, 'stream');
    await nvim.waitForScreen('0000005');
    await nvim.command(command);
    expect(textOf(lastOf(await sidekicks.waitUntilIdle(id)))).toBe(whole);
    await sidekicks.open('bob');
    await nvim.waitForScreen('0000019');
    expect((await sidekicks.transcript('bob')).join(' ')).toContain(whole.trimEnd());
  });
});

describeNvim('the wire to Neovim', (ground) => {
  /** Loaded into the Node side before its own code: what a library, or a slip of ours, would do. */
  const MISCHIEF = `
    if ((process.argv[1] || '').includes('rplugin/node/sidekicks')) {
      setInterval(() => console.log('a stray line'), 20).unref();
      setTimeout(() => { throw new Error('a slip in a timer'); }, 300);
      setTimeout(() => { void Promise.reject(new Error('a slip in a promise')); }, 350);
      setTimeout(() => { process.emitWarning('a library warns'); }, 100);
    }`;

  async function stillAnswers(nvim: Nvim, pid: number): Promise<void> {
    const answer = await nvim.lua(`return vim.fn.SidekicksRequest('AgentService.List', vim.empty_dict())`);
    expect(answer).toHaveProperty('result');
    expect(await hostPid(nvim)).toBe(pid);
  }

  it('is not broken by what agents and their children print (B28)', async () => {
    const child = `sleep 0.2; echo "late words"; echo "late complaints" >&2`;
    const { own, nvim, sidekicks } = await startWith(ground, {
      loud: { command: 'sh', args: ['-c', `(${child}) & exec 0<&-; echo bye; exit 3`] },
      bob: {},
    });
    await expect(sidekicks.request('AgentService.Start', { name: 'loud' })).rejects.toThrow(/exit code 3/);
    const { id } = await sidekicks.direct('bob');
    const pid = await hostPid(nvim);
    const closing = script(
      { op: 'spawn', command: 'sh', args: ['-c', child] },
      { op: 'close_stdout' },
      { op: 'never' },
    );
    const ended = await sidekicks.ask(id, closing);
    expect(lastOf(ended)?.error).toBe('the agent closed its standard output');
    await stillAnswers(nvim, pid);
    expect(textOf(lastOf(await sidekicks.ask(id, 'and now?')))).toBe('Hello from bob.');
    expect(pids(own, 'bob').filter(({ who }) => who === 'agent')).toHaveLength(2);
  });

  it('is not broken by what the Node side itself prints or fails at; it is told once, in short (B28)', async () => {
    const own = ground.place();
    const file = join(own.root, 'mischief.cjs');
    writeFileSync(file, MISCHIEF);
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: {} },
      { place: own, env: { NODE_OPTIONS: `--require ${file}` } },
    );
    nvim.allowErrors(/a slip in a timer/);
    const { id } = await sidekicks.direct('bob');
    const pid = await hostPid(nvim);
    await nvim.waitFor('the slip', async () => (await nvim.messages()).includes('a slip in a timer'));
    expect(textOf(lastOf(await sidekicks.ask(id, 'are you well?')))).toBe('Hello from bob.');
    await stillAnswers(nvim, pid);
    const messages = await nvim.messages();
    expect(messages.match(/a slip/g)).toHaveLength(1);
    expect(messages).not.toMatch(/stray|library|at .*:\d+:\d+/);
    const log = readFileSync(join(own.root, 'state/sidekicks/host.log'), 'utf8');
    for (const words of ['a stray line', 'a slip in a timer', 'a slip in a promise']) expect(log).toContain(words);
  });
});

describeNvim('<C-c> while a syntax file is read', (ground) => {
  it('shows no error and holds nobody up; the answer goes on, and the colours come with the next block', async () => {
    const own = ground.place({
      // Large, as some are: it is read for a while the first time.
      'runtime/syntax/slowly.vim': [
        'call writefile([], $SLOWLY_BEGUN)',
        "if exists('g:was_read') | syntax keyword Statement begin | let b:current_syntax = 'slowly' | finish | endif",
        'let g:was_read = 1',
        ...Array.from({ length: 200_000 }, (_, count) => `let s:a${String(count % 100)} = ${String(count)}`),
        'syntax keyword Statement begin',
        "let b:current_syntax = 'slowly'",
      ].join('\n'),
    });
    const code = '```slowly\nbegin here\n```\n';
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: { script: [{ op: 'text', text: code }] } },
      {
        place: own,
        args: ['--cmd', `set runtimepath+=${own.path('runtime')}`],
        env: { SLOWLY_BEGUN: own.path('begun') },
      },
    );
    const id = await sidekicks.open('bob');
    await nvim.feed('<Esc>');
    await sidekicks.send(id, 'one');
    await nvim.waitFor('the syntax file', () => existsSync(own.path('begun')));
    await nvim.feed('<C-c>');
    await sidekicks.waitUntilIdle(id);
    expect(nvim.screen.text()).not.toContain('Press ENTER');
    await sidekicks.ask(id, 'two');
    await nvim.waitForLua(
      'the colours',
      `local buf = vim.fn.bufnr('^sidekicks://agent/bob$')
      local marks = vim.api.nvim_buf_get_extmarks(buf, -1, 0, -1, { details = true })
      return vim.iter(marks):any(function(mark) return mark[4].hl_group == 'Statement' end)`,
    );
  });
});
