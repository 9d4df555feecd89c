// What `npm run bench` makes of its measurements: medians, verdicts, tables, and how it reads its options and Neovim's logs.
import { describe, expect, it } from 'vitest';
import { judge, type Figure } from '../../bench/figures.ts';
import { readOptions } from '../../bench/options.ts';
import { settledAt, type Probe } from '../../bench/probes.ts';
import { Running } from '../../bench/running.ts';
import { readStart } from '../../bench/startup.ts';
import { median, percentile, rangeOf } from '../../bench/statistics.ts';
import { markdownTable, plainTable } from '../../bench/table.ts';

describe('numbers', () => {
  it('takes the middle, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('takes percentiles that were measured', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([0, 0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([1, 100, 190, 198, 200]);
    expect(rangeOf([5, 4, 9])).toEqual({ median: 5, min: 4, max: 9 });
  });
});

const figure: Figure = {
  group: 'a',
  what: 'first answer',
  unit: 'ms',
  values: [90, 120, 96],
  floor: [48, 47, 50],
  reach: { type: 'ratio', most: 2 },
};
const waits: Figure = { group: 'c', what: 'wait', unit: 'ms', values: [16], reach: { type: 'under', limit: 16 } };
const size: Figure = { group: 'd', what: 'host', unit: 'MB', values: [120.4] };

describe('figures', () => {
  it('judges by the medians', () => {
    expect(judge(figure)).toEqual({ ratio: 2, within: true });
    expect(judge({ ...figure, values: [97] }).within).toBe(false);
    expect(judge({ ...figure, reach: { type: 'most', most: 96 } }).within).toBe(true);
  });

  it('holds a limit as passed when it is reached, and judges nothing without a reach', () => {
    expect(judge(waits)).toEqual({ ratio: undefined, within: false });
    expect(judge(size).within).toBeUndefined();
  });

  it('names no ratio to a floor of nothing, and counts in whole numbers', () => {
    const wakes: Figure = { ...size, unit: 'wakes', values: [1], floor: [0], reach: { type: 'most', most: 1 } };
    expect(judge(wakes)).toEqual({ ratio: undefined, within: true });
    expect(plainTable([wakes]).split('\n')[1]?.split(/ {2,}/)).toEqual(['d', 'host', '1', '0', '≤ 1', 'ok']);
  });

  it('prints them in columns', () => {
    const [head, ...rows] = plainTable([figure, waits, size]).split('\n');
    expect(head?.trim().split(/ {2,}/)).toEqual(['figure', 'floor', 'ratio', 'reach']);
    expect(rows).toEqual([
      'a  first answer  96.0 ms (90.0–120)  48.0 ms (47.0–50.0)  2.00×     ≤ 2×  ok',
      'c  wait                     16.0 ms                              < 16 ms  over',
      'd  host                      120 MB',
    ]);
  });

  it('prints them as Markdown', () => {
    expect(markdownTable([figure]).split('\n')).toEqual([
      '|  | figure | floor | ratio | reach |  |',
      '| --- | ---: | ---: | ---: | ---: | --- |',
      '| a  first answer | 96.0 ms (90.0–120) | 48.0 ms (47.0–50.0) | 2.00× | ≤ 2× | ok |',
    ]);
  });
});

describe('an editor that has settled', () => {
  const probes = (took: readonly (number | undefined)[]): Probe[] =>
    took.map((time, index) => ({ sentAt: index * 10, late: 0, ...(time !== undefined && { took: time }) }));
  const good = Array.from({ length: 20 }, () => 1);

  it('answers twenty times in a row soon, the first of which counts', () => {
    expect(settledAt(probes([1, 40, ...good]), 0)).toBe(20);
    expect(settledAt(probes([1, 40, ...good]), 30)).toBeUndefined();
    expect(settledAt(probes([...good, 40]), 0)).toBe(0);
  });

  it('is not there while an answer is missing', () => {
    expect(settledAt(probes([1, undefined, ...good]), 0)).toBeUndefined();
    expect(settledAt(probes([1, undefined, ...good]), 20)).toBe(20);
  });
});

describe("Neovim's own account of its start", () => {
  const log = `
times in msec
 clock   self+sourced   self:  sourced script
000.001  000.001: --- NVIM STARTING ---
001.500  000.400  000.300: sourcing /usr/share/nvim/runtime/plugin/gzip.vim
002.500  000.900  000.250: sourcing /home/a b/sidekicks/plugin/sidekicks.lua
003.125  000.100: --- NVIM STARTED ---
`;

  it('gives the whole start and what our own file took of it', () => {
    expect(readStart(log, '/home/a b/sidekicks')).toEqual({ total: 3.125, sourced: 0.9 });
    expect(readStart(log, '/elsewhere').sourced).toBe(0);
  });

  it('is an error when the start did not end', () => {
    expect(() => readStart(log.replace('NVIM STARTED', ''), '/')).toThrow("Neovim's start did not end");
  });
});

describe('the command line', () => {
  it('measures everything unless told otherwise', () => {
    expect(readOptions([])).toEqual({
      only: new Set(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k']),
      runs: undefined,
      markdown: false,
      strict: false,
      last: false,
      profile: false,
    });
    expect(readOptions(['--only', 'e,a', '--quick', '--markdown'])).toMatchObject({
      only: new Set(['a', 'e']),
      runs: 1,
      markdown: true,
    });
    expect(readOptions(['--runs', '7'])).toMatchObject({ runs: 7 });
  });

  it('says what it does not understand', () => {
    expect(readOptions(['--only', 'a,x'])).toBe("--only knows a, b, c, d, e, f, g, h, i, j, k, not 'x'");
    expect(readOptions(['--runs', 'many'])).toBe("--runs wants a count, not 'many'");
    expect(readOptions(['--fast'])).toMatch(/Unknown option '--fast'/);
  });
});

describe('what is running', () => {
  it('ends whatever comes of the work, and all of it when interrupted', async () => {
    const ended: string[] = [];
    const running = new Running();
    const failing = running.until(
      () => void ended.push('failed one'),
      () => Promise.reject(new Error('broken')),
    );
    await expect(failing).rejects.toThrow('broken');
    void running.until(
      () => void ended.push('first'),
      () =>
        running.until(
          () => void ended.push('second'),
          () => new Promise(() => undefined),
        ),
    );
    await running.endAll();
    expect(ended).toEqual(['failed one', 'second', 'first']);
  });
});
