// `:Sidekicks add` and `:Sidekicks reset` (SPEC 15): what they ask, and what is in the files then.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { Sidekicks } from './support/sidekicks.ts';

/** Answers each question with the next of these; what was asked stays in `_G.asked`. */
const answerWith = (nvim: Nvim, ...answers: readonly (string | null)[]) =>
  nvim.lua(
    `local answers = ...
    _G.asked = {}
    vim.ui.input = function(opts, callback)
      table.insert(_G.asked, opts.prompt .. (opts.default or ''))
      local answer = table.remove(answers, 1)
      callback(answer ~= vim.NIL and (answer == '=' and opts.default or answer) or nil)
    end`,
    answers,
  );

/** Chooses the entry that is worded so. */
const choose = (nvim: Nvim, wording: string) =>
  nvim.lua(
    `local wording = ...
    vim.ui.select = function(items, opts, callback)
      _G.question = opts.prompt
      for _, item in ipairs(items) do
        if vim.startswith(opts.format_item(item), wording) then
          return callback(item)
        end
      end
      callback(nil)
    end`,
    wording,
  );

describeNvim(':Sidekicks add', ({ start, place }) => {
  it('asks for program, arguments and name, and keeps the rest of the file', async () => {
    const own = place();
    writeFileSync(own.config, '# mine\nagents:\n  zoe: {command: cat} # hers\n');
    const nvim = await start({ place: own });
    const sidekicks = await Sidekicks.in(nvim);
    await answerWith(nvim, 'sh', `-c "echo 'a b'" last`, '=');
    await nvim.command('Sidekicks add');
    await nvim.waitForScreen('sh is in the configuration');
    expect(await nvim.lua('return _G.asked')).toEqual([
      'Program that speaks ACP: ',
      'Arguments of sh: ',
      'Name of the agent: sh',
    ]);
    const text = readFileSync(own.config, 'utf8');
    expect(text).toMatch(/^# mine\nagents:\n {2}zoe: \{command: cat\} # hers\n/);
    expect(text).toContain(`echo 'a b'`);
    await nvim.waitFor('the agent', async () => {
      const { agents } = await sidekicks.call('AgentService.List', {});
      return agents.map(({ name }) => name).join() === 'zoe,sh';
    });
  });

  it('asks only for what is not given, and does nothing when given up', async () => {
    const own = place();
    writeFileSync(own.config, 'agents: {}\n');
    const nvim = await start({ place: own });
    await answerWith(nvim, null);
    await nvim.command('Sidekicks add sh -c true');
    expect(await nvim.lua('return _G.asked')).toEqual(['Name of the agent: sh']);
    expect(readFileSync(own.config, 'utf8')).toBe('agents: {}\n');
    await answerWith(nvim, 'bob');
    await nvim.command('Sidekicks add sh -c true');
    await nvim.waitForScreen('bob is in the configuration');
  });

  it('says why an agent cannot be added', async () => {
    const own = place();
    writeFileSync(own.config, 'agents:\n  bob: {command: cat}\n');
    const nvim = await start({ place: own });
    nvim.allowErrors(/an agent named bob already/);
    await answerWith(nvim, 'bob');
    await nvim.command('Sidekicks add sh -c true');
    await nvim.waitForScreen('there is an agent named bob already');
  });
});

describeNvim(':Sidekicks reset', ({ start, place }) => {
  it('asks first, and changes nothing without a yes', async () => {
    const own = place();
    writeFileSync(own.config, 'agents:\n  bob: {command: cat}\n');
    const nvim = await start({ place: own });
    await choose(nvim, 'no');
    await nvim.command('Sidekicks reset everything');
    expect(await nvim.lua('return _G.question')).toBe('Reset the settings and empty every history?');
    expect(await nvim.lua(`return package.loaded['sidekicks.host'].running()`)).toBe(false);
    expect(readFileSync(own.config, 'utf8')).toBe('agents:\n  bob: {command: cat}\n');
  });

  it.each(['settings', 'history', 'allHistory', 'everything'] as const)('resets %s and keeps a copy', async (what) => {
    const own = place();
    const home = join(own.root, 'config', 'sidekicks');
    const nvim = await start({ place: own, env: { SIDEKICKS_CONFIG: '' } });
    const sidekicks = await Sidekicks.in(nvim);
    const { path } = await sidekicks.call('ConfigService.Current', {});
    expect(path.startsWith(home)).toBe(true);
    const mine = `agents:\n  bob: {command: cat}\n`;
    writeFileSync(path, mine);
    await nvim.waitFor('bob', async () => (await sidekicks.call('AgentService.List', {})).agents[0]?.name === 'bob');
    const before = await sidekicks.direct('bob');
    await choose(nvim, 'yes');
    await nvim.command(`Sidekicks reset ${what}`);
    await nvim.waitForScreen('begun anew; kept');
    const settings = what === 'settings' || what === 'everything';
    expect(readFileSync(path, 'utf8') === mine).toBe(!settings);
    const { channels } = await sidekicks.call('ChannelService.List', { all: true });
    const kept = channels.some(({ id }) => id === before.id);
    expect(kept).toBe(what === 'settings');
    const files = readdirSync(home, { recursive: true }).map(String);
    expect(files.filter((file) => /20\d\d/.test(file))).not.toEqual([]);
  });

  it('names what can be reset, and completes it', async () => {
    const nvim = await start();
    nvim.allowErrors(/name what to reset/);
    await nvim.command('Sidekicks reset');
    await nvim.waitForScreen('name what to reset: settings, history, allHistory, everything');
    expect(await nvim.lua(`return vim.fn.getcompletion('Sidekicks reset all', 'cmdline')`)).toEqual(['allHistory']);
  });
});
