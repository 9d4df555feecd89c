// Which tests there are and how they run: `main` is every test but those with real agents, which are `agents`.
import { defineConfig } from 'vitest/config';

const counting = './scripts/lib/count-reporter.mjs';

export default defineConfig({
  test: {
    reporters: ['default', counting],
    // Two cores are the least a machine has; each test of Neovim runs three processes of its own.
    maxWorkers: 2,
    // CI shares its machine: a deadline missed once is looked at again there, missed twice it is a fault.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: 'main', include: ['test/**/*.test.ts'], exclude: ['test/e2e/real-agents.test.ts'] },
      },
      { extends: true, test: { name: 'agents', include: ['test/e2e/real-agents.test.ts'], fileParallelism: false } },
    ],
  },
});
