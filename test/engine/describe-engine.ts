// Says which tests need a Docker engine, and prints why where they are left out. Must not: start one.
import { describe } from 'vitest';
import { noEngine } from './engine.ts';

const reason = noEngine();

/** A group of tests that need an engine; where none can run, each is skipped and the reason stands in its name. */
export const describeEngine = (name: string, tests: () => void): void => {
  if (reason === undefined) describe(name, tests);
  else describe.skip(`${name} (left out: ${reason})`, tests);
};
