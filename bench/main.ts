// Owns: what `npm run bench` does from its arguments to its exit status. Must not: measure anything itself.
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT } from '../test/nvim/support/nvim.ts';
import { crowdFigures, measureCrowd } from './crowd.ts';
import { judge, type Figure, type Group } from './figures.ts';
import { measureEdits } from './edits.ts';
import { editsFigures } from './edits-figures.ts';
import { firstAnswerFigures, measureFirstAnswers } from './first-answer.ts';
import { historyFigures, measureHistory } from './history.ts';
import { describeMachine, knowsMemory, load } from './machine.ts';
import type { Measuring } from './measuring.ts';
import { readOptions, usage, type Options } from './options.ts';
import { keep, kept, markdownReport, plainReport, type Result } from './report.ts';
import { measurePool } from './pool.ts';
import { memoryFigures, panelFigures, reloadFigures, restFigures } from './pool-figures.ts';
import { measureReloads } from './reload.ts';
import { measureRests } from './rest.ts';
import { Running } from './running.ts';
import { measureStarts, startupFigures } from './startup.ts';
import { streamFigures } from './stream-figures.ts';
import { measureStreams } from './stream-series.ts';

const noMemory = 'What a process uses (d, g) is read from /proc, which only Linux has.';
const ofProc: readonly Group[] = ['d', 'g'];
const interrupted = 130;

/** Gives the exit status: a figure over its reach is no failure unless that is asked for. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') return refuse(`${options}\n${usage}`);
  if (ofProc.some((group) => options.only.has(group)) && !knowsMemory()) {
    process.stderr.write(`${noMemory}\n`);
    if ([...options.only].every((group) => ofProc.includes(group))) return 2;
  }
  const result = options.last ? kept() : await measure(options);
  if (result === undefined) return refuse('Nothing has been measured here yet: leave --last out.');
  process.stdout.write(options.markdown ? markdownReport(result) : plainReport(result));
  return options.strict && result.figures.some((figure) => judge(figure).within === false) ? 1 : 0;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 2;
}

async function measure(options: Options): Promise<Result> {
  const loadBefore = load();
  const { figures, streams } = await untilInterrupted((running) => {
    const step = (what: string): void => void process.stderr.write(`${what}\n`);
    const profile = options.profile ? emptyFolder : () => undefined;
    return takeAll(options.only, { running, runs: options.runs, step, profile });
  });
  const result = { date: new Date().toISOString(), machine: describeMachine(), load: loadBefore, figures, streams };
  keep(result);
  return result;
}

/** Whoever interrupts the work finds nothing left running, and no complaint of the work that lost its ground. */
async function untilInterrupted<T>(work: (running: Running) => Promise<T>): Promise<T> {
  const running = new Running();
  let ending: Promise<void> | undefined;
  const stop = (): void => {
    ending ??= running.endAll().finally(() => process.exit(interrupted));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    return await work(running);
  } finally {
    await ending;
  }
}

async function takeAll(
  only: ReadonlySet<Group>,
  measuring: Measuring,
): Promise<{ readonly figures: readonly Figure[]; readonly streams: readonly object[] }> {
  const figures: Figure[] = [];
  const streams: object[] = [];
  if (only.has('a')) figures.push(...firstAnswerFigures(await measureFirstAnswers(measuring)));
  if (only.has('b') || only.has('c') || only.has('d')) {
    const series = await measureStreams(measuring);
    figures.push(...streamFigures(series));
    for (const { chunks, product } of [series.short, series.long]) {
      streams.push(...product.map(({ notes }) => ({ chunks, ...notes })));
    }
  }
  if (only.has('e')) figures.push(...startupFigures(await measureStarts(measuring)));
  if (only.has('f') || only.has('g')) {
    const pools = await measurePool(measuring);
    figures.push(...panelFigures(pools), ...(knowsMemory() ? memoryFigures(pools) : []));
  }
  if (only.has('g') && knowsMemory()) figures.push(...restFigures(await measureRests(measuring)));
  if (only.has('h')) figures.push(...reloadFigures(await measureReloads(measuring)));
  if (only.has('k')) figures.push(...crowdFigures(await measureCrowd(measuring)));
  if (only.has('i')) figures.push(...historyFigures(await measureHistory(measuring)));
  if (only.has('j')) figures.push(...editsFigures(await measureEdits(measuring)));
  return { figures: figures.filter(({ group }) => only.has(group)), streams };
}

function emptyFolder(name: string): string {
  const folder = resolve(ROOT, '.deps/bench/profile', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
