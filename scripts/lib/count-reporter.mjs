// A vitest reporter that only counts, for the last line of `npm test` (tests.mjs); it prints nothing.
import { writeFileSync } from 'node:fs';

export default class CountReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const path = process.env['SIDEKICKS_TEST_COUNTS'];
    if (path === undefined) return;
    // A file that cannot be loaded and an error outside any test are failures too, with no test to count.
    const counts = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const { state } = test.result();
        if (state !== 'pending') counts[state] += 1;
      }
      const explained = tests.some((test) => test.result().state === 'failed');
      if (module.state() === 'failed' && !explained) counts.failed += 1;
    }
    writeFileSync(path, JSON.stringify(counts));
  }
}
