// Owns: what the plugin adds to the start of Neovim, by Neovim's own clock. Must not: print.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../test/nvim/support/nvim.ts';
import type { Place } from '../test/nvim/support/place.ts';
import type { Figure } from './figures.ts';
import { launcher } from './machine.ts';
import type { Measuring } from './measuring.ts';
import { inPlace } from './stage.ts';

const runProgram = promisify(execFile);

interface Start {
  /** Milliseconds until Neovim had started. */
  readonly total: number;
  /** Milliseconds for the plugin's own file, with what it loads. */
  readonly sourced: number;
}

export interface Starts {
  readonly plugin: readonly Start[];
  readonly floor: readonly Start[];
}

const usualRuns = 41;

export function measureStarts({ running, runs = usualRuns, step }: Measuring): Promise<Starts> {
  return inPlace(running, async (place) => {
    const starts = { plugin: [] as Start[], floor: [] as Start[] };
    step('start-up: once without counting');
    await start(place, true);
    for (let run = 1; run <= runs; run += 1) {
      step(`start-up: ${run} of ${runs}`);
      starts.floor.push(await start(place, false));
      starts.plugin.push(await start(place, true));
    }
    return starts;
  });
}

/** With the plugin a folder that is not there leaves the runtime path, so that both do the same work. */
async function start(place: Place, withPlugin: boolean): Promise<Start> {
  const log = join(place.root, `startup-${process.hrtime.bigint()}.log`);
  const leave = 'lua vim.opt.runtimepath:remove(vim.env.BENCH_LEAVE)';
  await runProgram(launcher, ['--headless', '--startuptime', log, '--cmd', leave, '+quitall'], {
    cwd: place.project,
    env: {
      ...place.environment(),
      SIDEKICKS_NVIM: process.env['SIDEKICKS_NVIM'] ?? '',
      BENCH_LEAVE: withPlugin ? join(ROOT, 'nowhere') : ROOT,
    },
  });
  return readStart(readFileSync(log, 'utf8'), ROOT);
}

/** Reads a file of `--startuptime`: lines with the clock, the time a file took, and the same without nested ones. */
export function readStart(log: string, root: string): Start {
  const total = /^(\d+\.\d+) .*NVIM STARTED/m.exec(log)?.[1];
  if (total === undefined) throw new Error(`Neovim's start did not end:\n${log}`);
  const lines = [...log.matchAll(/^\d+\.\d+ +(\d+\.\d+) +\d+\.\d+: sourcing (.*)$/gm)];
  const own = lines.filter(([, , path]) => path?.startsWith(`${root}/plugin/`));
  return { total: Number(total), sourced: own.reduce((sum, [, took]) => sum + Number(took), 0) };
}

/** The whole start varies by more than the plugin takes, so what Neovim's clock says of its file is judged. */
export function startupFigures({ plugin, floor }: Starts): Figure[] {
  const reach = { type: 'under', limit: 1 } as const;
  const totals = (starts: readonly Start[]): number[] => starts.map(({ total }) => total);
  const sourced = plugin.map((start) => start.sourced);
  return [
    { group: 'e', what: 'added to the start of Neovim', unit: 'ms', values: sourced, reach },
    {
      group: 'e',
      what: 'the whole start, with it and without',
      unit: 'ms',
      values: totals(plugin),
      floor: totals(floor),
    },
  ];
}
