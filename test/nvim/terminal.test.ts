// Terminals in the workspace of an agent (SPEC 12): what runs there, where it is shown, how it comes again.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import type { Place } from './support/place.ts';
import { startWith } from './product/person.ts';

const IN_TERMINAL = 'return vim.bo.buftype == "terminal" and vim.api.nvim_get_mode().mode == "t"';
const completed = (text: string) => `return vim.fn.getcompletion('Sidekicks ${text}', 'cmdline')`;

/** A shell that says what it was given, and then what it is told; what a person has set up does not matter. */
function plainShell(own: Place, name = 'my shell'): string {
  const path = join(own.root, name);
  writeFileSync(path, '#!/bin/sh\necho "shell: $# [$*] in $PWD"\nPS1="ready> " ENV= exec /bin/sh -i\n');
  chmodSync(path, 0o755);
  return path;
}

async function openTerminal(nvim: Nvim, command = 'Sidekicks terminal'): Promise<void> {
  await nvim.command(command);
  await nvim.waitForLua('the terminal', IN_TERMINAL);
  await nvim.waitForScreen('ready>');
}

const terminals = (nvim: Nvim) =>
  nvim.lua<number>(`
    return #vim.tbl_filter(function(buf) return vim.bo[buf].buftype == 'terminal' end, vim.api.nvim_list_bufs())`);

describeNvim('a terminal of an agent', (ground) => {
  it('runs the login shell of the person in the workspace, whatever both are called, and takes what is typed', async () => {
    const own = ground.place({ "a b $(touch hacked) 'c'/x": '' });
    const workspace = own.path("a b $(touch hacked) 'c'");
    const { nvim } = await startWith(
      ground,
      { bob: scriptedAgent(own, 'bob', { entry: { workspace } }) },
      { place: own, env: { SHELL: plainShell(own, "my 'shell' $(touch hacked)") }, columns: 200 },
    );
    await openTerminal(nvim);
    await nvim.waitForScreen(`shell: 1 [-l] in ${workspace}`.slice(0, 80));
    await nvim.feed(`echo "6 x 7 is $((6*7))" >"an swer" && cat an*<CR>`);
    await nvim.waitForScreen('6 x 7 is 42');
    expect(existsSync(own.path('hacked'))).toBe(false);
    expect(nvim.screen.text()).toContain('Terminal of bob');
    // What an ordinary terminal knows of the editor above it, and no configuration line too many.
    await nvim.feed('test -S "$NVIM" && echo nvim=yes<CR>');
    await nvim.waitForScreen('nvim=yes');
  });

  it('without $SHELL runs bash; in the project where the agent has no folder of its own', async () => {
    const own = ground.place();
    const { nvim } = await startWith(ground, { bob: {} }, { place: own, env: { SHELL: '/no/such/shell' } });
    await nvim.command('Sidekicks terminal bob');
    await nvim.waitForLua('the terminal', IN_TERMINAL);
    await nvim.feed('echo "b${BASH_VERSION:+ash} ${0##*/} in $PWD"<CR>');
    await nvim.waitForScreen(/^.*bash \S*bash in \/tmp\/sk-/m);
  });

  it('is shown again while its shell runs; with a bang there is another; after its end a new one', async () => {
    const own = ground.place();
    const { nvim } = await startWith(ground, { bob: {} }, { place: own, env: { SHELL: plainShell(own) } });
    await openTerminal(nvim);
    const buffer = await nvim.lua<number>('return vim.api.nvim_get_current_buf()');
    await nvim.feed('echo the fir""st<CR>');
    await nvim.waitForScreen(/^.*the first *$/m);
    await nvim.feed('<C-\\><C-n>q');
    await nvim.waitForLua('no window of it', 'return vim.fn.winnr("$") == 1');
    await openTerminal(nvim);
    expect(await nvim.lua('return vim.api.nvim_get_current_buf()')).toBe(buffer);
    await openTerminal(nvim, 'Sidekicks! terminal');
    await nvim.waitFor('two of them', async () => (await terminals(nvim)) === 2);
    // They share the room at the side.
    expect(await nvim.lua('return { vim.fn.winnr("$"), vim.fn.winlayout()[1] }')).toEqual([3, 'row']);
    expect(await nvim.lua('return vim.fn.winlayout()[2][2][1]')).toBe('col');
    await nvim.feed('exit<CR>');
    await nvim.waitForScreen('[Process exited 0]');
    await nvim.feed('<C-\\><C-n>');
    await openTerminal(nvim);
    expect(await nvim.lua('return vim.api.nvim_get_current_buf()')).toBe(buffer);
    await nvim.feed('exit<CR>');
    await nvim.waitForLua(
      'its end',
      `return vim.fn.getbufline(..., 1, '$')[2] and vim.fn.jobwait({ vim.b[...].terminal_job_id }, 0)[1] ~= -1`,
      buffer,
    );
    await nvim.feed('<C-\\><C-n>');
    await openTerminal(nvim);
    const third = await nvim.lua<number>('return vim.api.nvim_get_current_buf()');
    expect(third).not.toBe(buffer);
    // What the shells that ended printed can still be read.
    expect((await nvim.lua<string[]>(`return vim.fn.getbufline(..., 1, '$')`, buffer)).join('\n')).toContain(
      'the first',
    );
  });

  it('is one of the agent of the conversation, of the only agent, or of the one that is chosen', async () => {
    const own = ground.place();
    const agents = { ann: {}, bob: {} };
    const { nvim, sidekicks } = await startWith(ground, agents, { place: own, env: { SHELL: plainShell(own) } });
    await nvim.waitForLua('the completion', `return #vim.fn.getcompletion('Sidekicks terminal ', 'cmdline') > 0`);
    expect(await nvim.lua(completed('terminal '))).toEqual(['ann', 'bob']);
    await nvim.feed(':Sidekicks terminal<CR>');
    await nvim.waitForScreen('2: bob');
    await nvim.feed('2<CR>');
    await nvim.waitForScreen('Terminal of bob');
    await nvim.waitForLua('the terminal', IN_TERMINAL);
    await nvim.feed('<C-\\><C-n>:q<CR>');
    await sidekicks.open('ann');
    await nvim.feed('<Esc>');
    await openTerminal(nvim);
    await nvim.waitForScreen('Terminal of ann');
    // Below the conversation, which keeps its width.
    expect(await nvim.lua('return vim.api.nvim_win_get_width(0) == vim.o.columns')).toBe(true);
  });

  it('whose split is closed before it runs does not come', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { bob: {} }, { place: own, env: { SHELL: plainShell(own) } });
    await sidekicks.call('AgentService.List', {});
    await nvim.lua(`vim.cmd('Sidekicks terminal bob') vim.cmd('quit')`);
    await sidekicks.call('AgentService.List', {});
    await sidekicks.request('AgentService.List', {});
    expect([await terminals(nvim), nvim.processes().filter(({ command }) => command.includes('my shell'))]).toEqual([
      0,
      [],
    ]);
    await openTerminal(nvim);
    // A buffer that is gone at once, with the shell that had only just begun.
    await nvim.command('bwipeout!');
    await nvim.waitFor('its end', () => nvim.processes().every(({ command }) => !command.includes('/bin/sh -i')));
  });

  it('opens where the options say', async () => {
    const own = ground.place();
    const { nvim } = await startWith(
      ground,
      { bob: {} },
      {
        place: own,
        env: { SHELL: plainShell(own) },
        args: ['--cmd', `let g:sidekicks = #{window: #{position: 'tab'}}`],
      },
    );
    await openTerminal(nvim);
    expect(await nvim.lua('return vim.fn.tabpagenr("$")')).toBe(2);
  });

  it('has its key in the panel, in French too', async () => {
    const own = ground.place();
    const { nvim } = await startWith(
      ground,
      { bob: {} },
      {
        place: own,
        env: { SHELL: plainShell(own) },
        config: { language: 'fr' },
      },
    );
    await nvim.command('Sidekicks');
    await nvim.waitForScreen('t terminal');
    await nvim.waitForScreen(/bob +arrêté/);
    await nvim.feed('t');
    await nvim.waitForScreen('ready>');
    await nvim.waitForScreen('Terminal de bob');
    await nvim.feed('exit<CR>');
    await nvim.waitForScreen('[Process exited 0]');
  });

  it('that cannot be says why in its split, and can be tried again', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(
      ground,
      { bob: scriptedAgent(own, 'bob', { entry: { workspace: own.path('not yet') } }) },
      { place: own, env: { SHELL: plainShell(own) } },
    );
    await nvim.command('Sidekicks terminal');
    await nvim.waitForScreen('No terminal of bob: the folder');
    expect((await nvim.lua<string[]>(`return vim.api.nvim_buf_get_lines(0, 0, -1, false)`)).join(' ')).toBe(
      `No terminal of bob: the folder ${own.path('not yet')} does not exist.`,
    );
    await expect(sidekicks.request('TerminalService.Open', { agent: 'bob', cols: 80, rows: 24 })).rejects.toThrow(
      `unavailable: the folder ${own.path('not yet')} does not exist`,
    );
    await nvim.feed('<C-w>p');
    await nvim.command('Sidekicks terminal');
    await nvim.waitForLua(
      'the same reason, in the same place',
      `
      return vim.fn.winnr('$') == 2 and vim.fn.getline(1):find('No terminal of bob') ~= nil`,
    );
    own.write('not yet/x', '');
    await openTerminal(nvim);
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(2);
    await nvim.feed('<C-\\><C-n>');
    nvim.allowErrors(/nobody/);
    await nvim.command('Sidekicks terminal nobody');
    await nvim.waitFor('the error', async () => (await nvim.messages()).includes('nobody'));
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(2);
  });
});
