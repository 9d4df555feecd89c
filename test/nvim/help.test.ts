// The help in both languages: nothing a person can type, set or hear of is left out, and every tag can be gone to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { events } from '../../src/core/contract/events.ts';
import { methods } from '../../src/core/contract/methods.ts';
import { frenchSummaries } from '../../src/core/contract/french-summaries.ts';
import { describeNvim } from './support/describe-nvim.ts';
import { ROOT, type Nvim } from './support/nvim.ts';

const pages = { en: 'doc/sidekicks.txt', fr: 'doc/sidekicks.frx' } as const;
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const tagsOf = (page: string): string[] => [...page.matchAll(/\*([^*\s]+)\*/g)].map(([, tag]) => tag ?? '');

const publicNames = (table: Readonly<Record<string, object>>): string[] =>
  Object.entries(table).flatMap(([name, entry]) => ('internal' in entry ? [] : [name]));

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** What the plugin itself says there is. */
async function wanted(nvim: Nvim): Promise<string[]> {
  const [subcommands, actions, groups, options] = await nvim.lua<string[][]>(`
    local highlight = require('sidekicks.highlight')
    return {
      require('sidekicks.command').names(),
      require('sidekicks.keys').actions(),
      vim.tbl_map(highlight.group, highlight.roles()),
      vim.tbl_keys(vim.tbl_extend('keep', { config = '', node = '' }, require('sidekicks.options').get())),
    }`);
  return [
    ...(subcommands ?? []).map((name) => `:Sidekicks-${name}`),
    ...(actions ?? []).map((name) => `<Plug>(sidekicks-${name})`),
    ...(groups ?? []).map((name) => `hl-${name}`),
    ...(options ?? []).map((name) => `sidekicks-option-${name}`),
    ...publicNames(methods).map((name) => `sidekicks-${name}`),
    ...publicNames(events).map((name) => `sidekicks-event-${name.replace(':', '-')}`),
    ...publicNames(events).map((name) => `Sidekicks${name.split(':').map(capitalised).join('')}`),
    ...['setup', 'open', 'channel', 'send', 'request', 'call', 'on', 'status'].map((name) => `sidekicks.${name}()`),
    ':SidekicksChannel',
    'sidekicks-configuration',
  ];
}

describeNvim('the help', ({ start, place }) => {
  it('has a tag for every command, map, group, option, method, event and function', async () => {
    const nvim = await start({ place: place() });
    const tags = tagsOf(text(pages.en));
    const missing = (await wanted(nvim)).filter((tag) => !tags.includes(tag));
    expect(missing).toEqual([]);
  });

  it('has a tag for nothing that does not exist', async () => {
    const nvim = await start({ place: place() });
    const known = await wanted(nvim);
    const surplus = tagsOf(text(pages.en)).filter((tag) =>
      /^(:Sidekicks-|<Plug>|hl-|sidekicks-option-|Sidekicks)/.test(tag),
    );
    expect(surplus.filter((tag) => !known.includes(tag))).toEqual([]);
  });

  it('says in French what each method and event does', () => {
    const names = [...publicNames(methods), ...publicNames(events)];
    expect(Object.keys(frenchSummaries).sort()).toEqual([...names].sort());
    for (const summary of Object.values(frenchSummaries)) expect(summary).not.toMatch(/'| [:;!?]/);
  });

  it('can be gone to by every tag, in both languages', async () => {
    const own = place();
    const nvim = await start({ place: own });
    const doc = join(own.root, 'doc');
    await nvim.lua(
      `local root, copy = ...
      vim.fn.mkdir(copy)
      for _, name in ipairs({ 'sidekicks.txt', 'sidekicks.frx' }) do
        vim.fn.writefile(vim.fn.readfile(root .. '/doc/' .. name, 'b'), copy .. '/' .. name, 'b')
      end
      vim.cmd.helptags(copy)
      vim.opt.runtimepath:remove(root)
      vim.opt.runtimepath:prepend(vim.fs.dirname(copy))`,
      ROOT,
      doc,
    );
    for (const language of ['en', 'fr'] as const) {
      const tags = tagsOf(text(pages[language]));
      const failed = await nvim.lua<string[]>(
        `local language, tags = ...
        return vim.tbl_filter(function(tag)
          return not pcall(vim.cmd.help, { args = { tag .. '@' .. language } })
        end, tags)`,
        language,
        tags,
      );
      expect(failed).toEqual([]);
      expect(await nvim.lua(`return vim.fn.expand('%:t')`)).toBe(pages[language].slice('doc/'.length));
    }
  });

  it('has the same tags in both languages, and links to none that is missing', async () => {
    const nvim = await start({ place: place() });
    const english = tagsOf(text(pages.en));
    expect(tagsOf(text(pages.fr)).sort()).toEqual([...english].sort());
    expect(new Set(english).size).toBe(english.length);
    for (const page of Object.values(pages)) {
      const links = [...text(page).matchAll(/(?<![\w|])\|([^|\s]+)\|(?!\w)/g)].map(([, link]) => link ?? '');
      const foreign = links.filter((link) => !english.includes(link) && !/^sidekicks@(en|fr)$/.test(link));
      const dead = await nvim.lua(
        `return vim.tbl_filter(function(link)
          return #vim.fn.getcompletion(link, 'help') == 0
        end, ...)`,
        foreign,
      );
      expect(dead).toEqual([]);
    }
  });

  it('is at most 78 columns wide, and ends with a modeline', async () => {
    const nvim = await start({ place: place() });
    for (const page of Object.values(pages)) {
      const lines = text(page).trimEnd().split('\n');
      const wide = await nvim.lua<string[]>(
        `return vim.tbl_filter(function(line) return vim.fn.strdisplaywidth(line) > 78 end, ...)`,
        lines,
      );
      expect(wide).toEqual([]);
      expect(lines.at(-1)).toMatch(/^ vim:.*ft=help/);
    }
  });
});
