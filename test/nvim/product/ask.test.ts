// `:Sidekicks ask` as a script uses it: what it prints, how it ends, and what an agent may do meanwhile.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { received, script, type Step } from '../support/agents.ts';
import { describeNvim, type Ground } from '../support/describe-nvim.ts';
import { ROOT, SURVIVORS_LIMIT_MS } from '../support/nvim.ts';
import type { Place } from '../support/place.ts';
import { MARK, ProcessFamily } from '../support/processes.ts';
import { configure, gate, openGate, startWith, type Agents } from './person.ts';
import { answers, CANCELLED, selected } from './wire.ts';

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly complaints: string;
}

/** A Neovim without a screen that runs one command and leaves. */
async function run({ version, atEnd }: Ground, own: Place, command: string): Promise<Ended> {
  const mark = randomUUID();
  const child = spawn(resolve(ROOT, 'scripts/nvim'), ['--headless', '-c', command, '-c', 'qall!'], {
    cwd: own.project,
    env: { ...own.environment(), SIDEKICKS_NVIM: version, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const family = new ProcessFamily(child.pid ?? 0, mark);
  atEnd(async () => {
    try {
      await family.waitUntilGone(SURVIVORS_LIMIT_MS);
    } finally {
      await family.kill();
    }
  });
  const output: Buffer[] = [];
  const complaints: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => output.push(data));
  child.stderr.on('data', (data: Buffer) => complaints.push(data));
  const status = await new Promise<number | null>((done) => child.once('close', done));
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8').replaceAll('\r\n', '\n');
  return { status, output: text(output), complaints: text(complaints) };
}

describeNvim(':Sidekicks ask without a screen', (ground) => {
  function placeWith(agents: Agents): Place {
    const own = ground.place({ 'a.txt': 'text\n' });
    configure(own, agents);
    return own;
  }

  it('prints the answer, nothing else, and ends with status 0', async () => {
    const text = 'naïve **日本** 😀\n\n```sh\nls | wc\n```';
    const script = [
      { op: 'thought', text: 'hm' },
      { op: 'text', text, size: 3 },
    ];
    const own = placeWith({ bob: { script } });
    const { status, output, complaints } = await run(ground, own, 'Sidekicks ask bob what is | in "a.txt", and $HOME?');
    expect([status, output, complaints]).toEqual([0, `${text}\n`, '']);
    expect(received(own, 'bob', 'session/prompt').map(({ params }) => params)).toMatchObject([
      { prompt: [{ text: 'what is | in "a.txt", and $HOME?' }] },
    ]);
  });

  it.each([
    ['an agent that is not configured', {}, 'zoe hello', '', 'no agent named zoe is configured'],
    ['a program that is missing', { bob: { command: 'no-such-agent' } }, 'bob hi', '', 'no-such-agent was not found'],
    [
      'a turn that fails',
      {
        bob: {
          script: [
            { op: 'text', text: 'half' },
            { op: 'error', message: 'no luck' },
          ],
        },
      },
      'bob hi',
      'half\n',
      'no luck',
    ],
    [
      'a process that dies',
      {
        bob: {
          script: [
            { op: 'text', text: 'half' },
            { op: 'exit', code: 3 },
          ],
        },
      },
      'bob hi',
      'half\n',
      'exit code 3',
    ],
    [
      'an answer cut short',
      {
        bob: {
          script: [
            { op: 'text', text: 'half' },
            { op: 'end', stopReason: 'max_tokens' },
          ],
        },
      },
      'bob hi',
      'half\n',
      'max_tokens',
    ],
    ['nothing to ask', { bob: {} }, 'bob', '', 'name an agent and what to ask it'],
  ] satisfies readonly (readonly [string, Agents, string, string, string])[])(
    'ends with status 1 and says why: %s',
    async (_name, agents, words, printed, complaint) => {
      const { status, output, complaints } = await run(ground, placeWith(agents), `Sidekicks ask ${words}`);
      expect([status, output]).toEqual([1, printed]);
      expect(complaints).toContain(complaint);
    },
  );

  const options = {
    allow: { optionId: 'ja', name: 'Yes', kind: 'allow_once' },
    always: { optionId: 'immer', name: 'Always', kind: 'allow_always' },
    reject: { optionId: 'nein', name: 'No', kind: 'reject_once' },
    never: { optionId: 'nie', name: 'Never', kind: 'reject_always' },
  };
  const asking = (...names: readonly (keyof typeof options)[]): Step => ({
    op: 'permission',
    id: names.join('+'),
    options: names.map((name) => options[name]),
  });

  it('refuses every permission, in the mildest way there is; with ! it allows each once', async () => {
    const steps = [asking('allow', 'never', 'reject'), asking('always', 'never'), { op: 'text', text: 'done' }];
    const own = placeWith({ bob: { script: steps } });
    expect(await run(ground, own, 'Sidekicks ask bob go')).toEqual({ status: 0, output: 'done\n', complaints: '' });
    expect(answers(own, 'bob')).toEqual([
      ['allow+never+reject', selected('nein')],
      ['always+never', selected('nie')],
    ]);
    expect(await run(ground, own, 'Sidekicks! ask bob go')).toEqual({ status: 0, output: 'done\n', complaints: '' });
    expect(answers(own, 'bob').slice(2)).toEqual([
      ['allow+never+reject', selected('ja')],
      ['always+never', selected('nie')],
    ]);
  });

  it('cancels where no option refuses', async () => {
    const own = placeWith({ bob: { script: [asking('allow', 'always'), { op: 'text', text: 'done' }] } });
    const { status, complaints } = await run(ground, own, 'Sidekicks ask bob go');
    expect(status).toBe(1);
    expect(complaints).toContain('cancelled');
    expect(answers(own, 'bob')).toEqual([['allow+always', CANCELLED]]);
  });
});

describeNvim(':Sidekicks ask without a screen, a question of the agent', (ground) => {
  it.each(['Sidekicks ask bob go', 'Sidekicks! ask bob go'])('is declined, and that is said: %s', async (command) => {
    const own = ground.place();
    const question = { op: 'question', id: 'q', message: 'Which one?\nNow.', requestedSchema: { type: 'object' } };
    configure(own, { bob: { script: [question, { op: 'text', text: 'done' }] } });
    const { status, output, complaints } = await run(ground, own, command);
    expect([status, output]).toEqual([0, 'done\n']);
    expect(complaints).toBe('sidekicks: bob asked, and was declined: Which one?\n');
    expect(answers(own, 'bob')).toEqual([['q', { action: 'decline' }]]);
  });
});

describeNvim(':Sidekicks ask in an open Neovim', (ground) => {
  it('goes on at once, leaves permission to the person, and prints the answer when it is there', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own });
    const steps = script({ op: 'permission', id: 'q' }, gate(own, 'end'), { op: 'text', text: 'here it is' });
    const ms = await nvim.lua<number>(
      `local before = vim.uv.hrtime()
      vim.cmd('Sidekicks ask bob ' .. ...)
      return (vim.uv.hrtime() - before) / 1e6`,
      steps,
    );
    expect(ms).toBeLessThan(150);
    await nvim.feed('iI write on<Esc>');
    await nvim.waitForScreen('bob asks for permission');
    expect(answers(own, 'bob')).toEqual([]);
    await nvim.command('Sidekicks permit allow');
    openGate(own, 'end');
    await nvim.waitForScreen('here it is');
    expect(await nvim.lua('return vim.api.nvim_get_current_line()')).toBe('I write on');
    const { id } = await sidekicks.direct('bob');
    await sidekicks.waitUntilIdle(id);
    nvim.allowErrors(/no agent named zoe/);
    await nvim.command('Sidekicks ask zoe hello');
    await nvim.waitForScreen('no agent named zoe is configured');
  });
});
