// How a script ends: an expected failure is one message that names the step to take; only a bug shows where it happened.

/** An expected failure; its message is all a person gets to see. */
export class Failure extends Error {}

/** @param {unknown} error */
const report = (error) => {
  if (error instanceof Failure) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`This is a bug in the scripts: ${error instanceof Error ? error.stack : String(error)}\n`);
};

/**
 * Runs a script's work and ends the process with its status.
 * @param {() => Promise<number>} work gives the exit status
 */
export const runMain = async (work) => {
  try {
    process.exitCode = await work();
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
};
