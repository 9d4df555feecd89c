// Owns: what is made of many numbers. Must not: know what they measure.

const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Of an even count, the mean of the two in the middle; of nothing, NaN. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (lower + upper) / 2;
}

/** The smallest value that at least this share of them (0 to 1) does not pass. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = ascending(values);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export interface Range {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function rangeOf(values: readonly number[]): Range {
  return { median: median(values), min: percentile(values, 0), max: percentile(values, 1) };
}
