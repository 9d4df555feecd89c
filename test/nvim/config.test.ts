// The configuration in Neovim (SPEC 3, 15): its problems as diagnostics while it is written, and `:Sidekicks config`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Problem } from '../../src/core/contract/shapes.ts';
import { scriptedAgent } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';
import { StandIn } from './stand-in.ts';

interface Shown {
  readonly at: string;
  readonly under: string;
  readonly severity: string;
  readonly message: string;
}

/** The diagnostics of the current buffer: `line:column` from 1, and the text they are drawn under. */
const shown = (nvim: Nvim) =>
  nvim.lua<Shown[]>(`
    local namespace = vim.api.nvim_get_namespaces()['sidekicks.config']
    return vim.tbl_map(function(one)
      local line = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1] or ''
      return {
        at = ('%d:%d'):format(one.lnum + 1, one.col + 1),
        under = line:sub(one.col + 1, one.end_col),
        severity = vim.diagnostic.severity[one.severity],
        message = one.message,
      }
    end, namespace and vim.diagnostic.get(0, { namespace = namespace }) or {})`);

const waitForShown = (nvim: Nvim, fits: (all: readonly Shown[]) => boolean) =>
  nvim.waitFor('the diagnostics', async () => {
    const all = await shown(nvim);
    return fits(all) && all;
  });

const setLines = (nvim: Nvim, text: string) =>
  nvim.lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, ...)', text.split('\n'));

describeNvim('the configuration while it is written', ({ start, place }) => {
  /** A configuration of this text, opened as any file. */
  async function openWith(text: string | Uint8Array) {
    const own = place();
    writeFileSync(own.config, text);
    const nvim = await start({ place: own, args: [own.config] });
    return { own, nvim };
  }

  it('shows a mistake where it is as soon as it is typed, without a save, and takes it away', async () => {
    const { nvim, own } = await openWith('agents:\n  bob:\n    command: cat\n');
    expect(await shown(nvim)).toEqual([]);
    await nvim.feed('Go<C-u>    titel: Bob<Esc>');
    const [first] = await waitForShown(nvim, (all) => all[0]?.under === 'titel');
    expect(first).toMatchObject({ at: '4:5', under: 'titel', severity: 'ERROR' });
    expect(first?.message).toContain('titel');
    await nvim.feed('0wcwtitle<Esc>');
    await waitForShown(nvim, (all) => all.length === 0);
    expect(readFileSync(own.config, 'utf8')).toBe('agents:\n  bob:\n    command: cat\n');
  });

  it('tells warnings from mistakes', async () => {
    const { nvim } = await openWith('agents:\n  bob: {command: cat, env: {A: "${NO_SUCH_NAME}"}}\nlimit: 1\n');
    const all = await waitForShown(nvim, ({ length }) => length === 2);
    expect(all.map(({ under, severity }) => [under, severity])).toEqual(
      expect.arrayContaining([
        ['limit', 'ERROR'],
        [expect.stringContaining('NO_SUCH_NAME'), 'WARN'],
      ]),
    );
    await setLines(nvim, 'agents:\n  bob: {command: cat, env: {A: "${NO_SUCH_NAME}"}}');
    const [warning] = await waitForShown(nvim, (now) => now.length === 1 && now[0]?.severity === 'WARN');
    expect(warning?.message).toContain('NO_SUCH_NAME');
    expect(warning?.at).toMatch(/^2:/);
  });

  it.each([
    ['after characters of several bytes', 'agents:\n  bob: {command: cat, title: 日本😀, x: 1}\n'],
    ['with a byte-order mark', '\uFEFFagents:\n  bob: {command: cat, x: 1}\n'],
    ['with CR LF', 'agents:\r\n  bob: {command: cat, x: 1}\r\n'],
  ])('puts it on the very character, %s', async (_, text) => {
    const { nvim } = await openWith(text);
    const [problem] = await waitForShown(nvim, (all) => all.length === 1);
    expect(problem?.under).toBe('x');
    await nvim.feed('Go<C-u>y: 1<Esc>');
    await waitForShown(nvim, (all) => all.map(({ under }) => under).join() === 'x,y');
  });

  it('speaks the language of the configuration', async () => {
    const { nvim } = await openWith('language: fr\nagents: {}\n');
    await setLines(nvim, 'language: fr\nagents: {}\nlimit: 1');
    const [problem] = await waitForShown(nvim, (all) => all[0]?.under === 'limit');
    expect(problem?.message).toContain('inconnue');
  });

  it('asks once for a burst of typing, and drops an answer that came too late', async () => {
    const own = place();
    own.writeConfig('agents: {}\n');
    const nvim = await start({ place: own });
    const host = await StandIn.install(nvim);
    const current = { source: 'env', created: false, valid: true, problems: [], warnings: [], theme: {} };
    await host.answer('ConfigService.Current', { ...current, path: own.config, language: 'en', historyProblem: '' });
    await nvim.command('Sidekicks config');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', own.config);
    await nvim.lua(`require('sidekicks.config.live').follow()`);
    await host.waitForAsked('ConfigService.Validate');
    const problem = (line: number): Problem => ({ line, column: 1, message: 'wrong', warning: false });
    await host.release('ConfigService.Validate', { problems: [] });
    await nvim.feed('ofirst: 1<CR>second: 2<Esc>');
    const asked = await host.waitForAsked('ConfigService.Validate', 2);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.params['text']).toBe('agents: {}\nfirst: 1\nsecond: 2\n');
    await nvim.feed('othird: 3<Esc>');
    await host.release('ConfigService.Validate', { problems: [problem(2)] });
    await host.waitForAsked('ConfigService.Validate', 3);
    expect(await shown(nvim)).toEqual([]);
    await host.release('ConfigService.Validate', { problems: [problem(4)] });
    expect((await waitForShown(nvim, (all) => all.length > 0)).map(({ at }) => at)).toEqual(['4:1']);
  });

  it('takes what a save from elsewhere brings', async () => {
    const { nvim, own } = await openWith('agents: {}\n');
    await nvim.waitForLua('the configuration', `return require('sidekicks.state').configuration() ~= nil`);
    await nvim.lua(`vim.o.autoread = true`);
    writeFileSync(own.config, 'agent: {}\n');
    await waitForShown(nvim, (all) => all.length === 1);
    await nvim.command('checktime');
    const [problem] = await waitForShown(nvim, (all) => all[0]?.under === 'agent');
    expect(problem?.at).toBe('1:1');
  });

  it.each([
    ['the environment', { SIDEKICKS_CONFIG: 'my.yml' }, []],
    ['an option', { SIDEKICKS_CONFIG: '' }, ['--cmd', "let g:sidekicks = {'config': 'my.yml'}"]],
  ])('is known by %s, whatever its name', async (_, env, args) => {
    const own = place({ 'my.yml': 'limit: 1\n' });
    const nvim = await start({ place: own, env, args: [...args, 'my.yml'] });
    const [problem] = await waitForShown(nvim, (all) => all.length === 1);
    expect(problem).toMatchObject({ at: '1:1', under: 'limit' });
  });

  it('leaves other files alone', async () => {
    const own = place({ 'other.yaml': 'limit: 1\n' });
    own.writeConfig('limit: 1\n');
    const nvim = await start({ place: own, args: ['other.yaml', own.config] });
    await nvim.command('edit #2');
    await waitForShown(nvim, (all) => all.length === 1);
    await nvim.command('buffer other.yaml');
    expect(await shown(nvim)).toEqual([]);
  });
});

describeNvim(':Sidekicks config', ({ start, place }) => {
  it('edits the file in force beside what is there', async () => {
    const own = place({ 'a.txt': 'text\n' });
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const nvim = await start({ place: own, args: ['a.txt'] });
    for (const command of ['Sidekicks config', 'Sidekicks config edit']) {
      await nvim.command('edit a.txt');
      await nvim.command(command);
      await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', own.config);
    }
  });

  it('lists what is wrong, and says when nothing is', async () => {
    const own = place();
    own.writeConfig('agents:\n  bob: {command: cat, x: 1}\n');
    const nvim = await start({ place: own });
    await nvim.command('Sidekicks config validate');
    await nvim.waitForLua('the list', `return vim.bo.buftype == 'quickfix'`);
    const list = () => nvim.lua<{ lnum: number; col: number; type: string }[]>('return vim.fn.getqflist()');
    expect(await list()).toMatchObject([{ lnum: 2, col: 23, type: 'E' }]);
    await nvim.feed('<CR>');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', own.config);
    expect(await nvim.lua('return vim.fn.expand("<cword>")')).toBe('x');
    // What stands in the buffer counts, saved or not.
    await setLines(nvim, 'agents: {}');
    await nvim.command('Sidekicks config validate');
    await nvim.waitForScreen('no problem');
    expect(await list()).toEqual([]);
  });

  it('completes its words and paths, and names what there is', async () => {
    const own = place({ 'sub/one.yaml': '', 'sub/two.yaml': '' });
    const nvim = await start({ place: own });
    const completed = (line: string) => nvim.lua<string[]>(`return vim.fn.getcompletion(..., 'cmdline')`, line);
    expect(await completed('Sidekicks config ')).toEqual(['edit', 'open', 'recent', 'validate']);
    expect(await completed('Sidekicks config open sub/')).toEqual(['sub/one.yaml', 'sub/two.yaml']);
    expect(await completed('Sidekicks config edit ')).toEqual([]);
    nvim.allowErrors(/config does not know/);
    await nvim.command('Sidekicks config nonsense');
    await nvim.waitForScreen('config does not know nonsense; there are: edit, open, recent, validate');
  });

  it('opens another file, which is then followed, and offers those opened before', async () => {
    const own = place();
    own.writeConfig({ agents: { bob: scriptedAgent(own, 'bob') } });
    const other = join(own.root, 'other one.yaml');
    writeFileSync(other, 'agents:\n  zoe: {command: cat}\n');
    // A choice counts only where nothing else is set.
    const nvim = await start({ place: own, env: { SIDEKICKS_CONFIG: '' } });
    const sidekicks = await Sidekicks.in(nvim);
    nvim.allowErrors(/no configuration has been opened/);
    await nvim.command('Sidekicks config recent');
    await nvim.waitForScreen('no configuration has been opened');
    await nvim.command(`Sidekicks config open ${other}`);
    await nvim.waitForScreen('is in force');
    const { agents } = await sidekicks.call('AgentService.List', {});
    expect(agents.map(({ name }) => name)).toEqual(['zoe']);
    await nvim.command('Sidekicks config');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', other);
    await nvim.feed('Go<C-u>x: 1<Esc>');
    await waitForShown(nvim, (all) => all[0]?.under === 'x');
    await nvim.command('silent undo');
    await nvim.command(`Sidekicks config open ${own.config}`);
    await nvim.waitFor('bob', async () => (await sidekicks.call('AgentService.List', {})).agents[0]?.name === 'bob');
    await nvim.lua(`
      vim.ui.select = function(items, opts, choose)
        _G.asked = vim.tbl_map(opts.format_item, items)
        choose(items[2])
      end`);
    await nvim.command('Sidekicks config recent');
    await nvim.waitFor('zoe', async () => (await sidekicks.call('AgentService.List', {})).agents[0]?.name === 'zoe');
    expect(await nvim.lua('return _G.asked')).toEqual([own.config, other]);
  });

  it('says why a file cannot be opened', async () => {
    const own = place();
    const nvim = await start({ place: own });
    nvim.allowErrors(/nowhere\.yaml/);
    await nvim.command('Sidekicks config open nowhere.yaml');
    await nvim.waitForScreen('nowhere.yaml');
  });
});
