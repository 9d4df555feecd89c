// What a set-up says: one line a step, with the time it took; it decides nothing.

/** @typedef {{ step: <T>(name: string, what: string, work: () => Promise<T>) => Promise<T>, note: (name: string, text: string) => void }} Log */

/** @param {string} name */
const label = (name) => name.padEnd(13);

/** @param {number} since */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/**
 * @param {NodeJS.WritableStream} out
 * @param {{ notes: boolean }} options without notes only steps that do something are told
 * @returns {Log}
 */
export const createLog = (out, { notes }) => ({
  async step(name, what, work) {
    const since = performance.now();
    out.write(`${label(name)} ${what} … `);
    try {
      const result = await work();
      out.write(`${seconds(since)}\n`);
      return result;
    } catch (error) {
      out.write(`failed after ${seconds(since)}\n`);
      throw error;
    }
  },
  note(name, text) {
    if (notes) out.write(`${label(name)} ${text}\n`);
  },
});
