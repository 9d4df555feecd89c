// Owns: how figures are printed, for a terminal and for Markdown. Must not: judge or measure.
import { judge, type Figure } from './figures.ts';
import { rangeOf } from './statistics.ts';

const head = ['', 'figure', 'floor', 'ratio', 'reach', ''];
/** Text to the left, numbers to the right. */
const toTheRight: readonly boolean[] = [false, true, true, true, true, false];
const gap = '  ';

export function plainTable(figures: readonly Figure[]): string {
  const rows = [head, ...figures.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, column) => pad(text, column, widths[column] ?? 0)).join(gap));
  return lines.map((line) => line.trimEnd()).join('\n');
}

export function markdownTable(figures: readonly Figure[]): string {
  const rule = toTheRight.map((right) => (right ? '---:' : '---'));
  return [head, rule, ...figures.map(cells)].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function pad(text: string, column: number, width: number): string {
  return toTheRight[column] ? text.padStart(width) : text.padEnd(width);
}

function cells(figure: Figure): string[] {
  const { group, what, values, floor, unit } = figure;
  const { ratio, within } = judge(figure);
  return [
    `${group}  ${what}`,
    withRange(values, unit),
    floor ? withRange(floor, unit) : '',
    ratio === undefined ? '' : `${digits(ratio)}×`,
    reachText(figure),
    within === undefined ? '' : within ? 'ok' : 'over',
  ];
}

function withRange(values: readonly number[], unit: string): string {
  const { median, min, max } = rangeOf(values);
  const text = unit === 'wakes' ? String : digits;
  const spread = text(min) === text(max) ? '' : ` (${text(min)}–${text(max)})`;
  return `${quantity(median, unit)}${spread}`;
}

function reachText({ reach, unit }: Figure): string {
  switch (reach?.type) {
    case undefined:
      return '';
    case 'ratio':
      return `≤ ${reach.most}×`;
    case 'most':
      return `≤ ${quantity(reach.most, unit, String)}`;
    case 'under':
      return `< ${quantity(reach.limit, unit, String)}`;
  }
}

function quantity(value: number, unit: string, text: (value: number) => string = digits): string {
  if (unit === 'wakes') return `${value}`;
  return unit === '×' ? `${text(value)}×` : `${text(value)} ${unit}`;
}

/** Three significant digits say all that such measurements know. */
function digits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
