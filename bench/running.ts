// Owns: knowing what the benchmarks have started, so that nothing outlives them. Must not: start anything.

type End = () => Promise<void> | void;

export class Running {
  readonly #ends = new Set<End>();

  /** Does the work and then ends what it needed, whatever came of it. */
  async until<T>(end: End, work: () => Promise<T>): Promise<T> {
    this.#ends.add(end);
    try {
      return await work();
    } finally {
      await end();
      this.#ends.delete(end);
    }
  }

  /** Ends everything, what was started last first; a failure does not keep the rest from ending. */
  async endAll(): Promise<void> {
    for (const end of [...this.#ends].reverse()) {
      try {
        await end();
      } catch (error) {
        process.stderr.write(`${String(error)}\n`);
      }
    }
  }
}
