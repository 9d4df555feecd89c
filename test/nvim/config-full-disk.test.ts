// The configuration on a full disk (SPEC 3, 19): a clear error, nothing half written, nothing typed lost, and all else goes on.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { demoAgent, scriptedAgent } from './support/agents.ts';
import { agentNames, errorOf } from './support/config.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { Sidekicks, textOf } from './support/sidekicks.ts';

/** Room for a small history, none for as many lines as `filler` has. */
const roomKb = 600;
const filler = `# ${'long '.repeat(20)}\n`.repeat(8000);

const besides = (file: string): string[] => readdirSync(dirname(file)).filter((name) => name.includes('.yaml'));

describeNvim('on a full disk', ({ start, place }) => {
  it('the first configuration is used without a file, with a warning that stands in the panel', async () => {
    const own = place();
    const nvim = await start({ place: own, env: { SIDEKICKS_CONFIG: '' }, fileLimitKb: 0 });
    const sidekicks = await Sidekicks.in(nvim);
    const { created, valid, warnings } = await sidekicks.call('ConfigService.Current', {});
    expect([created, valid, warnings.length]).toEqual([false, true, 1]);
    expect(warnings[0]?.message).toMatch(/sidekicks\.yaml could not be written, so it is used without a file: /);
    expect(besides(join(own.root, 'config/sidekicks/sidekicks.yaml'))).toEqual([]);
    await nvim.command('Sidekicks');
    await nvim.waitFor('the warning', async () =>
      (await nvim.bufferLines('sidekicks://agents')).some((row) => row.includes(warnings[0]?.message ?? '-')),
    );
    const { id } = await sidekicks.direct('demo');
    await sidekicks.send(id, 'hello');
    await nvim.waitFor('an answer', async () => {
      const answer = (await sidekicks.conversation(id)).messages.at(-1);
      return answer?.role === 'agent' && textOf(answer) !== '';
    });
  });

  /** An agent at work, and a text after it that the disk has no room to write again. */
  async function begin(after = '') {
    const own = place();
    own.writeConfig(`agents:\n  bob: ${JSON.stringify(scriptedAgent(own, 'bob'))}\n${after}`);
    const nvim = await start({ place: own, args: ['-n'], fileLimitKb: roomKb });
    const sidekicks = await Sidekicks.in(nvim);
    const { id } = await sidekicks.direct('bob');
    const before = readFileSync(own.config, 'utf8');
    const goesOn = async (): Promise<void> => {
      expect(await agentNames(sidekicks)).toEqual(['bob']);
      expect(textOf((await sidekicks.ask(id, 'hello')).messages.at(-1))).toBe('Hello from bob.');
    };
    const isUntouched = async (): Promise<void> => {
      expect(readFileSync(own.config, 'utf8') === before).toBe(true);
      expect(besides(own.config)).toEqual(['sidekicks.yaml']);
      await goesOn();
    };
    return { own, nvim, sidekicks, before, goesOn, isUntouched };
  }

  it('a text that is saved and an agent that is added are errors that name the file', async () => {
    const { own, sidekicks, before, isUntouched } = await begin(filler);
    const failed = new RegExp(`^\\w+: .*${own.config}.*too large`);
    expect(await errorOf(sidekicks.request('ConfigService.Save', { text: `${before}# more\n` }))).toMatch(failed);
    await isUntouched();
    const agent = { name: 'cid', ...demoAgent() };
    expect(await errorOf(sidekicks.request('ConfigService.AddAgent', { agent }))).toMatch(failed);
    await isUntouched();
  });

  it('what is typed in its buffer stays there when it cannot be written, and the agents stay as they are', async () => {
    const { own, nvim, goesOn } = await begin();
    await nvim.command('Sidekicks config');
    await nvim.waitForLua('the file', 'return vim.api.nvim_buf_get_name(0) == ...', own.config);
    await nvim.lua('vim.api.nvim_buf_set_lines(0, -1, -1, false, ...)', [...filler.split('\n').slice(1), '# typed']);
    nvim.allowErrors(/E514|E80/);
    await nvim.feed(':write<CR>');
    await nvim.waitForScreen(/E514|E80/);
    await nvim.feed('<CR>');
    await nvim.waitForLua('the end of the question', 'return not vim.api.nvim_get_mode().blocking');
    expect(await nvim.lua('return { vim.bo.modified, vim.fn.getline("$") }')).toEqual([true, '# typed']);
    await goesOn();
  });
});
