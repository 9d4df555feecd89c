// Owns waiting in tests: for a condition, with a deadline. There is no other wait in the tests, no blind sleep above all.
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 4;
export const LIMIT_MS = 15_000;

type Falsy = false | 0 | '' | null | undefined;

/** Looks until `probe` gives something truthy and gives that; what a probe throws ends the wait. */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  limitMs = LIMIT_MS,
): Promise<Exclude<T, Falsy>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await probe();
    if (isTruthy(value)) return value;
    if (performance.now() > deadline) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}

function isTruthy<T>(value: T): value is Exclude<T, Falsy> {
  return Boolean(value);
}

/** The promise's own end if it comes in time, else what `late` throws or gives. */
export async function within<T, L>(limitMs: number, promise: Promise<T>, late: () => L | Promise<L>): Promise<T | L> {
  const settled = new AbortController();
  const limit = sleep(limitMs, undefined, { signal: settled.signal }).then(late);
  // Once settled, the broken-off sleep has nothing to say any more.
  limit.catch(() => undefined);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    settled.abort();
  }
}
