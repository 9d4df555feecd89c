// The Agents panel (SPEC 4): every agent with its state and the problems of the configuration, live, with keys that act.
import { chmodSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { kill } from './support/processes.ts';
import { Sidekicks } from './support/sidekicks.ts';
import { StandIn } from './stand-in.ts';

const PANEL = 'sidekicks://agents';
const SHOWN_WITHIN_MS = 50;

const cursorRow = (nvim: Nvim) => nvim.lua<string>('return vim.api.nvim_get_current_line()');

const summary = (name: string, more: object = {}) => ({
  name,
  title: '',
  icon: '',
  description: '',
  state: 'stopped',
  error: '',
  outdated: false,
  runtime: 'local',
  canStopSandbox: false,
  canRemoveSandbox: false,
  ...more,
});

describeNvim('the Agents panel', ({ start, place }) => {
  async function openPanel(own: Place, options: object = {}) {
    const nvim = await start({ place: own, ...options });
    const sidekicks = await Sidekicks.in(nvim);
    await nvim.command('Sidekicks');
    await nvim.waitForLua('the panel', `return vim.api.nvim_buf_get_name(0) == ...`, PANEL);
    return { nvim, sidekicks };
  }

  /** Waits until the panel has such a row. */
  const row = (nvim: Nvim, pattern: RegExp) =>
    nvim.waitFor(`a row ${pattern.source}`, async () =>
      (await nvim.bufferLines(PANEL)).find((one) => pattern.test(one)),
    );

  it('shows every agent in the order of the configuration, with all that is known of it', async () => {
    const own = place();
    own.writeConfig({
      agents: {
        zoe: scriptedAgent(own, 'zoe', { entry: { title: 'Zoe', icon: '🤖', description: 'reviews\nand more' } }),
        bob: scriptedAgent(own, 'bob'),
      },
    });
    const { nvim } = await openPanel(own);
    await row(nvim, /^ {3}bob/);
    expect(await nvim.bufferLines(PANEL)).toEqual([
      '🤖 Zoe (zoe)  stopped · local',
      '     reviews and more',
      '   bob        stopped · local',
    ]);
    expect(
      await nvim.lua('return { vim.bo.filetype, vim.bo.modifiable, vim.bo.modified, vim.b.sidekicks.kind }'),
    ).toEqual(['sidekicks-agents', false, false, 'agents']);
  });

  it.each([
    ['en', ['stopped', 'starting…', 'ready', 'busy', 'error'], 'restart to apply changes'],
    ['fr', ['arrêté', 'démarre…', 'prêt', 'occupé', 'erreur'], 'à redémarrer'],
  ] as const)('words each state in %s', async (language, words, outdated) => {
    const nvim = await start();
    const states = ['stopped', 'starting', 'ready', 'busy', 'error'] as const;
    const agents = states.map((state, index) =>
      summary(`a${index}`, {
        state,
        error: state === 'error' ? 'it broke\nlast words' : '',
        outdated: state === 'busy',
      }),
    );
    const host = await StandIn.install(nvim, { 'AgentService.List': { agents } });
    await host.answer('ConfigService.Current', {
      path: '/c.yaml',
      source: 'env',
      created: false,
      valid: true,
      problems: [],
      warnings: [],
      theme: {},
      language,
      historyProblem: '',
    });
    await nvim.command('Sidekicks agents');
    await row(nvim, /^a4/);
    expect(await nvim.bufferLines(PANEL)).toEqual([
      `a0  ${words[0]} · local`,
      `a1  ${words[1]} · local`,
      `a2  ${words[2]} · local`,
      `a3  ${words[3]} · ${outdated} · local`,
      `a4  ${words[4]} · local`,
      '  it broke',
      '  last words',
    ]);
  });

  it('starts, restarts and stops the agent under the cursor, and shows its states as they come', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob'), zoe: scriptedAgent(own, 'zoe') } });
    const { nvim, sidekicks } = await openPanel(own);
    await row(nvim, /^zoe/);
    await nvim.feed('js');
    await row(nvim, /^zoe +ready/);
    expect(await row(nvim, /^bob/)).toMatch(/stopped/);
    await nvim.feed('r');
    const starts = () => sidekicks.events('agent:state').filter(({ state }) => state === 'ready');
    await nvim.waitFor('a second start', () => starts().length === 2);
    await nvim.feed('x');
    await row(nvim, /^zoe +stopped/);
    expect(await cursorRow(nvim)).toMatch(/^zoe/);
  });

  it('says why an agent did not start, with what it said last', async () => {
    const own = place();
    const script = own.write('fails.sh', '#!/bin/sh\necho first >&2\necho second >&2\nexit 3\n');
    chmodSync(script, 0o755);
    own.writeConfig({ agents: { bob: { command: script }, zoe: { command: 'no-such-program' } } });
    const { nvim } = await openPanel(own);
    nvim.allowErrors(/exit code 3|no-such-program/);
    await row(nvim, /^zoe/);
    await nvim.feed('sjs');
    await row(nvim, /the program no-such-program was not found/);
    await row(nvim, /second/);
    const rows = await nvim.bufferLines(PANEL);
    expect(rows[0]).toMatch(/^bob +error/);
    expect(rows.slice(1).join('\n')).toMatch(/ended before it was ready, exit code 3[^]*first\n +second\nzoe/);
  });

  it.each([
    ['a folder', (own: Place) => own.path('.'), 'is a folder, not a program'],
    ['not executable', (own: Place) => own.write('notes.txt', 'text'), 'may not be executed'],
  ])('says it of a command that is %s, and starts the others', async (_, made, problem) => {
    const own = place();
    const command = made(own);
    own.writeConfig({ agents: { bob: { command }, zoe: scriptedAgent(own, 'zoe') } });
    const { nvim } = await openPanel(own);
    nvim.allowErrors(/bob: /);
    await row(nvim, /^zoe/);
    await nvim.feed('sjs');
    expect(await row(nvim, new RegExp(problem))).toBe(`  ${command} ${problem}`);
    await row(nvim, /^zoe +ready/);
    // What failed may have been told long after the key: it names its agent.
    expect(await nvim.messages()).toContain('Sidekicks: bob: ');
  });

  it('opens the conversation and the log of the agent under the cursor', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob'), zoe: scriptedAgent(own, 'zoe') } });
    const { nvim } = await openPanel(own);
    await row(nvim, /^zoe/);
    await nvim.feed('jgl');
    await nvim.waitForLua('the log', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://log/zoe'`);
    await nvim.feed('q');
    await nvim.command('Sidekicks agents');
    expect(await nvim.lua(`return vim.fn.win_findbuf(vim.fn.bufnr('^${PANEL}$'))`)).toHaveLength(1);
    await nvim.feed('<CR>');
    await nvim.waitForLua('the input', `return vim.api.nvim_buf_get_name(0) == 'sidekicks://agent/zoe/input'`);
  });

  it('tells its keys, and hides', async () => {
    const own = place();
    const { nvim } = await openPanel(own);
    await row(nvim, /No agent/);
    await nvim.feed('g?');
    await nvim.waitForScreen('restart the agent');
    await nvim.feed('q');
    await nvim.feed('q');
    await nvim.waitForLua('the panel to hide', `return vim.api.nvim_buf_get_name(0) ~= '${PANEL}'`);
  });

  it('leads to its keys in a narrow window too', async () => {
    const own = place();
    own.writeConfig({ language: 'fr', agents: { bob: scriptedAgent(own, 'bob') } });
    const { nvim } = await openPanel(own);
    await row(nvim, /bob +arrêté/);
    await nvim.command('vertical resize 50');
    await nvim.waitForScreen(/Agents {2}<CR> ouvrir · .*g\? touches/);
  });

  it('says how to name an agent where there is none, and shows one as soon as the file names it', async () => {
    const own = place();
    const { nvim } = await openPanel(own);
    await row(nvim, /^No agent is configured/);
    await row(nvim, /sidekicks\.yaml/);
    nvim.allowErrors(/no agent on this line/);
    await nvim.feed('s');
    await nvim.waitForScreen('there is no agent on this line');
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    await row(nvim, /^bob +stopped/);
  });

  it('keeps the cursor on its agent while others come, go and move', async () => {
    const own = place();
    const bob = scriptedAgent(own, 'bob', { entry: { description: 'the one' } });
    const others = { ann: scriptedAgent(own, 'ann'), zoe: scriptedAgent(own, 'zoe') };
    own.writeConfig({ agents: { ...others, bob } });
    const { nvim } = await openPanel(own);
    await row(nvim, /the one/);
    await nvim.feed('G');
    own.writeConfig({ agents: { new: scriptedAgent(own, 'new'), bob, ann: others.ann } });
    await row(nvim, /^new/);
    expect(await cursorRow(nvim)).toMatch(/the one/);
    own.writeConfig({ agents: { ann: others.ann } });
    await nvim.waitFor('bob to go', async () => (await nvim.bufferLines(PANEL)).length === 1);
    expect(await cursorRow(nvim)).toMatch(/^ann/);
  });

  it('marks a running agent whose definition changed, until it is started again', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const { nvim } = await openPanel(own);
    await row(nvim, /^bob/);
    await nvim.feed('s');
    await row(nvim, /^bob +ready · local/);
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob', { entry: { env: { A: 'b' } } }) } });
    await row(nvim, /^bob +ready · restart to apply changes · local/);
    await nvim.feed('r');
    await row(nvim, /^bob +ready · local/);
  });

  it('shows the problems of the configuration on top, and goes to their place', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const { nvim } = await openPanel(own);
    await row(nvim, /^bob/);
    writeFileSync(own.config, 'agents:\n  bob: {command: cat, 日本😀: 1}\n');
    await row(nvim, /^ {2}2:23 .*日本😀/);
    await row(nvim, /the last good configuration stays in force/);
    expect(await cursorRow(nvim)).toMatch(/^bob/);
    await nvim.feed('gg');
    await nvim.feed('j<CR>');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', own.config);
    expect(await nvim.lua('return vim.fn.expand("<cword>")')).toContain('日本');
    writeFileSync(own.config, 'agents:\n  bob: {command: cat}\n');
    await nvim.waitFor('the problems to go', async () => (await nvim.bufferLines(PANEL)).length === 1);
  });

  it('follows the language of the configuration', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const { nvim } = await openPanel(own);
    await row(nvim, /^bob +stopped/);
    own.writeConfig({ language: 'fr', agents: { bob: scriptedAgent(own, 'bob') } });
    await row(nvim, /^bob +arrêté · local/);
    await nvim.waitForScreen('s démarrer');
  });

  it('is an ordinary buffer: :edit fills it, also again, and a session brings it back', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const nvim = await start({ place: own });
    await nvim.command(`edit ${PANEL}`);
    await row(nvim, /^bob/);
    await nvim.command('edit');
    await row(nvim, /^bob +stopped/);
    await nvim.command('Sidekicks start bob');
    await row(nvim, /^bob +ready/);
    const session = own.path('Session.vim');
    await nvim.command(`mksession ${session}`);
    await nvim.quit();
    const again = await start({ place: own, args: ['-S', session] });
    await row(again, /^bob +stopped/);
  });

  it('says that the Node side has ended, and goes on with the next use', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const { nvim, sidekicks } = await openPanel(own);
    nvim.allowErrors(/the Node side ended/);
    await row(nvim, /^bob/);
    await nvim.feed('s');
    await row(nvim, /^bob +ready/);
    const pid = nvim.processes().find(({ command }) => command.includes('rplugin/node/sidekicks'))?.pid;
    kill(pid);
    await row(nvim, /the Node side has ended/);
    expect(await row(nvim, /^bob/)).toMatch(/stopped/);
    expect(await cursorRow(nvim)).toMatch(/^bob/);
    await nvim.feed('s');
    await row(nvim, /^bob +ready/);
    expect(await nvim.bufferLines(PANEL)).toHaveLength(1);
    await sidekicks.waitForState('bob', 'ready');
  });

  it('says why nothing can be shown', async () => {
    const own = place();
    const nvim = await start({ place: own });
    nvim.allowErrors(/there is no Node/);
    await nvim.command(`let g:sidekicks = {'node': '/no/such/node'}`);
    await nvim.command('Sidekicks agents');
    await row(nvim, /there is no Node at \/no\/such\/node/);
  });

  it(`shows a change of state within ${SHOWN_WITHIN_MS} ms among 50 agents`, async () => {
    const nvim = await start();
    const agents = Array.from({ length: 50 }, (_, index) => summary(`agent${index}`, { description: 'one of many' }));
    const host = await StandIn.install(nvim, { 'AgentService.List': { agents } });
    await nvim.command('Sidekicks agents');
    await row(nvim, /^agent49/);
    const times = await nvim.lua<number[]>(`
      local times = {}
      for turn = 1, 40 do
        local word = turn % 2 == 1 and 'busy' or 'ready'
        local before = vim.uv.hrtime()
        require('sidekicks.host').receive({
          { name = 'agent:state', payload = { agent = 'agent25', state = word } },
        })
        vim.wait(1000, function()
          return vim.api.nvim_buf_get_lines(0, 50, 51, false)[1]:find(word, 1, true) ~= nil
        end, 1)
        vim.cmd.redraw()
        table.insert(times, (vim.uv.hrtime() - before) / 1e6)
      end
      table.sort(times)
      return times`);
    expect(await host.asked('AgentService.List')).not.toHaveLength(0);
    expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(SHOWN_WITHIN_MS);
    console.log(
      `a change of state is on screen after ${times[20]?.toFixed(1)} ms (median), ${times[38]?.toFixed(1)} ms (p95)`,
    );
  });
});
