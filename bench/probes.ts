// Owns: asking Neovim a small question every 10 ms, answered or not, as a hand on the keys would. Must not: judge.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Nvim } from '../test/nvim/support/nvim.ts';

const everyMs = 10;
/** Settled: so many answers in a row came so soon. */
const settledCount = 20;
const settledMs = 15;

export interface Probe {
  readonly sentAt: number;
  /** How late our own timer was: what of the answer's time may be the machine's doing. */
  readonly late: number;
  /** Milliseconds until the answer; missing while it is awaited. */
  took?: number;
}

export class Probes {
  readonly #nvim: Nvim;
  readonly #all: Probe[] = [];
  readonly #failures: unknown[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(nvim: Nvim) {
    this.#nvim = nvim;
  }

  start(): void {
    let due = performance.now() + everyMs;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#send({ sentAt: now, late: Math.max(0, now - due) });
      due = now + everyMs;
    }, everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Those sent between two moments, in order. */
  between(from: number, to: number): Probe[] {
    return this.#all.filter(({ sentAt }) => sentAt >= from && sentAt <= to);
  }

  /** Waits until the editor answers soon and goes on to, and gives the moment from which on it did. */
  async settled(from: number, limitMs: number): Promise<number> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      if (this.#failures.length > 0) throw this.#failures[0];
      const at = settledAt(this.#all, from);
      if (at !== undefined) return at;
      if (performance.now() > deadline) throw new Error(`Neovim does not settle within ${limitMs / 1000} s`);
      await sleep(everyMs);
    }
  }

  #send(probe: Probe): void {
    this.#all.push(probe);
    this.#nvim.request('nvim_eval', '1').then(
      () => (probe.took = performance.now() - probe.sentAt),
      (error: unknown) => this.#failures.push(error),
    );
  }
}

/** The first of enough good probes in a row that were sent at `from` or later. */
export function settledAt(probes: readonly Probe[], from: number): number | undefined {
  let first: number | undefined;
  let good = 0;
  for (const { sentAt, took } of probes) {
    if (sentAt < from) continue;
    if (took === undefined) return undefined;
    good = took <= settledMs ? good + 1 : 0;
    if (good === 1) first = sentAt;
    if (good === settledCount) return first;
  }
  return undefined;
}
