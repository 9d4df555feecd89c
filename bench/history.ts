// Owns: how long a conversation of a hundred to a million messages takes to open, a search of all of them, a jump far back, a
// clear of the longest, and a stream while another Neovim keeps messages. Must not: print.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, constants, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { historyPath } from '../src/adapters/sqlite/file.ts';
import { openHistory } from '../src/adapters/sqlite/history.ts';
import type { Nvim } from '../test/nvim/support/nvim.ts';
import type { Place } from '../test/nvim/support/place.ts';
import type { Figure } from './figures.ts';
import { agentOf, commonWord, historyFixture, idAt, lastWord, nameAt, rareWord, sizes } from './history-fixture.ts';
import { knowsMemory, memoryOf } from './machine.ts';
import type { Measuring } from './measuring.ts';
import type { Running } from './running.ts';
import { inPlace, nvimIn } from './stage.ts';
import { percentile } from './statistics.ts';
import { hostOf, streamDrawn, type Stream } from './streams.ts';

interface Opened {
  readonly answerMs: number;
  readonly screenMs: number;
  /** Megabytes of the host afterwards; NaN where nobody tells. */
  readonly host: number;
}

export interface HistoryTimes {
  readonly opened: ReadonlyMap<number, readonly Opened[]>;
  readonly searches: ReadonlyMap<string, readonly number[]>;
  readonly saves: readonly number[];
  /** Jumps to messages 900,000 back. */
  readonly jumps: readonly number[];
  /** The host's answer to `Clear` of the longest conversation, then to small questions while its messages go. */
  readonly cleared: readonly number[];
  readonly meanwhile: readonly number[];
  readonly streams: { readonly alone: readonly Stream[]; readonly beside: readonly Stream[] };
}

const usualRuns = 5;
const streamChunks = 20_000;
const keptMeanwhile = 10_000;
const writer = resolve(import.meta.dirname, 'history-writer.ts');

const OPEN = `
  local agent, id, last = ...
  local answer_started = vim.uv.hrtime()
  require('sidekicks').call('ChannelService.Conversation', { id = id })
  local answered = vim.uv.hrtime()
  vim.cmd('Sidekicks open ' .. agent)
  local shown = vim.wait(10000, function()
    local buf = vim.fn.bufnr('^sidekicks://agent/' .. agent .. '$')
    local rows = buf > 0 and vim.api.nvim_buf_get_lines(buf, -10, -1, false) or {}
    return table.concat(rows, '\\n'):find(last, 1, true) ~= nil
  end, 1)
  vim.cmd('redraw')
  assert(shown, 'no transcript within 10 s: ' .. last .. ' of ' .. vim.fn.execute('ls!'))
  return { (answered - answer_started) / 1e6, (vim.uv.hrtime() - answered) / 1e6 }
`;

const JUMP = `
  local agent, message, word = ...
  vim.cmd('Sidekicks open ' .. agent)
  local id = require('sidekicks').call('ChannelService.Direct', { agent = agent }).id
  local buf = vim.fn.bufnr('^sidekicks://agent/' .. agent .. '$')
  vim.wait(10000, function() return vim.api.nvim_buf_line_count(buf) > 50 end, 1)
  local started = vim.uv.hrtime()
  require('sidekicks.message').go(id, message)
  local shown = vim.wait(60000, function()
    if vim.api.nvim_get_current_buf() ~= buf then
      return false
    end
    local rows = vim.api.nvim_buf_get_lines(buf, vim.fn.line('w0') - 1, vim.fn.line('w$'), false)
    return table.concat(rows, ' '):find(word .. '%f[%W]') ~= nil
  end, 1)
  vim.cmd('redraw')
  assert(shown, 'not gone to: ' .. word)
  return (vim.uv.hrtime() - started) / 1e6
`;

const CLEAR = `
  local sidekicks = require('sidekicks')
  local id = sidekicks.call('ChannelService.Direct', { agent = ... }).id
  local function took(...)
    local started = vim.uv.hrtime()
    sidekicks.call(...)
    return (vim.uv.hrtime() - started) / 1e6
  end
  local cleared, meanwhile = took('ChannelService.Clear', { id = id }, 60000), {}
  for at = 1, 200 do
    vim.wait(20)
    meanwhile[at] = took('ChannelService.List', {})
  end
  return { cleared, meanwhile }
`;

export async function measureHistory(measuring: Measuring): Promise<HistoryTimes> {
  const { running, runs = usualRuns, step } = measuring;
  const fixture = historyFixture(step);
  const opened = new Map<number, Opened[]>(sizes.map((size) => [size, []]));
  const searches = new Map<string, number[]>();
  const saves: number[] = [];
  const jumps: number[] = [];
  let gone: Gone = { cleared: [], meanwhile: [] };
  await inPlace(running, async (place) => {
    keep(fixture, place);
    // The first Neovim reads the host's files from the disk.
    for (let run = 0; run <= runs; run += 1) {
      step(`a long history opened, ${run} of ${runs}`);
      for (const size of sizes) {
        const one = await open(running, place, size);
        if (run > 0) opened.get(size)?.push(one);
      }
    }
    step('searched, and added to');
    search(place, searches);
    save(place, saves);
    step('gone far back, and cleared');
    for (let run = 0; run < runs; run += 1) jumps.push(await jump(running, place, 100_000 + run * 1009));
    gone = await clear(running, place);
  });
  const streams = { alone: [] as Stream[], beside: [] as Stream[] };
  for (let run = 1; run <= runs; run += 1) {
    step(`a stream while another Neovim keeps ${keptMeanwhile} messages, ${run} of ${runs}`);
    streams.alone.push(await streamDrawn(running, streamChunks));
    streams.beside.push(await streamDrawn(running, streamChunks, undefined, keepMeanwhile));
  }
  return { opened, searches, saves, jumps, ...gone, streams };
}

const withNvim = async <T>(running: Running, place: Place, work: (nvim: Nvim) => Promise<T>): Promise<T> => {
  const nvim = await nvimIn(place);
  return running.until(
    () => nvim.dispose(),
    () => work(nvim),
  );
};

const longest = 1_000_000;

const jump = (running: Running, place: Place, at: number): Promise<number> =>
  withNvim(running, place, (nvim) => nvim.lua<number>(JUMP, agentOf(longest), idAt(agentOf(longest), at), nameAt(at)));

type Gone = Pick<HistoryTimes, 'cleared' | 'meanwhile'>;

const clear = (running: Running, place: Place): Promise<Gone> =>
  withNvim(running, place, async (nvim) => {
    const [cleared, meanwhile] = await nvim.lua<[number, number[]]>(CLEAR, agentOf(longest));
    return { cleared: [cleared], meanwhile };
  });

const dataFolder = (place: Place): string => join(place.root, 'config', 'sidekicks', 'data');

function keep(fixture: string, place: Place): void {
  const program = resolve(import.meta.dirname, 'agent.mjs');
  const agent = { command: process.execPath, args: [program], env: { NODE_OPTIONS: '' } };
  place.writeConfig({ agents: Object.fromEntries(sizes.map((size) => [agentOf(size), agent])) });
  const file = historyPath(dataFolder(place), place.config);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(fixture, file, constants.COPYFILE_FICLONE);
  const database = new Database(file);
  database.prepare('update conversations set project = ?').run(place.project);
  database.close();
}

async function open(running: Running, place: Place, size: number): Promise<Opened> {
  return withNvim(running, place, async (nvim) => {
    const agent = agentOf(size);
    const { id } = await nvim.lua<{ id: string }>(
      `return require('sidekicks').call('ChannelService.Direct', { agent = ... })`,
      agent,
    );
    const [answerMs, screenMs] = await nvim.lua<[number, number]>(OPEN, agent, id, lastWord(size));
    return { answerMs, screenMs, host: knowsMemory() ? memoryOf(hostOf(nvim)).now : NaN };
  });
}

const queries: Readonly<Record<string, (run: number) => string>> = {
  'a word of every message': () => commonWord,
  'the beginning of a common word': (run) => ['f', 'fu', 'fun', 'co', 'mes', 't', 're'][run % 7] ?? '',
  'two common words': () => 'function error',
  'a word of few messages': (run) => `name${(run * 7919) % 50_000}`,
  'a word of one message': () => rareWord,
  'words nobody said': (run) => `nobody${run} said`,
};
const searchRuns = 40;

function search(place: Place, searches: Map<string, number[]>): void {
  const history = openHistory({ dataFolder: dataFolder(place), configPath: place.config, word: ({ text }) => text });
  for (const [what, query] of Object.entries(queries)) {
    const times = Array.from({ length: searchRuns }, (_, run) => {
      const started = performance.now();
      history.search(query(run), 200);
      return performance.now() - started;
    });
    searches.set(what, times);
  }
  history.close();
}

function save(place: Place, saves: number[]): void {
  const history = openHistory({ dataFolder: dataFolder(place), configPath: place.config, word: ({ text }) => text });
  const [last] = history.messages(agentOf(1_000_000), '', 1).messages;
  if (last) {
    for (let at = 0; at < keptMeanwhile; at += 1) {
      const started = performance.now();
      history.saveMessage({ ...last, id: `new-${at}` }, `new-${at}`);
      saves.push(performance.now() - started);
    }
  }
  history.close();
}

/** A process that keeps messages in the same history as fast as it can; ends by itself. */
async function keepMeanwhile(place: Place): Promise<() => Promise<void>> {
  const args = [writer, dataFolder(place), place.config, String(keptMeanwhile)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdin.end('go\n');
  return async () => {
    child.kill();
    await ended;
  };
}

const count = (size: number): string => size.toLocaleString('en');

export function historyFigures({
  opened,
  searches,
  saves,
  jumps,
  cleared,
  meanwhile,
  streams,
}: HistoryTimes): Figure[] {
  const under = (limit: number) => ({ type: 'under', limit }) as const;
  const ofSize = (what: string, of: (one: Opened) => number, limit?: number): Figure[] =>
    sizes.map((size) => ({
      group: 'i',
      what: `${what}, ${count(size)} messages`,
      unit: what.startsWith('host after') ? 'MB' : 'ms',
      values: (opened.get(size) ?? []).map(of),
      ...(limit === undefined ? {} : { reach: under(limit) }),
    }));
  const p99 = ({ probes }: Stream): number =>
    percentile(
      probes.map(({ took = NaN }) => took),
      0.99,
    );
  return [
    ...ofSize('the host’s answer to Conversation', ({ answerMs }) => answerMs, 50),
    ...ofSize('the first screen', ({ screenMs }) => screenMs, 50),
    ...(knowsMemory() ? ofSize('host after opening', ({ host }) => host) : []),
    ...[...searches].map(([what, times]): Figure => ({
      group: 'i',
      what: `search p95 in ${count(1_000_000)}: ${what}`,
      unit: 'ms',
      values: [percentile(times, 0.95)],
      reach: under(50),
    })),
    ...([0.5, 0.99, 1] as const).map((share): Figure => ({
      group: 'i',
      what: `a message kept beside ${count(1_000_000)}, ${share === 1 ? 'max' : `p${share * 100}`}`,
      unit: 'ms',
      values: [percentile(saves, share)],
      ...(share === 0.99 && { reach: under(16) }),
    })),
    {
      group: 'i',
      what: 'a message 900,000 back gone to',
      unit: 'ms',
      values: jumps,
      reach: under(250),
    },
    { group: 'i', what: `Clear of ${count(longest)}`, unit: 'ms', values: cleared, reach: under(50) },
    {
      group: 'i',
      what: 'the host’s answer while they go, p99',
      unit: 'ms',
      values: [percentile(meanwhile, 0.99)],
      reach: under(16),
    },
    {
      group: 'i',
      what: `round trip p99 while another keeps ${count(keptMeanwhile)}, and alone`,
      unit: 'ms',
      values: streams.beside.map(p99),
      floor: streams.alone.map(p99),
      reach: under(16),
    },
  ];
}
