// The lengths of time a configuration writes: `30s`, `15m`, `2h`, `0`.
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Longer ones do not fit a timer of the system. */
export const maxDurationHours = 500;
export const maxDurationMs = maxDurationHours * 3_600_000;

/** Undefined for what is not a duration. */
export function readDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, count, unit] = /^([1-9][0-9]{0,6})([smh])$/.exec(text) ?? [];
  const ms = unit === undefined ? undefined : unitMs[unit];
  return ms === undefined ? undefined : Number(count) * ms;
}
