// Channels as a person uses them: made, filled, named, emptied and deleted by commands; who is there, who answers (SPEC 2, 5).
import { expect, it } from 'vitest';
import { script } from './support/agents.ts';
import { describeNvim } from './support/describe-nvim.ts';
import type { Nvim } from './support/nvim.ts';
import { configure, gate, openGate, rowsWith, say, startWith } from './product/person.ts';

const REVIEW = 'sidekicks://channel/review';
const AGENTS = { ann: {}, ben: {}, zoe: {} };

const completed = (nvim: Nvim, line: string) => nvim.lua<string[]>(`return vim.fn.getcompletion(..., 'cmdline')`, line);

/** Has the next questions of `vim.ui.select` answered by these choices, as they are shown; what was asked is kept. */
const answering = (nvim: Nvim, ...choices: readonly string[]) =>
  nvim.lua(
    `local answers = ...
    _G.asked = {}
    vim.ui.select = function(items, opts, choose)
      local shown = vim.tbl_map(opts.format_item or tostring, items)
      table.insert(_G.asked, { opts.prompt, shown })
      local wanted = table.remove(answers, 1)
      for index, text in ipairs(shown) do
        if text == wanted then return choose(items[index], index) end
      end
      choose(nil)
    end`,
    choices,
  );

const asked = (nvim: Nvim) => nvim.lua<[string, string[]][]>('return _G.asked');

const shows = (nvim: Nvim, name: string) =>
  nvim.waitForLua(`the input of ${name}`, 'return vim.api.nvim_buf_get_name(0) == ...', `${name}/input`);

/** The channel of that name, with what the host knows of it. */
async function open(nvim: Nvim, name = 'review') {
  await nvim.command(`SidekicksChannel! ${name}`);
  await shows(nvim, `sidekicks://channel/${name.replaceAll(' ', '%20')}`);
}

describeNvim('a channel', (ground) => {
  it('is asked for before it is made, is then filled, and opens where one can type', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS);
    await answering(nvim, 'no');
    await nvim.command('SidekicksChannel code review');
    await nvim.waitFor('the question', async () => (await asked(nvim)).length === 1);
    expect(await asked(nvim)).toEqual([
      ['There is no channel named code review here. Create it?', ['no', 'yes, create it']],
    ]);
    expect((await sidekicks.call('ChannelService.List', {})).channels).toEqual([]);

    await answering(nvim, 'yes, create it', 'zoe', 'ann', '(nobody else)');
    await nvim.command('SidekicksChannel code review');
    await nvim.waitFor('every question', async () => (await asked(nvim)).length === 4);
    expect((await asked(nvim)).slice(1)).toEqual([
      ['Who joins #code review?', ['ann', 'ben', 'zoe', '(nobody else)']],
      ['Who joins #code review?', ['ann', 'ben', '(nobody else)']],
      ['Who joins #code review?', ['ben', '(nobody else)']],
    ]);
    await shows(nvim, 'sidekicks://channel/code%20review');
    await nvim.waitFor('Insert mode', async () => (await nvim.mode()) === 'i');
    await nvim.waitForScreen('#code review  zoe, ann');
    await nvim.waitForScreen('zoe joined');
    const { channels } = await sidekicks.call('ChannelService.List', {});
    expect(channels).toMatchObject([{ name: 'code review', members: ['zoe', 'ann'], project: nvim.place.project }]);
    const facts = await nvim.lua(`return { vim.b.sidekicks, vim.bo.filetype }`);
    expect(facts).toEqual([{ conversation: channels[0]?.id, kind: 'input' }, 'sidekicks-input']);
  });

  it('is made at once with !, and says how agents come in while nobody is there', async () => {
    const { nvim } = await startWith(ground, AGENTS);
    await answering(nvim);
    await open(nvim);
    await nvim.waitForScreen('Nobody is here yet');
    expect(nvim.screen.text()).toMatch(/An agent you mention joins: @ann[\s│~]+@ben @zoe/);
    expect(nvim.screen.text()).toContain('#review  no members');
    expect(await asked(nvim)).toEqual([]);
    await say(nvim, '@ben hello');
    await nvim.waitForScreen('Hello from ben.');
    await nvim.waitForScreen('#review  ben');
    expect(nvim.screen.text()).toContain('ben joined');
    expect(nvim.screen.text()).not.toContain('Nobody is here yet');
    await say(nvim, 'and again');
    await nvim.waitFor('the next answer', () => rowsWith(nvim, /‣ ben/).length === 2);
  });

  it('is found by its name in any case, and by require(…).channel; a declared one is there from the start', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS, {
      config: { channels: { Plans: { description: 'what comes next', members: ['ann', 'ben'] } } },
    });
    await nvim.command('SidekicksChannel plans');
    await shows(nvim, 'sidekicks://channel/Plans');
    await nvim.waitForScreen(/#Plans {2}ann, ben +what comes next/);
    await nvim.waitForScreen('Members: @ann @ben');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks close');
    await nvim.lua(`require('sidekicks').channel('PLANS')`);
    await shows(nvim, 'sidekicks://channel/Plans');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks close');
    await nvim.command('SidekicksChannel #plans');
    await shows(nvim, 'sidekicks://channel/Plans');
    expect((await sidekicks.call('ChannelService.List', {})).channels).toHaveLength(1);
  });

  it('is chosen from a list when no name is given', async () => {
    const { nvim } = await startWith(ground, AGENTS, {
      config: { channels: { plans: { members: ['ann'] }, review: {} } },
    });
    await answering(nvim, '#review');
    await nvim.command('SidekicksChannel');
    await shows(nvim, REVIEW);
    expect(await asked(nvim)).toEqual([['Which channel?', ['#plans · ann', '#review']]]);
    const none = await startWith(ground, AGENTS);
    await none.nvim.command('SidekicksChannel');
    await none.nvim.waitForScreen('there is no channel here yet');
  });

  it('comes back by :edit and with a session, and says where there is none', async () => {
    const own = ground.place();
    const { nvim } = await startWith(ground, AGENTS, { place: own });
    await open(nvim, 'my room');
    await nvim.feed('<Esc>');
    const session = `${own.root}/Session.vim`;
    await nvim.command(`mksession ${session}`);
    await nvim.dispose();
    const again = await ground.start({ place: own });
    await again.command(`source ${session}`);
    await again.waitForScreen('#my room  no members');
    await again.waitForScreen('Nobody is here yet');
    await again.command('only');
    await again.command('edit sidekicks://channel/nothing');
    await again.waitForScreen('there is no channel named nothing here');
    await again.command('edit sidekicks://channel/my%20room'.replaceAll('%', '\\%'));
    await again.waitForScreen('#my room  no members');
  });
});

describeNvim('a hidden channel', (ground) => {
  it('comes back under its new name, and not at all when it was deleted meanwhile', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS);
    await open(nvim);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks toggle');
    const [channel] = (await sidekicks.call('ChannelService.List', {})).channels;
    const id = channel?.id ?? '';
    await sidekicks.call('ChannelService.Rename', { id, name: 'plans', description: '' });
    await nvim.waitForLua('the new name', `return vim.fn.bufexists('sidekicks://channel/plans') == 1`);
    await nvim.command('Sidekicks toggle');
    await shows(nvim, 'sidekicks://channel/plans');
    await nvim.command('Sidekicks toggle');
    await sidekicks.call('ChannelService.Delete', { id });
    await nvim.waitForScreen('#plans was deleted');
    await answering(nvim, 'ben');
    await nvim.command('Sidekicks toggle');
    await shows(nvim, 'sidekicks://agent/ben');
  });
});

describeNvim('the command that manages channels', (ground) => {
  it('renames the channel and its buffers, describes it, and says what cannot be', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS, { config: { channels: { taken: {} } } });
    nvim.allowErrors(/there is a channel named taken|no channel named nope|channel needs one of|takes no !/);
    await open(nvim);
    await nvim.feed('half a thought<Esc>');
    await nvim.command('Sidekicks channel rename code review');
    await nvim.waitForScreen('#code review');
    const names = () =>
      nvim.lua<string[]>(`return vim.tbl_filter(function(name) return name:find('^sidekicks://channel') ~= nil end,
        vim.tbl_map(vim.api.nvim_buf_get_name, vim.api.nvim_list_bufs()))`);
    expect((await names()).toSorted()).toEqual([
      'sidekicks://channel/code%20review',
      'sidekicks://channel/code%20review/input',
    ]);
    expect(await nvim.bufferLines('sidekicks://channel/code%20review/input')).toEqual(['half a thought']);
    await nvim.command('Sidekicks channel describe #"code review" what others wrote');
    await nvim.waitForScreen(/#code review .*what others wrote/);
    await nvim.command('write');
    await nvim.waitForScreen('nobody was asked');

    await nvim.command('Sidekicks channel rename taken');
    await nvim.waitForScreen('there is a channel named taken here already');
    await nvim.command('Sidekicks channel invite #nope ann');
    await nvim.waitForScreen('there is no channel named nope here');
    await nvim.command('Sidekicks channel');
    await nvim.waitForScreen('channel needs one of: clear, delete, describe, invite, remove, rename');
    await nvim.command('Sidekicks! channel invite ann');
    await nvim.waitForScreen('channel invite takes no !');
    const { channels } = await sidekicks.call('ChannelService.List', {});
    expect(channels.map(({ name, description }) => [name, description])).toEqual([
      ['taken', ''],
      ['code review', 'what others wrote'],
    ]);
  });

  it('invites and removes agents by name or from a list; an agent that is no member is named', async () => {
    const { nvim } = await startWith(ground, AGENTS);
    nvim.allowErrors(/no member of this channel|no agent named/);
    await open(nvim);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks channel invite zoe @ann');
    await nvim.waitForScreen('#review  zoe, ann');
    await answering(nvim, 'ben');
    await nvim.command('Sidekicks channel invite');
    await nvim.waitForScreen('#review  zoe, ann, ben');
    await nvim.command('Sidekicks channel invite');
    await nvim.waitForScreen('every agent is a member of #review already');
    await nvim.command('Sidekicks channel remove ann');
    await nvim.waitForScreen('#review  zoe, ben');
    await answering(nvim, 'zoe');
    await nvim.command('Sidekicks channel remove #review');
    await nvim.waitForScreen('#review  ben');
    await nvim.command('Sidekicks channel remove zoe');
    await nvim.waitForScreen('zoe is no member of this channel');
    await nvim.command('Sidekicks channel invite nobody');
    await nvim.waitForScreen('no agent named nobody is configured');
  });

  it('clears and deletes after a question; the buffers of a deleted channel go, and what was typed is kept', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS);
    await open(nvim);
    await say(nvim, '@ann hello');
    await nvim.waitForScreen('Hello from ann.');
    await nvim.feed('not sent<Esc>');
    await answering(nvim, 'no, change nothing');
    await nvim.command('Sidekicks channel clear');
    await nvim.waitFor('the question', async () => (await asked(nvim)).length === 1);
    expect(nvim.screen.text()).toContain('Hello from ann.');
    await answering(nvim, 'yes, delete them for good');
    await nvim.command('Sidekicks channel clear');
    await nvim.waitForScreen('all messages of #review are deleted');
    await nvim.waitFor('no message', () => !nvim.screen.text().includes('Hello from ann.'));
    expect(nvim.screen.text()).toContain('Members: @ann');

    await answering(nvim, 'yes, delete it for good');
    await nvim.command('Sidekicks channel delete #review');
    await nvim.waitForScreen('#review was deleted');
    expect(await asked(nvim)).toEqual([
      ['Delete #review and all its messages?', ['no, change nothing', 'yes, delete it for good']],
    ]);
    expect(await nvim.lua('return vim.fn.winnr("$")')).toBe(1);
    expect(await nvim.register('"')).toBe('not sent');
    expect((await sidekicks.call('ChannelService.List', {})).channels).toEqual([]);
    await open(nvim);
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks! channel delete');
    await nvim.waitForLua('one window', 'return vim.fn.winnr("$") == 1');
  });

  it('completes verbs, channels and agents, with blanks in names', async () => {
    const { nvim } = await startWith(ground, AGENTS, {
      config: { channels: { 'code review': { members: ['ann'] }, plans: { members: [] } } },
    });
    await nvim.waitFor('the channels', async () => (await completed(nvim, 'SidekicksChannel ')).length > 0);
    expect(await completed(nvim, 'SidekicksChannel ')).toEqual(['code review', 'plans']);
    expect(await completed(nvim, 'SidekicksChannel code r')).toEqual(['review']);
    expect(await completed(nvim, 'SidekicksChannel! PL')).toEqual(['plans']);
    expect(await completed(nvim, 'Sidekicks channel re')).toEqual(['remove', 'rename']);
    expect(await completed(nvim, 'Sidekicks channel delete ')).toEqual(['#"code review"', '#plans']);
    expect(await completed(nvim, 'Sidekicks channel delete #"code r')).toEqual(['review"']);
    expect(await completed(nvim, 'Sidekicks channel remove #"code review" ')).toEqual(['ann']);
    expect(await completed(nvim, 'Sidekicks channel invite #"code review" ')).toEqual(['ben', 'zoe']);
    expect(await completed(nvim, 'Sidekicks channel invite #plans b')).toEqual(['ben']);
    expect(await completed(nvim, 'Sidekicks channel delete #plans ')).toEqual([]);
    expect(await completed(nvim, 'Sidekicks! ask #')).toEqual(['#"code review"', '#plans']);
    expect(await completed(nvim, 'Sidekicks ask #plans ')).toEqual([]);
  });

  it('refuses what a direct conversation has not', async () => {
    const { nvim, sidekicks } = await startWith(ground, AGENTS);
    nvim.allowErrors(/direct conversation with ann/);
    await sidekicks.open('ann');
    await nvim.feed('<Esc>');
    for (const what of ['rename other', 'describe other', 'invite ben', 'remove ann', 'delete']) {
      await nvim.command(`Sidekicks channel ${what}`);
    }
    await nvim.waitForScreen('direct conversation with ann');
    const { channels } = await sidekicks.call('ChannelService.List', {});
    expect(channels).toMatchObject([{ name: '', description: '', direct: 'ann', members: ['ann'] }]);
  });
});

describeNvim('who answers in a channel', (ground) => {
  it('is told above it, each in a colour of its own, one after the other', async () => {
    const own = ground.place();
    const waits = (name: string) => ({ script: [{ op: 'text', text: `${name} says` }, gate(own, name)] });
    const { nvim } = await startWith(ground, { ann: waits('ann'), ben: waits('ben') }, { place: own });
    await open(nvim);
    await say(nvim, '@ben and @ann, look');
    await nvim.waitForScreen('ben says');
    await nvim.waitForScreen(/#review {2}. ben \d+ s {2}ben, ann/);
    await say(nvim, 'something else');
    await nvim.waitForScreen(/ben \d+ s {2}1 queued/);
    openGate(own, 'ben');
    await nvim.waitForScreen('ann says');
    await nvim.waitForScreen(/#review {2}. ann \d+ s/);
    openGate(own, 'ann');
    await nvim.waitFor('the end', () => rowsWith(nvim, /‣ ann/).length === 2);
    const groups = await nvim.lua<string[]>(`
      local buf = vim.fn.bufnr('^sidekicks://channel/review$')
      local found = {}
      for row, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
        if line:find('^‣ [ab]') then
          local space = vim.api.nvim_get_namespaces()['sidekicks.transcript']
          local marks = vim.api.nvim_buf_get_extmarks(buf, space, { row - 1, 0 }, { row - 1, 0 }, { details = true })
          for _, mark in ipairs(marks) do
            if mark[4].hl_group then table.insert(found, line:match('%a+') .. ' ' .. mark[4].hl_group) end
          end
        end
      end
      return found`);
    expect(groups).toEqual(['ben SidekicksSpeaker2', 'ann SidekicksSpeaker', 'ann SidekicksSpeaker']);
  });

  it('waits for an agent that answers elsewhere, and says where', async () => {
    const own = ground.place();
    const { nvim, sidekicks } = await startWith(ground, { ann: {}, ben: {} }, { place: own, columns: 200 });
    await open(nvim);
    await say(nvim, `@ann ${script(gate(own, 'first'))}`);
    await nvim.waitForScreen(/#review {2}. ann/);
    await sidekicks.open('ann');
    await say(nvim, 'me too');
    await nvim.waitForScreen('waiting for ann, who answers in #review');
    openGate(own, 'first');
    await nvim.waitForScreen('Hello from ann.');
  });

  it('shows the mode and the context of the agent at work, then of the one that answered last, by its name', async () => {
    const modes = (name: string) => JSON.stringify({ currentModeId: 'm', availableModes: [{ id: 'm', name }] });
    const script = (used: number) => [{ op: 'usage', used, size: 100_000 }, { op: 'wait_cancel' }];
    const agents = {
      ann: { args: ['--modes', modes('Asks')], script: script(25_000) },
      ben: { args: ['--modes', modes('Edits')], script: script(50_000) },
    };
    const config = { channels: { review: { members: ['ann', 'ben'], description: 'what we look at' } } };
    const { nvim, sidekicks } = await startWith(ground, agents, { config });
    await open(nvim);
    await nvim.waitForScreen('what we look at');
    const id = await nvim.lua<string>('return vim.b.sidekicks.conversation');
    for (const [name, text] of [
      ['ann', 'Asks · 25 % of 100k'],
      ['ben', 'Edits · 50 % of 100k'],
    ] as const) {
      await sidekicks.send(id, `@${name} go`);
      await nvim.waitForScreen(text);
      expect(nvim.screen.text()).not.toContain(`${name} · ${text}`);
      await sidekicks.call('ChannelService.Cancel', { id });
      await sidekicks.waitUntilIdle(id);
      await nvim.waitForScreen(`${name} · ${text}`);
    }
  });

  it('may be gone from the configuration, and is said to be', async () => {
    const own = ground.place();
    const config = { channels: { review: { members: ['ann', 'old'] } } };
    const { nvim } = await startWith(ground, { ann: {}, old: {} }, { place: own, config });
    await open(nvim);
    await nvim.waitForScreen('#review  ann, old');
    configure(own, { ann: {} });
    await nvim.waitForScreen('ann, old (not configured)');
    await nvim.feed('<Esc>');
    await nvim.command('Sidekicks channel remove old');
    await nvim.waitFor('old to go', () => !nvim.screen.text().includes('old (not'));
  });
});
