// Runs the sweeper inside a container or sandbox and waits for it. What is to be swept, others know.
import { LineReader } from '../../core/line-reader.ts';
import type { Log } from '../../core/ports.ts';
import { insideWords } from '../../core/runtime.ts';
import type { Marked, StopTimes } from './leader.ts';
import type { LocalLauncher } from './local.ts';
import { sweepWords } from './sweeper.ts';

/** Settles when nothing with the mark is left, or nothing can be done: a container that is gone has nothing running. */
export function sweep(processes: LocalLauncher, { inside, mark }: Marked, times: StopTimes, log: Log): Promise<void> {
  const [command = '', ...args] = insideWords(inside, sweepWords(mark, times), { folder: '' });
  const said: string[] = [];
  const lines = new LineReader(
    1024,
    (line) => said.push(line),
    (line) => said.push(line),
  );
  return new Promise((resolve) => {
    const failed = (what: string): void => {
      log.write(`what runs in ${inside.name} could not be ended: ${what}`);
      resolve();
    };
    processes.launch({ command, args, env: {} }, '/', {
      output: () => undefined,
      errors: (chunk) => lines.push(chunk),
      outputClosed: () => undefined,
      failed: (failure) => failed(failure.text),
      ended: ({ code }) => {
        lines.end();
        if (code === 0) resolve();
        else failed(said.join(' ') || `exit status ${String(code)}`);
      },
    });
  });
}
