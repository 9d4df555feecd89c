// Owns what the tests of the configuration ask again and again: names of agents, the error of a method, whether a process is gone.
import type { Sidekicks } from './sidekicks.ts';

export const agentNames = async (sidekicks: Sidekicks) =>
  (await sidekicks.call('AgentService.List', {})).agents.map(({ name }) => name);

/** The error of a method, as `code: message`. */
export const errorOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

export const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};
