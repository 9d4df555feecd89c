// Owns: the result of one `npm run bench` as text and as a file. Must not: measure or judge.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ROOT } from '../test/nvim/support/nvim.ts';
import type { Figure } from './figures.ts';
import { busyLoad, machineLine, type Machine } from './machine.ts';
import { markdownTable, plainTable } from './table.ts';

export interface Result {
  readonly date: string;
  readonly machine: Machine;
  /** The load of the machine before anything was started. */
  readonly load: number;
  readonly figures: readonly Figure[];
  /** What else is known of each stream, to understand the figures. */
  readonly streams: readonly object[];
}

const file = resolve(ROOT, '.deps/bench/latest.json');

export function keep(result: Result): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, rounded, 2)}\n`);
}

/** What was kept last; undefined if nothing was. */
export function kept(): Result | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined;
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;

export function plainReport(result: Result): string {
  return `${plainTable(result.figures)}\n\n${sentences(result).join('\n')}\n`;
}

export function markdownReport(result: Result): string {
  return `${markdownTable(result.figures)}\n\n${sentences(result).join('\n')}\n`;
}

function sentences({ date, machine, load }: Result): string[] {
  const busy = `The machine was busy with other work (load ${load.toFixed(1)}), which these figures contain.`;
  return [
    'Medians (lowest–highest); each figure and its floor were taken in turn.',
    `${machineLine(machine)}; load ${load.toFixed(1)} before; ${date.slice(0, 10)}.`,
    ...(load > busyLoad ? [busy] : []),
  ];
}
